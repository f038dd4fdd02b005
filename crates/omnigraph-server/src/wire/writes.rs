//! Changes.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A query that changes the graph.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeRequest {
    /// The text of a `.gq` file.
    pub query_source: String,
    /// Which of its queries; may be left out when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_name: Option<String>,
    /// Values by name of parameter.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Refused unless this is the newest commit of the branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_commit: Option<String>,
}

/// What a change did.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct ChangeOutput {
    /// Where.
    pub branch: String,
    /// Of the query.
    pub query_name: String,
    /// Nodes that were inserted, updated or deleted.
    pub affected_nodes: u64,
    /// Edges that were inserted, updated or deleted, those of deleted nodes included.
    pub affected_edges: u64,
    /// Who.
    pub actor_id: Option<String>,
    /// The commit, or the newest one when nothing changed.
    pub graph_commit_id: String,
    /// Whether there is a new commit.
    pub committed: bool,
    /// By table.
    pub changes: Vec<ChangesOutput>,
}

/// Rows of a table that a commit changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangesOutput {
    /// `node:Person` or `edge:Knows`.
    pub table_key: String,
    /// New.
    pub inserted: u64,
    /// Different.
    pub updated: u64,
    /// Gone.
    pub deleted: u64,
}

/// What to do with rows that are there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LoadMode {
    /// Replaces them.
    #[default]
    Merge,
    /// Refuses them.
    Append,
    /// Replaces whole tables.
    Overwrite,
}

/// Rows to load, as lines of JSON.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct IngestRequest {
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The branch that it is made from when there is none of this name; `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// `merge` if nothing is said.
    #[serde(default)]
    pub mode: LoadMode,
    /// One row a line.
    pub data: String,
}

/// What was loaded.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct IngestOutput {
    /// The graph.
    pub uri: String,
    /// Where.
    pub branch: String,
    /// What the branch is, or would have been, made from.
    pub base_branch: Option<String>,
    /// Whether the branch is new.
    pub branch_created: bool,
    /// How.
    pub mode: LoadMode,
    /// Rows by table.
    pub tables: Vec<LoadedOutput>,
    /// Who.
    pub actor_id: Option<String>,
    /// The commit, or the newest one when nothing changed.
    pub graph_commit_id: String,
    /// Whether there is a new commit.
    pub committed: bool,
    /// What changed, by table.
    pub changes: Vec<ChangesOutput>,
}

/// Rows of a table in the input.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct LoadedOutput {
    /// `node:Person` or `edge:Knows`.
    pub table_key: String,
    /// How many.
    pub rows_loaded: u64,
}
