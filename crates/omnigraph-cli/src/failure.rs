//! Every error as code, message and hint, and the exit code it leads to.

use crate::render;
use omnigraph::Error;
use omnigraph_compiler::{Diagnostics, Source, did_you_mean};
use omnigraph_store::Error as StoreError;
use serde_json::{Value, json};
use std::path::Path;

/// Why a command failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// What people read instead of the message: texts with the place of every error marked.
    pub(crate) rendered: Option<Box<str>>,
    /// Every single finding, for programs.
    pub(crate) diagnostics: Vec<Value>,
    /// Every conflict of a merge, for programs.
    pub(crate) merge_conflicts: Option<Box<Value>>,
    pub(crate) exit: u8,
    /// Everything was said already, or the reader of our output is gone.
    pub(crate) is_silent: bool,
}

impl Failure {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Failure {
        Failure {
            code,
            message: message.into(),
            hint: None,
            rendered: None,
            diagnostics: Vec::new(),
            merge_conflicts: None,
            exit: 1,
            is_silent: false,
        }
    }

    /// The command line is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure { exit: 2, ..Failure::new("usage", message) }
    }

    /// The answer itself says what is wrong.
    pub(crate) fn told() -> Failure {
        Failure { is_silent: true, ..Failure::new("told", "") }
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(doing: &str, path: &Path, error: &std::io::Error) -> Failure {
        Failure::new("io", format!("cannot {doing} {}: {}", path.display(), reason(error)))
    }

    /// A schema or query that does not hold.
    pub(crate) fn text(diagnostics: &Diagnostics, source: &Source) -> Failure {
        let first = diagnostics.iter().next();
        let message = first.map_or_else(String::new, |first| {
            let at = source.position(first.primary.span.start);
            format!("{}:{}:{}: {}", source.name(), at.line, at.column, first.headline())
        });
        Failure {
            rendered: Some(omnigraph_compiler::render(diagnostics, source).into()),
            diagnostics: diagnostics.iter().map(|found| diagnostic(found, source)).collect(),
            ..Failure::new("invalid_text", message)
        }
    }

    /// An error of the engine about something that was asked with a query.
    pub(crate) fn about(error: Error, source: &Source) -> Failure {
        match error {
            Error::Text(diagnostics) => Failure::text(&diagnostics, source),
            Error::NoQuery { ref name, ref known } => {
                let hint = did_you_mean(name, known.iter().map(String::as_str));
                Failure { hint, ..Failure::new("no_query", format!("{}: {error}", source.name())) }
            }
            error => Failure::from(error),
        }
    }
}

/// A diagnostic as JSON.
pub(crate) fn diagnostic(found: &omnigraph_compiler::Diagnostic, source: &Source) -> Value {
    let data = found.data(source);
    json!({
        "code": data.code,
        "severity": data.severity,
        "message": data.message,
        "file": data.file,
        "line": data.label.start.line,
        "column": data.label.start.column,
        "end_line": data.label.end.line,
        "end_column": data.label.end.column,
        "label": data.label.text,
        "hint": data.hint,
    })
}

/// The operating system's words without its number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let mut failure = Failure::new(error.code(), error.to_string());
        if let Error::Store(error) = &error {
            failure.hint = hint(error).map(str::to_owned);
        }
        match &error {
            Error::Invalid { violations, .. } => {
                failure.diagnostics = violations.iter().map(violation).collect();
                failure.hint = Some("nothing was written".to_owned());
            }
            Error::Conflict { rows, .. } => {
                failure.diagnostics =
                    rows.iter().map(|row| json!({ "code": "conflict", "row": row })).collect();
            }
            Error::MergeConflicts(conflicts) => {
                let conflicts_as_json = conflicts.iter().map(render::versions::conflict).collect();
                failure.merge_conflicts = Some(Box::new(conflicts_as_json));
                failure.rendered = Some(render::versions::conflicts_text(conflicts).into());
                failure.hint =
                    Some("nothing was written; change one of the branches and merge again".to_owned());
            }
            Error::Input { line, message } => {
                failure.diagnostics = vec![json!({ "code": "input", "line": line, "message": message })];
            }
            Error::Io(error) if error.kind() == std::io::ErrorKind::BrokenPipe => failure.is_silent = true,
            _ => {}
        }
        if failure.is_silent {
            failure.exit = 0;
        }
        failure
    }
}

/// What helps when the store could not do it.
fn hint(error: &StoreError) -> Option<&'static str> {
    Some(match error {
        StoreError::NoBranch { .. } => "`omnigraph branch list` prints the branches there are",
        StoreError::NoCommit { .. } => "`omnigraph commit list` prints the commits of a branch",
        StoreError::CommitRemoved { .. } => "`omnigraph commit list` says which commits still have rows",
        StoreError::GraphExists { .. } => "choose another place, or remove the graph first",
        StoreError::NoTag { .. } => {
            "`omnigraph tag list` prints the tags; `--snapshot` takes a commit id too"
        }
        StoreError::TagExists { .. } => "`--force` moves it",
        StoreError::NoTarget { .. } => {
            "`omnigraph branch list`, `tag list` and `commit list` print what there is"
        }
        StoreError::NoRun { .. } => "`omnigraph run list` prints the runs",
        StoreError::Io { .. } if error.to_string().contains("s3://") => {
            "AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_ENDPOINT_URL_S3 say where the store is \
             and who asks"
        }
        _ => return None,
    })
}

/// A row that breaks the schema, in words that name it.
pub(crate) fn named(found: &omnigraph::validate::Violation) -> String {
    match &found.row {
        Some(row) if !found.message.contains(&format!("'{row}'")) => format!("{} in '{row}'", found.message),
        _ => found.message.clone(),
    }
}

/// A row that breaks the schema, as JSON.
pub(crate) fn violation(found: &omnigraph::validate::Violation) -> Value {
    json!({
        "code": found.code.as_str(),
        "severity": "error",
        "message": found.message,
        "line": found.line,
        "type": found.type_name,
        "property": found.property,
        "row": found.row,
    })
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::from(Error::Store(error))
    }
}

/// Only writing the answer gives these.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        let is_gone = error.kind() == std::io::ErrorKind::BrokenPipe;
        Failure {
            is_silent: is_gone,
            exit: u8::from(!is_gone),
            ..Failure::new("output_failed", format!("cannot write the answer: {}", reason(&error)))
        }
    }
}
