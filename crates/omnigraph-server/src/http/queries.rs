//! Saved queries, by name.

use super::answer::{FaultResponse, document};
use super::app::App;
use super::extract::{members, query, task};
use super::reads::{rows, wants_arrow};
use axum::extract::{Request, State};
use axum::response::Response;
use omnigraph::Action;
use omnigraph_api::calls::Call as _;
use omnigraph_api::calls::query::{QueryListOutput, QueryListRequest, QueryRunRequest, RUN, SavedOutput};
use omnigraph_api::fault::Fault;
use std::sync::Arc;

pub(super) async fn list(State(app): State<Arc<App>>, request: Request) -> Result<Response, FaultResponse> {
    let (mut parts, _) = request.into_parts();
    let (task, named) = task(&mut parts, &app).await?;
    let QueryListRequest {} = query(parts.uri.query(), named)?;
    task.graph()?.check_access(Action::QueryList, None).map_err(Fault::from)?;
    Ok(document(&QueryListOutput { queries: app.saved().iter().map(SavedOutput::from).collect() })?)
}

pub(super) async fn run(State(app): State<Arc<App>>, request: Request) -> Result<Response, FaultResponse> {
    let (mut parts, body) = request.into_parts();
    let (task, named) = task(&mut parts, &app).await?;
    let limits = &app.limits;
    let call: QueryRunRequest =
        members(RUN.method, (&parts, body), named, limits.body, limits.body_timeout).await?;
    let (saved, as_arrow) = (app.saved(), wants_arrow(&parts.headers));
    let done = task.invoking().querying(&call.query_name).run(move |context| {
        let found =
            saved.known_to(&call, |action, branch| Ok(context.graph.check_access(action, branch)?))?;
        if found.is_change {
            return document(&found.change(call)?.run(context)?);
        }
        rows(found.read(call)?, context, as_arrow)
    });
    Ok(done.await?)
}
