//! Moving features and tasks through their pipeline, and what follows for others.
//!
//! Closing frees what waited. A task with open subtasks is not closed, and is given up only with them. The first task that becomes active makes its feature active; the last task that ends
//! ends its feature, unless the feature itself is blocked.

use super::holder::{self, By};
use super::{blocking, rows, subtasks, transitions};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Container, Kind, Status, Trigger};
use crate::store::Session;
use rusqlite::params;

/// Which container, as the caller knows it, and who asks.
pub(crate) struct Order<'o> {
    pub(crate) kind: Kind,
    pub(crate) id: Id,
    pub(crate) version: i64,
    pub(crate) by: By<'o>,
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
    holder::check(session, &it, order.by, "advanced")?;
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
    if next == Status::Closed {
        refuse_open_tasks(session, "close", &it)?;
    }
    step(session, &it, next, Trigger::Advance, order)
}

/// One state backwards. Others are left as they are.
pub(crate) fn revert(session: &Session<'_>, order: &Order<'_>) -> Result<Moved, KnowledgeError> {
    let it = rows::get_at(session, order.kind, order.id, order.version)?;
    refuse_terminal(&it)?;
    holder::check(session, &it, order.by, "reverted")?;
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
    holder::check(session, &it, order.by, "terminated")?;
    let mut terminated = Vec::new();
    if !cascade {
        refuse_open_tasks(session, "terminate", &it)?;
    }
    for task in open_tasks(session, &it)? {
        let change = format!("terminated with its {}", it.kind.word());
        holder::check(session, &task, order.by, &change)?;
        set(session, &task, Status::WillNotImplement, Trigger::Cascade, order)?;
        terminated.push(rows::get(session, Kind::Task, task.id)?);
    }
    let moved = step(session, &it, Status::WillNotImplement, Trigger::Terminate, order)?;
    Ok(Moved { terminated, ..moved })
}

/// Takes up again what had ended, in the state that it ended from. A feature that had ended goes on with its task, and a
/// task with its subtask.
pub(crate) fn reopen(session: &Session<'_>, order: &Order<'_>) -> Result<Moved, KnowledgeError> {
    let it = rows::get_at(session, order.kind, order.id, order.version)?;
    if !it.status.is_terminal() {
        let text = format!("{} \"{}\" is {}; it has not ended", it.kind.word(), it.name, it.status.word());
        return Err(KnowledgeError::Operation(text));
    }
    set(session, &it, before_end(session, &it)?, Trigger::Reopen, order)?;
    let mut above = it.parent_id;
    while let Some(id) = above {
        let task = rows::get(session, Kind::Task, id)?;
        if task.status.is_terminal() {
            set(session, &task, before_end(session, &task)?, Trigger::Cascade, order)?;
        }
        above = task.parent_id;
    }
    let mut feature = None;
    if let Some(id) = it.feature_id {
        let over = rows::get(session, Kind::Feature, id)?;
        if over.status.is_terminal() {
            set(session, &over, Status::Active, Trigger::Cascade, order)?;
            let (freed, stranded) = (Vec::new(), Vec::new());
            let now = rows::get(session, Kind::Feature, id)?;
            feature = Some(FeatureMoved { feature: now, from: over.status, freed, stranded });
        }
    }
    let container = rows::get(session, it.kind, it.id)?;
    let (freed, stranded, terminated) = (Vec::new(), Vec::new(), Vec::new());
    Ok(Moved { container, from: it.status, freed, stranded, terminated, feature })
}

/// The state from which something ended.
fn before_end(session: &Session<'_>, it: &Container) -> Result<Status, KnowledgeError> {
    let sql =
        "SELECT from_status FROM transitions WHERE entity_id = ?1 AND to_status = ?2 AND from_status <> ?2
       ORDER BY place DESC LIMIT 1";
    let before: Option<Status> = session.first(sql, params![it.id, it.status], |row| row.get(0))?;
    let states = session.pipelines.of(it.kind).states();
    Ok(before.filter(|status| !status.is_terminal() && states.contains(status)).unwrap_or(Status::New))
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
        ended if ended.is_terminal() && !it.is_blocked() && open_tasks(session, &it)?.is_empty() => {
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
    transitions::keep(session, it, to, trigger, order.by.actor, order.reason)?;
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
    match open_tasks(session, it)?.len() {
        0 => Ok(()),
        open => Err(KnowledgeError::HasChildren {
            action,
            what: rows::named(it),
            features: 0,
            tasks: open as i64,
        }),
    }
}

/// The open tasks of a feature, or the open subtasks of a task at any depth.
fn open_tasks(session: &Session<'_>, it: &Container) -> Result<Vec<Container>, KnowledgeError> {
    let mut found = match it.kind {
        Kind::Task => subtasks::below(session, it.id)?,
        _ => rows::list(session, Kind::Task, "WHERE feature_id = ?1 ORDER BY created_at, id", [it.id])?,
    };
    found.retain(|task| !task.status.is_terminal());
    Ok(found)
}
