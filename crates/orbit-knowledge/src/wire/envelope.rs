//! The one shape of all answers.

use super::json;
use crate::error::{Code, Current, KnowledgeError};
use serde::Serialize;
use serde_json::{Map, Value};

/// `{success, message, data}`, or `{success: false, message, error: {code, details}}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Envelope {
    /// Whether it was done.
    pub success: bool,
    /// In words.
    pub message: String,
    /// What was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorBody>,
}

/// What went wrong, for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorBody {
    /// A stable word.
    pub code: &'static str,
    /// What is needed to do better.
    pub details: Value,
}

/// A message and the data.
pub(crate) type Answer = (String, Value);

impl Envelope {
    /// From what a tool did.
    pub(crate) fn of(done: Result<Answer, KnowledgeError>) -> Envelope {
        match done {
            Ok((message, data)) => Envelope { success: true, message, data: Some(data), error: None },
            Err(error) => Envelope {
                success: false,
                message: error.to_string(),
                data: None,
                error: Some(ErrorBody { code: error.code().word(), details: details(&error) }),
            },
        }
    }

    /// The code of a failure.
    pub fn code(&self) -> Option<&'static str> {
        self.error.as_ref().map(|error| error.code)
    }

    /// As JSON.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}

fn details(error: &KnowledgeError) -> Value {
    let mut details = Map::new();
    let mut put = |key: &str, value: Value| drop(details.insert(key.to_owned(), value));
    match error {
        KnowledgeError::Validation { field, .. } => put("field", (*field).into()),
        KnowledgeError::NotFound { what, id } => {
            put("entity", (*what).into());
            put("id", id.as_str().into());
        }
        KnowledgeError::Conflict { given, current } => {
            put("givenVersion", (*given).into());
            put("currentVersion", current.version().into());
            put("entity", entity(current));
        }
        KnowledgeError::Held { holder, actor, expires_at, paths } => {
            put("currentVersion", holder.version.into());
            put("entity", json::container(holder));
            put("heldBy", actor.as_str().into());
            put("expiresAt", expires_at.as_str().into());
            if let Some((held, wanted)) = paths {
                put("heldPath", held.as_str().into());
                put("wantedPath", wanted.as_str().into());
            }
        }
        KnowledgeError::Blocked { by, is_held, reason, .. } => {
            let mut blockers: Vec<Value> = by.iter().map(json::named).collect();
            blockers.extend(is_held.then(|| Value::from("NO_OP")));
            put("blockedBy", blockers.into());
            put("blockedReason", reason.clone().into());
        }
        KnowledgeError::HasChildren { features, tasks, .. } => {
            put("features", (*features).into());
            put("tasks", (*tasks).into());
        }
        KnowledgeError::Circular(steps) => put("cycle", steps.iter().map(json::named).collect()),
        _ if error.code() == Code::Internal => put("retry", true.into()),
        _ => {}
    }
    if let Some(hint) = error.hint() {
        put("hint", hint.into());
    }
    Value::Object(details)
}

fn entity(current: &Current) -> Value {
    match current {
        Current::Container(it) => json::container(it),
        Current::Section(it) => json::section(it, true),
        Current::Template(it) => json::template(it, true),
        Current::Molecule(it) => json::molecule(it),
        Current::Atom(it) => json::atom(it),
    }
}
