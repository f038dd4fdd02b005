//! What was deleted, kept so that no file of another branch or clone brings it back.

use crate::error::KnowledgeError;
use crate::id::Id;
use crate::store::Session;
use rusqlite::params;
use std::collections::BTreeMap;

/// Keeps that something is deleted, and at which version it was.
pub(crate) fn keep(session: &Session<'_>, project: Id, id: Id, version: i64) -> Result<(), KnowledgeError> {
    session.execute(
        "INSERT INTO graph_deleted VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (id) DO UPDATE SET version = max(version, ?3)",
        params![id, project, version, session.stamp()],
    )?;
    Ok(())
}

/// It is there again.
pub(crate) fn forget(session: &Session<'_>, id: Id) -> Result<(), KnowledgeError> {
    session.execute("DELETE FROM graph_deleted WHERE id = ?1", [id])?;
    Ok(())
}

/// Everything that is deleted, with its last version.
pub(crate) fn all(session: &Session<'_>) -> Result<BTreeMap<Id, i64>, KnowledgeError> {
    let rows =
        session.rows("SELECT id, version FROM graph_deleted", [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.into_iter().collect())
}
