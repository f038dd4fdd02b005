//! What there is.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The server lives.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct HealthOutput {
    /// `ok`
    pub status: String,
    /// Of the program.
    pub version: String,
}

/// Graphs of a server.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct GraphListOutput {
    /// By name.
    pub graphs: Vec<GraphOutput>,
}

/// A graph of a server.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct GraphOutput {
    /// Below `/graphs/`.
    pub name: String,
}

/// A schema.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SchemaOutput {
    /// The text of the `.pg` file.
    pub schema_source: String,
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
    /// Of the Lance dataset; text when JavaScript could not read the number.
    #[schema(value_type = Object)]
    pub table_version: Value,
    /// Always null: branches share tables.
    pub table_branch: Option<String>,
    /// Live rows.
    pub row_count: u64,
}
