//! Running a query that reads.

use super::when::target;
use super::{Context, Method, Route};
use crate::fault::Fault;
use omnigraph::compiler::Source;
use omnigraph::render::QueryResult;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// The media type of an Arrow IPC stream.
pub const ARROW: &str = "application/vnd.apache.arrow.stream";

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
    /// A time such as `2026-11-01T12:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// What errors call the text: the name of its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_name: Option<String>,
}

/// Rows of a query.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReadOutput {
    /// Of the query.
    pub query_name: String,
    /// What was read.
    pub target: ReadTargetOutput,
    /// How many rows.
    pub row_count: u64,
    /// Names in the order of the projection.
    pub columns: Vec<String>,
    /// Objects with the columns as members. Integers that JavaScript cannot hold are text.
    #[schema(value_type = Vec<Object>)]
    pub rows: Vec<Value>,
}

/// What was read: one of the two.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReadTargetOutput {
    /// A branch.
    pub branch: Option<String>,
    /// A commit.
    pub snapshot: Option<String>,
}

impl ReadRequest {
    /// Where it is on the wire.
    pub const ROUTE: Route = Route {
        id: "read",
        method: Method::Post,
        path: "/read",
        summary: "Runs a query that reads.",
        faults: &[400, 404],
    };

    /// Runs it.
    pub fn run(self, context: &Context<'_>) -> Result<QueryResult, Fault> {
        let source = source(self.source_name, self.query_source);
        let target = target(self.branch, self.snapshot.as_deref(), self.at.as_deref())?;
        let answer = context
            .graph
            .read(&target, source.text(), self.query_name.as_deref(), &self.params)
            .map_err(|error| Fault::about(error, &source))?;
        Ok(answer.result(&target))
    }
}

/// The text of a request, which errors point into.
pub(super) fn source(name: Option<String>, text: String) -> Source {
    Source::new(name.unwrap_or_else(|| "query".to_owned()), text)
}
