//! What was said about a project, feature or task, in order. Anybody may say something, whoever holds it.

use super::rows;
use crate::bounds::{self, TEXT_BYTES};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Comment, Kind};
use crate::store::Session;
use rusqlite::{Row, params};

/// What was said, the oldest first.
pub(crate) fn of(session: &Session<'_>, owner: Id) -> Result<Vec<Comment>, KnowledgeError> {
    let sql = "SELECT id, actor, created_at, text FROM comments WHERE owner_id = ?1 ORDER BY created_at, id";
    session.rows(sql, [owner], comment)
}

fn comment(row: &Row<'_>) -> rusqlite::Result<Comment> {
    Ok(Comment { id: row.get(0)?, actor: row.get(1)?, created_at: row.get(2)?, text: row.get(3)? })
}

/// Says something.
pub(crate) fn add(
    session: &Session<'_>,
    kind: Kind,
    owner: Id,
    actor: Option<&str>,
    text: &str,
) -> Result<Comment, KnowledgeError> {
    rows::check_exists(session, kind, owner)?;
    let said = Comment {
        id: session.new_id(),
        actor: actor.map(str::to_owned),
        created_at: session.stamp(),
        text: bounds::filled("comment", text, TEXT_BYTES)?,
    };
    put(session, kind, owner, &said)?;
    Ok(said)
}

/// Stores a comment as it is, unless it is there.
pub(crate) fn put(session: &Session<'_>, kind: Kind, owner: Id, it: &Comment) -> Result<(), KnowledgeError> {
    session.execute(
        "INSERT OR IGNORE INTO comments (id, owner_kind, owner_id, actor, text, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![it.id, kind, owner, it.actor, it.text, it.created_at],
    )?;
    Ok(())
}

/// Takes a comment back.
pub(crate) fn remove(session: &Session<'_>, owner: Id, id: Id) -> Result<Comment, KnowledgeError> {
    let sql = "SELECT id, actor, created_at, text FROM comments WHERE id = ?1 AND owner_id = ?2";
    let found = session.first(sql, params![id, owner], comment)?;
    let found = found.ok_or_else(|| KnowledgeError::not_found("comment", id))?;
    session.execute("DELETE FROM comments WHERE id = ?1", [id])?;
    Ok(found)
}
