//! The origin check: pages of other sites may not call a server without tokens, since whoever opens a page did not ask
//! for what it sends.
//!
//! A server on this machine that lets everybody in can be reached by any page that a browser here has open: by a plain
//! form, or by a name of the page's own site that leads to this machine. `Origin` and `Host` give both away.

use super::answer::FaultResponse;
use super::app::App;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use omnigraph_api::fault::Fault;
use std::net::IpAddr;
use std::sync::Arc;

/// Refuses what a page of another site sends.
pub(super) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if !app.tokens.is_required() && is_cross_site(&app, request.headers()) {
        let fault = Fault::new("forbidden", "pages of other sites may not call a server without tokens")
            .hint("give the server tokens, or name the page's origin with --cors-origin");
        return FaultResponse::from(fault).into_response();
    }
    next.run(request).await
}

fn is_cross_site(app: &App, headers: &HeaderMap) -> bool {
    let said = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let is_known = |origin: &str| app.origins.iter().any(|known| known == "*" || known == origin);
    let is_other = said(ORIGIN).is_some_and(|origin| !is_known(origin) && !is_here(host_of(origin)));
    let is_renamed = app.is_local && said(HOST).is_some_and(|host| !is_here(host));
    is_other || is_renamed
}

/// `example.org:80` of `http://example.org:80`
fn host_of(origin: &str) -> &str {
    origin.split_once("://").map_or(origin, |(_, host)| host)
}

/// Whether a host, with or without a port, is this machine.
fn is_here(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::{host_of, is_here};

    #[test]
    fn only_this_machine_is_here() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8080", "[::1]", "[::1]:8080"] {
            assert!(is_here(host), "{host}");
        }
        for host in ["", "example.org", "localhost.example.org", "127.0.0.1.nip.io:80", "10.0.0.1", "[::2]:1"]
        {
            assert!(!is_here(host), "{host}");
        }
        assert!(is_here(host_of("http://localhost:3000")));
        assert!(!is_here(host_of("null")));
    }
}
