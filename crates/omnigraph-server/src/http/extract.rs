//! From requests to tasks: which graph, who, and bodies that are refused in our own words.

use super::answer::Failed;
use super::app::{App, Hosted};
use super::edge::Caller;
use super::work::Task;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Query, RawPathParams, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use std::sync::Arc;

impl FromRequestParts<Arc<App>> for Task {
    type Rejection = Failed;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Task, Failed> {
        let hosted = hosted(parts, app).await?;
        let caller = parts.extensions.get::<Caller>().cloned().unwrap_or(Caller { actor: None });
        Ok(Task { app: app.clone(), hosted, caller })
    }
}

/// The graph that the path names, or the one there is.
async fn hosted(parts: &mut Parts, app: &Arc<App>) -> Result<Arc<Hosted>, Failed> {
    let params = RawPathParams::from_request_parts(parts, app).await;
    let params = params.map_err(|error| Failed::bad_request(error.to_string()))?;
    match params.iter().find(|(name, _)| *name == "graph") {
        Some((_, name)) => app.graphs.get(name).cloned().ok_or_else(|| {
            Failed::not_found(format!("this server has no graph `{name}`; GET /graphs names those it has"))
        }),
        None => app.single.clone().ok_or_else(|| Failed::not_found("this server has no graph")),
    }
}

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Failed;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Failed> {
        let bytes = Bytes::from_request(request, state).await.map_err(too_large)?;
        let bytes = if bytes.is_empty() { Bytes::from_static(b"{}") } else { bytes };
        serde_json::from_slice(&bytes)
            .map(Body)
            .map_err(|error| Failed::bad_request(format!("the body is not what this route takes: {error}")))
    }
}

fn too_large(rejection: BytesRejection) -> Failed {
    let status = rejection.status();
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return Failed::new(status, "too_large", "the body is larger than this route takes");
    }
    Failed::new(status, "bad_request", "the body could not be read")
}

/// What stands behind the question mark.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Failed;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Failed> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query
            .map(|Query(asked)| Asked(asked))
            .map_err(|error: QueryRejection| Failed::bad_request(error.body_text()))
    }
}
