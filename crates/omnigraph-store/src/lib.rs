//! Tables, commit records, branches and snapshots of a graph, on Lance. The only crate that names Lance; what leaves it
//! is Arrow.
//!
//! ```text
//! Store ─head | resolve─▶ Snapshot ─table─▶ Table ─column─▶ Arrow array of one fragment
//!       ─stage─▶ Stage (invisible files) ─finish─▶ TableEntry ─publish (one put-if-absent)─▶ Snapshot
//! Table ─Evolution (other columns) | compact (fewer fragments)─▶ TableEntry
//! roots ─cleanup─▶ what is not needed is gone        records, versions, files ─check─▶ Finding…
//! ```
//!
//! Layout below the root; every object is written once, except for hints, tags that are moved, ends of runs, and records
//! that are marked when their rows are given up:
//!
//! ```text
//! omnigraph.json                what this is, and in which format
//! schema/<hash>.pg              schema sources
//! branches/<name>.json          {uid, fork}: a branch is a log and where it left another
//! tags/<name>.json              a name for a commit
//! runs/<id>.json                a private branch that is published or thrown away
//! run-ends/<id>.json            how a run ended
//! operations/<hash>-<n>         the run of an operation, so that a second try finds it
//! log/<uid>/<seq>.json          one commit: the whole snapshot, table by table
//! log/<uid>/hint                a number near the newest commit, so that opening does not walk the log
//! tables/<dir>/                 a Lance dataset; a directory is never used twice
//! ```
//!
//! Invariants:
//! - Nothing a reader can see moves before the record of a commit is put, and that put succeeds for one writer only.
//!   A process that dies before leaves files that nothing names.
//! - A record of a log that a branch has is never removed, so numbers have no gaps and none is given twice.
//! - A table version is immutable, and so is every fragment's data file: both are safe cache keys for ever.
//! - Calls block; they must not be made on a thread that drives an async runtime.

// The handle, and what lies below it.
mod store;
mod location;
mod objects;
mod probe;
mod counted;
mod cache;
mod beginning;

// Commits and what names them.
mod commit_id;
mod record;
mod log;
mod branch;
mod branches;
mod tag;
mod run;
mod dependents;
mod snapshot;
mod history;

// Tables: read, written, changed.
mod table;
mod stage;
mod detached;
mod evolve;

// The one step that makes a write visible.
mod publish;

// Keeping a graph fast, small and whole.
mod fold;
mod background;
mod released;
mod collect;
mod copy;
mod fsck;

mod error;

pub use branch::Branch;
pub use cache::{ByteCache, Weight};
pub use collect::{CleanupOptions, CleanupReport, GRACE, Removed};
pub use commit_id::CommitId;
pub use copy::CopyReport;
pub use counted::Requests;
pub use dependents::Dependents;
pub use error::Error;
pub use evolve::{ColumnSource, Compute, Evolution, NewColumn};
pub use fold::{Compacted, Compaction, Rewrite};
pub use fsck::{Checked, Finding};
pub use location::Location;
pub use publish::{Draft, Published};
pub use record::{ChangedIds, CommitRecord, TableChange, TableEntry};
pub use run::{RunRecord, RunStatus};
pub use snapshot::{Snapshot, Target};
pub use stage::Stage;
pub use store::{FORMAT, Options, Store};
pub use table::{Fragment, RowAddr, Table};
pub use tag::Tag;

/// What calls of this crate return.
pub type Result<T, E = Error> = std::result::Result<T, E>;
