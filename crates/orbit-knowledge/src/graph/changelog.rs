//! The changelog of atoms and molecules: appended to, never edited.

use super::{atoms, molecules};
use crate::bounds::{self, Page, Rows, SUMMARY_BYTES};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{ChangelogEntry, Unit};
use crate::store::Session;
use crate::work::rows;
use rusqlite::params;

/// Adds an entry.
pub(crate) fn append(
    session: &Session<'_>,
    parent_type: Unit,
    parent_id: Id,
    task: Id,
    summary: &str,
) -> Result<ChangelogEntry, KnowledgeError> {
    let summary = bounds::filled("summary", summary, SUMMARY_BYTES)?;
    match parent_type {
        Unit::Atom => drop(atoms::get(session, parent_id)?),
        Unit::Molecule => drop(molecules::get(session, parent_id)?),
    }
    rows::check_task(session, task)?;
    let entry = ChangelogEntry {
        id: session.new_id(),
        parent_type,
        parent_id,
        task_id: task,
        summary,
        created_at: session.stamp(),
    };
    session.execute(
        "INSERT INTO graph_changelog (id, parent_type, parent_id, task_id, summary, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![entry.id, parent_type, parent_id, task, entry.summary, entry.created_at],
    )?;
    Ok(entry)
}

/// The entries of an atom or molecule, the latest first; of the same moment, the one written last first.
pub(crate) fn search(
    session: &Session<'_>,
    parent_type: Unit,
    parent_id: Id,
    page: Page,
) -> Result<Rows<ChangelogEntry>, KnowledgeError> {
    let items = latest(session, parent_type, parent_id, page.limit, page.offset)?;
    let sql = "SELECT count(*) FROM graph_changelog WHERE parent_type = ?1 AND parent_id = ?2";
    Ok(Rows { items, total: session.count(sql, params![parent_type, parent_id])?, page })
}

/// So many entries from the latest on.
pub(crate) fn latest(
    session: &Session<'_>,
    parent_type: Unit,
    parent_id: Id,
    limit: i64,
    offset: i64,
) -> Result<Vec<ChangelogEntry>, KnowledgeError> {
    session.rows(
        "SELECT id, parent_type, parent_id, task_id, summary, created_at FROM graph_changelog
         WHERE parent_type = ?1 AND parent_id = ?2 ORDER BY created_at DESC, rowid DESC LIMIT ?3 OFFSET ?4",
        params![parent_type, parent_id, limit, offset],
        |row| {
            Ok(ChangelogEntry {
                id: row.get(0)?,
                parent_type: row.get(1)?,
                parent_id: row.get(2)?,
                task_id: row.get(3)?,
                summary: row.get(4)?,
                created_at: row.get(5)?,
            })
        },
    )
}

/// Removes the entries of what is about to be deleted.
pub(crate) fn remove(session: &Session<'_>, parent_type: Unit, parent_id: Id) -> Result<(), KnowledgeError> {
    let sql = "DELETE FROM graph_changelog WHERE parent_type = ?1 AND parent_id = ?2";
    session.execute(sql, params![parent_type, parent_id])?;
    Ok(())
}
