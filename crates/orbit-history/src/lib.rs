//! The kept history: which commit and which task touched a symbol, through every rename.
//!
//! ```text
//! git log ─stream─▶ CommitDiff ─outlines (parallel)─▶ FilePair ─identity (log > matcher > first sight)─▶ Matching
//!         ─attribute (hunks to symbols), tasks (ids in messages)─▶ record ─▶ history.db
//! HEAD ─reach (commits it can see)─▶ View of history.db ─query─▶ answers
//! ```
//!
//! Invariants:
//! - A commit's facts are stored once and do not depend on the branch that is checked out; what a branch sees are
//!   the commits that its HEAD can reach.
//! - A stable id, once given out, names the same symbol for good. Nothing that is read again changes it.
//! - An operation log can only add to what the matcher finds: the trees are the truth.
//! - Memory does not grow with the number of commits. A query reads indexes, never history.
//! - Nothing here prints, or writes anywhere but `.orbit/` of the main worktree.

// From commits to the database.
mod sync;
mod location;
mod git;
mod walk;
mod outlines;
mod outline;
mod state;
mod identity;
pub mod operations;
mod ids;
mod attribute;
mod tasks;
mod facts;
mod store;

// From the database to answers.
mod query;

mod error;

pub use error::HistoryError;
pub use facts::{Change, KnownBy};
pub use ids::{first_sight_id, is_stable_id, new_stable_id};
pub use query::blame::Blame;
pub use query::cochange::{Cochange, Companion};
pub use query::commit::CommitRow;
pub use query::fallback::git_log_fallback;
pub use query::history::{Hop, OperationRow, SymbolHistory, TaskCommit, TaskRow};
pub use query::since::{Since, Whereabouts, git_log_between};
pub use query::subject::Subject;
pub use query::task::{TaskSymbol, TaskSymbols};
pub use query::{History, Staleness};
pub use sync::{HistoryOptions, HistoryProgress, HistoryReport, Quiet, sync};
pub use tasks::DEFAULT_PATTERN;
