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
    /// Writing below `.orbit/` failed.
    State(PathBuf, std::io::Error),
    /// SQLite failed.
    Database(rusqlite::Error),
    /// The database holds something this version did not write.
    Damaged(String),
}

impl GraphError {
    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            GraphError::Root(..) => "root_unreadable",
            GraphError::Newer { .. } => "index_newer",
            GraphError::Missing(_) => "index_missing",
            GraphError::State(..) => "state_unwritable",
            GraphError::Database(_) => "database_failed",
            GraphError::Damaged(_) => "index_damaged",
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            GraphError::Root(..) => "name an existing directory with -C <dir>",
            GraphError::Newer { .. } => {
                "update orbit, or remove the index with `orbit graph clean --confirm`"
            }
            GraphError::Missing(_) => "run `orbit graph sync`",
            GraphError::State(..) => "check the permissions of the .orbit directory",
            GraphError::Database(_) => {
                "is another program holding the index? otherwise run `orbit graph sync --full`"
            }
            GraphError::Damaged(_) => "run `orbit graph sync` to rebuild it",
        })
    }
}

impl std::fmt::Display for GraphError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GraphError::Root(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            GraphError::Newer { path, found, known } => {
                write!(f, "{} has schema {found}, this version knows {known}", path.display())
            }
            GraphError::Missing(path) => write!(f, "no index at {}", path.display()),
            GraphError::State(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            GraphError::Database(error) => write!(f, "database: {error}"),
            GraphError::Damaged(what) => write!(f, "the index is damaged: {what}"),
        }
    }
}

impl std::error::Error for GraphError {}

impl From<rusqlite::Error> for GraphError {
    fn from(error: rusqlite::Error) -> GraphError {
        GraphError::Database(error)
    }
}

impl From<crate::store::codec::BadBlob> for GraphError {
    fn from(_: crate::store::codec::BadBlob) -> GraphError {
        GraphError::Damaged("a stored fact cannot be read".into())
    }
}

impl GraphError {
    /// Whether the database file itself is broken and a rebuild would help.
    pub(crate) fn is_corruption(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        match self {
            GraphError::Damaged(_) => true,
            GraphError::Database(rusqlite::Error::SqliteFailure(error, _)) => {
                matches!(error.code, DatabaseCorrupt | NotADatabase)
            }
            _ => false,
        }
    }
}
