//! Questions.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A query to run, and on what: a branch (`main` if nothing is said), a snapshot, or a branch as it was at a time.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadRequest {
    /// The text of a `.gq` file.
    pub query_source: String,
    /// Which of its queries; may be left out when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_name: Option<String>,
    /// Values by name of parameter.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
    /// A branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// A commit, a tag, or `manifest:main:v3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// A time such as 2026-11-01T12:00:00Z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// A query whose plan is wanted.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainRequest {
    /// The text of a `.gq` file.
    pub query_source: String,
    /// Which of its queries; may be left out when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_name: Option<String>,
    /// Values by name of parameter; needed when it is run.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
    /// A branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Runs it and says what each operator did.
    #[serde(default)]
    pub analyze: bool,
}

/// A plan.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct ExplainOutput {
    /// Of the query.
    pub query_name: String,
    /// One operator a line.
    pub plan: String,
}

/// What to export.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// A commit, a tag, or `manifest:main:v3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// A time such as 2026-11-01T12:00:00Z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Only these types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub type_names: Vec<String>,
    /// Only these tables, such as `node:Person`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub table_keys: Vec<String>,
}
