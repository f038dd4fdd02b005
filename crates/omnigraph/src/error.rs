//! Failures of the engine, cut by what the caller can do.

use crate::access::Action;
use crate::validate::Violation;
use crate::versions::MergeConflict;
use omnigraph_compiler::Diagnostics;
use omnigraph_store::CommitId;
use std::fmt;

/// Conflicts of a merge that its message names.
const SHOWN: usize = 3;

/// What calls of this crate return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation failed.
#[derive(Debug)]
pub enum Error {
    /// A schema or a query that does not hold. Correct the text.
    Text(Diagnostics),
    /// The file has no query of this name.
    NoQuery {
        /// What was asked for.
        name: String,
        /// What is there.
        known: Vec<String>,
    },
    /// A value for a parameter is missing or does not fit.
    Param {
        /// Without the dollar.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A request that makes no sense for this graph or query.
    Request(String),
    /// The branch is not at the commit that the writer named. Read again and decide.
    NotAtCommit {
        /// The branch.
        branch: String,
        /// Its newest commit.
        head: CommitId,
        /// What was named.
        wanted: CommitId,
    },
    /// Others changed the same rows, or were always faster. Read again and decide.
    Conflict {
        /// What is in conflict.
        message: String,
        /// `node:Person:Alice`, as far as they are known.
        rows: Vec<String>,
    },
    /// A schema that drops what has rows or values: each as a sentence. Allow it, or keep them.
    DataLoss(Vec<String>),
    /// Others depend on the branch. End what is under way, or insist.
    BranchInUse {
        /// The branch.
        name: String,
        /// Branches that were made from it, as far as they may be read.
        branches: Vec<String>,
        /// Runs that are to be published on it.
        runs: Vec<String>,
    },
    /// The policy does not allow it. Ask somebody who may.
    Denied {
        /// Who asked.
        actor: String,
        /// For what.
        action: Action,
        /// Where, if it is about a branch.
        branch: Option<String>,
        /// Rows of which type, if it is about those.
        type_name: Option<String>,
    },
    /// Somebody ended the work before it was done; nothing was written.
    Stopped,
    /// Rows or schemas of two branches that do not go together. Change one of the branches and merge again.
    MergeConflicts(Vec<MergeConflict>),
    /// The store could not do it.
    Store(omnigraph_store::Error),
    /// Rows that break the schema; nothing was written. Correct the rows.
    Invalid {
        /// In the order of the input.
        violations: Vec<Violation>,
        /// Whether reading stopped at the limit, so that there may be more.
        truncated: bool,
    },
    /// The input cannot be read as what it is said to be. Correct the file, or name its format.
    Input {
        /// Where it went wrong, if lines are known.
        line: Option<u64>,
        /// What is wrong.
        message: String,
    },
    /// Reading or writing failed. Try again, or look at the file.
    Io(std::io::Error),
    /// A setting is missing or has no meaning. Correct the configuration.
    Config(String),
    /// An embedding provider refused or could not be reached.
    Embedding {
        /// What it said.
        message: String,
        /// Whether the same request may succeed later.
        retryable: bool,
    },
    /// A contradiction inside of the engine, such as an array of a type that its schema does not say.
    Internal(String),
}

impl Error {
    pub(crate) fn damaged(reason: impl fmt::Display) -> Error {
        Error::Internal(reason.to_string())
    }

    pub(crate) fn request(reason: impl Into<String>) -> Error {
        Error::Request(reason.into())
    }

    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        use omnigraph_store::Error as Store;
        match self {
            Error::Text(_) => "invalid_text",
            Error::NoQuery { .. } => "no_query",
            Error::Param { .. } => "bad_param",
            Error::Request(_) => "bad_request",
            Error::NotAtCommit { .. } => "precondition_failed",
            Error::DataLoss(_) => "data_loss",
            Error::Conflict { .. } | Error::BranchInUse { .. } => "conflict",
            Error::Denied { .. } => "forbidden",
            Error::Stopped => "stopped",
            Error::Store(Store::CommitRemoved { .. }) => "cleaned_up",
            Error::Store(Store::Stale { .. }) => "conflict",
            Error::MergeConflicts(_) => "merge_conflicts",
            Error::Store(
                Store::NoGraph { .. }
                | Store::NoBucket { .. }
                | Store::NoBranch { .. }
                | Store::NoCommit { .. }
                | Store::NoTag { .. }
                | Store::NoTarget { .. }
                | Store::NoRun { .. },
            ) => "not_found",
            Error::Store(
                Store::GraphExists { .. }
                | Store::BranchExists { .. }
                | Store::TagExists { .. }
                | Store::CopyRefused { .. },
            ) => "exists",
            Error::Store(Store::Location { .. } | Store::BranchName { .. } | Store::TagName { .. }) => {
                "bad_request"
            }
            Error::Store(Store::CommitUnknown { .. }) => "commit_unknown",
            Error::Store(Store::Damaged { .. } | Store::Format { .. }) => "damaged",
            Error::Store(_) => "store",
            Error::Invalid { .. } => "invalid_rows",
            Error::Input { .. } => "bad_input",
            Error::Io(_) => "io",
            Error::Config(_) => "bad_config",
            Error::Embedding { .. } => "embedding_failed",
            Error::Internal(_) => "internal",
        }
    }

    /// Rows that break the schema, as far as they are known.
    pub fn violations(&self) -> &[Violation] {
        match self {
            Error::Invalid { violations, .. } => violations,
            _ => &[],
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Text(diagnostics) => write!(f, "{diagnostics}"),
            Error::NoQuery { name, known } if known.is_empty() => {
                write!(f, "no query `{name}`: the file has none")
            }
            Error::NoQuery { name, known } => write!(f, "no query `{name}`; there are {}", known.join(", ")),
            Error::Param { name, reason } => write!(f, "parameter ${name}: {reason}"),
            Error::Request(message) | Error::Conflict { message, .. } => f.write_str(message),
            Error::NotAtCommit { branch, head, wanted } => {
                write!(f, "branch `{branch}` is at commit {head}, not at {wanted}")
            }
            Error::DataLoss(losses) => write!(f, "the schema would drop data: {}", losses.join("; ")),
            Error::BranchInUse { name, branches, runs } => {
                write!(f, "branch `{name}` is in use")?;
                if !branches.is_empty() {
                    write!(f, "; made from it: {}", branches.join(", "))?;
                }
                if !runs.is_empty() {
                    write!(f, "; runs under way: {}", runs.join(", "))?;
                }
                Ok(())
            }
            Error::Denied { actor, action, branch, type_name } => {
                write!(f, "policy denied action '{action}'")?;
                if let Some(name) = type_name {
                    write!(f, " on type '{name}'")?;
                }
                if let Some(branch) = branch {
                    write!(f, " on branch '{branch}'")?;
                }
                write!(f, " for actor '{actor}'")
            }
            Error::Stopped => f.write_str("stopped before it was done"),
            Error::MergeConflicts(conflicts) => {
                let shown: Vec<String> = conflicts.iter().take(SHOWN).map(ToString::to_string).collect();
                write!(f, "merge conflicts: {}", shown.join("; "))?;
                let more = conflicts.len().saturating_sub(SHOWN);
                if more > 0 { write!(f, "; and {more} more") } else { Ok(()) }
            }
            Error::Store(error) => write!(f, "{error}"),
            Error::Invalid { violations, truncated } => {
                for (at, violation) in violations.iter().enumerate() {
                    write!(f, "{}{violation}", if at > 0 { "\n" } else { "" })?;
                }
                if *truncated { f.write_str("\nthere may be more: reading stopped here") } else { Ok(()) }
            }
            Error::Input { line: Some(line), message } => write!(f, "line {line}: {message}"),
            Error::Input { line: None, message } | Error::Config(message) => f.write_str(message),
            Error::Io(error) => write!(f, "{error}"),
            Error::Embedding { message, .. } => write!(f, "embedding: {message}"),
            Error::Internal(message) => write!(f, "internal: {message}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::Io(error)
    }
}

impl From<arrow_schema::ArrowError> for Error {
    fn from(error: arrow_schema::ArrowError) -> Error {
        Error::Internal(error.to_string())
    }
}

impl From<omnigraph_store::Error> for Error {
    fn from(error: omnigraph_store::Error) -> Error {
        Error::Store(error)
    }
}

impl From<Diagnostics> for Error {
    fn from(diagnostics: Diagnostics) -> Error {
        Error::Text(diagnostics)
    }
}
