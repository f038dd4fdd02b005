//! The one shape of all answers.

use super::answers::Answer;
use super::container::Blocker;
use crate::error::{Code, Current, KnowledgeError};
use crate::model::{Container, Named};
use serde::Serialize;
use serde_json::Value;

/// `{success, message, data}`, or `{success: false, message, error: {code, details}}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Envelope<T> {
    /// Whether it was done.
    pub success: bool,
    /// What is wrong, as a sentence.
    pub message: String,
    /// What was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<T>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorBody>,
}

/// What went wrong, for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorBody {
    /// A stable word.
    pub code: Code,
    /// What is needed to do better.
    pub details: Details,
}

/// What is needed to do better: facts, and what can be done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Details {
    /// Depends on what went wrong.
    #[serde(flatten)]
    pub facts: Facts,
    /// Left out where nothing helps but other parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
}

/// The facts of a failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum Facts {
    /// A parameter is missing or wrong.
    Field {
        /// As the request spells it.
        field: &'static str,
    },
    /// Nothing has this id.
    Missing {
        /// `task`, `atom`…
        entity: &'static str,
        /// As given.
        id: String,
    },
    /// Written since it was read.
    Stale {
        /// The caller's version.
        given_version: i64,
        /// The version that is there now.
        current_version: i64,
        /// What is there now.
        entity: Box<Current>,
    },
    /// Claimed or reserved by another.
    Held {
        /// The holder's version.
        current_version: i64,
        /// What holds it.
        entity: Box<Container>,
        /// The actor who holds it.
        held_by: String,
        /// Until when.
        expires_at: String,
        /// The holder's path; none for a claim.
        #[serde(skip_serializing_if = "Option::is_none")]
        held_path: Option<String>,
        /// The path that overlaps it.
        #[serde(skip_serializing_if = "Option::is_none")]
        wanted_path: Option<String>,
    },
    /// Something must be closed first.
    Blocked {
        /// What must be.
        blocked_by: Vec<Blocker<Named>>,
        /// Why.
        blocked_reason: Option<String>,
    },
    /// Something is still in it.
    Children {
        /// How many features.
        features: i64,
        /// How many tasks.
        tasks: i64,
    },
    /// It would wait for itself; first and last are the same.
    Cycle {
        /// In the order of waiting.
        cycle: Vec<Named>,
    },
    /// Not the caller's fault.
    Retry {
        /// Whether the same call may work later.
        retry: bool,
    },
    /// The message says it all.
    None {},
}

impl<T> Envelope<T> {
    /// From what a tool did.
    pub fn of(done: Result<Answer<T>, KnowledgeError>) -> Envelope<T> {
        match done {
            Ok(Answer { message, data }) => {
                Envelope { success: true, message, data: Some(data), error: None }
            }
            Err(error) => Envelope {
                success: false,
                message: error.to_string(),
                data: None,
                error: Some(ErrorBody { code: error.code(), details: Details::of(error) }),
            },
        }
    }

    /// The code of a failure.
    pub fn code(&self) -> Option<&'static str> {
        self.error.as_ref().map(|error| error.code.word())
    }
}

impl<T: Serialize> Envelope<T> {
    /// The same with its data as JSON, for clients that call by name.
    pub(crate) fn untyped(self) -> Envelope<Value> {
        let Envelope { success, message, data, error } = self;
        let data = data.map(|data| serde_json::to_value(data).unwrap_or_default());
        Envelope { success, message, data, error }
    }

    /// As JSON.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}

impl Details {
    fn of(error: KnowledgeError) -> Details {
        Details { hint: error.hint(), facts: Facts::of(error) }
    }
}

impl Facts {
    fn of(error: KnowledgeError) -> Facts {
        match error {
            KnowledgeError::Validation { field, .. } => Facts::Field { field },
            KnowledgeError::NotFound { what, id } => Facts::Missing { entity: what, id },
            KnowledgeError::Conflict { given, current } => {
                Facts::Stale { given_version: given, current_version: current.version(), entity: current }
            }
            KnowledgeError::Held { holder, actor, expires_at, paths } => {
                let (held_path, wanted_path) = paths.unzip();
                Facts::Held {
                    current_version: holder.version,
                    entity: holder,
                    held_by: actor,
                    expires_at,
                    held_path,
                    wanted_path,
                }
            }
            KnowledgeError::Blocked { by, is_held, reason, .. } => {
                Facts::Blocked { blocked_by: Blocker::list(by, is_held), blocked_reason: reason }
            }
            KnowledgeError::HasChildren { features, tasks, .. } => Facts::Children { features, tasks },
            KnowledgeError::Circular(cycle) => Facts::Cycle { cycle },
            error if error.code() == Code::Internal => Facts::Retry { retry: true },
            _ => Facts::None {},
        }
    }
}
