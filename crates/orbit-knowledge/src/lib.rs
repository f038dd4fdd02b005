//! Tasks and knowledge, the memory of a codebase: projects, features and tasks; molecules, atoms and their
//! changelog. One SQLite file that is kept for good.
//!
//! ```text
//! request (wire) ─validate (bounds, glob, find)─▶ transaction (version compare-and-set) ─▶ knowledge.db (store)
//!                ─work: projects, features, tasks─┐
//!                ─graph: molecules, atoms─────────┴─▶ Answer<T> ─▶ Envelope<T> (wire)
//! atoms ─code (CodeFacts)─▶ Finding: whether they are still true
//! store ─markdown─▶ files that travel with git ─markdown─▶ store
//! ```
//!
//! One method of [`Store`] per tool, from a request to an [`Answer`] with the tool's own type of data;
//! [`Store::call`] does the same by name, for clients that speak JSON.
//!
//! Invariants:
//! - A call is one transaction: all of it or nothing. Writers wait for each other and never lose an update.
//! - What has a version is changed only by who knows the present one; who does not is told it, with the entity.
//! - Nothing that stays names what was deleted, but for history and the task ids of knowledge.
//! - The same calls under the same clock and ids give the same answers; every list has a full order.
//! - Nothing here prints, reads the environment or knows code: facts about code come from the [`CodeFacts`] it is given.

// The way in: one method per tool.
mod tools;
mod wire;

// What a request must be.
mod bounds;
mod change;
mod find;
mod glob;

// What is stored, and where.
mod model;
mod words;
mod id;
mod clock;
mod pipeline;
mod config;
mod store;

// What the methods do.
mod work;
mod graph;
mod code;
mod citations;
mod markdown;

mod error;

pub use bounds::{KNOWLEDGE_BYTES, NAME_CHARS, PAGE_ROWS, SUMMARY_BYTES, TEXT_BYTES};
pub use change::Change;
pub use citations::{Citation, citations};
pub use clock::{Clock, Moment, SystemClock};
pub use code::{
    Area, Cause, CitedNow, CitedPlace, Cluster, CodeFacts, FileMark, Finding, Freshness, KnownBy, Moved,
    NoCode, Places, Question, Stamp, StampError, Survey, SurveyedFile, SymbolMark,
};
pub use error::{Code, Current, KnowledgeError};
pub use find::Handle;
pub use glob::{Globs, PATTERN_CHARS, PATTERNS};
pub use graph::context::{AtomContext, Context, MoleculeContext};
pub use graph::follow::{Followed, FollowedAtom};
pub use graph::known::Known;
pub use graph::notices::Notice;
pub use graph::related::RELATED;
pub use id::{Id, IdSource, RandomIds};
pub use markdown::{ExportedFile, Imported, merge_knowledge};
pub use model::{
    Atom, ChangelogEntry, Claim, Comment, Container, Format, Kind, Link, Mode, Molecule, Named, Priority,
    Related, Reservation, Section, Standing, Status, Template, TemplateSection, Transition, Trigger, Unit,
};
pub use pipeline::{Pipeline, Pipelines};
pub use store::{Options, Store};
pub use tools::{KNOWLEDGE_TOOLS, TASK_TOOLS};
pub use wire::answers::{
    AffectedAtom, Answer, AskedPlaces, AtomAtVersion, AtomCounts, AtomFinding, AtomName, AtomView, Blocked,
    Brief, ChangedAtom, ChangelogAnswer, ChangelogPage, CheckedAtom, ClaimAnswer, ContainerChange,
    ContainerView, Containers, ContextAnswer, Coverage, CoveredShare, DeadGlob, Deleted, DeletedContainer,
    DeletedSections, DeletedUnit, Dependencies, Dependency, DigestRow, Evidence, FeatureFollowed,
    FeatureStep, Fix, GraphAnswer, GraphChange, GraphHints, Linked, Listed, MissedArea, MoleculeEntry,
    MoleculeView, NamedHints, NewAtom, NextWork, Omitted, OneComment, OneContainer, OneSection, OneTemplate,
    Origin, Outside, Overlap, OwnWork, Released, ReservationAnswer, Reservations, SectionChange, Sections,
    Step, Subtask, Suggestion, Suggestions, TagCount, TagList, TagRename, TagUsage, TaskCounts,
    TemplateChange, TemplateList, Templates, Terminated, Transited, Unblocked, UnitChange, WorkflowState,
};
pub use wire::container::Blocker;
pub use wire::entries::{RelatedAtom, RelatedMolecule};
pub use wire::envelope::{Details, Envelope, ErrorBody, Facts};
pub use wire::lenient::{Embedded, Flag, List, Loose, Number};
pub use wire::related::NamedRelated;
pub use wire::requests::{
    ApplyTemplate, Blocking, ManageChangelog, ManageClaim, ManageContainer, ManageDependency, ManageGraph,
    ManageReservation, ManageSections, ManageTemplate, NewSection, QueryContainer, QueryDependencies,
    QueryGraph, QuerySections, QueryTemplates, QueryWorkflowState, Queue, Tags, Transit,
};
pub use work::queue::{LEASE_SECONDS, LEASE_SECONDS_MOST};
pub use work::reservations::RESERVED_PATHS;
