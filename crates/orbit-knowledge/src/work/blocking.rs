//! Blocking and unblocking by hand: by ids of features and tasks, or by `NO_OP`, something that is not in the store.

use super::{links, rows};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Container, Kind, Link};
use crate::store::Session;
use rusqlite::params;

/// What blocks.
#[derive(Clone, Debug)]
pub(crate) enum Blockers {
    /// Something outside, told by a reason.
    NoOp,
    /// Features and tasks.
    Ids(Vec<Id>),
}

/// What a call changed.
pub(crate) struct Blocking {
    pub(crate) container: Container,
    /// How many blockers were added or removed.
    pub(crate) changed: usize,
}

/// Adds blockers. Those that are there already stay once.
pub(crate) fn block(
    session: &Session<'_>,
    kind: Kind,
    id: Id,
    version: i64,
    blockers: &Blockers,
    reason: Option<&str>,
) -> Result<Blocking, KnowledgeError> {
    let it = rows::get_at(session, kind, id, version)?;
    if it.status.is_terminal() {
        let text = format!("{} \"{}\" is {}; it cannot be blocked", kind.word(), it.name, it.status.word());
        return Err(KnowledgeError::Operation(text));
    }
    let changed = match blockers {
        Blockers::NoOp if reason.is_none() => {
            return Err(KnowledgeError::missing("blockedReason", "blockedBy NO_OP"));
        }
        Blockers::NoOp => usize::from(!it.is_held),
        Blockers::Ids(ids) if ids.is_empty() => {
            return Err(KnowledgeError::validation("blockedBy", "blockedBy must name at least one blocker"));
        }
        Blockers::Ids(ids) => add_all(session, &it, ids)?,
    };
    let is_held = it.is_held || matches!(blockers, Blockers::NoOp);
    write(session, &it, is_held, reason.map(str::to_owned).or(it.blocked_reason.clone()))?;
    Ok(Blocking { container: rows::get(session, kind, id)?, changed })
}

fn add_all(session: &Session<'_>, it: &Container, ids: &[Id]) -> Result<usize, KnowledgeError> {
    let mut added = 0;
    for id in ids {
        let blocker = rows::find_work(session, *id)?.ok_or_else(|| {
            KnowledgeError::validation("blockedBy", format!("blocker {id} is not a task or feature"))
        })?;
        if blocker.status.is_terminal() {
            let text = format!("blocker \"{}\" is {} already", blocker.name, blocker.status.word());
            return Err(KnowledgeError::validation("blockedBy", text));
        }
        added += usize::from(links::add(session, Link::Blocks, &blocker, it)?);
    }
    Ok(added)
}

/// Removes blockers; those that are not there are no mistake.
pub(crate) fn unblock(
    session: &Session<'_>,
    kind: Kind,
    id: Id,
    version: i64,
    blockers: &Blockers,
) -> Result<Blocking, KnowledgeError> {
    let it = rows::get_at(session, kind, id, version)?;
    let (is_held, changed) = match blockers {
        Blockers::NoOp => (false, usize::from(it.is_held)),
        Blockers::Ids(ids) => {
            let mut removed = 0;
            for blocker in ids {
                removed += usize::from(links::remove(session, Link::Blocks, *blocker, id)?);
            }
            (it.is_held, removed)
        }
    };
    let left = it.blocked_by.len() - if matches!(blockers, Blockers::NoOp) { 0 } else { changed };
    // The reason belongs to what is outside, or to the last blocker.
    let is_told = is_held || (!it.is_held && left > 0);
    write(session, &it, is_held, it.blocked_reason.clone().filter(|_| is_told))?;
    Ok(Blocking { container: rows::get(session, kind, id)?, changed })
}

fn write(
    session: &Session<'_>,
    it: &Container,
    is_held: bool,
    reason: Option<String>,
) -> Result<(), KnowledgeError> {
    let sql = format!(
        "UPDATE {} SET is_held = ?2, blocked_reason = ?3, version = version + 1, modified_at = ?4 WHERE id = ?1",
        rows::table(it.kind)
    );
    session.execute(&sql, params![it.id, is_held, reason, session.stamp()])?;
    Ok(())
}

/// Everything that waited for what is now closed goes on; what waits for nothing more is named.
pub(crate) fn release_dependents(
    session: &Session<'_>,
    closed: Id,
) -> Result<Vec<Container>, KnowledgeError> {
    let dependents = dependents(session, closed)?;
    let mut freed = Vec::new();
    for it in dependents {
        let left = unblock(session, it.kind, it.id, it.version, &Blockers::Ids(vec![closed]))?.container;
        if !left.is_blocked() {
            freed.push(left);
        }
    }
    Ok(freed)
}

/// What a feature or task blocks.
pub(crate) fn dependents(session: &Session<'_>, id: Id) -> Result<Vec<Container>, KnowledgeError> {
    let ids: Vec<Id> = session.rows(
        "SELECT to_id FROM links WHERE from_id = ?1 AND link = ?2 ORDER BY place",
        params![id, Link::Blocks],
        |row| row.get(0),
    )?;
    let mut found = Vec::new();
    for id in ids {
        found.extend(rows::find_work(session, id)?);
    }
    Ok(found)
}
