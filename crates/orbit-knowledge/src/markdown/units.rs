//! Atoms and molecules as files have them.

use super::document::Document;
use crate::bounds::{self, KNOWLEDGE_BYTES};
use crate::error::KnowledgeError;
use crate::graph::atoms;
use crate::id::Id;
use crate::model::{Atom, Molecule, Standing};
use crate::wire::entries::{self, RelatedAtom, RelatedMolecule};
use crate::words::Word as _;

pub(super) fn wrong(why: String) -> KnowledgeError {
    KnowledgeError::validation("import", why)
}

pub(super) fn id_of(document: &Document, key: &str) -> Result<Id, KnowledgeError> {
    let text = document.text(key).map_err(wrong)?;
    Id::parse(&text).ok_or_else(|| wrong(document.wrong(format!("`{key}` must be a UUID"))))
}

pub(super) fn atom_of(project_id: Id, document: &Document) -> Result<Atom, KnowledgeError> {
    let paths = document.texts("paths").map_err(wrong)?;
    atoms::check_paths(&paths).map_err(|error| wrong(document.wrong(error)))?;
    let molecule = document.maybe_text("moleculeId").map_err(wrong)?;
    let status = document.text("status").map_err(wrong)?;
    Ok(Atom {
        id: id_of(document, "id")?,
        project_id,
        molecule_id: molecule.map(|text| bounds::id("moleculeId", &text)).transpose()?,
        name: bounds::name("name", &document.text("name").map_err(wrong)?)?,
        paths,
        anchors: document.texts("anchors").map_err(wrong)?,
        standing: Standing::parse(&status).ok_or_else(|| wrong(document.wrong("`status` is not a state")))?,
        knowledge: bounds::text("knowledge", &document.prose, KNOWLEDGE_BYTES)?,
        related: entries::related::<RelatedAtom>(&document.entries("relatedAtoms").into())?,
        created_by_task_id: id_of(document, "createdByTaskId")?,
        last_task_id: id_of(document, "lastTaskId")?,
        version: document.number("version").map_err(wrong)?,
        created_at: document.text("createdAt").map_err(wrong)?,
        updated_at: document.text("updatedAt").map_err(wrong)?,
    })
}

pub(super) fn molecule_of(project_id: Id, document: &Document) -> Result<Molecule, KnowledgeError> {
    Ok(Molecule {
        id: id_of(document, "id")?,
        project_id,
        name: bounds::name("name", &document.text("name").map_err(wrong)?)?,
        knowledge: bounds::text("knowledge", &document.prose, KNOWLEDGE_BYTES)?,
        related: entries::related::<RelatedMolecule>(&document.entries("relatedMolecules").into())?,
        created_by_task_id: id_of(document, "createdByTaskId")?,
        last_task_id: id_of(document, "lastTaskId")?,
        version: document.number("version").map_err(wrong)?,
        created_at: document.text("createdAt").map_err(wrong)?,
        updated_at: document.text("updatedAt").map_err(wrong)?,
    })
}
