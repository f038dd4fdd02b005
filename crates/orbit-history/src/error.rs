//! Failures of the history, cut by what the caller can do.

use std::path::PathBuf;

/// Why an operation on the history failed.
#[derive(Debug)]
pub enum HistoryError {
    /// The directory belongs to no git repository.
    NotGit(PathBuf),
    /// Git could not be run, or refused.
    Git(String),
    /// The history was written by a newer version; it is left alone.
    Newer {
        /// The database.
        path: PathBuf,
        /// The schema it has.
        found: u32,
        /// The newest schema this version reads.
        known: u32,
    },
    /// There is no history yet.
    Missing(PathBuf),
    /// Writing below `.orbit/` failed.
    State(PathBuf, std::io::Error),
    /// SQLite failed.
    Database(rusqlite::Error),
    /// A pattern for task ids that is not a valid regular expression.
    Pattern {
        /// As given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// `.orbit/config.toml` cannot be read.
    Config(PathBuf, String),
    /// The code index failed.
    Graph(orbit_graph::GraphError),
}

impl HistoryError {
    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            HistoryError::NotGit(_) => "not_git",
            HistoryError::Git(_) => "git_failed",
            HistoryError::Newer { .. } => "history_newer",
            HistoryError::Missing(_) => "history_missing",
            HistoryError::State(..) => "state_unwritable",
            HistoryError::Database(_) if self.is_damage() => "history_damaged",
            HistoryError::Database(_) => "history_failed",
            HistoryError::Pattern { .. } => "bad_pattern",
            HistoryError::Config(..) => "bad_config",
            HistoryError::Graph(error) => error.code(),
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            HistoryError::NotGit(_) => {
                "history is read from git: run `git init` and commit, or name a repository with -C"
            }
            HistoryError::Git(_) => "does `git log` work in this directory?",
            HistoryError::Newer { .. } => "update orbit; the history is kept as it is",
            HistoryError::Missing(_) => "run `orbit graph sync --history`",
            HistoryError::State(..) => "check the permissions of the .orbit directory of the main worktree",
            HistoryError::Database(_) if self.is_damage() => {
                "restore history.db from a backup, or move it away and run `orbit graph sync --history`: commits come back, stable ids are given anew"
            }
            HistoryError::Database(_) => "is another program holding history.db?",
            HistoryError::Pattern { .. } => {
                r"task id patterns are regular expressions such as '\[(T\d{8}-\d+)\]' or '(PROJ-\d+)'; group 1 is the id"
            }
            HistoryError::Config(..) => "repair .orbit/config.toml; the key is history.task_id_pattern",
            HistoryError::Graph(error) => return error.hint(),
        })
    }
}

impl HistoryError {
    /// Whether the database cannot be read as one. It is never removed: ids live nowhere else.
    fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        let HistoryError::Database(error) = self else { return false };
        error.sqlite_error_code().is_some_and(|code| matches!(code, DatabaseCorrupt | NotADatabase))
    }
}

impl std::fmt::Display for HistoryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            HistoryError::NotGit(path) => write!(f, "{} is in no git repository", path.display()),
            HistoryError::Git(message) => write!(f, "git: {message}"),
            HistoryError::Newer { path, found, known } => {
                write!(f, "{} has schema {found}, this version knows {known}", path.display())
            }
            HistoryError::Missing(path) => write!(f, "no history at {}", path.display()),
            HistoryError::State(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            HistoryError::Database(error) => write!(f, "history database: {error}"),
            HistoryError::Pattern { pattern, reason } => {
                write!(f, "`{pattern}` is not a valid pattern for task ids: {reason}")
            }
            HistoryError::Config(path, reason) => write!(f, "cannot read {}: {reason}", path.display()),
            HistoryError::Graph(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for HistoryError {}

impl From<rusqlite::Error> for HistoryError {
    fn from(error: rusqlite::Error) -> HistoryError {
        HistoryError::Database(error)
    }
}

impl From<orbit_git::GitError> for HistoryError {
    fn from(error: orbit_git::GitError) -> HistoryError {
        HistoryError::Git(error.to_string())
    }
}

impl From<orbit_graph::GraphError> for HistoryError {
    fn from(error: orbit_graph::GraphError) -> HistoryError {
        HistoryError::Graph(error)
    }
}
