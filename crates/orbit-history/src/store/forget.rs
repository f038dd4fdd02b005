//! Taking commits back so that they are walked again: their parents came in (a shallow clone was deepened), or an
//! operation log turned up after they were read. Stable ids are kept and given out as before.

use super::CommitId;
use crate::error::HistoryError;
use rusqlite::Connection;

/// Forgets these commits and everything built on them. Returns how many.
pub(crate) fn forget(connection: &Connection, commits: &[CommitId]) -> Result<usize, HistoryError> {
    connection.execute_batch(
        "CREATE TEMP TABLE IF NOT EXISTS forgotten (id INTEGER PRIMARY KEY); DELETE FROM temp.forgotten;",
    )?;
    let mut insert = connection.prepare_cached("INSERT OR IGNORE INTO temp.forgotten VALUES (?1)")?;
    let mut children = connection.prepare_cached(
        "SELECT id FROM commits WHERE first_parent = ?1 UNION SELECT child FROM merge_parents WHERE parent = ?1",
    )?;
    let mut open = commits.to_vec();
    let mut count = 0;
    while let Some(commit) = open.pop() {
        if insert.execute([commit])? == 0 {
            continue;
        }
        count += 1;
        for child in children.query_map([commit], |row| row.get::<_, CommitId>(0))? {
            open.push(child?);
        }
    }
    drop((insert, children));
    connection.execute_batch(
        "INSERT OR IGNORE INTO kept_ids SELECT c.sha, a.address, a.symbol FROM assigns a JOIN commits c ON c.id = a.commit_id
           WHERE a.commit_id IN (SELECT id FROM temp.forgotten);
         DELETE FROM assigns WHERE commit_id IN (SELECT id FROM temp.forgotten);
         DELETE FROM touches WHERE commit_id IN (SELECT id FROM temp.forgotten);
         DELETE FROM file_touches WHERE commit_id IN (SELECT id FROM temp.forgotten);
         DELETE FROM file_renames WHERE commit_id IN (SELECT id FROM temp.forgotten);
         DELETE FROM hops WHERE commit_id IN (SELECT id FROM temp.forgotten);
         DELETE FROM warnings WHERE commit_id IN (SELECT id FROM temp.forgotten);
         DELETE FROM task_commits WHERE commit_id IN (SELECT id FROM temp.forgotten);
         DELETE FROM merge_parents WHERE child IN (SELECT id FROM temp.forgotten);
         DELETE FROM messages WHERE commit_id IN (SELECT id FROM temp.forgotten);
         DELETE FROM heads WHERE commit_id IN (SELECT id FROM temp.forgotten);
         DELETE FROM commits WHERE id IN (SELECT id FROM temp.forgotten);
         DELETE FROM temp.forgotten;",
    )?;
    Ok(count)
}
