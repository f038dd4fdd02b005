//! What a graph holds, and what a plan did.

use super::Graph;
use crate::error::Result;
use crate::exec::Profile;
use crate::table_name::TableName;
use omnigraph_compiler::Plan;
use omnigraph_store::{Snapshot, Target};
use std::fmt::Write as _;
use std::sync::Arc;

/// A table of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableInfo {
    /// `node:Person` or `edge:Knows`.
    pub key: String,
    /// Below the root of the graph; empty when the table has never had rows.
    pub path: String,
    /// Of the Lance dataset; 0 when the table has never had rows.
    pub version: u64,
    /// Live rows.
    pub rows: u64,
}

/// A snapshot with its tables.
#[derive(Clone, Debug)]
pub struct Described {
    /// The commit.
    pub snapshot: Arc<Snapshot>,
    /// All types of the schema, nodes first, by name.
    pub tables: Vec<TableInfo>,
}

impl Graph {
    /// The tables of a target.
    pub fn describe(&self, target: &Target) -> Result<Described> {
        self.describe_at(self.readable(target)?)
    }

    pub(super) fn describe_at(&self, snapshot: Arc<Snapshot>) -> Result<Described> {
        let loaded = self.schema_of(&snapshot)?;
        let nodes = loaded.catalog.nodes.keys().map(|name| TableName::Node(name).key());
        let edges = loaded.catalog.edges.keys().map(|name| TableName::Edge(name).key());
        let tables = nodes.chain(edges).map(|key| match snapshot.table(&key) {
            Some(entry) => TableInfo {
                path: format!("tables/{}", entry.dir),
                version: entry.version,
                rows: entry.rows,
                key,
            },
            None => TableInfo { key, path: String::new(), version: 0, rows: 0 },
        });
        let tables = tables.collect();
        Ok(Described { snapshot, tables })
    }
}

/// The text of a plan with rows and time behind the operators of the main pipeline.
pub(super) fn annotated(plan: &Plan, profile: &Profile) -> String {
    let text = plan.to_string();
    let mut out = String::new();
    let mut at = 0;
    for (line, content) in text.lines().enumerate() {
        out.push_str(content);
        let indent = content.len() - content.trim_start().len();
        if line > 0 && indent == 2 {
            if let Some(op) = profile.ops.get(at).filter(|op| op.rows > 0 || !op.time.is_zero()) {
                let rows = if op.rows == 1 { "row" } else { "rows" };
                let _ = write!(out, "  [{} {rows}, {:.3} ms]", op.rows, op.time.as_secs_f64() * 1e3);
            }
            at += 1;
        }
        out.push('\n');
    }
    out
}
