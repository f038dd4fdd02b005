//! Queries: as documents, or as an Arrow stream for those who ask for one.

use super::answer::{FaultResponse, json, typed};
use super::app::App;
use super::extract::{members, task};
use super::work::Task;
use axum::extract::{Request, State};
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use omnigraph_api::calls::Context;
use omnigraph_api::calls::read::{ARROW, ReadRequest};
use omnigraph_api::fault::Fault;
use std::sync::Arc;

pub(super) async fn read(State(app): State<Arc<App>>, request: Request) -> Result<Response, FaultResponse> {
    let (mut parts, body) = request.into_parts();
    let (task, named) = task(&mut parts, &app).await?;
    let route = ReadRequest::ROUTE;
    let limits = &app.limits;
    let call: ReadRequest =
        members(route.method, (&parts, body), named, limits.body, limits.body_timeout).await?;
    Ok(answer(task, call, wants_arrow(&parts.headers)).await?)
}

/// Rows in the form that was asked for.
async fn answer(task: Task, call: ReadRequest, as_arrow: bool) -> Result<Response, Fault> {
    let task = task.querying(&call.query_source).reading();
    task.run(move |context| rows(call, context, as_arrow)).await
}

pub(super) fn rows(call: ReadRequest, context: &mut Context<'_>, as_arrow: bool) -> Result<Response, Fault> {
    let result = call.run(context)?;
    if as_arrow {
        return Ok(typed(StatusCode::OK, ARROW, result.to_arrow_ipc()?));
    }
    Ok(json(StatusCode::OK, result.to_json(false)))
}

pub(super) fn wants_arrow(headers: &HeaderMap) -> bool {
    let kinds = headers.get_all(ACCEPT).iter().filter_map(|kinds| kinds.to_str().ok());
    kinds
        .flat_map(|kinds| kinds.split(','))
        .any(|kind| kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(ARROW))
}
