//! How a query is answered.

use super::change::only_query;
use super::read::source;
use super::when::target;
use super::{Call, Context, Method, Route};
use crate::fault::Fault;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

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
    /// A commit, a tag, or `manifest:main:v3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// A time such as `2026-11-01T12:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Runs it and says what each operator did.
    #[serde(default)]
    pub analyze: bool,
    /// What errors call the text: the name of its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_name: Option<String>,
}

/// A plan.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExplainOutput {
    /// Of the query.
    pub query_name: String,
    /// Whether it was run.
    pub analyzed: bool,
    /// One operator a line.
    pub plan: Vec<String>,
}

impl Call for ExplainRequest {
    type Output = ExplainOutput;

    const ROUTE: Route = Route {
        id: "explain",
        method: Method::Post,
        path: "/explain",
        summary: "Says how a query is answered; runs it when `analyze` is true.",
        faults: &[400, 404],
    };

    fn run(self, context: &mut Context<'_>) -> Result<ExplainOutput, Fault> {
        let source = source(self.source_name, self.query_source);
        let target = target(self.branch, self.snapshot.as_deref(), self.at.as_deref())?;
        let (text, name) = (source.text(), self.query_name.as_deref());
        let plan = if self.analyze {
            context.graph.analyze(&target, text, name, &self.params).map(|(_, plan)| plan)
        } else {
            context.graph.plan(&target, text, name).map(|plan| plan.to_string())
        };
        let plan = plan.map_err(|error| Fault::about(error, &source))?;
        Ok(ExplainOutput {
            analyzed: self.analyze,
            plan: plan.lines().map(str::to_owned).collect(),
            query_name: self.query_name.or_else(|| only_query(&source)).unwrap_or_default(),
        })
    }
}
