//! Refactoring as recorded operations; the only writer of source files.
//!
//! ```text
//! request ─plan─▶ Plan (edits as data) ─check (hashes, syntax)─▶ apply (journal) ─re-resolve─▶ files + buffered step
//!         ─commit─▶ git + operations/<sha>.json + note
//! ```
//!
//! Invariants:
//! - A plan touches nothing. Whatever fails, no file has changed.
//! - Every file is checked against the bytes it was planned on, and all files are written or none.
//! - After writing, every reference that led somewhere leads there still, or everything is put back.
//! - What nobody can be sure of stands in the way; it is never guessed.
//! - Formatting outside of the edits is kept byte for byte.

mod body;
mod buffer;
mod by_path;
mod capture;
mod check;
mod commit;
mod create;
mod derived;
mod diff;
mod documents;
mod draft;
mod edit;
mod error;
mod expectations;
mod fates;
mod journal;
mod layout;
mod log;
mod module_files;
mod moves;
mod plan;
mod reconcile;
mod regroup;
mod rename;
mod rules;
mod session;
mod sites;
mod unread;
mod verdict;
mod worktree;

pub use buffer::{Step, Touched};
pub use commit::{CommitOptions, Committed};
pub use edit::Edit;
pub use error::{RefactorError, Refusal};
pub use plan::{Entry, FileChange, Plan, Review};
pub use regroup::Part;
pub use rename::{Doubts, RenameOptions};
pub use session::{Aborted, Refactor};
