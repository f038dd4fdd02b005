//! MCP over HTTP: `/mcp`, and `/graphs/{graph}/mcp`. Every request stands for itself; there are no sessions.

use super::app::App;
use super::edge::Identity;
use super::extract::hosted;
use axum::Router;
use axum::http::request::Parts;
use omnigraph_api::fault::Fault;
use omnigraph_api::mcp::{Host, LocalGraph, Server};
use omnigraph_api::saved::Saved;
use rmcp::model::Extensions;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// The graphs of a server.
#[derive(Clone, Debug)]
struct Shared(Arc<App>);

impl Host for Shared {
    type Caller = LocalGraph;

    fn caller(&self, sent: &Extensions) -> Result<LocalGraph, Fault> {
        let missing = || Fault::new("internal", "a request without a head");
        let parts = sent.get::<Parts>().ok_or_else(missing)?;
        let below = parts.uri.path().strip_prefix("/graphs/");
        let name = below.map(|rest| rest.strip_suffix("/mcp").unwrap_or(rest));
        let hosted = hosted(&self.0, name)?;
        let actor = parts.extensions.get::<Identity>().and_then(|identity| identity.actor.clone());
        let graph = hosted.acting(actor.as_deref())?;
        let ticket = self.0.requests.begin(&hosted, actor.as_deref(), ("POST /mcp", None));
        ticket.has_turn();
        let graph = graph.stopped_by(ticket.stop());
        Ok(LocalGraph { graph, uri: hosted.uri.as_str().into(), held: Some(Arc::new(ticket)) })
    }

    fn saved(&self) -> Arc<Saved> {
        self.0.saved()
    }

    async fn turn(&self, _caller: &LocalGraph) -> Result<Option<OwnedSemaphorePermit>, Fault> {
        self.0.turn().await.map(Some)
    }
}

/// Where MCP is spoken.
pub(crate) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let plain = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(usize::try_from(app.limits.body).unwrap_or(usize::MAX));
    // A page of another site can reach a server on this machine by a name of its own; it has no token.
    let config = if app.tokens.is_required() { plain.disable_allowed_hosts() } else { plain };
    let shared = Shared(app.clone());
    let service = StreamableHttpService::new(
        move || Ok(Server::new(shared.clone())),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    Router::new().route_service("/mcp", service.clone()).route_service("/graphs/{graph}/mcp", service)
}
