//! The engine of `omnigraph`: typed property graphs that are loaded, queried, changed and searched.
//!
//! ```text
//! JSONL, CSV, Parquet, Arrow ─load─▶ Block (≤ 8,192 rows of one type) ─embed─▶ Block with vectors
//! literals, JSON, Arrow      ─rows::RowBuilder (validate::Rule per cell)─▶ RecordBatch | Violation…
//! text column   ─text::Postings─▶ words, phrases, near misses, BM25 scores
//! vector column ─vector::Vectors─▶ cosine distances ─vector::fuse─▶ one ranking
//! RecordBatch…  ─render::QueryResult─▶ json | jsonl | csv | kv | table | Arrow IPC
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

mod access;
mod audit;
pub mod cells;
mod constraints;
pub mod embed;
mod embedding;
pub mod error;
mod exec;
mod graph;
pub mod load;
mod loaded;
mod migrate;
mod params;
pub mod render;
pub mod rows;
mod search;
mod table_name;
pub mod text;
mod topology;
pub mod validate;
pub mod vector;
mod versions;
mod view;
mod write;

pub use access::{Access, Action, Ask, Decision, Guard, Scope};
pub use error::{Error, Result};
pub use graph::{
    Answer, ChangeOptions, Described, Examined, ExportOptions, ExportReport, Fragments, FsckProblem,
    FsckReport, Graph, GraphOptions, LoadOptions, LoadProgress, OptimizeReport, Progress, SchemaOptions,
    SchemaReport, TableInfo, parse_time,
};
/// The languages, for crates that know the engine only.
pub use omnigraph_compiler as compiler;
pub use omnigraph_store::{
    Branch, ChangedIds, Checked, CleanupOptions, CleanupReport, CommitId, CommitRecord, Compacted,
    Error as StoreError, FORMAT, Finding, GRACE, Location, Removed, RunRecord, RunStatus, Snapshot,
    TableChange, TableEntry, Tag, Target,
};
pub use table_name::TableName;
pub use versions::{
    BegunRun, ChangeFilter, ChangeOp, ChangeSet, ChangeStats, ConflictKind, Cursor, DiffOptions, Endpoints,
    Entity, EntityChange, EntityKind, Feed, FeedChange, FeedOptions, IngestOptions, IngestReport,
    MergeConflict, MergeOptions, MergeOutcome, MergeReport, PublishedRun,
};
pub use write::{LoadMode, LoadReport, Receipt};
