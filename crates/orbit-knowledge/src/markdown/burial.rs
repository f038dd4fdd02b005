//! Deleting what was deleted elsewhere.

use crate::error::KnowledgeError;
use crate::graph::{atoms, deleted, molecules, related};
use crate::id::Id;
use crate::model::Unit;
use crate::store::Session;
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
