//! Paths that a task has for itself, so that two writers never meet. They last as long as the task's claim.

use super::holder::{self, By};
use super::queue::{self, Lease};
use super::rows;
use crate::error::KnowledgeError;
use crate::glob::{self, overlap};
use crate::id::Id;
use crate::model::{Kind, Reservation};
use crate::store::Session;
use rusqlite::params;

/// Most paths in one call.
pub const RESERVED_PATHS: usize = 100;

const LIVE: &str = "SELECT r.task_id, t.name, c.actor, r.pattern, r.reserved_at, c.expires_at
   FROM reservations r JOIN tasks t ON t.id = r.task_id JOIN claims c ON c.entity_id = r.task_id
   WHERE c.expires_at > ?1";

/// Reserves all of the patterns or none. Claims the task for the actor, or renews that claim.
pub(crate) fn reserve(
    session: &Session<'_>,
    task: Id,
    patterns: &[String],
    lease: &Lease<'_>,
) -> Result<Vec<Reservation>, KnowledgeError> {
    let it = rows::get(session, Kind::Task, task)?;
    if it.status.is_terminal() {
        let text = format!("task \"{}\" is {}; it reserves nothing", it.name, it.status.word());
        return Err(KnowledgeError::Operation(text));
    }
    check(patterns)?;
    let others: Vec<Reservation> =
        list(session, None, None)?.into_iter().filter(|held| held.task_id != task).collect();
    for wanted in patterns {
        if let Some(held) = others.iter().find(|held| overlap::overlaps(&held.pattern, wanted)) {
            return Err(KnowledgeError::Held {
                holder: Box::new(rows::get(session, Kind::Task, held.task_id)?),
                actor: held.actor.clone(),
                expires_at: held.expires_at.clone(),
                paths: Some((held.pattern.clone(), wanted.clone())),
            });
        }
    }
    queue::claim(session, &it, lease)?;
    for pattern in patterns {
        session.execute(
            "INSERT OR IGNORE INTO reservations (task_id, pattern, reserved_at) VALUES (?1, ?2, ?3)",
            params![task, pattern, session.stamp()],
        )?;
    }
    list(session, Some(task), None)
}

fn check(patterns: &[String]) -> Result<(), KnowledgeError> {
    if patterns.is_empty() {
        return Err(KnowledgeError::missing("paths", "reserve"));
    }
    if patterns.len() > RESERVED_PATHS {
        let text = format!("{} paths, {RESERVED_PATHS} are allowed", patterns.len());
        return Err(KnowledgeError::validation("paths", text));
    }
    patterns.iter().try_for_each(|pattern| glob::check("paths", pattern))
}

/// Gives these patterns back, or all of the task's; those that it does not have are not an error. Who has no claim
/// on the task cannot.
pub(crate) fn release(
    session: &Session<'_>,
    task: Id,
    patterns: Option<&[String]>,
    by: By<'_>,
) -> Result<usize, KnowledgeError> {
    let it = rows::get(session, Kind::Task, task)?;
    holder::check(session, &it, by, "paths released")?;
    let Some(patterns) = patterns else {
        return session.execute("DELETE FROM reservations WHERE task_id = ?1", [task]);
    };
    let mut released = 0;
    for pattern in patterns {
        let sql = "DELETE FROM reservations WHERE task_id = ?1 AND pattern = ?2";
        released += session.execute(sql, params![task, pattern])?;
    }
    Ok(released)
}

/// What is reserved now, by pattern and task; of one task, or what overlaps a path, when asked for.
pub(crate) fn list(
    session: &Session<'_>,
    task: Option<Id>,
    overlapping: Option<&[String]>,
) -> Result<Vec<Reservation>, KnowledgeError> {
    let sql = format!("{LIVE} AND (?2 IS NULL OR r.task_id = ?2) ORDER BY r.pattern, r.task_id");
    let mut found = session.rows(&sql, params![session.stamp(), task], |row| {
        Ok(Reservation {
            task_id: row.get(0)?,
            task_title: row.get(1)?,
            actor: row.get(2)?,
            pattern: row.get(3)?,
            reserved_at: row.get(4)?,
            expires_at: row.get(5)?,
        })
    })?;
    if let Some(wanted) = overlapping {
        found.retain(|held| wanted.iter().any(|wanted| overlap::overlaps(&held.pattern, wanted)));
    }
    Ok(found)
}
