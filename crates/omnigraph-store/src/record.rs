//! A commit as it is stored.

use crate::commit_id::CommitId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One commit: who, when, what, and the whole graph as table versions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommitRecord {
    /// Its id.
    pub id: CommitId,
    /// The commit before it; none for the first of a graph.
    pub parent: Option<CommitId>,
    /// What was merged into it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge_parent: Option<CommitId>,
    /// The branch that it was made on.
    pub branch: String,
    /// The number of commits on the way from the first, this one included.
    pub version: u64,
    /// The name of the actor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// Microseconds since 1970. Later than that of the parent.
    pub created_at: i64,
    /// What kind of write: `init`, `load`, `change`, `merge`, `schema_apply`…
    pub operation: String,
    /// The hash of the schema source.
    pub schema: String,
    /// `node:Person` or `edge:Knows` to its version. A type without an entry has no rows.
    pub tables: BTreeMap<String, TableEntry>,
    /// What this commit changed, by table.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub changes: BTreeMap<String, TableChange>,
    /// Given by the writer to recognise what it wrote before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_hash: Option<String>,
    /// Tells two writers apart who chose the same id.
    pub nonce: String,
    /// The rows of this commit were cleaned up, or may be. Microseconds since 1970 when it stopped being the newest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released_at: Option<i64>,
}

/// A version of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableEntry {
    /// Below `tables/`.
    pub dir: String,
    /// Of the Lance dataset.
    #[serde(with = "as_text")]
    pub version: u64,
    /// Live rows.
    pub rows: u64,
}

/// What a commit did to a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableChange {
    /// Rows that were not there before.
    pub inserted: u64,
    /// Rows that were there and are different.
    pub updated: u64,
    /// Rows that are gone.
    pub deleted: u64,
    /// Which, when they are few.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<ChangedIds>,
}

/// Ids of changed rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedIds {
    /// Rows that were not there before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inserted: Vec<String>,
    /// Rows that were there before with other values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub updated: Vec<String>,
    /// Rows that are not there any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deleted: Vec<String>,
}

impl ChangedIds {
    /// More than this many are not written into a record.
    pub const MOST: usize = 1_000;

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.inserted.iter().chain(&self.updated).chain(&self.deleted).map(String::as_str)
    }
}

/// Versions are 64 bits wide, which other readers of JSON round.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
    pub(super) fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
