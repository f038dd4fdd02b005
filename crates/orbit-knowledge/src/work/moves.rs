//! Moving features and tasks through their pipeline, and what follows for others.
//!
//! Closing frees what waited. The first task that becomes active makes its feature active; the last task that ends
//! ends its feature, unless the feature itself is blocked.

use super::{blocking, rows};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Container, Kind, Status, Transition, Trigger};
use crate::store::Session;
use rusqlite::params;

/// Which container, as the caller knows it, and who asks.
pub(crate) struct Order<'o> {
    pub(crate) kind: Kind,
    pub(crate) id: Id,
    pub(crate) version: i64,
    pub(crate) actor: Option<&'o str>,
    pub(crate) reason: Option<&'o str>,
}

/// What a move did.
pub(crate) struct Moved {
    pub(crate) container: Container,
    pub(crate) from: Status,
    /// What waits for nothing more.
    pub(crate) freed: Vec<Container>,
    /// What still waits for something that was given up.
    pub(crate) stranded: Vec<Container>,
    /// Tasks that were given up with their feature.
    pub(crate) terminated: Vec<Container>,
    pub(crate) feature: Option<FeatureMoved>,
}

/// How the feature of a task moved along.
pub(crate) struct FeatureMoved {
    pub(crate) feature: Container,
    pub(crate) from: Status,
    pub(crate) freed: Vec<Container>,
    pub(crate) stranded: Vec<Container>,
}

/// One state forwards.
pub(crate) fn advance(session: &Session<'_>, order: &Order<'_>) -> Result<Moved, KnowledgeError> {
    let it = rows::get_at(session, order.kind, order.id, order.version)?;
    refuse_terminal(&it)?;
    if it.is_blocked() {
        return Err(KnowledgeError::Blocked {
            what: rows::named(&it),
            by: rows::names(session, &it.blocked_by)?,
            is_held: it.is_held,
            reason: it.blocked_reason.clone(),
        });
    }
    let next = session.pipelines.of(it.kind).next(it.status);
    let next =
        next.ok_or_else(|| KnowledgeError::Operation(format!("nothing follows {}", it.status.word())))?;
    if it.kind == Kind::Feature && next == Status::Closed {
        refuse_open_tasks(session, "close", &it)?;
    }
    step(session, &it, next, Trigger::Advance, order)
}

/// One state backwards. Others are left as they are.
pub(crate) fn revert(session: &Session<'_>, order: &Order<'_>) -> Result<Moved, KnowledgeError> {
    let it = rows::get_at(session, order.kind, order.id, order.version)?;
    refuse_terminal(&it)?;
    let previous = session.pipelines.of(it.kind).previous(it.status);
    let previous = previous
        .ok_or_else(|| KnowledgeError::Operation(format!("nothing comes before {}", it.status.word())))?;
    step(session, &it, previous, Trigger::Revert, order)
}

/// Gives up, blocked or not. What waits for it keeps waiting and is named. A feature with open tasks is given up
/// with all of them when `cascade` says so.
pub(crate) fn terminate(
    session: &Session<'_>,
    order: &Order<'_>,
    cascade: bool,
) -> Result<Moved, KnowledgeError> {
    let it = rows::get_at(session, order.kind, order.id, order.version)?;
    refuse_terminal(&it)?;
    let mut terminated = Vec::new();
    if it.kind == Kind::Feature {
        if !cascade {
            refuse_open_tasks(session, "terminate", &it)?;
        }
        for task in open_tasks(session, it.id)? {
            set(session, &task, Status::WillNotImplement, Trigger::Cascade, order)?;
            terminated.push(rows::get(session, Kind::Task, task.id)?);
        }
    }
    let moved = step(session, &it, Status::WillNotImplement, Trigger::Terminate, order)?;
    Ok(Moved { terminated, ..moved })
}

fn step(
    session: &Session<'_>,
    it: &Container,
    to: Status,
    trigger: Trigger,
    order: &Order<'_>,
) -> Result<Moved, KnowledgeError> {
    set(session, it, to, trigger, order)?;
    let (freed, stranded) = ended(session, it.id, to)?;
    let feature = match it.feature_id {
        Some(feature) if trigger != Trigger::Revert => follow(session, feature, to, order)?,
        _ => None,
    };
    let container = rows::get(session, it.kind, it.id)?;
    Ok(Moved { container, from: it.status, freed, stranded, terminated: Vec::new(), feature })
}

/// What is freed by a closed one; what is stranded by one given up.
fn ended(
    session: &Session<'_>,
    id: Id,
    status: Status,
) -> Result<(Vec<Container>, Vec<Container>), KnowledgeError> {
    Ok(match status {
        Status::Closed => (blocking::release_dependents(session, id)?, Vec::new()),
        Status::WillNotImplement => (Vec::new(), blocking::dependents(session, id)?),
        _ => (Vec::new(), Vec::new()),
    })
}

/// The feature goes along with a task that just came to `status`.
fn follow(
    session: &Session<'_>,
    feature: Id,
    status: Status,
    order: &Order<'_>,
) -> Result<Option<FeatureMoved>, KnowledgeError> {
    let it = rows::get(session, Kind::Feature, feature)?;
    let to = match status {
        _ if it.status.is_terminal() => return Ok(None),
        Status::Active if it.status == Status::New => Status::Active,
        ended if ended.is_terminal() && !it.is_blocked() && open_tasks(session, feature)?.is_empty() => {
            let sql = "SELECT count(*) FROM tasks WHERE feature_id = ?1 AND status = 'CLOSED'";
            if session.count(sql, [feature])? > 0 { Status::Closed } else { Status::WillNotImplement }
        }
        _ => return Ok(None),
    };
    set(session, &it, to, Trigger::Cascade, order)?;
    let (freed, stranded) = ended(session, feature, to)?;
    let feature = rows::get(session, Kind::Feature, feature)?;
    Ok(Some(FeatureMoved { feature, from: it.status, freed, stranded }))
}

/// Writes the state and keeps the move. What has ended gives its claim and its paths back.
fn set(
    session: &Session<'_>,
    it: &Container,
    to: Status,
    trigger: Trigger,
    order: &Order<'_>,
) -> Result<(), KnowledgeError> {
    let sql = format!(
        "UPDATE {} SET status = ?2, version = version + 1, modified_at = ?3 WHERE id = ?1",
        rows::table(it.kind)
    );
    session.execute(&sql, params![it.id, to, session.stamp()])?;
    session.execute(
        "INSERT INTO transitions (entity_kind, entity_id, actor, at, from_status, to_status, \"trigger\", reason)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![it.kind, it.id, order.actor, session.stamp(), it.status, to, trigger, order.reason],
    )?;
    if to.is_terminal() {
        session.execute("DELETE FROM claims WHERE entity_id = ?1", [it.id])?;
        session.execute("DELETE FROM reservations WHERE task_id = ?1", [it.id])?;
    }
    Ok(())
}

fn refuse_terminal(it: &Container) -> Result<(), KnowledgeError> {
    if it.status.is_terminal() {
        let text =
            format!("{} \"{}\" is {}; nothing leaves that state", it.kind.word(), it.name, it.status.word());
        return Err(KnowledgeError::Operation(text));
    }
    Ok(())
}

fn refuse_open_tasks(
    session: &Session<'_>,
    action: &'static str,
    it: &Container,
) -> Result<(), KnowledgeError> {
    match open_tasks(session, it.id)?.len() {
        0 => Ok(()),
        open => Err(KnowledgeError::HasChildren {
            action,
            what: rows::named(it),
            features: 0,
            tasks: open as i64,
        }),
    }
}

fn open_tasks(session: &Session<'_>, feature: Id) -> Result<Vec<Container>, KnowledgeError> {
    let tail =
        "WHERE feature_id = ?1 AND status NOT IN ('CLOSED', 'WILL_NOT_IMPLEMENT') ORDER BY created_at, id";
    rows::list(session, Kind::Task, tail, [feature])
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
