//! Handing out work: what comes next, and who has taken it.
//!
//! A claim is a lease. Claiming again before it runs out renews it; what was begun under a lease that ran out is
//! handed out again.

use super::holder::{self, By};
use super::rows;
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Container, Kind, Priority};
use crate::store::Session;
use rusqlite::params;

/// How long a lease lasts unless told, in seconds.
pub const LEASE_SECONDS: i64 = 900;
/// The longest lease.
pub const LEASE_SECONDS_MOST: i64 = 86_400;

/// Where to look.
#[derive(Default)]
pub(crate) struct Want {
    pub(crate) project_id: Option<Id>,
    pub(crate) feature_id: Option<Id>,
    pub(crate) priority: Option<Priority>,
}

/// Who takes it and for how long.
pub(crate) struct Lease<'l> {
    pub(crate) actor: &'l str,
    pub(crate) seconds: i64,
}

/// A live claim of somebody else than `?1` at the time `?2`.
const TAKEN: &str =
    "EXISTS (SELECT 1 FROM claims c WHERE c.entity_id = x.id AND c.actor IS NOT ?1 AND c.expires_at > ?2)";
const LAPSED: &str = "EXISTS (SELECT 1 FROM claims c WHERE c.entity_id = x.id AND c.expires_at <= ?2)";
const UNBLOCKED: &str =
    "x.is_held = 0 AND NOT EXISTS (SELECT 1 FROM links l WHERE l.to_id = x.id AND l.link = 'BLOCKS')";
const RANK: &str = "CASE x.priority WHEN 'HIGH' THEN 0 WHEN 'MEDIUM' THEN 1 ELSE 2 END";

/// Nothing above a subtask is blocked, and a task with open subtasks waits for them.
const WHOLE: &str = "NOT EXISTS (SELECT 1 FROM tasks s WHERE s.parent_id = x.id
             AND s.status NOT IN ('CLOSED', 'WILL_NOT_IMPLEMENT'))
           AND (x.parent_id IS NULL OR x.id NOT IN (
             WITH RECURSIVE below(id) AS (
               SELECT s.id FROM tasks s JOIN tasks p ON p.id = s.parent_id
               WHERE p.is_held = 1 OR EXISTS (SELECT 1 FROM links l WHERE l.to_id = p.id AND l.link = 'BLOCKS')
               UNION SELECT s.id FROM tasks s JOIN below b ON s.parent_id = b.id)
             SELECT id FROM below))";

/// The task to do next: unblocked with its feature and the tasks it is a part of, without open subtasks, by priority, simplest, oldest. With a lease it is taken; who
/// holds one already gets that again.
pub(crate) fn next_task(
    session: &Session<'_>,
    want: &Want,
    lease: Option<&Lease<'_>>,
) -> Result<Option<Container>, KnowledgeError> {
    let sql = ready_tasks() + " LIMIT 1";
    take(session, Kind::Task, &sql, want, lease)
}

/// All tasks that could be taken, in the order in which they would be.
pub(crate) fn ready(session: &Session<'_>, want: &Want) -> Result<Vec<Container>, KnowledgeError> {
    let none: Option<&str> = None;
    let ids: Vec<Id> = session.rows(
        &ready_tasks(),
        params![none, session.stamp(), want.project_id, want.feature_id, want.priority],
        |row| row.get(0),
    )?;
    ids.into_iter().map(|id| rows::get(session, Kind::Task, id)).collect()
}

fn ready_tasks() -> String {
    format!(
        "SELECT x.id FROM tasks x LEFT JOIN features f ON f.id = x.feature_id
         WHERE (?3 IS NULL OR x.project_id = ?3) AND (?4 IS NULL OR x.feature_id = ?4)
           AND (?5 IS NULL OR x.priority = ?5)
           AND x.status NOT IN ('CLOSED', 'WILL_NOT_IMPLEMENT') AND (x.status = 'NEW' OR {LAPSED} OR {OWN})
           AND NOT {TAKEN} AND {UNBLOCKED} AND {WHOLE}
           AND (f.id IS NULL OR (f.is_held = 0 AND f.status NOT IN ('CLOSED', 'WILL_NOT_IMPLEMENT')
             AND NOT EXISTS (SELECT 1 FROM links l WHERE l.to_id = f.id AND l.link = 'BLOCKS')))
         ORDER BY {OWN} DESC, {RANK}, x.complexity, x.created_at, x.rowid"
    )
}

/// The feature to go on with: active before new, then by priority, oldest.
pub(crate) fn next_feature(
    session: &Session<'_>,
    want: &Want,
    lease: Option<&Lease<'_>>,
) -> Result<Option<Container>, KnowledgeError> {
    let sql = format!(
        "SELECT x.id FROM features x
         WHERE (?3 IS NULL OR x.project_id = ?3) AND ?4 IS NULL AND (?5 IS NULL OR x.priority = ?5)
           AND x.status NOT IN ('CLOSED', 'WILL_NOT_IMPLEMENT') AND NOT {TAKEN} AND {UNBLOCKED}
         ORDER BY {OWN} DESC, x.status = 'NEW', {RANK}, x.created_at, x.rowid LIMIT 1"
    );
    take(session, Kind::Feature, &sql, want, lease)
}

/// A live claim of `?1`.
const OWN: &str =
    "EXISTS (SELECT 1 FROM claims c WHERE c.entity_id = x.id AND c.actor = ?1 AND c.expires_at > ?2)";

fn take(
    session: &Session<'_>,
    kind: Kind,
    sql: &str,
    want: &Want,
    lease: Option<&Lease<'_>>,
) -> Result<Option<Container>, KnowledgeError> {
    for (kind, id) in [(Kind::Project, want.project_id), (Kind::Feature, want.feature_id)] {
        if let Some(id) = id {
            rows::check_exists(session, kind, id)?;
        }
    }
    let actor = lease.map(|lease| lease.actor);
    let found: Option<Id> = session.first(
        sql,
        params![actor, session.stamp(), want.project_id, want.feature_id, want.priority],
        |row| row.get(0),
    )?;
    let Some(id) = found else { return Ok(None) };
    if let Some(lease) = lease {
        write(session, kind, id, lease)?;
    }
    rows::get(session, kind, id).map(Some)
}

/// Takes or renews a lease on one container; refused while somebody else has one.
pub(crate) fn claim(session: &Session<'_>, it: &Container, lease: &Lease<'_>) -> Result<(), KnowledgeError> {
    if let Some(claim) = it.claim.as_ref().filter(|claim| claim.actor != lease.actor) {
        return Err(holder::held(it, &claim.actor, &claim.expires_at));
    }
    write(session, it.kind, it.id, lease)
}

/// Takes or renews a lease on a container that somebody chose. What has ended cannot be taken.
pub(crate) fn claim_chosen(
    session: &Session<'_>,
    kind: Kind,
    id: Id,
    lease: &Lease<'_>,
    by: By<'_>,
) -> Result<Container, KnowledgeError> {
    let it = rows::get(session, kind, id)?;
    if it.status.is_terminal() {
        let text = format!("{} \"{}\" is {}; reopen it first", it.kind.word(), it.name, it.status.word());
        return Err(KnowledgeError::Operation(text));
    }
    holder::check(session, &it, by, "claimed")?;
    write(session, kind, id, lease)?;
    rows::get(session, kind, id)
}

/// Gives a claim back, with the paths that were reserved under it. What nobody holds is free already.
pub(crate) fn release(session: &Session<'_>, it: &Container, by: By<'_>) -> Result<(), KnowledgeError> {
    holder::check(session, it, by, "released")?;
    session.execute("DELETE FROM claims WHERE entity_id = ?1", [it.id])?;
    session.execute("DELETE FROM reservations WHERE task_id = ?1", [it.id])?;
    Ok(())
}

/// What an actor has claimed and not finished, the latest first; leases that ran out too.
pub(crate) fn claimed_by(session: &Session<'_>, actor: &str) -> Result<Vec<Container>, KnowledgeError> {
    let sql =
        "SELECT entity_kind, entity_id FROM claims WHERE actor = ?1 ORDER BY claimed_at DESC, entity_id";
    let ids = session.rows(sql, [actor], |row| Ok((row.get::<_, Kind>(0)?, row.get::<_, Id>(1)?)))?;
    ids.into_iter().map(|(kind, id)| rows::get(session, kind, id)).collect()
}

/// What an actor moved last and does not hold.
pub(crate) fn moved_by(
    session: &Session<'_>,
    actor: &str,
    limit: i64,
) -> Result<Vec<Container>, KnowledgeError> {
    let sql = "SELECT entity_kind, entity_id, max(place) AS latest FROM transitions
       WHERE actor = ?1 AND entity_id NOT IN (SELECT entity_id FROM claims WHERE actor = ?1)
       GROUP BY entity_id ORDER BY latest DESC LIMIT ?2";
    let ids =
        session.rows(sql, params![actor, limit], |row| Ok((row.get::<_, Kind>(0)?, row.get::<_, Id>(1)?)))?;
    let mut found = Vec::new();
    for (kind, id) in ids {
        found.extend(rows::find(session, kind, id)?);
    }
    Ok(found)
}

fn write(session: &Session<'_>, kind: Kind, id: Id, lease: &Lease<'_>) -> Result<(), KnowledgeError> {
    let is_other = "SELECT count(*) FROM claims WHERE entity_id = ?1 AND (actor <> ?2 OR expires_at <= ?3)";
    if session.count(is_other, params![id, lease.actor, session.stamp()])? > 0 {
        // The lease ran out: paths that the last holder reserved go with it.
        session.execute("DELETE FROM reservations WHERE task_id = ?1", [id])?;
    }
    session.execute(
        "INSERT OR REPLACE INTO claims (entity_id, entity_kind, actor, claimed_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5)",
        params![id, kind, lease.actor, session.stamp(), session.now.plus_seconds(lease.seconds).iso()],
    )?;
    Ok(())
}

/// Everything unfinished that waits for something, by priority and age.
pub(crate) fn blocked(
    session: &Session<'_>,
    kind: Kind,
    want: &Want,
) -> Result<Vec<Container>, KnowledgeError> {
    let mut found = rows::list(
        session,
        kind,
        &format!(
            "AS x WHERE (?1 IS NULL OR x.project_id = ?1) AND (?2 IS NULL OR x.priority = ?2)
             AND x.status NOT IN ('CLOSED', 'WILL_NOT_IMPLEMENT') AND NOT ({UNBLOCKED}) {}
             ORDER BY {RANK}, x.created_at, x.rowid",
            if kind == Kind::Task { "AND (?3 IS NULL OR x.feature_id = ?3)" } else { "AND ?3 IS NULL" }
        ),
        params![want.project_id, want.priority, want.feature_id],
    )?;
    found.retain(Container::is_blocked);
    Ok(found)
}
