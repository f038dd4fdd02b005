//! What is known about files: paths to atoms to molecules.

use super::{atoms, changelog, molecules, related};
use crate::error::KnowledgeError;
use crate::glob::index::GlobIndex;
use crate::id::Id;
use crate::model::{Atom, ChangelogEntry, Kind, Molecule, Related, Unit};
use crate::store::Session;
use crate::wire::answers::AtomFinding;
use crate::wire::related::NamedRelated;
use crate::work::rows;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What is known about some places. Molecules and atoms are in the order of their names.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Context {
    /// With those of their atoms that cover a path.
    pub molecules: Vec<MoleculeContext>,
    /// Atoms without a molecule.
    pub orphan_atoms: Vec<AtomContext>,
    /// Paths that no atom covers.
    pub unmatched_paths: Vec<String>,
}

/// A molecule and those of its atoms that cover a path.
#[derive(Clone, Debug)]
pub struct MoleculeContext {
    /// The molecule itself.
    pub molecule: Molecule,
    /// Other molecules.
    pub related: Vec<NamedRelated>,
    /// Those that cover a path.
    pub atoms: Vec<AtomContext>,
    /// The last entries, where they are wanted.
    pub changelog: Option<Vec<ChangelogEntry>>,
}

/// An atom and the paths it covers.
#[derive(Clone, Debug)]
pub struct AtomContext {
    /// The atom itself.
    pub atom: Atom,
    /// In the order in which they were asked for.
    pub matched_paths: Vec<String>,
    /// Other atoms.
    pub related: Vec<NamedRelated>,
    /// The last entries, where they are wanted.
    pub changelog: Option<Vec<ChangelogEntry>>,
    /// Whether it can still be believed; `None` as long as nobody looked at the code.
    pub finding: Option<AtomFinding>,
    pub(crate) hit: Hit,
}

/// How an atom was found. What orders lower fits better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit {
    /// Calls between what was asked for and the area; 0 when the area was asked for.
    pub(crate) distance: u32,
    /// Whether none of its anchors was asked for.
    pub(crate) is_unnamed: bool,
    /// How specific the best glob is, the other way round.
    pub(crate) vagueness: u32,
    /// How many paths it does not cover.
    pub(crate) missed: usize,
}

/// What is asked about.
#[derive(Default)]
pub(crate) struct Asked<'a> {
    pub(crate) paths: &'a [String],
    /// Selectors of symbols.
    pub(crate) selectors: &'a [String],
    /// Files that call or are called, and over how many calls.
    pub(crate) near: &'a [(String, u32)],
    /// How many changelog entries are wanted, if any.
    pub(crate) changelog: Option<i64>,
}

impl Context {
    /// All atoms, in the order of the answer.
    pub(crate) fn atoms(&self) -> impl Iterator<Item = &AtomContext> {
        self.molecules.iter().flat_map(|it| &it.atoms).chain(&self.orphan_atoms)
    }

    /// The same, to be changed.
    pub(crate) fn atoms_mut(&mut self) -> impl Iterator<Item = &mut AtomContext> {
        self.molecules.iter_mut().flat_map(|it| &mut it.atoms).chain(&mut self.orphan_atoms)
    }
}

/// Matches paths against all globs of a project. A path in several atoms shows in all of them; one that is asked for
/// twice counts once.
pub(crate) fn of_places(
    session: &Session<'_>,
    project: Id,
    asked: &Asked<'_>,
) -> Result<Context, KnowledgeError> {
    rows::check_exists(session, Kind::Project, project)?;
    let areas = atoms::globs_of_project(session, project)?;
    let mut index = GlobIndex::new();
    for (at, (_, patterns)) in areas.iter().enumerate() {
        for pattern in patterns {
            index.add(at, pattern);
        }
    }
    let mut hits: BTreeMap<usize, (Hit, Vec<String>)> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut unmatched_paths = Vec::new();
    for path in asked.paths.iter().filter(|path| seen.insert(path.as_str())) {
        let found = index.matches(path);
        if found.is_empty() {
            unmatched_paths.push(path.clone());
        }
        for (at, specificity) in found {
            let entry = hits.entry(at).or_insert_with(|| (Hit::at(0), Vec::new()));
            entry.0.vagueness = entry.0.vagueness.min(u32::MAX - specificity);
            entry.1.push(path.clone());
        }
    }
    for (path, distance) in asked.near.iter().filter(|(path, _)| !seen.contains(path.as_str())) {
        for (at, specificity) in index.matches(path) {
            let entry = hits.entry(at).or_insert_with(|| (Hit::at(*distance), Vec::new()));
            if entry.0.distance > 0 {
                entry.0.distance = entry.0.distance.min(*distance);
                entry.0.vagueness = entry.0.vagueness.min(u32::MAX - specificity);
            }
        }
    }
    let mut members: BTreeMap<Id, Vec<AtomContext>> = BTreeMap::new();
    let mut orphan_atoms = Vec::new();
    for (at, (mut hit, matched_paths)) in hits {
        let atom = atoms::get(session, areas[at].0)?;
        hit.is_unnamed = !asked.selectors.iter().any(|selector| atom.anchors.contains(selector));
        hit.missed = seen.len() - matched_paths.len();
        let molecule = atom.molecule_id;
        let found = AtomContext {
            matched_paths,
            related: with_names(session, Unit::Atom, &atom.related)?,
            changelog: entries(session, Unit::Atom, atom.id, asked.changelog)?,
            finding: None,
            atom,
            hit,
        };
        match molecule {
            Some(molecule) => members.entry(molecule).or_default().push(found),
            None => orphan_atoms.push(found),
        }
    }
    let molecules = with_molecules(session, members, asked.changelog)?;
    Ok(Context { molecules, orphan_atoms, unmatched_paths })
}

impl Hit {
    fn at(distance: u32) -> Hit {
        Hit { distance, is_unnamed: true, vagueness: u32::MAX, missed: 0 }
    }
}

fn with_molecules(
    session: &Session<'_>,
    members: BTreeMap<Id, Vec<AtomContext>>,
    changelog: Option<i64>,
) -> Result<Vec<MoleculeContext>, KnowledgeError> {
    let mut found = Vec::new();
    for (id, atoms) in members {
        let molecule = molecules::get(session, id)?;
        found.push(MoleculeContext {
            related: with_names(session, Unit::Molecule, &molecule.related)?,
            changelog: entries(session, Unit::Molecule, id, changelog)?,
            molecule,
            atoms,
        });
    }
    found.sort_by(|a, b| (&a.molecule.name, a.molecule.id).cmp(&(&b.molecule.name, b.molecule.id)));
    Ok(found)
}

fn with_names(
    session: &Session<'_>,
    unit: Unit,
    entries: &[Related],
) -> Result<Vec<NamedRelated>, KnowledgeError> {
    let named = |entry: &Related| {
        let name = related::name(session, unit, entry.id)?;
        Ok(NamedRelated { id: entry.id, name, reason: entry.reason.clone() })
    };
    entries.iter().map(named).collect()
}

fn entries(
    session: &Session<'_>,
    unit: Unit,
    id: Id,
    limit: Option<i64>,
) -> Result<Option<Vec<ChangelogEntry>>, KnowledgeError> {
    limit.map(|limit| changelog::latest(session, unit, id, limit, 0)).transpose()
}
