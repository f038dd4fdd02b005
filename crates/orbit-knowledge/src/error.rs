//! Failures, cut by what the caller can do.

use crate::model::{Atom, Container, Molecule, Named, Section, Template};
use crate::words::words;
use serde::Serialize;
use std::path::PathBuf;

words! {
    /// A stable word for programs.
    Code {
        /// Bad input.
        Validation = "VALIDATION_ERROR",
        /// A referenced entity does not exist.
        NotFound = "NOT_FOUND",
        /// Somebody else was first.
        Conflict = "CONFLICT",
        /// Cross-project membership, an atom without paths.
        Invariant = "INVARIANT_VIOLATION",
        /// Not in this state.
        Operation = "INVALID_OPERATION",
        /// Something must be closed first.
        Blocked = "BLOCKED",
        /// Something is still in it.
        HasChildren = "HAS_CHILDREN",
        /// It would wait for itself.
        Circular = "CIRCULAR_DEPENDENCY",
        /// Not the caller's fault.
        Internal = "INTERNAL_ERROR",
    }
}

/// What the caller's version was compared with.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Current {
    /// A project, feature or task.
    Container(Container),
    /// A section.
    Section(Section),
    /// A template.
    Template(Template),
    /// A molecule.
    Molecule(Molecule),
    /// An atom.
    Atom(Atom),
}

/// Why a call failed.
#[derive(Debug)]
pub enum KnowledgeError {
    /// A parameter is missing or wrong.
    Validation {
        /// As the request spells it.
        field: &'static str,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// Nothing has this id.
    NotFound {
        /// `task`, `atom`…
        what: &'static str,
        /// As given.
        id: String,
    },
    /// Written since it was read.
    Conflict {
        /// The caller's version.
        given: i64,
        /// What is there now.
        current: Box<Current>,
    },
    /// Claimed or reserved by another.
    Held {
        /// What holds it.
        holder: Box<Container>,
        /// The name of the actor.
        actor: String,
        /// Until when.
        expires_at: String,
        /// The holder's path and the wanted one; none for a claim.
        paths: Option<(String, String)>,
    },
    /// The data would contradict itself.
    Invariant(String),
    /// Not possible in this state.
    Operation(String),
    /// Something must be closed first.
    Blocked {
        /// What is blocked.
        what: Named,
        /// By what.
        by: Vec<Named>,
        /// By something outside of the store.
        is_held: bool,
        /// Why.
        reason: Option<String>,
    },
    /// Something is still in it.
    HasChildren {
        /// What was to be done.
        action: &'static str,
        /// What has children.
        what: Named,
        /// Its features.
        features: i64,
        /// Its tasks.
        tasks: i64,
    },
    /// It would wait for itself; first and last are the same.
    Circular(Vec<Named>),
    /// A pipeline that cannot be.
    Pipeline(String),
    /// The database was written by a newer version; it is left alone.
    Newer {
        /// The schema it has.
        found: u32,
        /// The newest schema this version knows.
        known: u32,
    },
    /// A database of another program.
    Foreign(PathBuf),
    /// The file is damaged, or not a database at all; `None` when it showed in the middle of the work.
    Damaged(Option<PathBuf>),
    /// A file or directory cannot be read or written.
    File(PathBuf, std::io::Error),
    /// SQLite failed.
    Database(rusqlite::Error),
}

impl KnowledgeError {
    /// The word for programs.
    pub fn code(&self) -> Code {
        match self {
            KnowledgeError::Validation { .. } | KnowledgeError::Pipeline(_) => Code::Validation,
            KnowledgeError::NotFound { .. } => Code::NotFound,
            KnowledgeError::Conflict { .. } | KnowledgeError::Held { .. } => Code::Conflict,
            KnowledgeError::Invariant(_) => Code::Invariant,
            KnowledgeError::Operation(_) => Code::Operation,
            KnowledgeError::Blocked { .. } => Code::Blocked,
            KnowledgeError::HasChildren { .. } => Code::HasChildren,
            KnowledgeError::Circular(_) => Code::Circular,
            KnowledgeError::Newer { .. }
            | KnowledgeError::Foreign(_)
            | KnowledgeError::Damaged(_)
            | KnowledgeError::File(..)
            | KnowledgeError::Database(_) => Code::Internal,
        }
    }

    /// What can be done about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            KnowledgeError::Conflict { .. } => {
                Some("look at the entity in the details and try again with its version")
            }
            KnowledgeError::Held { paths: None, .. } => {
                Some("take another task, wait until the lease ends, or pass force, which is kept")
            }
            KnowledgeError::Held { .. } => Some("work elsewhere, or wait until the holder releases it"),
            KnowledgeError::Blocked { .. } => Some("close the blockers, or remove them with unblock"),
            KnowledgeError::HasChildren { .. } => Some("end or remove them first, or pass cascade: true"),
            KnowledgeError::Circular(_) => Some("remove one of the links of the cycle first"),
            KnowledgeError::Newer { .. } => Some("update orbit"),
            KnowledgeError::Damaged(_) => Some("`orbit knowledge restore` brings back the latest backup"),
            KnowledgeError::Pipeline(_) => Some("pipelines are set in .orbit/config.toml under [pipelines]"),
            _ => None,
        }
    }

    /// Says which file is damaged.
    pub(crate) fn at(self, path: &std::path::Path) -> KnowledgeError {
        match self {
            KnowledgeError::Damaged(_) => KnowledgeError::Damaged(Some(path.to_owned())),
            other => other,
        }
    }

    pub(crate) fn validation(field: &'static str, message: impl Into<String>) -> KnowledgeError {
        KnowledgeError::Validation { field, message: message.into() }
    }

    pub(crate) fn missing(field: &'static str, operation: &str) -> KnowledgeError {
        KnowledgeError::validation(field, format!("{field} is required for {operation}"))
    }

    pub(crate) fn not_found(what: &'static str, id: impl ToString) -> KnowledgeError {
        KnowledgeError::NotFound { what, id: id.to_string() }
    }
}

fn chain(steps: &[Named]) -> String {
    steps
        .iter()
        .map(|step| format!("{} \"{}\"", step.kind.word(), step.name))
        .collect::<Vec<_>>()
        .join(" -> ")
}

impl std::fmt::Display for KnowledgeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            KnowledgeError::Validation { message, .. } => f.write_str(message),
            KnowledgeError::NotFound { what, id } => write!(f, "no {what} has the id {id}"),
            KnowledgeError::Conflict { given, current } => {
                write!(f, "Version conflict: expected {given}, current is {}", current.version())
            }
            KnowledgeError::Held { holder, actor, expires_at, paths } => {
                if let Some((held, wanted)) = paths {
                    write!(f, "{wanted} overlaps {held}, which ")?;
                } else {
                    write!(f, "{} ", holder.kind.word())?;
                }
                write!(f, "\"{}\" ({}) is held by {actor} until {expires_at}", holder.name, holder.id)
            }
            KnowledgeError::Invariant(text)
            | KnowledgeError::Operation(text)
            | KnowledgeError::Pipeline(text) => f.write_str(text),
            KnowledgeError::Blocked { what, by, is_held, reason } => {
                write!(f, "{} \"{}\" is blocked", what.kind.word(), what.name)?;
                let mut names: Vec<String> = by
                    .iter()
                    .map(|one| format!("{} \"{}\" ({})", one.kind.word(), one.name, one.id))
                    .collect();
                if *is_held {
                    names.push("NO_OP".into());
                }
                write!(f, " by {}", names.join(", "))?;
                reason.as_ref().map_or(Ok(()), |reason| write!(f, ": {reason}"))
            }
            KnowledgeError::HasChildren { action, what, features, tasks } => write!(
                f,
                "Cannot {action} {} \"{}\": contains {features} features and {tasks} tasks",
                what.kind.word(),
                what.name
            ),
            KnowledgeError::Circular(steps) => write!(f, "would wait for itself: {}", chain(steps)),
            KnowledgeError::Newer { found, known } => {
                write!(f, "the knowledge database has schema {found}, this version knows {known}")
            }
            KnowledgeError::Foreign(path) => {
                write!(f, "{} is a database of another program", path.display())
            }
            KnowledgeError::Damaged(Some(path)) => write!(f, "{} is damaged", path.display()),
            KnowledgeError::Damaged(None) => f.write_str("the knowledge database is damaged"),
            KnowledgeError::File(path, error) => write!(f, "{}: {error}", path.display()),
            KnowledgeError::Database(error) => write!(f, "database: {error}"),
        }
    }
}

impl std::error::Error for KnowledgeError {}

impl From<rusqlite::Error> for KnowledgeError {
    fn from(error: rusqlite::Error) -> KnowledgeError {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        if matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase)) {
            return KnowledgeError::Damaged(None);
        }
        KnowledgeError::Database(error)
    }
}

impl Current {
    /// The version that is there now.
    pub fn version(&self) -> i64 {
        match self {
            Current::Container(it) => it.version,
            Current::Section(it) => it.version,
            Current::Template(it) => it.version,
            Current::Molecule(it) => it.version,
            Current::Atom(it) => it.version,
        }
    }
}
