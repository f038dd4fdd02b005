//! Every move of a feature or task, kept for good.

use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Container, Status, Transition, Trigger};
use crate::store::Session;
use rusqlite::params;

/// Keeps a move for good.
pub(crate) fn keep(
    session: &Session<'_>,
    it: &Container,
    to: Status,
    trigger: Trigger,
    actor: Option<&str>,
    reason: Option<&str>,
) -> Result<(), KnowledgeError> {
    session.execute(
        "INSERT INTO transitions (entity_kind, entity_id, actor, at, from_status, to_status, \"trigger\", reason)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![it.kind, it.id, actor, session.stamp(), it.status, to, trigger, reason],
    )?;
    Ok(())
}

/// The moves of a feature or task, the latest first, and how many there are.
pub(crate) fn history(
    session: &Session<'_>,
    id: Id,
    limit: i64,
) -> Result<(Vec<Transition>, i64), KnowledgeError> {
    let kept = session.rows(
        "SELECT actor, at, from_status, to_status, \"trigger\", reason FROM transitions WHERE entity_id = ?1
         ORDER BY place DESC LIMIT ?2",
        params![id, limit],
        |row| {
            Ok(Transition {
                actor: row.get(0)?,
                at: row.get(1)?,
                from: row.get(2)?,
                to: row.get(3)?,
                trigger: row.get(4)?,
                reason: row.get(5)?,
            })
        },
    )?;
    Ok((kept, session.count("SELECT count(*) FROM transitions WHERE entity_id = ?1", [id])?))
}
