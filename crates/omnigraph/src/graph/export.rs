//! A graph as JSON lines that `load` reads back.

use super::Graph;
use crate::access::Action;
use crate::error::{Error, Result};
use crate::rows::{DST, ID, SRC, write_cell, write_string};
use crate::table_name::TableName;
use crate::view::live_rows;
use arrow_array::{Array, ArrayRef};
use omnigraph_compiler::did_you_mean;
use omnigraph_compiler::schema::catalog::{Body, Catalog};
use omnigraph_store::{Snapshot, Table, Target};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::Arc;

/// Text that waits in memory before it is written.
const BUFFERED: usize = 1 << 16;

/// What is exported. Both empty is everything; else what either names.
#[derive(Clone, Debug, Default)]
pub struct ExportOptions {
    /// Names of node and edge types.
    pub types: Vec<String>,
    /// `node:Person`, `edge:Knows`
    pub tables: Vec<String>,
}

/// What was exported.
#[derive(Clone, Debug)]
pub struct ExportReport {
    /// The commit.
    pub snapshot: Arc<Snapshot>,
    /// Lines by table.
    pub rows: BTreeMap<String, u64>,
}

/// Rows of a table as JSON lines.
pub(crate) struct Lines<'t> {
    /// Up to the first value.
    head: String,
    is_edge: bool,
    /// Whether the id is part of the data, because nothing else gives it.
    has_id: bool,
    /// With what stands before each value.
    properties: Vec<(&'t str, String)>,
}

impl Graph {
    /// Writes the rows of a target, nodes before edges, tables by name, rows in the order that they are stored. One
    /// fragment is in memory at a time. Properties without a value are left out.
    pub fn export(
        &self,
        target: &Target,
        options: &ExportOptions,
        out: &mut dyn Write,
    ) -> Result<ExportReport> {
        let snapshot = self.resolve(Action::Export, target)?;
        let loaded = self.schema_of(&snapshot)?;
        let wanted = wanted(&loaded.catalog, options)?;
        let types = wanted.iter().map(|key| TableName::of(key).type_name());
        self.allow_types_at(Action::Export, (target, &snapshot), types)?;
        let mut rows = BTreeMap::new();
        let nodes = loaded.catalog.nodes.values().map(|node| (false, &node.name, &node.body));
        let edges = loaded.catalog.edges.values().map(|edge| (true, &edge.name, &edge.body));
        for (is_edge, name, body) in nodes.chain(edges) {
            let key = table_key(is_edge, name);
            let Some(entry) = snapshot.table(&key).filter(|_| wanted.contains(&key)) else { continue };
            let table = self.store().table(entry)?;
            let stored = |name: &str| table.schema().field_with_name(name).is_ok();
            let lines = Lines::new(is_edge, name, body, &stored);
            let mut count = 0;
            for fragment in 0..table.fragments().len() {
                self.stop.check()?;
                count += lines.write(&table, fragment, out)?;
            }
            rows.insert(key, count);
        }
        out.flush()?;
        Ok(ExportReport { snapshot, rows })
    }
}

fn table_key(is_edge: bool, name: &str) -> String {
    format!("{}:{name}", if is_edge { "edge" } else { "node" })
}

/// The tables that the options name; a name that is none is an error.
fn wanted(catalog: &Catalog, options: &ExportOptions) -> Result<BTreeSet<String>> {
    let nodes = catalog.nodes.keys().map(|name| table_key(false, name));
    let all: BTreeSet<String> = nodes.chain(catalog.edges.keys().map(|name| table_key(true, name))).collect();
    if options.types.is_empty() && options.tables.is_empty() {
        return Ok(all);
    }
    let unknown = |what: &str, name: &str, known: &mut dyn Iterator<Item = &str>| {
        let hint = did_you_mean(name, known).map_or(String::new(), |hint| format!("; {hint}"));
        Error::request(format!("the graph has no {what} `{name}`{hint}"))
    };
    let mut wanted = BTreeSet::new();
    for name in &options.types {
        let found = [table_key(false, name), table_key(true, name)].into_iter().find(|key| all.contains(key));
        let mut known = catalog.nodes.keys().chain(catalog.edges.keys()).map(String::as_str);
        wanted.insert(found.ok_or_else(|| unknown("type", name, &mut known))?);
    }
    for key in &options.tables {
        if !all.contains(key) {
            return Err(unknown("table", key, &mut all.iter().map(String::as_str)));
        }
        wanted.insert(key.clone());
    }
    Ok(wanted)
}

impl<'t> Lines<'t> {
    /// Of a type; `stored` says which properties there are values of.
    pub(crate) fn new(is_edge: bool, name: &str, body: &'t Body, stored: &dyn Fn(&str) -> bool) -> Lines<'t> {
        let mut head = String::from(if is_edge { "{\"edge\":" } else { "{\"type\":" });
        write_string(name, &mut head);
        let properties = body.properties.iter().filter(|property| stored(&property.name)).map(|property| {
            let mut key = String::new();
            write_string(&property.name, &mut key);
            key.push(':');
            (property.name.as_str(), key)
        });
        let properties: Vec<(&str, String)> = properties.collect();
        let is_property = properties.iter().any(|(name, _)| *name == ID);
        Lines { head, is_edge, has_id: !is_edge && body.key.is_empty() && !is_property, properties }
    }

    /// Writes the live rows of a fragment and says how many they are.
    fn write(&self, table: &Table, fragment: usize, out: &mut dyn Write) -> Result<u64> {
        let columns = table.columns(fragment, &self.columns())?;
        let mut text = String::with_capacity(BUFFERED * 2);
        let live = live_rows(table, fragment)?;
        for row in &live {
            self.line(&columns, *row as usize, &mut text);
            if text.len() >= BUFFERED {
                out.write_all(text.as_bytes())?;
                text.clear();
            }
        }
        out.write_all(text.as_bytes())?;
        Ok(live.len() as u64)
    }

    /// The columns that a line is made of, in this order.
    pub(crate) fn columns(&self) -> Vec<&str> {
        let ends: &[&str] = if self.is_edge { &[SRC, DST] } else { &[ID] };
        ends.iter().copied().chain(self.properties.iter().map(|(name, _)| *name)).collect()
    }

    /// Adds a line of these columns.
    pub(crate) fn line(&self, columns: &[ArrayRef], row: usize, text: &mut String) {
        let (ends, values) = columns.split_at(if self.is_edge { 2 } else { 1 });
        text.push_str(&self.head);
        if self.is_edge {
            for (end, column) in [",\"from\":", ",\"to\":"].into_iter().zip(ends) {
                text.push_str(end);
                write_cell(column, row, text);
            }
        }
        text.push_str(",\"data\":{");
        let mut gap = "";
        if let Some(id) = ends.first().filter(|_| self.has_id) {
            text.push_str("\"id\":");
            write_cell(id, row, text);
            gap = ",";
        }
        for ((_, key), column) in self.properties.iter().zip(values) {
            if column.is_valid(row) {
                text.push_str(gap);
                text.push_str(key);
                write_cell(column, row, text);
                gap = ",";
            }
        }
        text.push_str("}}\n");
    }
}
