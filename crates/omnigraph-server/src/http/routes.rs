//! What is where. The router and the document are made from the same list.

use super::answer::{FaultResponse, document, typed};
use super::app::{App, Hosted};
use super::document::Document;
use super::extract::{hosted, task};
use super::mount::{call, call_named, filter};
use super::{edge, feed, mcp, origin, queries, reads, requests, streams, uploads};
use axum::Router;
use axum::extract::{Extension, State};
use axum::http::{HeaderValue, Request, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, on};
use omnigraph::Action;
use omnigraph_api::calls::branch::{
    BranchCreateRequest, BranchDeleteRequest, BranchListRequest, BranchMergeRequest, BranchRenameRequest,
};
use omnigraph_api::calls::changes::FollowRequest;
use omnigraph_api::calls::commit::{CommitListRequest, CommitShowRequest};
use omnigraph_api::calls::diff::DiffRequest;
use omnigraph_api::calls::export::ExportRequest;
use omnigraph_api::calls::load::{IngestRequest, LoadRequest};
use omnigraph_api::calls::maintenance::{CleanupRequest, FsckRequest, OptimizeRequest};
use omnigraph_api::calls::query::{LIST, RUN};
use omnigraph_api::calls::read::ReadRequest;
use omnigraph_api::calls::requests::{RequestListRequest, RequestStopRequest};
use omnigraph_api::calls::revert::{BranchResetRequest, CommitRevertRequest};
use omnigraph_api::calls::run::{
    RunAbortRequest, RunBeginRequest, RunListRequest, RunPublishRequest, RunShowRequest,
};
use omnigraph_api::calls::schema::{SchemaApplyRequest, SchemaGetRequest, SchemaPlanRequest};
use omnigraph_api::calls::server::{GraphListOutput, GraphOutput, HealthOutput};
use omnigraph_api::calls::tag::{TagCreateRequest, TagDeleteRequest, TagListRequest};
use omnigraph_api::calls::{Call, Method, change, changes, doctor, entity, explain, snapshot};
use omnigraph_api::fault::Fault;
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

/// The routes of a graph, and what the document says of them.
struct Routes {
    router: Router<Arc<App>>,
    document: Document,
}

impl Routes {
    fn call<C: Call>(mut self) -> Routes {
        self.router = self.router.route(C::ROUTE.path, call::<C>());
        self.document.call::<C>();
        self
    }

    /// A call whose path is also a name that others could have.
    fn call_beside<C: Call, D: Call>(mut self, named: (&'static str, &'static str)) -> Routes {
        let both = call::<C>().merge(call_named::<D>(named));
        self.router = self.router.route(C::ROUTE.path, both);
        self.document.call::<C>();
        self.document.call_named::<D>(C::ROUTE.path, named);
        self
    }
}

/// The calls on a graph.
fn of_graph() -> Routes {
    let routes = Routes { router: Router::new(), document: Document::default() };
    let mut routes = routes
        .call::<snapshot::SnapshotRequest>()
        .call::<change::ChangeRequest>()
        .call::<explain::ExplainRequest>()
        .call::<IngestRequest>()
        .call::<SchemaGetRequest>()
        .call::<SchemaPlanRequest>()
        .call::<SchemaApplyRequest>()
        .call::<BranchListRequest>()
        .call::<BranchCreateRequest>()
        .call_beside::<BranchMergeRequest, BranchDeleteRequest>(("branch", "merge"))
        .call_beside::<BranchRenameRequest, BranchDeleteRequest>(("branch", "rename"))
        .call_beside::<BranchResetRequest, BranchDeleteRequest>(("branch", "reset"))
        .call::<BranchDeleteRequest>()
        .call::<TagListRequest>()
        .call::<TagCreateRequest>()
        .call::<TagDeleteRequest>()
        .call::<CommitListRequest>()
        .call_beside::<CommitRevertRequest, CommitShowRequest>(("commit_id", "revert"))
        .call::<CommitShowRequest>()
        .call::<DiffRequest>()
        .call::<changes::ChangesRequest>()
        .call::<entity::EntityRequest>()
        .call::<RunListRequest>()
        .call::<RunBeginRequest>()
        .call::<RunShowRequest>()
        .call::<RunPublishRequest>()
        .call::<RunAbortRequest>()
        .call::<OptimizeRequest>()
        .call::<CleanupRequest>()
        .call::<FsckRequest>()
        .call::<doctor::DoctorRequest>();
    let (read, export, patch, load) =
        (ReadRequest::ROUTE, ExportRequest::ROUTE, DiffRequest::PATCH, LoadRequest::ROUTE);
    routes.router = routes
        .router
        .route(read.path, on(filter(read.method), reads::read))
        .route(export.path, on(filter(export.method), streams::export))
        .route(patch.path, on(filter(patch.method), streams::patch))
        .route(FollowRequest::ROUTE.path, on(filter(FollowRequest::ROUTE.method), feed::follow))
        .route(RequestListRequest::ROUTE.path, on(filter(Method::Get), requests::list))
        .route(RequestStopRequest::ROUTE.path, on(filter(Method::Delete), requests::stop))
        .route(load.path, on(filter(load.method), uploads::load))
        .route(LIST.path, on(filter(LIST.method), queries::list))
        .route(RUN.path, on(filter(RUN.method), queries::run));
    routes.document.read();
    routes.document.stream::<ExportRequest>(&export);
    routes.document.stream::<DiffRequest>(&patch);
    routes.document.events::<FollowRequest>(&FollowRequest::ROUTE);
    routes.document.load();
    routes.document.queries();
    routes.document.call::<RequestListRequest>();
    routes.document.call::<RequestStopRequest>();
    routes
}

/// What is at `/openapi.json`.
pub(super) fn described(with_tokens: bool) -> String {
    of_graph().document.text(with_tokens)
}

/// Everything, with what happens to every request.
pub fn router(app: &Arc<App>) -> Router {
    let calls = of_graph().router;
    let inside = Router::new()
        .merge(calls.clone())
        .nest("/graphs/{graph}", calls)
        .route("/graphs", get(graphs))
        .route("/metrics", get(metrics))
        .merge(mcp::routes(app))
        .layer(from_fn_with_state(app.clone(), edge::admit))
        .layer(from_fn_with_state(app.clone(), origin::check));
    let mut router = Router::new()
        .route("/healthz", get(health))
        .route("/openapi.json", get(openapi))
        .merge(inside)
        .fallback(nowhere)
        .method_not_allowed_fallback(other_method)
        .layer(CatchPanicLayer::custom(|_| {
            FaultResponse::from(super::work::internal_error()).into_response()
        }));
    if !app.origins.is_empty() {
        router = router.layer(cors(&app.origins));
    }
    router.layer(from_fn_with_state(app.clone(), edge::watch)).layer(from_fn(private)).with_state(app.clone())
}

/// Which pages of other servers may call.
fn cors(origins: &[String]) -> CorsLayer {
    let layer = CorsLayer::new().allow_methods(Any).allow_headers([
        header::AUTHORIZATION,
        header::CONTENT_TYPE,
        header::ACCEPT,
        edge::REQUEST_ID,
    ]);
    let layer = layer.expose_headers([edge::REQUEST_ID]);
    if origins.iter().any(|origin| origin == "*") {
        return layer.allow_origin(Any);
    }
    let origins = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
    layer.allow_origin(AllowOrigin::list(origins))
}

/// Nothing on the way keeps answers.
async fn private(request: Request<axum::body::Body>, next: axum::middleware::Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

async fn health() -> Result<Response, FaultResponse> {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    Ok(document(&HealthOutput { status: "ok".to_owned(), version })?)
}

async fn openapi(State(app): State<Arc<App>>) -> Response {
    let text = app.described.get_or_init(|| described(app.tokens.is_required()));
    super::answer::json(StatusCode::OK, text.clone())
}

async fn metrics(
    State(app): State<Arc<App>>,
    Extension(identity): Extension<edge::Identity>,
) -> Result<Response, FaultResponse> {
    let access = app.rules.access(identity.actor.as_deref());
    access.check(Action::Metrics, None, None).map_err(Fault::from)?;
    Ok(typed(StatusCode::OK, "text/plain; version=0.0.4", app.metrics.text()))
}

async fn graphs(
    State(app): State<Arc<App>>,
    request: Request<axum::body::Body>,
) -> Result<Response, FaultResponse> {
    let (mut parts, _) = request.into_parts();
    if let Some(query) = parts.uri.query().filter(|query| !query.is_empty()) {
        return Err(Fault::new("bad_request", format!("`?{query}` is not read here")).into());
    }
    let (task, _) = task(&mut parts, &app).await?;
    let default = hosted(&app, None)?;
    let actor = task.identity.actor.as_deref();
    let is_shown =
        |hosted: &&Arc<Hosted>| hosted.rules.access(actor).check(Action::GraphList, None, None).is_ok();
    let graph = |hosted: &Arc<Hosted>| GraphOutput {
        name: hosted.name.clone(),
        is_default: hosted.name == default.name,
        is_unavailable: !hosted.is_open(),
    };
    let graphs = app.graphs.values().filter(is_shown).map(graph).collect();
    Ok(document(&GraphListOutput { graphs })?)
}

async fn nowhere() -> FaultResponse {
    let fault = Fault::new("not_found", "there is nothing at this path");
    fault.hint("GET /openapi.json says what there is").into()
}

async fn other_method() -> FaultResponse {
    let fault = Fault::new("method_not_allowed", "this path takes another method");
    fault.hint("GET /openapi.json says which").into()
}
