//! What happens to every request before and after its handler: an id, a caller, a line in the log, a count.

use super::answer::FaultResponse;
use super::app::App;
use super::linger::lingering;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use omnigraph_api::fault::Fault;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Names a request in the log and in its answer.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Who is calling.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    pub(crate) actor: Option<Arc<str>>,
}

/// Gives the request an id, and counts and logs its answer.
pub(super) async fn watch(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request_id(request.headers());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let under_way = UnderWay::new(&app);
    let (parts, body) = request.into_parts();
    let body = lingering(&parts.headers, body);
    let mut response = next.run(Request::from_parts(parts, body)).await;
    drop(under_way);
    let route = route.as_deref().unwrap_or("other");
    let (status, took) = (response.status().as_u16(), started.elapsed());
    app.metrics.answered(method.as_str(), route, status, took);
    let actor = response.extensions_mut().remove::<Identity>().and_then(|identity| identity.actor);
    tracing::info!(
        id = id.to_str().unwrap_or_default(),
        %method,
        route,
        status,
        actor = actor.as_deref().unwrap_or_default(),
        ms = took.as_secs_f64() * 1e3,
        "request"
    );
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// Counts a request for as long as it lives, also when its caller goes away.
struct UnderWay<'a>(&'a App);

impl<'a> UnderWay<'a> {
    fn new(app: &'a App) -> UnderWay<'a> {
        app.metrics.under_way.fetch_add(1, Ordering::Relaxed);
        UnderWay(app)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.metrics.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The caller's own id when it is short and plain, or a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_plain = |text: &str| {
        (1..=64).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    let given = headers.get(REQUEST_ID).filter(|id| id.to_str().is_ok_and(is_plain)).cloned();
    given.unwrap_or_else(|| {
        let id = omnigraph::rows::Ulids::new().next_id();
        HeaderValue::from_str(&id).unwrap_or(HeaderValue::from_static("-"))
    })
}

/// Lets in whoever presents a known token, and everybody when none is asked for.
pub(super) async fn admit(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let mut identity = Identity { actor: None };
    if app.tokens.is_required() {
        let known = match bearer(request.headers()) {
            Some(token) => app.tokens.actor(token).await,
            None => Err(None),
        };
        match known {
            Ok(actor) => identity.actor = Some(actor),
            Err(reason) => return refused(reason),
        }
    }
    // Nothing behind this line can see the token.
    request.headers_mut().remove(header::AUTHORIZATION);
    request.extensions_mut().insert(identity.clone());
    let mut response = next.run(request).await;
    response.extensions_mut().insert(identity);
    response
}

fn refused(reason: Option<&str>) -> Response {
    let mut message = "a bearer token that this server knows is needed".to_owned();
    if let Some(reason) = reason {
        message = format!("the token is not valid: {reason}");
    }
    FaultResponse::from(Fault::new("unauthorized", message)).into_response()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}
