//! A commit and its tables.

use super::receipt::safe;
use super::when::target;
use super::{Call, Context, Method, Route};
use crate::fault::Fault;
use omnigraph::{TableInfo, Target};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A state whose tables are wanted.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SnapshotRequest {
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// A commit, a tag, or `manifest:main:v3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// A time such as `2026-11-01T12:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// A commit and its tables.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SnapshotOutput {
    /// What was asked for.
    pub branch: String,
    /// The number of commits up to this one.
    pub manifest_version: u64,
    /// The commit.
    pub graph_commit_id: String,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// All types of the schema, nodes first.
    pub tables: Vec<TableOutput>,
}

/// A table of a commit.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TableOutput {
    /// `node:Person` or `edge:Knows`.
    pub table_key: String,
    /// Below the root of the graph; empty when it has never had rows.
    pub table_path: String,
    /// Of the Lance dataset: a number, text when JavaScript could not read it.
    #[schema(value_type = Value)]
    pub table_version: Value,
    /// Always null: branches share tables.
    pub table_branch: Option<String>,
    /// Live rows.
    pub row_count: u64,
}

impl Call for SnapshotRequest {
    type Output = SnapshotOutput;

    const ROUTE: Route = Route {
        id: "snapshot",
        method: Method::Get,
        path: "/snapshot",
        summary: "The newest commit of a branch, or another state, with its tables.",
        faults: &[400, 404],
    };

    fn run(self, context: &mut Context<'_>) -> Result<SnapshotOutput, Fault> {
        let target = target(self.branch, self.snapshot.as_deref(), self.at.as_deref())?;
        let described = context.graph.describe(&target)?;
        let record = &described.snapshot.record;
        // A new branch has no commit of its own: what was asked for is its name all the same.
        let branch = match target {
            Target::Branch(name) | Target::Version(name, _) | Target::At(name, _) => name,
            Target::Commit(_) | Target::Tag(_) => record.branch.clone(),
        };
        Ok(SnapshotOutput {
            branch,
            manifest_version: record.version,
            graph_commit_id: record.id.to_string(),
            created_at: record.created_at,
            tables: described.tables.into_iter().map(table).collect(),
        })
    }
}

fn table(table: TableInfo) -> TableOutput {
    TableOutput {
        table_key: table.key,
        table_path: table.path,
        table_version: safe(table.version),
        table_branch: None,
        row_count: table.rows,
    }
}
