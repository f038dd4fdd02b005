//! Failures of the index, cut by what the caller can do.

use std::path::PathBuf;

/// Why an operation on the index failed.
#[derive(Debug)]
pub enum GraphError {
    /// The directory is not there or cannot be read.
    Root(PathBuf, std::io::Error),
    /// The index was written by a newer version; it is left alone.
    Newer {
        /// The database.
        path: PathBuf,
        /// The schema it has.
        found: u32,
        /// The newest schema this version reads.
        known: u32,
    },
    /// No index yet.
    Missing(PathBuf),
    /// The index was written by an older version; the next sync makes it anew.
    Outdated(PathBuf),
    /// Writing below `.orbit/` failed.
    State(PathBuf, std::io::Error),
    /// SQLite failed.
    Database(rusqlite::Error),
    /// The database holds something this version did not write.
    Damaged(String),
    /// A text that is not a selector, or one that this query does not take.
    Selector(crate::selector::SelectorError),
    /// A selector that names nothing.
    NotFound {
        /// As given.
        selector: String,
        /// Selectors of the most similar names.
        nearest: Vec<String>,
    },
    /// A selector that names several things where one is needed.
    Ambiguous {
        /// As given.
        selector: String,
        /// Canonical selectors of what it could mean.
        candidates: Vec<String>,
        /// How many there are.
        total: usize,
    },
    /// Lines that what is shown does not have.
    OutsideLines {
        /// What was to be shown.
        selector: String,
        /// The lines that it has.
        lines: String,
    },
    /// A text that is not a glob.
    Glob(String),
    /// Git refused.
    Git(String),
}

impl GraphError {
    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            GraphError::Root(..) => "root_unreadable",
            GraphError::Newer { .. } => "index_newer",
            GraphError::Missing(_) => "index_missing",
            GraphError::Outdated(_) => "index_outdated",
            GraphError::State(..) => "state_unwritable",
            GraphError::Database(_) | GraphError::Damaged(_) if self.is_corruption() => "index_damaged",
            GraphError::Database(_) | GraphError::Damaged(_) => "database_failed",
            GraphError::Selector(_) => "bad_selector",
            GraphError::NotFound { .. } => "not_found",
            GraphError::Ambiguous { .. } => "ambiguous",
            GraphError::OutsideLines { .. } => "bad_lines",
            GraphError::Glob(_) => "bad_glob",
            GraphError::Git(_) => "git_failed",
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            GraphError::Root(..) => "name an existing directory with -C <dir>",
            GraphError::Newer { .. } => {
                "update orbit, or remove the index with `orbit graph clean --confirm`"
            }
            GraphError::Missing(_) | GraphError::Outdated(_) => "run `orbit graph sync`",
            GraphError::State(..) => "check the permissions of the .orbit directory",
            GraphError::Database(_) => {
                "is another program holding the index? otherwise run `orbit graph sync --full`"
            }
            GraphError::Damaged(_) => "run `orbit graph sync` to rebuild it",
            GraphError::Selector(_) => {
                "selectors are symbol:<path>#<name>[:<kind>], file:<path>, dir:<path>, module:<name>, command:<name>, \
                 or a plain name, path or path:line"
            }
            GraphError::NotFound { nearest, .. } if nearest.is_empty() => {
                "search for it with `orbit graph search`, or refresh the index with `orbit graph sync`"
            }
            GraphError::NotFound { .. } => "did you mean one of the candidates?",
            GraphError::Ambiguous { .. } => "pass one of the candidates",
            GraphError::OutsideLines { .. } => "lines are those of the file",
            GraphError::Glob(_) => "globs are like src/**/*.rs",
            GraphError::Git(_) => "name a revision range that `git diff` takes, or `worktree`",
        })
    }

    /// Selectors to try instead.
    pub fn candidates(&self) -> &[String] {
        match self {
            GraphError::NotFound { nearest, .. } => nearest,
            GraphError::Ambiguous { candidates, .. } => candidates,
            _ => &[],
        }
    }

    pub(crate) fn bad_selector(input: &str, reason: &'static str) -> GraphError {
        GraphError::Selector(crate::selector::SelectorError { input: input.to_owned(), reason })
    }
}

impl std::fmt::Display for GraphError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GraphError::Root(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            GraphError::Newer { path, found, known } => {
                write!(f, "{} has schema {found}, this version knows {known}", path.display())
            }
            GraphError::Outdated(path) => {
                write!(f, "the index at {} is of an older version", path.display())
            }
            GraphError::Missing(path) => write!(f, "no index at {}", path.display()),
            GraphError::State(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            GraphError::Database(error) => write!(f, "database: {error}"),
            GraphError::Damaged(what) => write!(f, "the index is damaged: {what}"),
            GraphError::Selector(error) => write!(f, "{error}"),
            GraphError::OutsideLines { selector, lines } => {
                write!(f, "`{selector}` has none of these lines; it is on lines {lines}")
            }
            GraphError::Glob(pattern) => write!(f, "`{pattern}` is not a valid glob"),
            GraphError::NotFound { selector, .. } => write!(f, "nothing in the index is called `{selector}`"),
            GraphError::Ambiguous { selector, total, .. } => {
                write!(f, "`{selector}` can mean {total} things")
            }
            GraphError::Git(message) => write!(f, "git: {message}"),
        }
    }
}

impl std::error::Error for GraphError {}

impl From<rusqlite::Error> for GraphError {
    fn from(error: rusqlite::Error) -> GraphError {
        GraphError::Database(error)
    }
}

impl From<crate::selector::SelectorError> for GraphError {
    fn from(error: crate::selector::SelectorError) -> GraphError {
        GraphError::Selector(error)
    }
}

impl From<crate::facts::BadBlob> for GraphError {
    fn from(_: crate::facts::BadBlob) -> GraphError {
        GraphError::Damaged("a stored fact cannot be read".into())
    }
}

impl GraphError {
    /// Whether the database file itself is broken and a rebuild would help.
    pub(crate) fn is_corruption(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        match self {
            GraphError::Damaged(_) => true,
            GraphError::Database(rusqlite::Error::SqliteFailure(error, message)) => {
                let lacks = message.as_deref().is_some_and(|text| text.starts_with("no such"));
                matches!(error.code, DatabaseCorrupt | NotADatabase) || lacks
            }
            GraphError::Database(rusqlite::Error::SqlInputError { msg, .. }) => msg.starts_with("no such"),
            _ => false,
        }
    }
}
