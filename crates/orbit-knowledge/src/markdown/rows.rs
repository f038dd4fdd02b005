//! Rows as files have them, versions and times included.

use crate::error::KnowledgeError;
use crate::model::{Atom, Molecule, Unit};
use crate::store::{Session, json};
use rusqlite::params;

pub(super) fn put_molecule(session: &Session<'_>, it: &Molecule) -> Result<(), KnowledgeError> {
    session.execute(
        "INSERT INTO graph_molecules (id, project_id, name, knowledge, related_molecules, created_by_task_id,
           last_task_id, version, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         ON CONFLICT (id) DO UPDATE SET name = ?3, knowledge = ?4, related_molecules = ?5, last_task_id = ?7,
           version = ?8, updated_at = ?10",
        params![
            it.id,
            it.project_id,
            it.name,
            it.knowledge,
            json::related(Unit::Molecule, &it.related),
            it.created_by_task_id,
            it.last_task_id,
            it.version,
            it.created_at,
            it.updated_at
        ],
    )?;
    Ok(())
}

pub(super) fn put_atom(session: &Session<'_>, it: &Atom) -> Result<(), KnowledgeError> {
    session.execute(
        "INSERT INTO graph_atoms (id, project_id, molecule_id, name, paths, knowledge, related_atoms,
           created_by_task_id, last_task_id, version, created_at, updated_at, anchors, status)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
         ON CONFLICT (id) DO UPDATE SET molecule_id = ?3, name = ?4, paths = ?5, knowledge = ?6,
           related_atoms = ?7, last_task_id = ?9, version = ?10, updated_at = ?12, anchors = ?13, status = ?14",
        params![
            it.id,
            it.project_id,
            it.molecule_id,
            it.name,
            json::paths(&it.paths),
            it.knowledge,
            json::related(Unit::Atom, &it.related),
            it.created_by_task_id,
            it.last_task_id,
            it.version,
            it.created_at,
            it.updated_at,
            json::paths(&it.anchors),
            it.standing
        ],
    )?;
    Ok(())
}
