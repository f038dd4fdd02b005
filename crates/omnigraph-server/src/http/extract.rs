//! From requests to calls: which graph, who, and members that are refused in our own words.

use super::app::{App, Hosted};
use super::edge::Identity;
use super::work::Task;
use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, request::Parts};
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use omnigraph_api::calls::Method;
use omnigraph_api::fault::Fault;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

/// What a path names, by member.
pub(super) type Named = Vec<(String, String)>;

/// The graph of a request, its caller, and what else its path names.
pub(super) async fn task(parts: &mut Parts, app: &Arc<App>) -> Result<(Task, Named), Fault> {
    let params = RawPathParams::from_request_parts(parts, app).await;
    let params = params.map_err(|error| Fault::new("bad_request", error.body_text()))?;
    let mut named: Named = params.iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
    let graph = named.iter().position(|(name, _)| name == "graph").map(|at| named.remove(at).1);
    let hosted = hosted(app, graph.as_deref())?;
    let identity = parts.extensions.get::<Identity>().cloned().unwrap_or(Identity { actor: None });
    let below = parts.uri.path();
    let path = graph.and_then(|graph| below.strip_prefix(&format!("/graphs/{graph}"))).unwrap_or(below);
    let request = format!("{} {path}", parts.method);
    let only_reads = parts.method == axum::http::Method::GET;
    let (app, invokes, query) = (app.clone(), false, None);
    Ok((Task { app, hosted, identity, invokes, request, query, only_reads }, named))
}

/// The graph of a name, or the one of routes that name none.
pub(crate) fn hosted(app: &App, name: Option<&str>) -> Result<Arc<Hosted>, Fault> {
    match name {
        Some(name) => app.graphs.get(name).cloned().ok_or_else(|| {
            Fault::new("not_found", format!("this server has no graph `{name}`"))
                .hint("GET /graphs names those it has")
        }),
        None => app.single.clone().ok_or_else(|| Fault::new("not_found", "this server has no graph")),
    }
}

/// A call as it was sent: in the path and the query string, or in the body.
pub(super) async fn members<C: Serialize + DeserializeOwned>(
    method: Method,
    (parts, body): (&Parts, Body),
    named: Named,
    limit: u64,
    timeout: Duration,
) -> Result<C, Fault> {
    if method != Method::Post {
        return query(parts.uri.query(), named);
    }
    if let Some(query) = parts.uri.query().filter(|query| !query.is_empty()) {
        return Err(Fault::new("bad_request", format!("`?{query}` is not read here"))
            .hint("the members of this call are in its body"));
    }
    let bytes = whole(&parts.headers, body, limit, timeout).await?;
    check_kind(&parts.headers, !bytes.is_empty())?;
    let wrong = |error: serde_json::Error| {
        Fault::new("bad_request", format!("the body is not what this call takes: {error}"))
    };
    let text = if bytes.is_empty() { &b"{}"[..] } else { &bytes[..] };
    // A list of values would do for a type with members.
    if text.trim_ascii_start().first() != Some(&b'{') {
        return Err(Fault::new("bad_request", "the body is not a JSON object"));
    }
    if named.is_empty() {
        return serde_json::from_slice(text).map_err(wrong);
    }
    let mut members: Map<String, Value> = serde_json::from_slice(text).map_err(wrong)?;
    for (name, text) in named {
        if members.insert(name.clone(), Value::from(text)).is_some() {
            return Err(Fault::new("bad_request", format!("`{name}` is in the path and in the body")));
        }
    }
    serde_json::from_value(Value::Object(members)).map_err(wrong)
}

/// Members of a query string, beside those that the path named. A member that is given without a text is refused where it
/// would count as left out: a condition that is not there yet must not become none.
pub(super) fn query<C: Serialize + DeserializeOwned>(query: Option<&str>, named: Named) -> Result<C, Fault> {
    let wrong = |error: &dyn std::fmt::Display| {
        Fault::new("bad_request", format!("the query string is not what this call takes: {error}"))
    };
    let mut pairs: Named =
        serde_html_form::from_str(query.unwrap_or_default()).map_err(|error| wrong(&error))?;
    pairs.extend(named);
    let text = serde_html_form::to_string(&pairs).map_err(|error| wrong(&error))?;
    let call: C = serde_html_form::from_str(&text).map_err(|error| wrong(&error))?;
    if let Some((name, _)) = pairs.iter().find(|(_, text)| text.is_empty()) {
        let read = serde_json::to_value(&call).map_err(|error| wrong(&error))?;
        if read.get(name).is_none() {
            return Err(wrong(&format!("`{name}` is empty")).hint("leave it out, or say what it is"));
        }
    }
    Ok(call)
}

/// Only JSON is read as JSON. A body without a kind is taken for it.
fn check_kind(headers: &HeaderMap, has_body: bool) -> Result<(), Fault> {
    let Some(kind) = headers.get(CONTENT_TYPE).filter(|_| has_body) else { return Ok(()) };
    let kind = kind.to_str().unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let fault = Fault::new("unsupported_media_type", format!("a body of type `{kind}` is not read here"));
    Err(fault.hint("send `Content-Type: application/json`"))
}

/// Refuses a body that says that it is too long, before it is read.
pub(super) fn check_length(headers: &HeaderMap, limit: u64) -> Result<(), Fault> {
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    match length.and_then(|length| length.parse::<u64>().ok()) {
        Some(length) if length > limit => Err(too_long(limit)),
        _ => Ok(()),
    }
}

pub(super) fn too_long(limit: u64) -> Fault {
    Fault::new("payload_too_large", format!("the body is longer than the {limit} bytes that this call takes"))
}

/// All of a body, which must arrive in time.
async fn whole(headers: &HeaderMap, body: Body, limit: u64, timeout: Duration) -> Result<Bytes, Fault> {
    check_length(headers, limit)?;
    let read = async {
        let (mut body, mut bytes) = (body, BytesMut::new());
        while let Some(frame) = body.frame().await {
            let data = frame.map_err(|error| broken(&error))?.into_data().unwrap_or_default();
            if (bytes.len() + data.len()) as u64 > limit {
                return Err(too_long(limit));
            }
            bytes.extend_from_slice(&data);
        }
        Ok(bytes.freeze())
    };
    tokio::time::timeout(timeout, read).await.unwrap_or_else(|_| Err(too_slow()))
}

/// The caller went away, or speaks nonsense.
pub(super) fn broken(error: &axum::Error) -> Fault {
    Fault::new("bad_request", format!("the body could not be read: {error}"))
}

/// The caller takes too long.
pub(super) fn too_slow() -> Fault {
    Fault::new("timeout", "the body did not arrive in time")
}
