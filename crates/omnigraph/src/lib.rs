//! The engine of `omnigraph`: typed property graphs that are loaded, queried, changed and searched.
//!
//! ```text
//! JSONL, CSV, Parquet, Arrow ─load─▶ Block (≤ 8,192 rows of one type) ─embed─▶ Block with vectors
//! literals, JSON, Arrow      ─rows::RowBuilder (validate::Rule per cell)─▶ RecordBatch | Violation…
//! text column   ─text::Postings─▶ words, phrases, near misses, BM25 scores
//! vector column ─vector::Vectors─▶ cosine distances ─vector::fuse─▶ one ranking
//! RecordBatch…  ─render::QueryResult─▶ json | jsonl | csv | kv | table | Arrow IPC
//! Graph ─view─▶ View (tables, topology) ─exec (one operator per file)─▶ RecordBatch
//!       ─write─▶ Transaction | Bulk ─constraints─▶ stage ─publish─▶ Receipt
//!       ─versions─▶ ChangeSet | MergeOutcome
//! schema        ─migrate─▶ tables with other columns ─audit (all rows, all rules)─▶ one commit
//! ```
//!
//! Whoever opens a graph says who they are: every call of a [`Graph`] that reads or writes asks its [`Access`] first, and
//! [`Graph::store`] is the only way around it.
//!
//! Invariants of these modules:
//! - In memory, without storage: what needs other rows (uniqueness, endpoints, cardinality) is asked elsewhere and
//!   reported with the constructors of [`validate::Violation`].
//! - One place decides whether a value fits a property: [`validate::Rule::admit`], for every source of rows.
//! - The same input gives the same blocks, violations, scores and texts, whatever the number of threads.

// The way in, and who may.
mod graph;
mod access;
mod stop;
mod loaded;
mod table_name;

// From files and literals to rows.
pub mod load;
pub mod embed;
mod embedding;
pub mod rows;
pub mod cells;
pub mod validate;

// Reading.
mod view;
mod topology;
mod params;
mod exec;
mod search;
pub mod text;
pub mod vector;
pub mod render;

// Writing.
mod write;
mod constraints;

// States beside each other, and other schemas.
mod versions;
mod migrate;
mod audit;

pub mod error;

pub use access::{Access, Action, Ask, Decision, Guard, Scope};
pub use error::{Error, Result};
pub use graph::{
    Answer, ChangeOptions, DeletedBranch, Described, Examined, ExportOptions, ExportReport, Fragments,
    FsckProblem, FsckReport, Graph, GraphOptions, LoadOptions, LoadProgress, OptimizeReport, Progress,
    SchemaOptions, SchemaReport, TableInfo, parse_time,
};
/// The languages, for crates that know the engine only.
pub use omnigraph_compiler as compiler;
pub use omnigraph_store::{
    Branch, ChangedIds, Checked, CleanupOptions, CleanupReport, CommitId, CommitRecord, Compacted,
    CopyReport, Error as StoreError, FORMAT, Finding, GRACE, Location, Removed, RunRecord, RunStatus,
    Snapshot, TableChange, TableEntry, Tag, Target,
};
pub use stop::Stop;
pub use table_name::TableName;
pub use versions::{
    BegunRun, ChangeFilter, ChangeOp, ChangeSet, ChangeStats, ConflictKind, ConflictRows, Cursor,
    DiffOptions, Endpoints, Entity, EntityChange, EntityKind, Feed, FeedChange, FeedOptions, IngestOptions,
    IngestReport, MergeConflict, MergeOptions, MergeOutcome, MergeReport, PublishedRun, ResetReport,
    Resolutions, ResolvedConflict, RevertOptions, RevertReport, Side,
};
pub use write::{LoadMode, LoadReport, Receipt};
