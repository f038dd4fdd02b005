//! Calls as routes.

use super::answer::document;
use super::app::App;
use super::extract::{members, task};
use crate::calls::load::IngestRequest;
use crate::calls::{Call, Method};
use crate::fault::Fault;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use std::any::TypeId;
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
    on(filter(C::ROUTE.method), answer::<C>)
}

async fn answer<C: Call>(State(app): State<Arc<App>>, request: Request) -> Result<Response, Fault> {
    let (mut parts, body) = request.into_parts();
    let (task, named) = task(&mut parts, &app).await?;
    let limits = &app.limits;
    let is_ingest = TypeId::of::<C>() == TypeId::of::<IngestRequest>();
    let limit = if is_ingest { limits.ingest_body } else { limits.body };
    let call: C = members(C::ROUTE.method, (&parts, body), named, limit, limits.patience).await?;
    task.run(move |desk| document(&call.run(desk)?)).await
}

/// A route of a fixed path that answers a call with a member that the path says.
pub(super) fn call_named<C: Call>(named: (&'static str, &'static str)) -> MethodRouter<Arc<App>> {
    let (name, text) = named;
    let answer = move |State(app): State<Arc<App>>, request: Request| async move {
        let (mut parts, body) = request.into_parts();
        let (task, mut members_named) = task(&mut parts, &app).await?;
        members_named.push((name.to_owned(), text.to_owned()));
        let limits = &app.limits;
        let call: C =
            members(C::ROUTE.method, (&parts, body), members_named, limits.body, limits.patience).await?;
        task.run(move |desk| document(&call.run(desk)?)).await
    };
    on(filter(C::ROUTE.method), answer)
}
