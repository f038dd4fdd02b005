//! Handing out work: what comes next, and who has taken it.
//!
//! A claim is a lease. Claiming again before it runs out renews it; what was begun under a lease that ran out is
//! handed out again.

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

/// The task to do next: unblocked with its feature, by priority, simplest, oldest. With a lease it is taken; who
/// holds one already gets that again.
pub(crate) fn next_task(
    session: &Session<'_>,
    want: &Want,
    lease: Option<&Lease<'_>>,
) -> Result<Option<Container>, KnowledgeError> {
    let sql = format!(
        "SELECT x.id FROM tasks x LEFT JOIN features f ON f.id = x.feature_id
         WHERE (?3 IS NULL OR x.project_id = ?3) AND (?4 IS NULL OR x.feature_id = ?4)
           AND (?5 IS NULL OR x.priority = ?5)
           AND x.status NOT IN ('CLOSED', 'WILL_NOT_IMPLEMENT') AND (x.status = 'NEW' OR {LAPSED} OR {OWN})
           AND NOT {TAKEN} AND {UNBLOCKED}
           AND (f.id IS NULL OR (f.is_held = 0 AND f.status NOT IN ('CLOSED', 'WILL_NOT_IMPLEMENT')
             AND NOT EXISTS (SELECT 1 FROM links l WHERE l.to_id = f.id AND l.link = 'BLOCKS')))
         ORDER BY {OWN} DESC, {RANK}, x.complexity, x.created_at, x.rowid LIMIT 1"
    );
    take(session, Kind::Task, &sql, want, lease)
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
        return Err(KnowledgeError::Held {
            actor: claim.actor.clone(),
            expires_at: claim.expires_at.clone(),
            holder: Box::new(it.clone()),
            paths: None,
        });
    }
    write(session, it.kind, it.id, lease)
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
