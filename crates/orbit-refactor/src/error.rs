//! Why a refactoring did not happen, cut by what the caller can do.

use orbit_graph::GraphError;
use orbit_history::HistoryError;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a refactoring failed. Whatever it is, no file has changed.
#[derive(Debug)]
pub enum RefactorError {
    /// The index, or the selector.
    Graph(GraphError),
    /// The history.
    History(HistoryError),
    /// It would not be safe, or makes no sense here.
    Refused(Refusal),
    /// A file could not be read or written.
    File(PathBuf, std::io::Error),
    /// Git refused.
    Git(String),
}

/// A refusal: what stands against it, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A stable word for programs.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<&'static str>,
    /// `path:line` and why, of everything in the way.
    pub places: Vec<String>,
}

impl Refusal {
    /// A refusal without places.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), hint: None, places: Vec::new() }
    }

    pub(crate) fn hint(mut self, hint: &'static str) -> Refusal {
        self.hint = Some(hint);
        self
    }

    pub(crate) fn places(mut self, places: Vec<String>) -> Refusal {
        self.places = places;
        self
    }
}

impl RefactorError {
    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> RefactorError {
        let path = path.to_owned();
        move |error| RefactorError::File(path, error)
    }

    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            RefactorError::Graph(error) => error.code(),
            RefactorError::History(error) => error.code(),
            RefactorError::Refused(refusal) => refusal.code,
            RefactorError::File(..) => "file_failed",
            RefactorError::Git(_) => "git_failed",
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<&str> {
        match self {
            RefactorError::Graph(error) => error.hint(),
            RefactorError::History(error) => error.hint(),
            RefactorError::Refused(refusal) => refusal.hint,
            RefactorError::File(..) => Some("check the file's permissions; nothing was changed"),
            RefactorError::Git(_) => None,
        }
    }

    /// Selectors or places that explain it.
    pub fn places(&self) -> &[String] {
        match self {
            RefactorError::Graph(error) => error.candidates(),
            RefactorError::Refused(refusal) => &refusal.places,
            _ => &[],
        }
    }
}

impl fmt::Display for RefactorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefactorError::Graph(error) => error.fmt(f),
            RefactorError::History(error) => error.fmt(f),
            RefactorError::Refused(refusal) => f.write_str(&refusal.message),
            RefactorError::File(path, error) => write!(f, "{}: {error}", path.display()),
            RefactorError::Git(message) => write!(f, "git: {message}"),
        }
    }
}

impl std::error::Error for RefactorError {}

impl From<GraphError> for RefactorError {
    fn from(error: GraphError) -> RefactorError {
        RefactorError::Graph(error)
    }
}

impl From<HistoryError> for RefactorError {
    fn from(error: HistoryError) -> RefactorError {
        match error {
            HistoryError::Graph(error) => RefactorError::Graph(error),
            error => RefactorError::History(error),
        }
    }
}

impl From<Refusal> for RefactorError {
    fn from(refusal: Refusal) -> RefactorError {
        RefactorError::Refused(refusal)
    }
}
