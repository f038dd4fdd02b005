//! What there is.

use crate::http::answer::Failed;
use crate::http::app::App;
use crate::http::convert;
use crate::http::extract::Asked;
use crate::http::work::Task;
use crate::wire::{ErrorOutput, GraphListOutput, GraphOutput, HealthOutput, SchemaOutput, SnapshotOutput};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use omnigraph::Target;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// Whether the server lives.
#[utoipa::path(get, path = "/healthz", security(()), responses((status = 200, body = HealthOutput)))]
pub(crate) async fn health() -> Json<HealthOutput> {
    Json(HealthOutput { status: "ok".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() })
}

/// Counters in the text format of Prometheus.
#[utoipa::path(get, path = "/metrics", responses(
    (status = 200, body = String, content_type = "text/plain"),
    (status = 401, body = ErrorOutput),
))]
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.text()).into_response()
}

/// The graphs of this server.
#[utoipa::path(get, path = "/graphs", responses(
    (status = 200, body = GraphListOutput),
    (status = 401, body = ErrorOutput),
))]
pub(crate) async fn graphs(State(app): State<Arc<App>>) -> Json<GraphListOutput> {
    let graphs = app.graphs.keys().map(|name| GraphOutput { name: name.clone() }).collect();
    Json(GraphListOutput { graphs })
}

/// What to look at: a branch, a snapshot, or a branch at a time.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct When {
    /// A branch, `main` if nothing is said.
    branch: Option<String>,
    /// A commit, a tag, or `manifest:main:v3`.
    snapshot: Option<String>,
    /// A time such as 2026-11-01T12:00:00Z.
    at: Option<String>,
}

impl When {
    fn target(&self) -> Result<Target, Failed> {
        convert::target(self.branch.as_deref(), self.snapshot.as_deref(), self.at.as_deref())
    }
}

/// A commit and its tables.
#[utoipa::path(get, path = "/snapshot", params(When), responses(
    (status = 200, body = SnapshotOutput),
    (status = 400, body = ErrorOutput),
    (status = 401, body = ErrorOutput),
    (status = 403, body = ErrorOutput),
    (status = 404, body = ErrorOutput),
    (status = 429, body = ErrorOutput),
))]
pub(crate) async fn snapshot(
    task: Task,
    Asked(when): Asked<When>,
) -> Result<Json<SnapshotOutput>, Failed> {
    let target = when.target()?;
    task.run(move |task| {
        let described = task.graph().describe(&target)?;
        let record = &described.snapshot.record;
        let branch = match &target {
            Target::Branch(name) | Target::Version(name, _) | Target::At(name, _) => name,
            _ => &record.branch,
        };
        Ok(Json(convert::snapshot(&described, branch)))
    })
    .await
}

/// The schema.
#[utoipa::path(get, path = "/schema", params(When), responses(
    (status = 200, body = SchemaOutput),
    (status = 400, body = ErrorOutput),
    (status = 401, body = ErrorOutput),
    (status = 403, body = ErrorOutput),
    (status = 404, body = ErrorOutput),
    (status = 429, body = ErrorOutput),
))]
pub(crate) async fn schema(task: Task, Asked(when): Asked<When>) -> Result<Json<SchemaOutput>, Failed> {
    let target = when.target()?;
    task.run(move |task| Ok(Json(SchemaOutput { schema_source: task.graph().schema(&target)? }))).await
}
