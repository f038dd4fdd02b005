//! Calls as routes.

use super::answer::{FaultResponse, document};
use super::app::App;
use super::extract::{members, task};
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use omnigraph_api::calls::{Call, Method};
use std::sync::Arc;

/// How a method is called by the router.
pub(super) const fn filter(method: Method) -> MethodFilter {
    match method {
        Method::Get => MethodFilter::GET,
        Method::Post => MethodFilter::POST,
        Method::Delete => MethodFilter::DELETE,
    }
}

/// A route that answers a call.
pub(super) fn call<C: Call>() -> MethodRouter<Arc<App>> {
    let handler = |State(app): State<Arc<App>>, request: Request| answer::<C>(app, request, None);
    on(filter(C::ROUTE.method), handler)
}

/// A route of a fixed path that answers a call with a member that the path says.
pub(super) fn call_named<C: Call>(member: (&'static str, &'static str)) -> MethodRouter<Arc<App>> {
    let handler =
        move |State(app): State<Arc<App>>, request: Request| answer::<C>(app, request, Some(member));
    on(filter(C::ROUTE.method), handler)
}

async fn answer<C: Call>(
    app: Arc<App>,
    request: Request,
    member: Option<(&'static str, &'static str)>,
) -> Result<Response, FaultResponse> {
    let (mut parts, body) = request.into_parts();
    let (task, mut named) = task(&mut parts, &app).await?;
    named.extend(member.map(|(name, text)| (name.to_owned(), text.to_owned())));
    let limits = &app.limits;
    let limit = if C::CARRIES_ROWS { limits.ingest_body } else { limits.body };
    let call: C = members(C::ROUTE.method, (&parts, body), named, limit, limits.body_timeout).await?;
    let task = match call.query() {
        Some(source) => task.querying(source),
        None => task,
    };
    Ok(task.run(move |context| document(&call.run(context)?)).await?)
}
