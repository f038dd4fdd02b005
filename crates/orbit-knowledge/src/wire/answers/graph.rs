//! Answers about atoms, molecules and their changelog.

use super::{Coverage, Listed, Suggestions};
use crate::bounds::Rows;
use crate::code::{Cause, CitedNow, Finding, Freshness, Moved};
use crate::model::{Atom, ChangelogEntry, Molecule};
use crate::wire::answers::ContextAnswer;
use serde::Serialize;

/// Causes and moves that an answer lists for one atom; the other causes are counted.
const CAUSES: usize = 10;
/// Commits that an answer lists for one cause.
const COMMITS: usize = 5;

/// Whether an atom can still be believed, as answers say it: the worst causes, the others counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AtomFinding {
    /// The worst of all causes.
    pub freshness: Freshness,
    /// Why it is not fresh, the worst first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Cause>,
    /// How many causes are not listed, when some are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_causes: Option<usize>,
    /// What is elsewhere now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<Moved>,
    /// Globs that would cover what has moved out of the area.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposed_paths: Vec<String>,
    /// Lines that the text cites and that are elsewhere now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cited: Vec<CitedNow>,
    /// Why nobody looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_checked_because: Option<String>,
}

impl AtomFinding {
    pub(crate) fn of(found: &Finding) -> AtomFinding {
        let cause = |it: &Cause| {
            let mut cause = it.clone();
            cause.commits.truncate(COMMITS);
            cause
        };
        AtomFinding {
            freshness: found.freshness,
            because: found.because.iter().take(CAUSES).map(cause).collect(),
            more_causes: found.because.len().checked_sub(CAUSES).filter(|more| *more > 0),
            moved: found.moved.iter().take(CAUSES).cloned().collect(),
            proposed_paths: found.proposed_paths.clone(),
            cited: found.cited.clone(),
            not_checked_because: found.note.clone(),
        }
    }
}

/// An atom, with its last changes and whether it can still be believed.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedAtom {
    /// The atom itself.
    #[serde(flatten)]
    pub atom: Atom,
    /// The last entries, where they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changelog: Option<Vec<ChangelogEntry>>,
    /// `None` where nobody was asked to look at the code.
    #[serde(flatten)]
    pub finding: Option<AtomFinding>,
}

impl CheckedAtom {
    /// Not checked yet.
    pub(crate) fn of(atom: Atom) -> CheckedAtom {
        CheckedAtom { atom, changelog: None, finding: None }
    }
}

/// A molecule, with its last changes.
#[derive(Clone, Debug, Serialize)]
pub struct MoleculeEntry {
    /// The molecule itself.
    #[serde(flatten)]
    pub molecule: Molecule,
    /// The last entries, where they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changelog: Option<Vec<ChangelogEntry>>,
}

/// `query_graph`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum GraphAnswer {
    /// `get` of an atom.
    Atom(Box<AtomView>),
    /// `get` of a molecule.
    Molecule(Box<MoleculeView>),
    /// `search` of atoms.
    Atoms(Listed<CheckedAtom>),
    /// `search` of molecules.
    Molecules(Listed<MoleculeEntry>),
    /// `context`.
    Context(ContextAnswer),
    /// `coverage`.
    Coverage(Box<Coverage>),
    /// `suggest`.
    Suggestions(Suggestions),
}

/// One atom.
#[derive(Clone, Debug, Serialize)]
pub struct AtomView {
    /// The atom, checked.
    pub atom: CheckedAtom,
    /// The last entries, where they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changelog: Option<Vec<ChangelogEntry>>,
}

/// One molecule, with its atoms.
#[derive(Clone, Debug, Serialize)]
pub struct MoleculeView {
    /// The molecule itself.
    pub molecule: Molecule,
    /// By name, checked.
    pub atoms: Vec<CheckedAtom>,
    /// The last entries, where they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changelog: Option<Vec<ChangelogEntry>>,
}

/// `manage_graph`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum GraphChange {
    /// Made or changed.
    Kept(UnitChange),
    /// Deleted.
    Gone(DeletedUnit),
}

/// An atom or molecule as it is now.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum UnitChange {
    /// An atom.
    Atom {
        /// Checked where its area was stamped.
        atom: Box<CheckedAtom>,
    },
    /// A molecule.
    Molecule {
        /// The molecule itself.
        molecule: Box<Molecule>,
    },
}

/// What became of the atoms of a deleted molecule.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletedUnit {
    pub(crate) deleted: bool,
    /// How many went with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted_atoms: Option<usize>,
    /// How many stay without a molecule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orphaned_atoms: Option<usize>,
}

/// `manage_changelog`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ChangelogAnswer {
    /// `append`.
    Appended {
        /// The new entry.
        entry: ChangelogEntry,
    },
    /// `search`.
    Page(ChangelogPage),
}

/// A page of a changelog.
#[derive(Clone, Debug, Serialize)]
pub struct ChangelogPage {
    /// How many are on this page.
    pub count: usize,
    /// How many there are on all pages.
    pub total: i64,
    /// The most that a page has.
    pub limit: i64,
    /// How many were left out before it.
    pub offset: i64,
    /// The latest first.
    pub entries: Vec<ChangelogEntry>,
}

impl ChangelogPage {
    pub(crate) fn of(rows: Rows<ChangelogEntry>) -> ChangelogPage {
        let Listed { count, total, limit, offset, items } = Listed::of(rows);
        ChangelogPage { count, total, limit, offset, entries: items }
    }
}
