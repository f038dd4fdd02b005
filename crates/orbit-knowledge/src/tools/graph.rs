//! `manage_graph`: all writes of the knowledge graph.

use super::{fields, unknown};
use crate::bounds;
use crate::citations::citations;
use crate::code::{Area, Finding, StampError, followed};
use crate::error::KnowledgeError;
use crate::glob;
use crate::graph::atoms::{self, AtomDraft};
use crate::graph::molecules::{self, MoleculeDraft};
use crate::graph::stamps::Kept;
use crate::id::Id;
use crate::model::{Atom, Molecule, Unit};
use crate::store::{Session, Store};
use crate::wire::answers::{Answer, AtomFinding, CheckedAtom, DeletedUnit, GraphChange, UnitChange};
use crate::wire::entries;
use crate::wire::requests::ManageGraph;

impl Store {
    /// `manage_graph`: making, changing and deleting atoms and molecules.
    pub fn manage_graph(&self, request: &ManageGraph) -> Result<Answer<GraphChange>, KnowledgeError> {
        let unit: Unit = bounds::word("entityType", &request.entity_type)?;
        refuse_strange(request, unit)?;
        match (request.operation.as_str(), unit) {
            ("create", _) => Ok(self.create_unit(request)?.map(GraphChange::Kept)),
            ("update", _) => {
                let done =
                    self.stamped(request, unit, |session, kept| update(session, request, unit, kept))?;
                Ok(done.map(GraphChange::Kept))
            }
            ("delete", _) => Ok(self.write(|session| delete(session, request, unit))?.map(GraphChange::Gone)),
            ("reaffirm", Unit::Atom) => {
                let done = self.stamped(request, unit, |session, kept| reaffirm(session, request, kept))?;
                Ok(done.map(GraphChange::Kept))
            }
            ("promote", Unit::Atom) => {
                Ok(self.write(|session| promote(session, request))?.map(GraphChange::Kept))
            }
            ("reaffirm" | "promote", Unit::Molecule) => {
                Err(KnowledgeError::validation("entityType", format!("{} is for atoms", request.operation)))
            }
            (other, _) => Err(unknown(other, "create, update, delete, reaffirm, promote")),
        }
    }

    /// `manage_graph create`.
    pub fn create_unit(&self, request: &ManageGraph) -> Result<Answer<UnitChange>, KnowledgeError> {
        let unit: Unit = bounds::word("entityType", &request.entity_type)?;
        refuse_strange(request, unit)?;
        self.stamped(request, unit, |session, kept| create(session, request, unit, kept))
    }

    /// Writes, with the stamp of an atom's area. An atom that was stamped just now is fresh.
    fn stamped(
        &self,
        request: &ManageGraph,
        unit: Unit,
        write: impl FnOnce(&Session<'_>, &Kept) -> Result<Answer<UnitChange>, KnowledgeError>,
    ) -> Result<Answer<UnitChange>, KnowledgeError> {
        let kept = if unit == Unit::Atom { self.stamp_for(request)? } else { Err(String::new()) };
        let mut done = self.write(|session| write(session, &kept))?;
        if let UnitChange::Atom { atom } = &mut done.data {
            let finding = match &kept {
                Ok(stamp) => Finding::of_new(stamp),
                Err(why) => Finding::not_checked(why),
            };
            atom.finding = Some(AtomFinding::of(&finding));
        }
        Ok(done)
    }

    /// Stamps the area that an atom will have. Looks at code, so it happens before the transaction; the version that
    /// an update must know makes sure that the area is still the one that was read.
    fn stamp_for(&self, request: &ManageGraph) -> Result<Kept, KnowledgeError> {
        let id = request.id.as_ref().and_then(|text| Id::parse(text));
        let current = id.map(|id| self.read(|session| atoms::find(session, id))).transpose()?.flatten();
        let mut area = Area::default();
        if let Some(atom) = &current {
            area.paths.clone_from(&atom.paths);
            area.cites = citations(&atom.knowledge);
            let follows = request.anchors.is_none() && !atom.anchors.is_empty();
            if follows || !area.cites.is_empty() {
                let found = self.findings(&[atom.id])?.remove(&atom.id);
                let (moved, cited) = found.map(|found| (found.moved, found.cited)).unwrap_or_default();
                area.cited = cited;
                area.anchors = atom.anchors.iter().flat_map(|anchor| followed(anchor, &moved)).collect();
            } else {
                area.anchors.clone_from(&atom.anchors);
            }
        }
        if let Some(text) = &request.knowledge {
            // What is appended comes to what is there.
            let is_appended = request.knowledge_mode.as_deref().is_some_and(|mode| mode == "append");
            let before = if is_appended { std::mem::take(&mut area.cites) } else { Vec::new() };
            area.cites = before.into_iter().chain(citations(text)).collect();
        }
        if let Some(given) = request.paths.as_ref().and_then(|given| entries::paths(given).ok()) {
            area.paths = given;
        }
        if let Some(given) = &request.anchors {
            area.anchors = entries::anchors(given)?;
        }
        if area.paths.is_empty() || area.paths.iter().any(|pattern| glob::check("paths", pattern).is_err()) {
            return Ok(Err("its paths are not valid globs".into()));
        }
        match self.code().stamp(&area) {
            Ok(stamp) => Ok(Ok(stamp)),
            Err(StampError::Anchor(text)) => Err(KnowledgeError::validation("anchors", text)),
            Err(StampError::Unknown(why)) => Ok(Err(why)),
        }
    }
}

/// Refuses parameters of the other kind: silently dropped they would be believed to be kept.
fn refuse_strange(request: &ManageGraph, unit: Unit) -> Result<(), KnowledgeError> {
    let strange = match unit {
        Unit::Atom => [
            ("relatedMolecules", request.related_molecules.is_some()),
            ("", false),
            ("", false),
            ("", false),
            ("", false),
        ],
        Unit::Molecule => [
            ("relatedAtoms", request.related_atoms.is_some()),
            ("paths", request.paths.is_some()),
            ("anchors", request.anchors.is_some()),
            ("status", request.status.is_some()),
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
        related: related.map(entries::related).transpose()?,
        last_task_id: fields::maybe_id("lastTaskId", request.last_task_id.as_ref())?,
    })
}

fn atom_draft(request: &ManageGraph, kept: &Kept) -> Result<AtomDraft, KnowledgeError> {
    let related = request.related_atoms.as_ref();
    let anchors = request.anchors.as_ref().map(entries::anchors).transpose()?;
    Ok(AtomDraft {
        name: request.name.clone(),
        paths: request.paths.as_ref().map(entries::paths).transpose()?,
        knowledge: request.knowledge.clone(),
        mode: request.knowledge_mode.as_ref().map(|mode| bounds::word("knowledgeMode", mode)).transpose()?,
        molecule_id: fields::change("moleculeId", &request.molecule_id)?,
        related: related.map(entries::related).transpose()?,
        last_task_id: fields::maybe_id("lastTaskId", request.last_task_id.as_ref())?,
        anchors: kept.as_ref().ok().map(|stamp| stamp.anchors.clone()).or(anchors),
        standing: request.status.as_ref().map(|word| bounds::word("status", word)).transpose()?,
    })
}

fn create(
    session: &Session<'_>,
    request: &ManageGraph,
    unit: Unit,
    kept: &Kept,
) -> Result<Answer<UnitChange>, KnowledgeError> {
    let project = fields::id("projectId", request.project_id.as_ref(), "create")?;
    if request.name.is_none() {
        return Err(KnowledgeError::missing("name", "create"));
    }
    let task = fields::id("createdByTaskId", request.created_by_task_id.as_ref(), "create")?;
    Ok(match unit {
        Unit::Molecule => {
            told_molecule("created", molecules::create(session, project, task, &molecule_draft(request)?)?)
        }
        Unit::Atom if request.paths.is_none() => return Err(KnowledgeError::missing("paths", "create atom")),
        Unit::Atom => {
            told("created", atoms::create(session, project, task, &atom_draft(request, kept)?, kept)?)
        }
    })
}

fn update(
    session: &Session<'_>,
    request: &ManageGraph,
    unit: Unit,
    kept: &Kept,
) -> Result<Answer<UnitChange>, KnowledgeError> {
    if request.status.is_some() {
        let text = "status is for create; promote agrees to a proposed atom";
        return Err(KnowledgeError::validation("status", text));
    }
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
            told_molecule("updated", it)
        }
        Unit::Atom => {
            let it = atoms::update(session, id, version, &atom_draft(request, kept)?, kept)?;
            refuse_move(it.project_id)?;
            told("updated", it)
        }
    })
}

fn reaffirm(
    session: &Session<'_>,
    request: &ManageGraph,
    kept: &Kept,
) -> Result<Answer<UnitChange>, KnowledgeError> {
    let id = fields::id("id", request.id.as_ref(), "reaffirm")?;
    let version = fields::version(request.version, "reaffirm")?;
    Ok(told("reaffirmed", atoms::reaffirm(session, id, version, kept)?))
}

fn promote(session: &Session<'_>, request: &ManageGraph) -> Result<Answer<UnitChange>, KnowledgeError> {
    let id = fields::id("id", request.id.as_ref(), "promote")?;
    let version = fields::version(request.version, "promote")?;
    let task = fields::maybe_id("lastTaskId", request.last_task_id.as_ref())?;
    Ok(told("promoted", atoms::promote(session, id, version, task)?))
}

fn told(word: &str, atom: Atom) -> Answer<UnitChange> {
    let message = format!("atom \"{}\" {word}", atom.name);
    Answer::new(message, UnitChange::Atom { atom: Box::new(CheckedAtom::of(atom)) })
}

fn told_molecule(word: &str, molecule: Molecule) -> Answer<UnitChange> {
    let message = format!("molecule \"{}\" {word}", molecule.name);
    Answer::new(message, UnitChange::Molecule { molecule: Box::new(molecule) })
}

fn delete(
    session: &Session<'_>,
    request: &ManageGraph,
    unit: Unit,
) -> Result<Answer<DeletedUnit>, KnowledgeError> {
    let id = fields::id("id", request.id.as_ref(), "delete")?;
    let version = fields::version(request.version, "delete")?;
    let alone = DeletedUnit { deleted: true, deleted_atoms: None, orphaned_atoms: None };
    if unit == Unit::Atom {
        atoms::delete(session, id, version)?;
        return Ok(Answer::new("atom deleted", alone));
    }
    let task = fields::maybe_id("lastTaskId", request.last_task_id.as_ref())?;
    let cascade = fields::flag(request.cascade, false);
    let atoms = molecules::delete(session, id, version, task, cascade)?;
    let (word, data) = if cascade {
        ("deleted", DeletedUnit { deleted_atoms: Some(atoms), ..alone })
    } else {
        ("orphaned", DeletedUnit { orphaned_atoms: Some(atoms), ..alone })
    };
    Ok(Answer::new(format!("molecule deleted, {atoms} atoms {word}"), data))
}
