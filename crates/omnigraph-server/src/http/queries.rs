//! Saved queries, by name.

use super::answer::{FaultResponse, document};
use super::app::App;
use super::extract::{members, query, task};
use super::reads::{answer, wants_arrow};
use axum::extract::{Request, State};
use axum::response::Response;
use omnigraph_api::calls::Call as _;
use omnigraph_api::calls::query::{QueryListOutput, QueryListRequest, QueryRunRequest, RUN, SavedOutput};
use std::sync::Arc;

pub(super) async fn list(State(app): State<Arc<App>>, request: Request) -> Result<Response, FaultResponse> {
    let (mut parts, _) = request.into_parts();
    let (_, named) = task(&mut parts, &app).await?;
    let QueryListRequest {} = query(parts.uri.query(), named)?;
    Ok(document(&QueryListOutput { queries: app.saved().iter().map(SavedOutput::from).collect() })?)
}

pub(super) async fn run(State(app): State<Arc<App>>, request: Request) -> Result<Response, FaultResponse> {
    let (mut parts, body) = request.into_parts();
    let (task, named) = task(&mut parts, &app).await?;
    let limits = &app.limits;
    let call: QueryRunRequest =
        members(RUN.method, (&parts, body), named, limits.body, limits.body_timeout).await?;
    let saved = app.saved();
    let found = saved.get(&call.query_name)?;
    if found.is_change {
        let call = found.change(call)?;
        return Ok(task.run(move |context| document(&call.run(context)?)).await?);
    }
    let call = found.read(call)?;
    Ok(answer(task, call, wants_arrow(&parts.headers)).await?)
}
