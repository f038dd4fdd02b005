//! Tags of containers.

use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Kind, Named};
use crate::store::Session;
use rusqlite::params;

/// Makes these the only tags. They are already checked.
pub(crate) fn set(session: &Session<'_>, kind: Kind, id: Id, tags: &[String]) -> Result<(), KnowledgeError> {
    session.execute("DELETE FROM entity_tags WHERE entity_id = ?1", [id])?;
    for tag in tags {
        let sql = "INSERT INTO entity_tags (entity_kind, entity_id, tag) VALUES (?1, ?2, ?3)";
        session.execute(sql, params![kind, id, tag])?;
    }
    Ok(())
}

/// All tags with their counts, the most used first.
pub(crate) fn list(session: &Session<'_>, kind: Option<Kind>) -> Result<Vec<(String, i64)>, KnowledgeError> {
    session.rows(
        "SELECT tag, count(*) AS uses FROM entity_tags WHERE ?1 IS NULL OR entity_kind = ?1
         GROUP BY tag ORDER BY uses DESC, tag",
        [kind],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

/// What has a tag, by kind and name.
pub(crate) fn usage(session: &Session<'_>, tag: &str) -> Result<Vec<Named>, KnowledgeError> {
    session.rows(
        "SELECT g.entity_kind, g.entity_id, coalesce(p.name, f.name, t.name) AS name FROM entity_tags g
         LEFT JOIN projects p ON p.id = g.entity_id LEFT JOIN features f ON f.id = g.entity_id
         LEFT JOIN tasks t ON t.id = g.entity_id WHERE g.tag = ?1 ORDER BY g.entity_kind, name, g.entity_id",
        [tag],
        |row| Ok(Named { kind: row.get(0)?, id: row.get(1)?, name: row.get(2)? }),
    )
}

/// Gives everything that has one tag the other instead; who has both keeps one.
pub(crate) fn rename(session: &Session<'_>, old: &str, new: &str) -> Result<Vec<Named>, KnowledgeError> {
    let affected = usage(session, old)?;
    session.execute("UPDATE OR IGNORE entity_tags SET tag = ?2 WHERE tag = ?1", [old, new])?;
    session.execute("DELETE FROM entity_tags WHERE tag = ?1", [old])?;
    for it in &affected {
        super::rows::touch(session, it.kind, it.id)?;
    }
    Ok(affected)
}
