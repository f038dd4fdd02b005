//! Running a query that changes the graph.

use super::read::source;
use super::receipt::ReceiptOutput;
use super::{Call, Context, Method, Route, main_if_none};
use crate::fault::Fault;
use omnigraph::compiler::{QueryFile, Source};
use omnigraph::{ChangeOptions, CommitId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A query that changes the graph: all of its statements, or none.
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
    /// What errors call the text: the name of its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_name: Option<String>,
}

/// What a change did.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ChangeOutput {
    /// The branch that was written to.
    pub branch: String,
    /// Of the query.
    pub query_name: String,
    /// Nodes that were inserted, updated or deleted.
    pub affected_nodes: u64,
    /// Edges that were inserted, updated or deleted, those of deleted nodes included.
    pub affected_edges: u64,
    /// The actor, where one is known.
    pub actor_id: Option<String>,
    /// The commit.
    #[serde(flatten)]
    pub receipt: ReceiptOutput,
}

impl Call for ChangeRequest {
    type Output = ChangeOutput;

    const ROUTE: Route = Route {
        id: "change",
        method: Method::Post,
        path: "/change",
        summary: "Runs a query that changes the graph, as one commit.",
        faults: &[400, 404, 409, 412, 422],
    };

    fn query(&self) -> Option<&str> {
        Some(&self.query_source)
    }

    fn run(self, context: &mut Context<'_>) -> Result<ChangeOutput, Fault> {
        let source = source(self.source_name, self.query_source);
        let branch = main_if_none(self.branch);
        let options =
            ChangeOptions { branch: Some(branch.clone()), if_commit: commit_id(self.if_commit.as_deref())? };
        let receipt = context
            .graph
            .change(source.text(), self.query_name.as_deref(), &self.params, &options)
            .map_err(|error| Fault::about(error, &source))?;
        Ok(ChangeOutput {
            branch,
            query_name: self.query_name.or_else(|| only_query(&source)).unwrap_or_default(),
            affected_nodes: receipt.affected_nodes as u64,
            affected_edges: receipt.affected_edges as u64,
            actor_id: context.actor(),
            receipt: ReceiptOutput::new(&receipt.snapshot, receipt.committed, &receipt.changes),
        })
    }
}

/// The name of the only query of a text.
pub(super) fn only_query(source: &Source) -> Option<String> {
    match &QueryFile::parse(source).ok()?.queries[..] {
        [only] => Some(only.name.text.clone()),
        _ => None,
    }
}

/// The id of a commit, as written.
pub(super) fn commit_id(text: Option<&str>) -> Result<Option<CommitId>, Fault> {
    let parsed = text.map(|text| {
        text.parse().map_err(|()| Fault::new("bad_request", format!("`{text}` is not a commit id")))
    });
    parsed.transpose().map_err(|fault| fault.hint("`omnigraph commit list` prints the ids"))
}
