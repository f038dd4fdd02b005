//! What waits for what, and what relates to what.
//!
//! A closes before B can go on when A blocks B, B's feature or a task that B is a part of, or when A is an open task of
//! the feature B or an open subtask of B. A way from something to itself along these is a deadlock and is refused.

use super::rows;
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Container, Kind, Link, Named, Status};
use crate::store::Session;
use rusqlite::params;
use std::collections::BTreeMap;

/// A stored link.
pub(crate) struct Edge {
    pub(crate) link: Link,
    pub(crate) from: (Kind, Id),
    pub(crate) to: (Kind, Id),
}

/// Adds a link; whether it is new.
pub(crate) fn add(
    session: &Session<'_>,
    link: Link,
    from: &Container,
    to: &Container,
) -> Result<bool, KnowledgeError> {
    let is_known = link == Link::RelatesTo && has(session, link, to.id, from.id)?;
    let added = if is_known {
        0
    } else {
        session.execute(
            "INSERT OR IGNORE INTO links (link, from_kind, from_id, to_kind, to_id, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![link, from.kind, from.id, to.kind, to.id, session.stamp()],
        )?
    };
    if link == Link::Blocks {
        refuse_cycle(session, from)?;
    }
    Ok(added > 0)
}

/// Removes a link; whether it was there.
pub(crate) fn remove(session: &Session<'_>, link: Link, from: Id, to: Id) -> Result<bool, KnowledgeError> {
    let sql = "DELETE FROM links WHERE link = ?1 AND from_id = ?2 AND to_id = ?3";
    let mut removed = session.execute(sql, params![link, from, to])?;
    if link == Link::RelatesTo {
        removed += session.execute(sql, params![link, to, from])?;
    }
    Ok(removed > 0)
}

fn has(session: &Session<'_>, link: Link, from: Id, to: Id) -> Result<bool, KnowledgeError> {
    let sql = "SELECT count(*) FROM links WHERE link = ?1 AND from_id = ?2 AND to_id = ?3";
    Ok(session.count(sql, params![link, from, to])? > 0)
}

/// Makes these the only things that `it` relates to. The others' versions go up where their lists change.
pub(crate) fn set_related(session: &Session<'_>, it: &Container, ids: &[Id]) -> Result<(), KnowledgeError> {
    if it.kind == Kind::Project {
        return Err(KnowledgeError::validation("relatedTo", "projects have no relations"));
    }
    for other in it.related_to.iter().filter(|other| !ids.contains(other)) {
        if let Some(other) = rows::find_work(session, *other)? {
            remove(session, Link::RelatesTo, it.id, other.id)?;
            rows::touch(session, other.kind, other.id)?;
        }
    }
    for id in ids.iter().filter(|id| !it.related_to.contains(id)) {
        let other = work(session, *id)?;
        if other.id == it.id {
            return Err(KnowledgeError::validation("relatedTo", "nothing relates to itself"));
        }
        if add(session, Link::RelatesTo, it, &other)? {
            rows::touch(session, other.kind, other.id)?;
        }
    }
    Ok(())
}

/// Makes these the only things in which `it` came up.
pub(crate) fn set_discovered(
    session: &Session<'_>,
    it: &Container,
    ids: &[Id],
) -> Result<(), KnowledgeError> {
    if it.kind == Kind::Project {
        return Err(KnowledgeError::validation("discoveredFrom", "projects are not discovered"));
    }
    for origin in it.discovered_from.iter().filter(|origin| !ids.contains(origin)) {
        remove(session, Link::DiscoveredFrom, it.id, *origin)?;
    }
    for id in ids {
        let origin = work(session, *id)?;
        if origin.id == it.id {
            return Err(KnowledgeError::validation("discoveredFrom", "nothing is discovered from itself"));
        }
        add(session, Link::DiscoveredFrom, it, &origin)?;
    }
    Ok(())
}

/// A feature or task that must exist.
pub(crate) fn work(session: &Session<'_>, id: Id) -> Result<Container, KnowledgeError> {
    rows::find_work(session, id)?.ok_or_else(|| KnowledgeError::not_found("task or feature", id))
}

/// What a feature or task waits for, relates to or came up in; or what waits for it and came up in it.
pub(crate) fn of(session: &Session<'_>, id: Id, is_incoming: bool) -> Result<Vec<Edge>, KnowledgeError> {
    let condition = if is_incoming {
        "(to_id = ?1 AND link <> 'DISCOVERED_FROM') OR (from_id = ?1 AND link <> 'BLOCKS')"
    } else {
        "(from_id = ?1 AND link = 'BLOCKS') OR (to_id = ?1 AND link = 'DISCOVERED_FROM')"
    };
    let sql = format!(
        "SELECT link, from_kind, from_id, to_kind, to_id FROM links WHERE {condition} ORDER BY place"
    );
    session.rows(&sql, [id], |row| {
        Ok(Edge { link: row.get(0)?, from: (row.get(1)?, row.get(2)?), to: (row.get(3)?, row.get(4)?) })
    })
}

/// Refuses when `start` waits for itself, naming the way round.
pub(crate) fn refuse_cycle(session: &Session<'_>, start: &Container) -> Result<(), KnowledgeError> {
    // Breadth first, so that the shortest way round is named. `came` leads back towards the start.
    let mut came: BTreeMap<Id, Id> = BTreeMap::new();
    let mut open = std::collections::VecDeque::from([(start.kind, start.id)]);
    while let Some((kind, id)) = open.pop_front() {
        for (next_kind, next) in waits_for(session, kind, id)? {
            if next == start.id {
                return Err(KnowledgeError::Circular(way_round(session, start, id, &came)?));
            }
            if let std::collections::btree_map::Entry::Vacant(entry) = came.entry(next) {
                entry.insert(id);
                open.push_back((next_kind, next));
            }
        }
    }
    Ok(())
}

fn way_round(
    session: &Session<'_>,
    start: &Container,
    last: Id,
    came: &BTreeMap<Id, Id>,
) -> Result<Vec<Named>, KnowledgeError> {
    let mut ids = vec![start.id];
    let mut at = last;
    while at != start.id {
        ids.push(at);
        at = came[&at];
    }
    ids.push(start.id);
    ids.reverse();
    rows::names(session, &ids)
}

/// What must be closed before this can be.
fn waits_for(session: &Session<'_>, kind: Kind, id: Id) -> Result<Vec<(Kind, Id)>, KnowledgeError> {
    let table = rows::table(kind);
    let status: Option<Status> =
        session.first(&format!("SELECT status FROM {table} WHERE id = ?1"), [id], |row| row.get(0))?;
    if status.is_none_or(Status::is_terminal) {
        return Ok(Vec::new());
    }
    let more = if kind == Kind::Task {
        "SELECT l.from_kind, l.from_id FROM links l JOIN tasks t ON l.to_id = t.feature_id
         WHERE t.id = ?1 AND l.link = 'BLOCKS'
         UNION SELECT 'task', id FROM tasks
         WHERE parent_id = ?1 AND status NOT IN ('CLOSED', 'WILL_NOT_IMPLEMENT')
         UNION SELECT from_kind, from_id FROM links WHERE link = 'BLOCKS' AND to_id IN (
           WITH RECURSIVE above(id) AS (
             SELECT parent_id FROM tasks WHERE id = ?1
             UNION SELECT t.parent_id FROM tasks t JOIN above a ON t.id = a.id)
           SELECT id FROM above)"
    } else {
        "SELECT 'task', id FROM tasks WHERE feature_id = ?1 AND status NOT IN ('CLOSED', 'WILL_NOT_IMPLEMENT')"
    };
    let sql =
        format!("SELECT from_kind, from_id FROM links WHERE to_id = ?1 AND link = 'BLOCKS' UNION {more}");
    session.rows(&sql, [id], |row| Ok((row.get(0)?, row.get(1)?)))
}
