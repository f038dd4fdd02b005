//! What was deleted, kept so that no file of another branch or clone brings it back.

use crate::error::KnowledgeError;
use crate::id::Id;
use crate::store::Session;
use rusqlite::params;

/// Something that is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grave {
    pub(crate) id: Id,
    /// The last that whoever deleted it knew.
    pub(crate) version: i64,
    /// A feature or task; else an atom or molecule.
    pub(crate) is_work: bool,
}

/// Keeps that an atom or molecule is deleted, and at which version it was.
pub(crate) fn keep(session: &Session<'_>, project: Id, id: Id, version: i64) -> Result<(), KnowledgeError> {
    bury(session, project, Grave { id, version, is_work: false })
}

/// Keeps that something is deleted.
pub(crate) fn bury(session: &Session<'_>, project: Id, grave: Grave) -> Result<(), KnowledgeError> {
    session.execute(
        "INSERT INTO graph_deleted (id, project_id, version, deleted_at, is_work) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (id) DO UPDATE SET version = max(version, ?3)",
        params![grave.id, project, grave.version, session.stamp(), grave.is_work],
    )?;
    Ok(())
}

/// It is there again.
pub(crate) fn forget(session: &Session<'_>, id: Id) -> Result<(), KnowledgeError> {
    session.execute("DELETE FROM graph_deleted WHERE id = ?1", [id])?;
    Ok(())
}

/// What is deleted of a project, or of all.
pub(crate) fn of(session: &Session<'_>, project: Option<Id>) -> Result<Vec<Grave>, KnowledgeError> {
    let sql =
        "SELECT id, version, is_work FROM graph_deleted WHERE ?1 IS NULL OR project_id = ?1 ORDER BY id";
    session.rows(sql, params![project], |row| {
        Ok(Grave { id: row.get(0)?, version: row.get(1)?, is_work: row.get(2)? })
    })
}
