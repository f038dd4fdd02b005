//! What every write says of itself.

use omnigraph::{Snapshot, TableChange};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The commit of a write, whether there is a new one, and what it did to which tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReceiptOutput {
    /// The commit; the newest one when nothing changed.
    pub graph_commit_id: String,
    /// The number of commits up to this one.
    pub manifest_version: u64,
    /// Whether there is a new commit.
    pub committed: bool,
    /// By table; those without a change are left out.
    pub changes: Vec<WrittenOutput>,
}

/// What a write did to a table, and what the table is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WrittenOutput {
    /// `node:Person` or `edge:Knows`.
    pub table_key: String,
    /// Rows that are new.
    pub inserted: u64,
    /// Rows that are different.
    pub updated: u64,
    /// Rows that are gone.
    pub deleted: u64,
    /// Of the Lance dataset: a number, text when JavaScript could not read it, null when the table is gone.
    #[schema(value_type = Value)]
    pub table_version: Value,
    /// Live rows.
    pub row_count: u64,
}

/// What happened to the rows of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangedOutput {
    /// `node:Person` or `edge:Knows`.
    pub table_key: String,
    /// Rows that are new.
    pub inserted: u64,
    /// Rows that are different.
    pub updated: u64,
    /// Rows that are gone.
    pub deleted: u64,
}

impl ReceiptOutput {
    /// Of a write that led to a snapshot.
    pub(super) fn new(
        snapshot: &Snapshot,
        committed: bool,
        changed: &BTreeMap<String, TableChange>,
    ) -> ReceiptOutput {
        let written = changed.iter().map(|(key, change)| {
            let entry = snapshot.table(key);
            WrittenOutput {
                table_key: key.clone(),
                inserted: change.inserted,
                updated: change.updated,
                deleted: change.deleted,
                table_version: entry.map_or(Value::Null, |entry| safe(entry.version)),
                row_count: entry.map_or(0, |entry| entry.rows),
            }
        });
        ReceiptOutput {
            graph_commit_id: snapshot.id().to_string(),
            manifest_version: snapshot.record.version,
            committed,
            changes: written.collect(),
        }
    }

    /// How the write ended, in words.
    pub fn outcome(&self) -> String {
        outcome(self.committed, &self.graph_commit_id)
    }

    /// Inserted, updated and deleted rows of all tables.
    pub fn totals(&self) -> [u64; 3] {
        let sum = |count: fn(&WrittenOutput) -> u64| self.changes.iter().map(count).sum();
        [sum(|table| table.inserted), sum(|table| table.updated), sum(|table| table.deleted)]
    }
}

/// How a write ended, in words.
pub fn outcome(committed: bool, commit: &str) -> String {
    if committed { format!("commit {commit}") } else { "nothing changed".to_owned() }
}

/// What happened to tables, by name.
pub(super) fn changed(changes: &BTreeMap<String, TableChange>) -> Vec<ChangedOutput> {
    let tables = changes.iter().map(|(key, change)| ChangedOutput {
        table_key: key.clone(),
        inserted: change.inserted,
        updated: change.updated,
        deleted: change.deleted,
    });
    tables.collect()
}

/// An integer that JavaScript can read; text when it is greater than that.
pub(super) fn safe(number: u64) -> Value {
    const SAFE: u64 = (1 << 53) - 1;
    if number <= SAFE { Value::from(number) } else { Value::from(number.to_string()) }
}

/// Reads a member that may be missing or null: the two are not the same.
#[expect(clippy::option_option, reason = "missing, null, or there")]
pub(super) fn present<'de, T, D>(input: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: serde::Deserializer<'de>,
{
    Option::<T>::deserialize(input).map(Some)
}
