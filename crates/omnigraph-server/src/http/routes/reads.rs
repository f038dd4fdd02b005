//! Questions.

use crate::http::answer::Failed;
use crate::http::convert;
use crate::http::extract::Body;
use crate::http::work::Task;
use crate::wire::{ErrorOutput, ExplainOutput, ExplainRequest, ReadRequest};
use axum::Json;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use omnigraph::render::{QueryResult, ReadTarget};
use omnigraph::{Answer, Target};

/// The media type of an Arrow IPC stream.
pub(crate) const ARROW: &str = "application/vnd.apache.arrow.stream";

/// Runs a query. Rows are objects in the order of the projection; with `Accept: application/vnd.apache.arrow.stream`
/// they come as an Arrow IPC stream.
#[utoipa::path(post, path = "/read", request_body = ReadRequest, responses(
    (status = 200, description = "Rows", body = serde_json::Value),
    (status = 400, body = ErrorOutput),
    (status = 401, body = ErrorOutput),
    (status = 403, body = ErrorOutput),
    (status = 404, body = ErrorOutput),
    (status = 413, body = ErrorOutput),
    (status = 429, body = ErrorOutput),
))]
pub(crate) async fn read(
    task: Task,
    headers: HeaderMap,
    Body(request): Body<ReadRequest>,
) -> Result<Response, Failed> {
    let ReadRequest { query_source, query_name, params, branch, snapshot, at } = request;
    let target = convert::target(branch.as_deref(), snapshot.as_deref(), at.as_deref())?;
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let wants_arrow = accept.is_some_and(|accept| accept.contains(ARROW));
    task.run(move |task| {
        let answer = task
            .graph()
            .read(&target, &query_source, query_name.as_deref(), &params)
            .map_err(|error| Failed::about(error, &query_source))?;
        let result = result(answer, &target);
        if wants_arrow {
            return Ok(([(header::CONTENT_TYPE, ARROW)], result.to_arrow_ipc()?).into_response());
        }
        Ok(([(header::CONTENT_TYPE, "application/json")], result.to_json(false)).into_response())
    })
    .await
}

fn result(answer: Answer, target: &Target) -> QueryResult {
    let target = match target {
        Target::Branch(name) => ReadTarget { branch: Some(name.clone()), snapshot: None },
        _ => ReadTarget { branch: None, snapshot: Some(answer.snapshot.id().to_string()) },
    };
    let Answer { query_name, rows, columns, .. } = answer;
    QueryResult { query_name, target, columns, batches: vec![rows] }
}

/// The plan of a query.
#[utoipa::path(post, path = "/explain", request_body = ExplainRequest, responses(
    (status = 200, body = ExplainOutput),
    (status = 400, body = ErrorOutput),
    (status = 401, body = ErrorOutput),
    (status = 403, body = ErrorOutput),
    (status = 404, body = ErrorOutput),
    (status = 413, body = ErrorOutput),
    (status = 429, body = ErrorOutput),
))]
pub(crate) async fn explain(
    task: Task,
    Body(request): Body<ExplainRequest>,
) -> Result<Json<ExplainOutput>, Failed> {
    let ExplainRequest { query_source, query_name, params, branch, analyze } = request;
    let target = convert::target(branch.as_deref(), None, None)?;
    task.run(move |task| {
        let graph = task.graph();
        let name = query_name.as_deref();
        let failed = |error| Failed::about(error, &query_source);
        if analyze {
            let (answer, plan) = graph.analyze(&target, &query_source, name, &params).map_err(failed)?;
            return Ok(Json(ExplainOutput { query_name: answer.query_name, plan }));
        }
        let plan = graph.plan(&target, &query_source, name).map_err(failed)?;
        Ok(Json(ExplainOutput { query_name: plan.name().to_owned(), plan: plan.to_string() }))
    })
    .await
}
