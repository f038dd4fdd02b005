//! The code index: what is on disk now, in one SQLite file, made to be thrown away and to come back the same.
//!
//! ```text
//! files ─walk─▶ Candidate ─scan─▶ ToRead ─extract (parallel)─▶ PreparedFile + Surface
//!       ─resolve─▶ ResolvedFile ─write (one transaction)─▶ database
//! text ─selector─▶ Selector ─Graph (policy: sync first?)─▶ database ─query─▶ answers
//!                                                                   ─export─▶ JSON lines
//! changed files ─watch─▶ sync
//! ```
//!
//! Invariants:
//! - Reads never create, change or delete anything.
//! - A file becomes current only in the transaction that also wrote its resolved references.
//! - After any sequence of edits an incremental sync leaves what a full build would (ids and times aside).
//! - Nothing here prints, reads the environment, or knows a terminal.

// The way in, and when it syncs.
mod graph;
mod policy;
mod watch;
mod location;

// From files to the database.
mod sync;
mod walk;
mod layout;
mod facts;
mod resolve;
mod store;

// From the database to answers.
mod selector;
mod query;

mod error;

pub use error::GraphError;
pub use graph::{CleanReport, Graph, clean, db_path};
pub use location::{Leftover, Location};
pub use orbit_extract::{EXTRACTOR_VERSION, Lang, SymbolAddress, SymbolKind, SymbolSelector};
pub use orbit_git::Head;
pub use policy::SyncPolicy;
pub use query::account::{Account, OtherDefinition, UnreadFile};
pub use query::callees::{Callee, Callees, CalleesAccount, OpenCall};
pub use query::cycles::{Cycle, Cycles, Step};
pub use query::deps::{Deps, Import};
pub use query::impact::{Direction, Impact, ImpactAccount, ImpactOptions, OpenName, Touched};
pub use query::implementors::{Implementor, Implementors};
pub use query::overview::{EntryPoint, EntryPoints, FileSummary, Overview, OverviewFormat, SymbolSummary};
pub use query::path::{CallPath, PathCall, PathStep};
pub use query::refs::{CoveredSymbol, RefOptions, RefRow, RefTarget, Refs, RelationRow, UncertainRow};
pub use query::search::{Match, MatchKind, SearchQuery, SearchResult};
pub use query::show::{ByteSpan, Lines, Show, ShowMetadata, ShowOptions};
pub use query::trace::{Trace, TraceCode, TraceNode};
pub use query::unused::{Unused, UnusedDefinition, UnusedGrade, UnusedOptions};
pub use resolve::Confidence;
pub use selector::{Selector, SelectorError};
pub use store::rows::{Facts, FileFacts, ImportFacts, RelationFacts, SymbolFacts, UseFacts};
pub use sync::{Failed, Phase, Progress, Silent, SyncMode, SyncOptions, SyncReport};
pub use walk::{Skipped, indexable_files, walk_only};
pub use watch::{OnSync, Watching};
