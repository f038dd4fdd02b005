//! What tools answer with: one type per shape. Fields stand in the order in which clients get them.

mod context;
mod graph;
mod hints;
mod moves;
mod survey;
mod texts;
mod work;

use crate::bounds::Rows;
use serde::Serialize;

pub use context::{AskedPlaces, ContextAnswer, DigestRow, Omitted, Origin};
pub use graph::{
    AtomFinding, AtomView, ChangelogAnswer, ChangelogPage, CheckedAtom, DeletedUnit, GraphAnswer,
    GraphChange, MoleculeEntry, MoleculeView, UnitChange,
};
pub use hints::{AffectedAtom, AtomAtVersion, ChangedAtom, Fix, GraphHints, NamedHints};
pub use moves::{
    Blocked, Brief, FeatureFollowed, FeatureStep, Step, Terminated, Transited, Unblocked, WorkflowState,
};
pub use survey::{
    AtomCounts, AtomName, Coverage, CoveredShare, DeadGlob, Evidence, MissedArea, NewAtom, Overlap,
    Suggestion, Suggestions,
};
pub use texts::{
    DeletedSections, OneSection, OneTemplate, SectionChange, Sections, TagCount, TagList, TagRename,
    TagUsage, TemplateChange, TemplateList, Templates,
};
pub use work::{
    ClaimAnswer, ContainerChange, ContainerView, Containers, DeletedContainer, Dependencies, Dependency,
    Linked, NextWork, OneComment, OneContainer, Outside, OwnWork, Released, ReservationAnswer, Reservations,
    Subtask, TaskCounts,
};

/// What a tool did, in words and as data.
#[derive(Clone, Debug)]
pub struct Answer<T> {
    /// One line for people.
    pub message: String,
    /// What was asked for.
    pub data: T,
}

impl<T> Answer<T> {
    pub(crate) fn new(message: impl Into<String>, data: T) -> Answer<T> {
        Answer { message: message.into(), data }
    }

    /// The same answer as a part of another type.
    pub(crate) fn map<U>(self, to: impl FnOnce(T) -> U) -> Answer<U> {
        Answer { message: self.message, data: to(self.data) }
    }
}

/// A page of a list.
#[derive(Clone, Debug, Serialize)]
pub struct Listed<T> {
    /// How many are on this page.
    pub count: usize,
    /// How many there are on all pages.
    pub total: i64,
    /// The most that a page has.
    pub limit: i64,
    /// How many were left out before it.
    pub offset: i64,
    /// The rows, in the order of the whole list.
    pub items: Vec<T>,
}

impl<T> Listed<T> {
    pub(crate) fn of(rows: Rows<T>) -> Listed<T> {
        let Rows { items, total, page } = rows;
        Listed { count: items.len(), total, limit: page.limit, offset: page.offset, items }
    }

    /// The same page, with more about each row.
    pub(crate) fn try_map<U, E>(self, to: impl FnMut(T) -> Result<U, E>) -> Result<Listed<U>, E> {
        let Listed { count, total, limit, offset, items } = self;
        let items = items.into_iter().map(to).collect::<Result<_, E>>()?;
        Ok(Listed { count, total, limit, offset, items })
    }
}

/// Something is gone.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Deleted {
    deleted: bool,
}

impl Deleted {
    pub(crate) const DONE: Deleted = Deleted { deleted: true };
}
