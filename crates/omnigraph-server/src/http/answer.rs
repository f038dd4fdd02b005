//! Answers: documents, and failures with the status that says whose turn it is.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use omnigraph_api::fault::Fault;
use serde::Serialize;

/// A document.
pub(super) fn document(output: &impl Serialize) -> Result<Response, Fault> {
    let bytes = serde_json::to_vec(output)
        .map_err(|error| Fault::new("internal", format!("the answer cannot be written: {error}")))?;
    Ok(json(StatusCode::OK, bytes))
}

/// A document that is text already.
pub(super) fn json(status: StatusCode, text: impl Into<axum::body::Body>) -> Response {
    typed(status, "application/json", text)
}

/// A body of a kind.
pub(super) fn typed(status: StatusCode, kind: &'static str, body: impl Into<axum::body::Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// The request came too often or too much at once.
pub(super) fn busy() -> Fault {
    Fault::new("too_many_requests", "the server has as many requests as it takes")
        .hint("try again in a second")
}

/// A failure on its way to the caller: JSON with the status of its class.
#[derive(Debug)]
pub(super) struct FaultResponse(Fault);

impl<E: Into<Fault>> From<E> for FaultResponse {
    fn from(error: E) -> FaultResponse {
        FaultResponse(error.into())
    }
}

impl IntoResponse for FaultResponse {
    fn into_response(self) -> Response {
        let FaultResponse(fault) = self;
        let status = StatusCode::from_u16(fault.class.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if status.is_server_error() {
            tracing::error!(error = fault.message, reason = fault.reason, "failed");
        }
        let body = serde_json::to_vec(&fault).unwrap_or_default();
        let mut response = json(status, body);
        let headers = response.headers_mut();
        match status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::TOO_MANY_REQUESTS => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            // What is left of the body is not read.
            StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT => {
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}
