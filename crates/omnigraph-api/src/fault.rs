//! Why a call failed: one form for the command line, HTTP and MCP.

mod findings;

pub use findings::{diagnostic, named, violation};

use omnigraph::compiler::{Diagnostics, Source, did_you_mean, render};
use omnigraph::{Error, MergeConflict, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Write as _;
use utoipa::ToSchema;

/// What a caller can do about a failure; decides the status of an HTTP answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The request makes no sense. Correct it.
    BadRequest,
    /// No token, or one that nobody has.
    Unauthorized,
    /// The policy does not allow it.
    Forbidden,
    /// What is named is not there.
    NotFound,
    /// The method is not one of this path.
    MethodNotAllowed,
    /// The client was too slow.
    Timeout,
    /// Others were first, or two branches do not go together.
    Conflict,
    /// The commit that was named is not the newest.
    PreconditionFailed,
    /// The body is larger than the server takes.
    PayloadTooLarge,
    /// The body is of a kind that the server does not read.
    UnsupportedMediaType,
    /// Rows that break the schema.
    Unprocessable,
    /// The server has enough to do. Try again later.
    TooManyRequests,
    /// The server or its store failed.
    Internal,
    /// The graph cannot be opened for now. Try again later, or look at the server.
    Unavailable,
}

impl Class {
    /// The status of an answer.
    pub const fn status(self) -> u16 {
        match self {
            Class::BadRequest => 400,
            Class::Unauthorized => 401,
            Class::Forbidden => 403,
            Class::NotFound => 404,
            Class::MethodNotAllowed => 405,
            Class::Timeout => 408,
            Class::Conflict => 409,
            Class::PreconditionFailed => 412,
            Class::PayloadTooLarge => 413,
            Class::UnsupportedMediaType => 415,
            Class::Unprocessable => 422,
            Class::TooManyRequests => 429,
            Class::Internal => 500,
            Class::Unavailable => 503,
        }
    }

    /// That of a failure with this reason.
    pub fn of(reason: &str) -> Class {
        match reason {
            "unauthorized" => Class::Unauthorized,
            "forbidden" => Class::Forbidden,
            "not_found" | "no_query" | "cleaned_up" => Class::NotFound,
            "conflict" | "merge_conflicts" | "exists" => Class::Conflict,
            "method_not_allowed" => Class::MethodNotAllowed,
            "timeout" => Class::Timeout,
            "precondition_failed" => Class::PreconditionFailed,
            "payload_too_large" => Class::PayloadTooLarge,
            "unsupported_media_type" => Class::UnsupportedMediaType,
            "invalid_rows" | "unsupported_migration" | "data_loss" => Class::Unprocessable,
            "too_many_requests" => Class::TooManyRequests,
            "graph_unavailable" | "stopped" => Class::Unavailable,
            "invalid_text" | "bad_param" | "bad_request" | "bad_input" => Class::BadRequest,
            _ => Class::Internal,
        }
    }
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ErrorOutput)]
pub struct Fault {
    /// What is wrong, as a sentence.
    #[serde(rename = "error")]
    pub message: String,
    /// What the caller can do about it.
    #[serde(rename = "code")]
    pub class: Class,
    /// A stable word for this failure, finer than the code.
    pub reason: String,
    /// What helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The text that was sent, with the place of every error marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rendered: Option<String>,
    /// Every single finding.
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    pub diagnostics: Vec<Value>,
    /// Every conflict of a merge.
    #[serde(default)]
    pub merge_conflicts: Vec<MergeConflictOutput>,
}

/// Rows of two branches that do not go together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MergeConflictOutput {
    /// `node:Person` or `edge:Knows`.
    pub table_key: String,
    /// The row; null when it is about the table or the schema.
    pub row_id: Option<String>,
    /// `divergent_update`, `delete_vs_update`…
    pub kind: String,
    /// What is wrong, as a sentence.
    pub message: String,
    /// The row before both changes; only where the conflict is about them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub base: Option<Value>,
    /// The row in the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub ours: Option<Value>,
    /// The row in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub theirs: Option<Value>,
}

impl Fault {
    /// A failure with a stable word.
    pub fn new(reason: &str, message: impl Into<String>) -> Fault {
        Fault {
            message: message.into(),
            class: Class::of(reason),
            reason: reason.to_owned(),
            hint: None,
            rendered: None,
            diagnostics: Vec::new(),
            merge_conflicts: Vec::new(),
        }
    }

    /// With what helps.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Fault {
        self.hint = Some(hint.into());
        self
    }

    /// A schema or query that does not hold.
    pub fn text(diagnostics: &Diagnostics, source: &Source) -> Fault {
        let first = diagnostics.iter().next();
        let message = first.map_or_else(String::new, |first| {
            let at = source.position(first.primary.span.start);
            format!("{}:{}:{}: {}", source.name(), at.line, at.column, first.headline())
        });
        Fault {
            rendered: Some(render(diagnostics, source)),
            diagnostics: diagnostics.iter().map(|found| diagnostic(found, source)).collect(),
            ..Fault::new("invalid_text", message)
        }
    }

    /// An error of the engine about a text that was sent.
    pub fn about(error: Error, source: &Source) -> Fault {
        match error {
            Error::Text(diagnostics) => Fault::text(&diagnostics, source),
            Error::NoQuery { ref name, ref known } => {
                let hint = did_you_mean(name, known.iter().map(String::as_str));
                Fault { hint, ..Fault::new("no_query", format!("{}: {error}", source.name())) }
            }
            error => Fault::from(error),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        let mut fault = Fault::new(error.code(), error.to_string());
        match &error {
            Error::Store(error) => fault.hint = findings::hint(error).map(str::to_owned),
            Error::Invalid { violations, .. } => {
                fault.diagnostics = violations.iter().map(violation).collect();
                fault.hint = Some("nothing was written".to_owned());
            }
            Error::Conflict { rows, .. } => {
                fault.diagnostics =
                    rows.iter().map(|row| json!({ "code": "conflict", "row": row })).collect();
            }
            Error::DataLoss(losses) => {
                fault.diagnostics =
                    losses.iter().map(|loss| json!({ "code": "data_loss", "message": loss })).collect();
                fault.hint = Some(
                    "nothing was applied; `--allow-drop` (`allow_drop`) drops them all the same: older commits keep them"
                        .to_owned(),
                );
            }
            Error::BranchInUse { branches, runs, .. } => {
                let found = branches.iter().map(|name| json!({ "code": "branch_in_use", "branch": name }));
                let runs = runs.iter().map(|run| json!({ "code": "branch_in_use", "run_id": run }));
                fault.diagnostics = found.chain(runs).collect();
                fault.hint = Some(
                    "`branch delete` takes `force`: branches that were made from it stay, runs under way are aborted"
                        .to_owned(),
                );
            }
            Error::MergeConflicts(conflicts) => {
                fault.merge_conflicts = conflicts.iter().map(conflict).collect();
                fault.rendered = Some(conflicts_text(&fault.merge_conflicts));
                let hint = if conflicts.iter().any(|conflict| conflict.row_id.is_none()) {
                    "nothing was written; change one of the branches and merge again"
                } else {
                    "nothing was written; take a side with `--ours`, `--theirs` or, row by row, `--resolve FILE`, or \
                     change one of the branches, and merge again"
                };
                fault.hint = Some(hint.to_owned());
            }
            Error::Input { line, message } => {
                fault.diagnostics = vec![json!({ "code": "input", "line": line, "message": message })];
            }
            _ => {}
        }
        fault
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Fault {
        Fault::from(Error::Store(error))
    }
}

fn conflict(found: &MergeConflict) -> MergeConflictOutput {
    let rows = found.rows.clone().unwrap_or_default();
    let object = |row: Option<String>| row.and_then(|row| serde_json::from_str(&row).ok());
    MergeConflictOutput {
        base: object(rows.base),
        ours: object(rows.ours),
        theirs: object(rows.theirs),
        table_key: found.table_key.clone(),
        row_id: found.row_id.clone(),
        kind: found.kind.as_str().to_owned(),
        message: found.message.clone(),
    }
}

/// All conflicts, one per line.
fn conflicts_text(found: &[MergeConflictOutput]) -> String {
    let plural = if found.len() == 1 { "" } else { "s" };
    let mut out = format!("error: {} merge conflict{plural}\n", found.len());
    for conflict in found {
        let row = conflict.row_id.as_ref().map_or(String::new(), |row| format!(":{row}"));
        let _ = writeln!(out, "  {}{row}  {}: {}", conflict.table_key, conflict.kind, conflict.message);
    }
    out
}
