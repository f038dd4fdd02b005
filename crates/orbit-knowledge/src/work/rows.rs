//! Reading containers, and the compare-and-set that every change of one goes through.

use crate::error::{Current, KnowledgeError};
use crate::id::Id;
use crate::model::{Claim, Container, Kind, Link, Named, Priority, Status};
use crate::store::Session;
use rusqlite::{Row, params};

/// The columns of a kind in the order of [`container`].
pub(crate) fn select(kind: Kind) -> &'static str {
    match kind {
        Kind::Project => {
            "SELECT id, NULL, NULL, NULL, name, summary, description, 'NEW', 'MEDIUM', 0, 0, NULL, version, created_at,
               modified_at FROM projects"
        }
        Kind::Feature => {
            "SELECT id, project_id, NULL, NULL, name, summary, description, status, priority, 0, is_held, blocked_reason,
               version, created_at, modified_at FROM features"
        }
        Kind::Task => {
            "SELECT id, project_id, feature_id, parent_id, name, summary, description, status, priority, complexity,
               is_held, blocked_reason, version, created_at, modified_at FROM tasks"
        }
    }
}

/// The table of a kind.
pub(crate) fn table(kind: Kind) -> &'static str {
    match kind {
        Kind::Project => "projects",
        Kind::Feature => "features",
        Kind::Task => "tasks",
    }
}

/// A row of [`select`], still without what other tables say.
pub(crate) fn container(kind: Kind, row: &Row<'_>) -> rusqlite::Result<Container> {
    Ok(Container {
        kind,
        id: row.get(0)?,
        project_id: row.get(1)?,
        feature_id: row.get(2)?,
        parent_id: row.get(3)?,
        name: row.get(4)?,
        summary: row.get(5)?,
        description: row.get(6)?,
        status: row.get::<_, Status>(7)?,
        priority: row.get::<_, Priority>(8)?,
        complexity: row.get(9)?,
        is_held: row.get(10)?,
        blocked_reason: row.get(11)?,
        version: row.get(12)?,
        created_at: row.get(13)?,
        modified_at: row.get(14)?,
        blocked_by: Vec::new(),
        related_to: Vec::new(),
        discovered_from: Vec::new(),
        tags: Vec::new(),
        claim: None,
    })
}

/// Adds tags, links and the live claim.
pub(crate) fn complete(session: &Session<'_>, mut it: Container) -> Result<Container, KnowledgeError> {
    it.tags =
        session.rows("SELECT tag FROM entity_tags WHERE entity_id = ?1 ORDER BY tag", [it.id], |row| {
            row.get(0)
        })?;
    if it.kind == Kind::Project {
        return Ok(it);
    }
    it.blocked_by = session.rows(
        "SELECT from_id FROM links WHERE to_id = ?1 AND link = ?2 ORDER BY place",
        params![it.id, Link::Blocks],
        |row| row.get(0),
    )?;
    it.related_to = session.rows(
        "SELECT iif(from_id = ?1, to_id, from_id) FROM links
         WHERE (from_id = ?1 OR to_id = ?1) AND link = ?2 ORDER BY place",
        params![it.id, Link::RelatesTo],
        |row| row.get(0),
    )?;
    it.discovered_from = session.rows(
        "SELECT to_id FROM links WHERE from_id = ?1 AND link = ?2 ORDER BY place",
        params![it.id, Link::DiscoveredFrom],
        |row| row.get(0),
    )?;
    it.claim = session.first(
        "SELECT actor, claimed_at, expires_at FROM claims WHERE entity_id = ?1 AND expires_at > ?2",
        params![it.id, session.stamp()],
        |row| Ok(Claim { actor: row.get(0)?, claimed_at: row.get(1)?, expires_at: row.get(2)? }),
    )?;
    Ok(it)
}

/// All containers that a condition picks, complete.
pub(crate) fn list(
    session: &Session<'_>,
    kind: Kind,
    tail: &str,
    params: impl rusqlite::Params,
) -> Result<Vec<Container>, KnowledgeError> {
    let found = session.rows(&format!("{} {tail}", select(kind)), params, |row| container(kind, row))?;
    found.into_iter().map(|it| complete(session, it)).collect()
}

/// A container by id, if there is one.
pub(crate) fn find(session: &Session<'_>, kind: Kind, id: Id) -> Result<Option<Container>, KnowledgeError> {
    Ok(list(session, kind, "WHERE id = ?1", [id])?.pop())
}

/// A container by id.
pub(crate) fn get(session: &Session<'_>, kind: Kind, id: Id) -> Result<Container, KnowledgeError> {
    find(session, kind, id)?.ok_or_else(|| KnowledgeError::not_found(kind.word(), id))
}

/// A container at the version that the caller knows.
pub(crate) fn get_at(
    session: &Session<'_>,
    kind: Kind,
    id: Id,
    version: i64,
) -> Result<Container, KnowledgeError> {
    let found = get(session, kind, id)?;
    if found.version != version {
        return Err(KnowledgeError::Conflict {
            given: version,
            current: Box::new(Current::Container(found)),
        });
    }
    Ok(found)
}

/// A feature or task by id alone.
pub(crate) fn find_work(session: &Session<'_>, id: Id) -> Result<Option<Container>, KnowledgeError> {
    match find(session, Kind::Task, id)? {
        Some(task) => Ok(Some(task)),
        None => find(session, Kind::Feature, id),
    }
}

/// Marks a container as changed.
pub(crate) fn touch(session: &Session<'_>, kind: Kind, id: Id) -> Result<(), KnowledgeError> {
    let sql = format!("UPDATE {} SET version = version + 1, modified_at = ?2 WHERE id = ?1", table(kind));
    session.execute(&sql, params![id, session.stamp()])?;
    Ok(())
}

/// Whether a task has this id.
pub(crate) fn check_task(session: &Session<'_>, id: Id) -> Result<(), KnowledgeError> {
    check_exists(session, Kind::Task, id)
}

/// Refuses an id that no container of the kind has.
pub(crate) fn check_exists(session: &Session<'_>, kind: Kind, id: Id) -> Result<(), KnowledgeError> {
    match session.count(&format!("SELECT count(*) FROM {} WHERE id = ?1", table(kind)), [id])? {
        0 => Err(KnowledgeError::not_found(kind.word(), id)),
        _ => Ok(()),
    }
}

/// How a container is named in messages.
pub(crate) fn named(it: &Container) -> Named {
    Named { kind: it.kind, id: it.id, name: it.name.clone() }
}

/// Names for ids of features and tasks; what is gone is left out.
pub(crate) fn names(session: &Session<'_>, ids: &[Id]) -> Result<Vec<Named>, KnowledgeError> {
    let mut names = Vec::new();
    for id in ids {
        names.extend(find_work(session, *id)?.as_ref().map(named));
    }
    Ok(names)
}
