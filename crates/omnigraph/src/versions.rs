//! States of a graph beside each other: what differs, what came when, and one made of two.
//!
//! ```text
//! Snapshot × Snapshot ─delta (fragments that differ)─▶ Delta per table ─diff─▶ ChangeSet ─patch─▶ JSON lines for `load`
//! base, ours, theirs  ─delta × 2─▶ decide (ours × theirs) ─check─▶ apply (detached versions) ─publish─▶ Snapshot
//! ```
//!
//! Invariants:
//! - Data files never change, so fragments with the same files hold the same rows: only fragments that differ are looked
//!   at, and what a comparison costs depends on what changed, not on how large the tables are.
//! - A row is the unit of change. Two sides that leave a row equal agree about it, however they came there.

mod delta;
mod diff;
mod entity;
mod feed;
mod ingest;
mod merge;
mod patch;
mod revert;
mod rows;
mod runs;
mod since;

pub use diff::{
    ChangeFilter, ChangeOp, ChangeSet, ChangeStats, DiffOptions, Endpoints, EntityChange, EntityKind,
};
pub use entity::Entity;
pub use feed::{Cursor, Feed, FeedChange, FeedOptions};
pub use ingest::{IngestOptions, IngestReport};
pub use merge::{
    ConflictKind, ConflictRows, MergeConflict, MergeOptions, MergeOutcome, MergeReport, Resolutions,
    ResolvedConflict, Side,
};
pub use revert::{ResetReport, RevertOptions, RevertReport};
pub use runs::{BegunRun, PublishedRun};
