//! Findings of the engine, in words and as JSON.

use omnigraph::StoreError;
use omnigraph::compiler::{Diagnostic, Source};
use omnigraph::validate::Violation;
use serde_json::{Value, json};

/// What helps when the store could not do it.
pub(super) fn hint(error: &StoreError) -> Option<&'static str> {
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

/// A finding about a text, as JSON.
pub fn diagnostic(found: &Diagnostic, source: &Source) -> Value {
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

/// A row that breaks the schema, in words that name it.
pub fn named(found: &Violation) -> String {
    match &found.row {
        Some(row) if !found.message.contains(&format!("'{row}'")) => format!("{} in '{row}'", found.message),
        _ => found.message.clone(),
    }
}

/// A row that breaks the schema, as JSON.
pub fn violation(found: &Violation) -> Value {
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
