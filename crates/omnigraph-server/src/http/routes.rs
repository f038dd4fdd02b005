//! The routes, family by family.

mod branches;
mod commits;
mod reads;
mod state;
mod stream;
mod writes;

use super::app::App;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{delete, get, post};
use std::sync::Arc;


/// Routes of a graph: below the root, and below `/graphs/{graph}`.
pub(super) fn of_a_graph(app: &App) -> Router<Arc<App>> {
    let ingest = post(writes::ingest).layer(DefaultBodyLimit::max(app.limits.ingest_body));
    let load = post(stream::load).layer(DefaultBodyLimit::disable());
    Router::new()
        .route("/snapshot", get(state::snapshot))
        .route("/schema", get(state::schema))
        .route("/read", post(reads::read))
        .route("/explain", post(reads::explain))
        .route("/export", post(stream::export))
        .route("/change", post(writes::change))
        .route("/ingest", ingest)
        .route("/load", load)
        .route("/branches", get(branches::list).post(branches::create))
        .route("/branches/{*branch}", delete(branches::remove))
        .route("/commits", get(commits::list))
        .route("/commits/{commit}", get(commits::show))
}

/// Routes of the server, for callers who are let in.
pub(super) fn of_the_server() -> Router<Arc<App>> {
    Router::new().route("/graphs", get(state::graphs)).route("/metrics", get(state::metrics))
}

/// Routes that need no token.
pub(super) fn open() -> Router<Arc<App>> {
    Router::new().route("/healthz", get(state::health)).route("/openapi.json", get(super::openapi::document))
}
