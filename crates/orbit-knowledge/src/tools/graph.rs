//! `query_graph` and `manage_graph`.

use super::{fields, unknown};
use crate::bounds::{self, PAGE_ROWS, Page};
use crate::error::KnowledgeError;
use crate::graph::atoms::{self, AtomDraft, Members};
use crate::graph::molecules::{self, MoleculeDraft};
use crate::graph::{changelog, context};
use crate::id::Id;
use crate::model::{Atom, Unit};
use crate::store::{Session, Store};
use crate::wire::envelope::{Answer, Envelope};
use crate::wire::requests::{ManageGraph, QueryGraph};
use crate::wire::{entries, json};
use serde_json::{Value, json};

/// How many changelog entries come along unless told.
pub(super) const CHANGELOG: i64 = 5;

impl Store {
    /// `query_graph`: an atom or molecule by id, a filtered list, or what is known about paths.
    pub fn query_graph(&self, request: &QueryGraph) -> Envelope {
        Envelope::of(self.read(|session| match request.operation.as_str() {
            "get" => get(session, request),
            "search" => search(session, request),
            "context" => of_paths(session, request),
            other => Err(unknown(other, "get, search, context")),
        }))
    }

    /// `manage_graph`: making, changing and deleting atoms and molecules.
    pub fn manage_graph(&self, request: &ManageGraph) -> Envelope {
        Envelope::of(self.write(|session| {
            let unit: Unit = bounds::word("entityType", &request.entity_type)?;
            refuse_strange(request, unit)?;
            match request.operation.as_str() {
                "create" => create(session, request, unit),
                "update" => update(session, request, unit),
                "delete" => delete(session, request, unit),
                other => Err(unknown(other, "create, update, delete")),
            }
        }))
    }
}

fn unit_of(request: &QueryGraph) -> Result<Unit, KnowledgeError> {
    let given = request.entity_type.as_ref();
    bounds::word(
        "entityType",
        given.ok_or_else(|| KnowledgeError::missing("entityType", &request.operation))?,
    )
}

/// How many changelog entries are wanted, if any.
fn wanted_changelog(request: &QueryGraph) -> Result<Option<i64>, KnowledgeError> {
    let limit = fields::number(request.changelog_limit).unwrap_or(CHANGELOG);
    if limit < 0 {
        return Err(KnowledgeError::validation("changelogLimit", "changelogLimit must not be negative"));
    }
    Ok(fields::flag(request.include_changelog, true).then_some(limit.min(PAGE_ROWS)))
}

/// The last entries, put into the value when wanted.
fn with_changelog(
    session: &Session<'_>,
    unit: Unit,
    id: Id,
    wanted: Option<i64>,
    mut value: Value,
) -> Result<Value, KnowledgeError> {
    if let Some(limit) = wanted {
        let entries = changelog::latest(session, unit, id, limit, 0)?;
        value["changelog"] = entries.iter().map(json::changelog_entry).collect();
    }
    Ok(value)
}

fn atom_with_changelog(
    session: &Session<'_>,
    atom: &Atom,
    wanted: Option<i64>,
) -> Result<Value, KnowledgeError> {
    with_changelog(session, Unit::Atom, atom.id, wanted, json::atom(atom))
}

fn get(session: &Session<'_>, request: &QueryGraph) -> Result<Answer, KnowledgeError> {
    let unit = unit_of(request)?;
    let id = fields::id("id", request.id.as_ref(), "get")?;
    let wanted = wanted_changelog(request)?;
    let (name, data) = match unit {
        Unit::Atom => {
            let atom = atoms::get(session, id)?;
            (atom.name.clone(), json!({"atom": json::atom(&atom)}))
        }
        Unit::Molecule => {
            let molecule = molecules::get(session, id)?;
            let members = atoms::of_molecule(session, id)?;
            let members: Result<Value, KnowledgeError> =
                members.iter().map(|atom| atom_with_changelog(session, atom, wanted)).collect();
            (molecule.name.clone(), json!({"molecule": json::molecule(&molecule), "atoms": members?}))
        }
    };
    let data = with_changelog(session, unit, id, wanted, data)?;
    Ok((format!("{} \"{name}\"", unit.word()), data))
}

fn search(session: &Session<'_>, request: &QueryGraph) -> Result<Answer, KnowledgeError> {
    let unit = unit_of(request)?;
    let project = fields::id("projectId", request.project_id.as_ref(), "search")?;
    let page = Page::of(fields::number(request.limit), fields::number(request.offset))?;
    let text = request.query.as_deref().filter(|text| !text.is_empty());
    let wanted = wanted_changelog(request)?;
    let molecule = fields::maybe_id("moleculeId", request.molecule_id.as_ref())?;
    let members = match (molecule, fields::flag(request.orphans_only, false)) {
        (Some(_), true) => {
            return Err(KnowledgeError::validation(
                "orphansOnly",
                "orphansOnly and moleculeId exclude each other",
            ));
        }
        (Some(molecule), false) => Members::Of(molecule),
        (None, true) => Members::Orphans,
        (None, false) => Members::Any,
    };
    let mut data = match unit {
        Unit::Atom => json::page("items", &atoms::search(session, project, members, text, page)?, json::atom),
        Unit::Molecule if !matches!(members, Members::Any) => {
            return Err(KnowledgeError::validation("moleculeId", "moleculeId and orphansOnly are for atoms"));
        }
        Unit::Molecule => {
            json::page("items", &molecules::search(session, project, text, page)?, json::molecule)
        }
    };
    for item in data["items"].as_array_mut().into_iter().flatten() {
        let id = bounds::id("id", item["id"].as_str().unwrap_or_default())?;
        *item = with_changelog(session, unit, id, wanted, item.take())?;
    }
    Ok((format!("{} of {} {}s", data["count"], data["total"], unit.word()), data))
}

fn of_paths(session: &Session<'_>, request: &QueryGraph) -> Result<Answer, KnowledgeError> {
    let project = fields::id("projectId", request.project_id.as_ref(), "context")?;
    let paths = request.paths.as_ref().filter(|paths| !paths.0.is_empty());
    let paths = paths.ok_or_else(|| KnowledgeError::missing("paths", "context"))?;
    let found = context::of_paths(session, project, &paths.0, wanted_changelog(request)?)?;
    let atoms: usize =
        found.molecules.iter().map(|it| it.atoms.len()).sum::<usize>() + found.orphan_atoms.len();
    let message =
        format!("{atoms} atoms cover these paths, {} paths are not covered", found.unmatched_paths.len());
    Ok((message, json::context(&found)))
}

/// Refuses parameters of the other kind: silently dropped they would be believed to be kept.
fn refuse_strange(request: &ManageGraph, unit: Unit) -> Result<(), KnowledgeError> {
    let strange = match unit {
        Unit::Atom => [("relatedMolecules", request.related_molecules.is_some()), ("", false), ("", false)],
        Unit::Molecule => [
            ("relatedAtoms", request.related_atoms.is_some()),
            ("paths", request.paths.is_some()),
            ("moleculeId", matches!(request.molecule_id, crate::change::Change::Set(_))),
        ],
    };
    match strange.into_iter().find(|(_, is_given)| *is_given) {
        Some((field, _)) => {
            Err(KnowledgeError::validation(field, format!("a {} has no {field}", unit.word())))
        }
        None => Ok(()),
    }
}

fn molecule_draft(request: &ManageGraph) -> Result<MoleculeDraft, KnowledgeError> {
    let related = request.related_molecules.as_ref();
    Ok(MoleculeDraft {
        name: request.name.clone(),
        knowledge: request.knowledge.clone(),
        mode: request.knowledge_mode.as_ref().map(|mode| bounds::word("knowledgeMode", mode)).transpose()?,
        related: related.map(|given| entries::related(Unit::Molecule, given)).transpose()?,
        last_task_id: fields::maybe_id("lastTaskId", request.last_task_id.as_ref())?,
    })
}

fn atom_draft(request: &ManageGraph) -> Result<AtomDraft, KnowledgeError> {
    let related = request.related_atoms.as_ref();
    Ok(AtomDraft {
        name: request.name.clone(),
        paths: request.paths.as_ref().map(entries::paths).transpose()?,
        knowledge: request.knowledge.clone(),
        mode: request.knowledge_mode.as_ref().map(|mode| bounds::word("knowledgeMode", mode)).transpose()?,
        molecule_id: fields::change("moleculeId", &request.molecule_id)?,
        related: related.map(|given| entries::related(Unit::Atom, given)).transpose()?,
        last_task_id: fields::maybe_id("lastTaskId", request.last_task_id.as_ref())?,
    })
}

fn create(session: &Session<'_>, request: &ManageGraph, unit: Unit) -> Result<Answer, KnowledgeError> {
    let project = fields::id("projectId", request.project_id.as_ref(), "create")?;
    if request.name.is_none() {
        return Err(KnowledgeError::missing("name", "create"));
    }
    let task = fields::id("createdByTaskId", request.created_by_task_id.as_ref(), "create")?;
    Ok(match unit {
        Unit::Molecule => {
            let made = molecules::create(session, project, task, &molecule_draft(request)?)?;
            (format!("molecule \"{}\" created", made.name), json!({"molecule": json::molecule(&made)}))
        }
        Unit::Atom if request.paths.is_none() => return Err(KnowledgeError::missing("paths", "create atom")),
        Unit::Atom => {
            let made = atoms::create(session, project, task, &atom_draft(request)?)?;
            (format!("atom \"{}\" created", made.name), json!({"atom": json::atom(&made)}))
        }
    })
}

fn update(session: &Session<'_>, request: &ManageGraph, unit: Unit) -> Result<Answer, KnowledgeError> {
    let id = fields::id("id", request.id.as_ref(), "update")?;
    let version = fields::version(request.version, "update")?;
    let project = fields::maybe_id("projectId", request.project_id.as_ref())?;
    let refuse_move = |own: Id| {
        let is_other = project.is_some_and(|project| project != own);
        let text = format!("this {} cannot change its project", unit.word());
        if is_other { Err(KnowledgeError::Invariant(text)) } else { Ok(()) }
    };
    Ok(match unit {
        Unit::Molecule => {
            let it = molecules::update(session, id, version, &molecule_draft(request)?)?;
            refuse_move(it.project_id)?;
            (format!("molecule \"{}\" updated", it.name), json!({"molecule": json::molecule(&it)}))
        }
        Unit::Atom => {
            let it = atoms::update(session, id, version, &atom_draft(request)?)?;
            refuse_move(it.project_id)?;
            (format!("atom \"{}\" updated", it.name), json!({"atom": json::atom(&it)}))
        }
    })
}

fn delete(session: &Session<'_>, request: &ManageGraph, unit: Unit) -> Result<Answer, KnowledgeError> {
    let id = fields::id("id", request.id.as_ref(), "delete")?;
    let version = fields::version(request.version, "delete")?;
    if unit == Unit::Atom {
        atoms::delete(session, id, version)?;
        return Ok(("atom deleted".into(), json!({"deleted": true})));
    }
    let task = fields::maybe_id("lastTaskId", request.last_task_id.as_ref())?;
    let cascade = fields::flag(request.cascade, false);
    let atoms = molecules::delete(session, id, version, task, cascade)?;
    let (word, key) = if cascade { ("deleted", "deletedAtoms") } else { ("orphaned", "orphanedAtoms") };
    Ok((format!("molecule deleted, {atoms} atoms {word}"), json!({"deleted": true, key: atoms})))
}
