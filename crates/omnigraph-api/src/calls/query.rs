//! Saved queries: which there are, and running one by its name.

use super::{Method, Route};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// Where the list is.
pub const LIST: Route = Route {
    id: "query_list",
    method: Method::Get,
    path: "/queries",
    summary: "The queries that the server knows by name.",
    faults: &[],
};

/// Where they are run.
pub const RUN: Route = Route {
    id: "query_run",
    method: Method::Post,
    path: "/queries/{query_name}",
    summary: "Runs a query that the server knows by name.",
    faults: &[409, 412, 422],
};

/// Asks for the saved queries.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryListRequest {}

/// Saved queries.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct QueryListOutput {
    /// The queries, sorted by name.
    pub queries: Vec<SavedOutput>,
}

/// A query that the server knows by name.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SavedOutput {
    /// Its name.
    pub name: String,
    /// `read` or `change`.
    pub kind: String,
    /// What it is for.
    pub description: Option<String>,
    /// How to use it.
    pub instruction: Option<String>,
    /// The parameters, as they are written.
    pub params: Vec<SavedParamOutput>,
}

/// A parameter of a saved query.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SavedParamOutput {
    /// Without the dollar.
    pub name: String,
    /// As schemas write it: `String`, `[I64]?`…
    #[serde(rename = "type")]
    pub type_name: String,
    /// Whether it must be given.
    pub required: bool,
}

/// A saved query to run.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryRunRequest {
    /// Its name.
    pub query_name: String,
    /// Values by name of parameter.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// A commit, a tag, or `manifest:main:v3`; only for queries that read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// A time such as `2026-11-01T12:00:00Z`; only for queries that read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Refused unless this is the newest commit of the branch; only for queries that change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_commit: Option<String>,
}
