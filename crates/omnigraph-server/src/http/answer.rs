//! Answers: JSON, and failures with the status that says whose turn it is.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use omnigraph::Error;
use omnigraph_store::Error as StoreError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a request failed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ErrorOutput {
    /// In words.
    pub error: String,
    /// `unauthorized`, `forbidden`, `bad_request`, `not_found`, `conflict` or `internal`.
    pub code: String,
    /// More precise than the code: `invalid_rows`, `no_query`, `bad_param`…
    #[serde(default)]
    pub reason: String,
    /// What helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Every single finding about texts and rows.
    #[serde(default)]
    pub diagnostics: Vec<serde_json::Value>,
    /// Rows that two branches changed differently.
    #[serde(default)]
    pub merge_conflicts: Vec<serde_json::Value>,
}

/// A failure on its way out.
#[derive(Debug)]
pub(crate) struct Failed {
    status: StatusCode,
    body: ErrorOutput,
}

impl Failed {
    pub(crate) fn new(status: StatusCode, reason: &str, message: impl Into<String>) -> Failed {
        let code = match status {
            StatusCode::UNAUTHORIZED => "unauthorized",
            StatusCode::FORBIDDEN => "forbidden",
            StatusCode::NOT_FOUND => "not_found",
            StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED => "conflict",
            status if status.is_server_error() => "internal",
            _ => "bad_request",
        };
        let body = ErrorOutput {
            error: message.into(),
            code: code.to_owned(),
            reason: reason.to_owned(),
            ..ErrorOutput::default()
        };
        Failed { status, body }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Failed {
        Failed::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Failed {
        Failed::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// Too many are waiting already.
    pub(crate) fn busy() -> Failed {
        Failed::new(
            StatusCode::TOO_MANY_REQUESTS,
            "busy",
            "too many requests are waiting; try again in a second",
        )
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        if self.status.is_server_error() {
            tracing::error!(error = self.body.error, "failed");
        }
        let is_busy = self.status == StatusCode::TOO_MANY_REQUESTS;
        let mut response = (self.status, Json(self.body)).into_response();
        if is_busy {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// Whose turn it is, by the kind of failure.
fn status(error: &Error) -> StatusCode {
    match error {
        Error::Denied { .. } => StatusCode::FORBIDDEN,
        Error::Store(StoreError::NoGraph { .. } | StoreError::NoBranch { .. } | StoreError::NoCommit { .. }) => {
            StatusCode::NOT_FOUND
        }
        Error::NoQuery { .. } => StatusCode::NOT_FOUND,
        Error::Store(StoreError::GraphExists { .. } | StoreError::BranchExists { .. }) => StatusCode::CONFLICT,
        Error::Store(StoreError::Location { .. } | StoreError::BranchName { .. }) => StatusCode::BAD_REQUEST,
        Error::Conflict { .. } => StatusCode::CONFLICT,
        Error::Text(_) | Error::Param { .. } | Error::Request(_) => StatusCode::BAD_REQUEST,
        Error::Invalid { .. } | Error::Input { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        Error::Embedding { .. } => StatusCode::BAD_GATEWAY,
        Error::Store(_) | Error::Io(_) | Error::Config(_) | Error::Internal(_) => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        let mut failed = Failed::new(status(&error), error.code(), error.to_string());
        failed.body.diagnostics = error
            .violations()
            .iter()
            .map(|violation| serde_json::json!({ "message": violation.to_string() }))
            .collect();
        failed
    }
}
