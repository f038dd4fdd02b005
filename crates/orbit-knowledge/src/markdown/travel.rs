//! What a directory and the store had in common last: the base of every merge between them. A file that differs from it
//! was changed by somebody else, a row that differs was changed here.

use super::export::ExportedFile;
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::store::{Session, Store};
use rusqlite::params;
use std::collections::BTreeMap;

impl ExportedFile {
    /// What it is about: the id of a project, molecule or atom, the marks of an atom, or what was deleted. `None` when
    /// it is not a file of ours.
    pub fn key(&self) -> Option<String> {
        let name = self.path.rsplit('/').next()?;
        if let Some(stem) = name.strip_suffix(".jsonl") {
            return Some(format!("marks.{stem}"));
        }
        let line = self.text.lines().take(8).find_map(|line| line.strip_prefix("id:"))?;
        let id = Id::parse(line.trim().trim_matches('"'))?;
        let is_deleted = self.path.rsplit('/').nth(1) == Some("deleted");
        Some(if is_deleted { format!("deleted.{name}") } else { id.to_string() })
    }
}

impl Store {
    /// What was last written to or read from a directory, by [`ExportedFile::key`].
    pub fn travelled(&self, directory: &str) -> Result<BTreeMap<String, String>, KnowledgeError> {
        self.read(|session| of(session, directory))
    }

    /// Keeps what a directory has now, and forgets what is gone from it.
    pub fn keep_travelled(
        &self,
        directory: &str,
        files: &[ExportedFile],
        gone: &[String],
    ) -> Result<(), KnowledgeError> {
        self.write(|session| {
            for key in gone {
                let sql = "DELETE FROM graph_travelled WHERE directory = ?1 AND unit_id = ?2";
                session.execute(sql, params![directory, key])?;
            }
            files.iter().try_for_each(|file| put(session, directory, file))
        })
    }
}

pub(super) fn of(session: &Session<'_>, directory: &str) -> Result<BTreeMap<String, String>, KnowledgeError> {
    let sql = "SELECT unit_id, text FROM graph_travelled WHERE directory = ?1";
    let rows = session.rows(sql, [directory], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.into_iter().collect())
}

pub(super) fn put(session: &Session<'_>, directory: &str, file: &ExportedFile) -> Result<(), KnowledgeError> {
    let Some(key) = file.key() else { return Ok(()) };
    session.execute(
        "INSERT OR REPLACE INTO graph_travelled VALUES (?1, ?2, ?3)",
        params![directory, key, file.text],
    )?;
    Ok(())
}
