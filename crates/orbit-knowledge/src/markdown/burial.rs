//! Deleting what was deleted elsewhere.

use crate::error::KnowledgeError;
use crate::graph::deleted::{self, Grave};
use crate::graph::{atoms, molecules, related};
use crate::id::Id;
use crate::model::{Container, Kind, Unit};
use crate::store::Session;
use crate::work::{containers, rows};
use rusqlite::params;

/// Deletes an atom or molecule and keeps that. The atoms of a molecule stay, as orphans: their own files say more.
pub(super) fn bury(
    session: &Session<'_>,
    unit: Unit,
    project: Id,
    id: Id,
    version: i64,
) -> Result<(), KnowledgeError> {
    match unit {
        Unit::Atom => atoms::remove(session, id)?,
        Unit::Molecule => {
            session.execute(
                "UPDATE graph_atoms SET molecule_id = NULL, updated_at = ?2, version = version + 1
                 WHERE molecule_id = ?1",
                params![id, session.stamp()],
            )?;
            molecules::remove(session, id)?;
        }
    }
    related::forget(session, unit, project, id)?;
    deleted::keep(session, project, id, version)
}

/// Deletes a feature or task and keeps that. What was in it stays and is in nothing: its own files say more.
pub(super) fn bury_work(
    session: &Session<'_>,
    it: &Container,
    project: Id,
    version: i64,
) -> Result<(), KnowledgeError> {
    let column = if it.kind == Kind::Feature { "feature_id" } else { "parent_id" };
    session.execute(
        &format!(
            "UPDATE tasks SET {column} = NULL, modified_at = ?2, version = version + 1 WHERE {column} = ?1"
        ),
        params![it.id, session.stamp()],
    )?;
    containers::touch_linked(session, it.id)?;
    session.execute(&format!("DELETE FROM {} WHERE id = ?1", rows::table(it.kind)), [it.id])?;
    deleted::bury(session, project, Grave { id: it.id, version, is_work: true })
}
