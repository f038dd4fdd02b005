//! What is known about files: paths to atoms to molecules.

use super::{atoms, changelog, molecules, related};
use crate::error::KnowledgeError;
use crate::glob::Glob;
use crate::id::Id;
use crate::model::{Atom, ChangelogEntry, Kind, Molecule, Related, Unit};
use crate::store::Session;
use crate::work::rows;
use std::collections::{BTreeMap, BTreeSet};

/// What is known about some paths. Molecules and atoms are in the order of their names.
pub(crate) struct Context {
    pub(crate) molecules: Vec<MoleculeContext>,
    pub(crate) orphan_atoms: Vec<AtomContext>,
    /// Paths that no atom covers.
    pub(crate) unmatched_paths: Vec<String>,
}

/// A molecule and those of its atoms that cover a path.
pub(crate) struct MoleculeContext {
    pub(crate) molecule: Molecule,
    pub(crate) related: Vec<(Related, Option<String>)>,
    pub(crate) atoms: Vec<AtomContext>,
    pub(crate) changelog: Option<Vec<ChangelogEntry>>,
}

/// An atom and the paths it covers, in the order in which they were asked for.
pub(crate) struct AtomContext {
    pub(crate) atom: Atom,
    pub(crate) matched_paths: Vec<String>,
    pub(crate) related: Vec<(Related, Option<String>)>,
    pub(crate) changelog: Option<Vec<ChangelogEntry>>,
}

/// Matches paths against all globs of a project. A path in several atoms shows in all of them. `changelog` says how
/// many entries are wanted, if any. A path that is asked for twice counts once.
pub(crate) fn of_paths(
    session: &Session<'_>,
    project: Id,
    paths: &[String],
    changelog: Option<i64>,
) -> Result<Context, KnowledgeError> {
    rows::check_exists(session, Kind::Project, project)?;
    let mut seen = BTreeSet::new();
    let paths: Vec<&String> = paths.iter().filter(|path| seen.insert(path.as_str())).collect();
    let mut covered = BTreeSet::new();
    let mut orphan_atoms = Vec::new();
    let mut members: BTreeMap<Id, Vec<AtomContext>> = BTreeMap::new();
    for atom in atoms::of_project(session, project)? {
        let globs: Vec<Glob> = atom.paths.iter().filter_map(|pattern| Glob::new(pattern)).collect();
        let matched: Vec<String> = paths
            .iter()
            .filter(|path| globs.iter().any(|glob| glob.matches(path)))
            .map(|path| (*path).clone())
            .collect();
        if matched.is_empty() {
            continue;
        }
        covered.extend(matched.iter().cloned());
        let molecule = atom.molecule_id;
        let found = AtomContext {
            matched_paths: matched,
            related: with_names(session, Unit::Atom, &atom.related)?,
            changelog: entries(session, Unit::Atom, atom.id, changelog)?,
            atom,
        };
        match molecule {
            Some(molecule) => members.entry(molecule).or_default().push(found),
            None => orphan_atoms.push(found),
        }
    }
    let unmatched_paths = paths.into_iter().filter(|path| !covered.contains(*path)).cloned().collect();
    let molecules = with_molecules(session, members, changelog)?;
    Ok(Context { molecules, orphan_atoms, unmatched_paths })
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
) -> Result<Vec<(Related, Option<String>)>, KnowledgeError> {
    entries.iter().map(|entry| Ok((entry.clone(), related::name(session, unit, entry.id)?))).collect()
}

fn entries(
    session: &Session<'_>,
    unit: Unit,
    id: Id,
    limit: Option<i64>,
) -> Result<Option<Vec<ChangelogEntry>>, KnowledgeError> {
    limit.map(|limit| changelog::latest(session, unit, id, limit, 0)).transpose()
}
