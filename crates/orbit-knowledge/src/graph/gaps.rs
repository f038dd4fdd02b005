//! Paths that were asked for and that no atom covers: where knowledge is missed.

use crate::error::KnowledgeError;
use crate::id::Id;
use crate::store::Session;
use rusqlite::params;
use std::collections::BTreeMap;

/// Paths counted by one question.
const NOTED: usize = 200;

/// Counts a question in vain.
pub(crate) fn note(session: &Session<'_>, project: Id, paths: &[String]) -> Result<(), KnowledgeError> {
    for path in paths.iter().filter(|path| path.len() <= 512).take(NOTED) {
        session.execute(
            "INSERT INTO graph_gaps VALUES (?1, ?2, 1, ?3)
             ON CONFLICT (project_id, path) DO UPDATE SET asked = asked + 1, asked_at = ?3",
            params![project, path, session.stamp()],
        )?;
    }
    Ok(())
}

/// How often each path was asked for.
pub(crate) fn of(session: &Session<'_>, project: Id) -> Result<BTreeMap<String, i64>, KnowledgeError> {
    let sql = "SELECT path, asked FROM graph_gaps WHERE project_id = ?1";
    Ok(session.rows(sql, [project], |row| Ok((row.get(0)?, row.get(1)?)))?.into_iter().collect())
}
