//! `query_graph`: all reads of the knowledge graph.

use super::{fields, unknown};
use crate::bounds::{self, PAGE_ROWS, Page};
use crate::error::KnowledgeError;
use crate::graph::atoms::{self, Members};
use crate::graph::{changelog, molecules};
use crate::id::Id;
use crate::model::{Atom, ChangelogEntry, Molecule, Standing, Unit};
use crate::store::{Session, Store};
use crate::wire::answers::{
    Answer, AtomView, CheckedAtom, Coverage, GraphAnswer, Listed, MoleculeEntry, MoleculeView, Suggestions,
};
use crate::wire::requests::QueryGraph;

/// How many changelog entries come along unless told.
pub(super) const CHANGELOG: i64 = 5;

impl Store {
    /// `query_graph`: an atom or molecule by id, a filtered list, or what is known about places.
    pub fn query_graph(&self, request: &QueryGraph) -> Result<Answer<GraphAnswer>, KnowledgeError> {
        let mut found = match request.operation.as_str() {
            "context" => return Ok(self.context(request)?.map(GraphAnswer::Context)),
            "coverage" => {
                return Ok(self.coverage(request)?.map(|data| GraphAnswer::Coverage(Box::new(data))));
            }
            "suggest" => return Ok(self.suggestions(request)?.map(GraphAnswer::Suggestions)),
            "get" => self.read(|session| get(session, request))?,
            "search" => self.read(|session| search(session, request))?,
            other => return Err(unknown(other, "get, search, context, coverage, suggest")),
        };
        let atoms = match &mut found.data {
            GraphAnswer::Atom(view) => std::slice::from_mut(&mut view.atom),
            GraphAnswer::Molecule(view) => &mut view.atoms[..],
            GraphAnswer::Atoms(page) => &mut page.items[..],
            _ => &mut [],
        };
        self.check_atoms(atoms.iter_mut().map(|it| (it.atom.id, &mut it.finding)).collect())?;
        Ok(found)
    }

    /// `query_graph coverage`.
    pub fn coverage(&self, request: &QueryGraph) -> Result<Answer<Coverage>, KnowledgeError> {
        let (project, limit) = surveyed(request, "coverage")?;
        let data = self.coverage_of(project, limit)?;
        let files = data.files;
        let message =
            format!("{} of {} files are covered, {} by fresh atoms", files.covered, files.total, files.fresh);
        Ok(Answer::new(message, data))
    }

    /// `query_graph suggest`.
    pub fn suggestions(&self, request: &QueryGraph) -> Result<Answer<Suggestions>, KnowledgeError> {
        let (project, limit) = surveyed(request, "suggest")?;
        let data = self.suggestions_for(project, limit)?;
        Ok(Answer::new(format!("{} of {} suggestions", data.count, data.total), data))
    }
}

/// The project, and how long lists may be.
fn surveyed(request: &QueryGraph, operation: &str) -> Result<(Id, usize), KnowledgeError> {
    let project = fields::id("projectId", request.project_id.as_ref(), operation)?;
    Ok((project, Page::of(fields::number(request.limit), None)?.limit as usize))
}

fn unit_of(request: &QueryGraph) -> Result<Unit, KnowledgeError> {
    let given = request.entity_type.as_ref();
    bounds::word(
        "entityType",
        given.ok_or_else(|| KnowledgeError::missing("entityType", &request.operation))?,
    )
}

/// How many changelog entries are wanted, if any.
pub(super) fn wanted_changelog(request: &QueryGraph) -> Result<Option<i64>, KnowledgeError> {
    let limit = fields::number(request.changelog_limit).unwrap_or(CHANGELOG);
    if limit < 0 {
        return Err(KnowledgeError::validation("changelogLimit", "changelogLimit must not be negative"));
    }
    Ok(fields::flag(request.include_changelog, true).then_some(limit.min(PAGE_ROWS)))
}

/// The last entries, when they are wanted.
fn entries(
    session: &Session<'_>,
    unit: Unit,
    id: Id,
    wanted: Option<i64>,
) -> Result<Option<Vec<ChangelogEntry>>, KnowledgeError> {
    wanted.map(|limit| changelog::latest(session, unit, id, limit, 0)).transpose()
}

fn atom_entry(session: &Session<'_>, atom: Atom, wanted: Option<i64>) -> Result<CheckedAtom, KnowledgeError> {
    let changelog = entries(session, Unit::Atom, atom.id, wanted)?;
    Ok(CheckedAtom { changelog, ..CheckedAtom::of(atom) })
}

fn get(session: &Session<'_>, request: &QueryGraph) -> Result<Answer<GraphAnswer>, KnowledgeError> {
    let unit = unit_of(request)?;
    let id = fields::id("id", request.id.as_ref(), "get")?;
    let wanted = wanted_changelog(request)?;
    let (name, data) = match unit {
        Unit::Atom => {
            let atom = CheckedAtom::of(atoms::get(session, id)?);
            let changelog = entries(session, unit, id, wanted)?;
            (atom.atom.name.clone(), GraphAnswer::Atom(Box::new(AtomView { atom, changelog })))
        }
        Unit::Molecule => {
            let molecule = molecules::get(session, id)?;
            let members = atoms::of_molecule(session, id)?.into_iter();
            let atoms = members.map(|atom| atom_entry(session, atom, wanted)).collect::<Result<_, _>>()?;
            let changelog = entries(session, unit, id, wanted)?;
            let name = molecule.name.clone();
            (name, GraphAnswer::Molecule(Box::new(MoleculeView { molecule, atoms, changelog })))
        }
    };
    Ok(Answer::new(format!("{} \"{name}\"", unit.word()), data))
}

fn members(request: &QueryGraph) -> Result<Members, KnowledgeError> {
    let molecule = fields::maybe_id("moleculeId", request.molecule_id.as_ref())?;
    match (molecule, fields::flag(request.orphans_only, false)) {
        (Some(_), true) => {
            Err(KnowledgeError::validation("orphansOnly", "orphansOnly and moleculeId exclude each other"))
        }
        (Some(molecule), false) => Ok(Members::Of(molecule)),
        (None, true) => Ok(Members::Orphans),
        (None, false) => Ok(Members::Any),
    }
}

fn search(session: &Session<'_>, request: &QueryGraph) -> Result<Answer<GraphAnswer>, KnowledgeError> {
    let unit = unit_of(request)?;
    let project = fields::id("projectId", request.project_id.as_ref(), "search")?;
    let page = Page::of(fields::number(request.limit), fields::number(request.offset))?;
    let text = request.query.as_deref().filter(|text| !text.is_empty());
    let wanted = wanted_changelog(request)?;
    let members = members(request)?;
    let standing = request.status.as_ref().map(|word| bounds::word("status", word)).transpose()?;
    let standing = standing.unwrap_or(Standing::Confirmed);
    let message = |count: usize, total: i64| format!("{count} of {total} {}s", unit.word());
    match unit {
        Unit::Atom => {
            let found = atoms::search(session, project, members, text, standing, page)?;
            let found = Listed::of(found).try_map(|atom| atom_entry(session, atom, wanted))?;
            Ok(Answer::new(message(found.count, found.total), GraphAnswer::Atoms(found)))
        }
        Unit::Molecule if !matches!(members, Members::Any) => {
            Err(KnowledgeError::validation("moleculeId", "moleculeId and orphansOnly are for atoms"))
        }
        Unit::Molecule => {
            let entry = |molecule: Molecule| {
                let changelog = entries(session, unit, molecule.id, wanted)?;
                Ok::<_, KnowledgeError>(MoleculeEntry { molecule, changelog })
            };
            let found = Listed::of(molecules::search(session, project, text, page)?).try_map(entry)?;
            Ok(Answer::new(message(found.count, found.total), GraphAnswer::Molecules(found)))
        }
    }
}
