//! Taking commits back so that they are walked again: their parents came in (a shallow clone was deepened), or an
//! operation log turned up after they were read. Stable ids are kept and given out as before.

use super::{CommitId, SymbolId, reach};
use crate::error::HistoryError;
use rusqlite::{Connection, params};

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
         DELETE FROM operations WHERE commit_id IN (SELECT id FROM temp.forgotten);
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

/// Gives the ids that people know back to symbols that were found another way this time. `first_new` is the first
/// symbol row of this walk: nobody has seen ids from there on.
pub(crate) fn give_back(connection: &Connection, first_new: SymbolId) -> Result<(), HistoryError> {
    let mut waiting = connection.prepare(
        "SELECT c.id, k.address, k.symbol FROM kept_ids k JOIN commits c ON c.sha = k.sha
         WHERE NOT EXISTS (SELECT 1 FROM assigns a WHERE a.symbol = k.symbol) ORDER BY c.id",
    )?;
    let rows = waiting.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let rows: Vec<(CommitId, i64, SymbolId)> = rows.collect::<Result<_, _>>()?;
    let mut line = (0, reach::CommitSet::default());
    let mut done = std::collections::BTreeSet::new();
    for (commit, address, kept) in rows {
        if done.contains(&kept) {
            continue;
        }
        if line.0 != commit {
            line = (commit, reach::line(connection, commit)?);
        }
        let mut assigned = connection.prepare_cached(
            "SELECT commit_id, symbol FROM assigns WHERE address = ?1 ORDER BY commit_id DESC",
        )?;
        let found = assigned.query_map([address], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let found: Vec<(CommitId, SymbolId)> = found.collect::<Result<_, _>>()?;
        let now = found.iter().find(|(at, _)| line.1.contains(*at)).map(|(_, symbol)| *symbol);
        if let Some(now) = now.filter(|now| *now >= first_new && done.insert(*now)) {
            swap_stable_ids(connection, kept, now)?;
            done.insert(kept);
        }
    }
    connection.execute_batch("DELETE FROM kept_ids WHERE sha IN (SELECT sha FROM commits)")?;
    Ok(())
}

fn swap_stable_ids(connection: &Connection, one: SymbolId, other: SymbolId) -> Result<(), HistoryError> {
    let mut read = connection.prepare_cached("SELECT stable_id FROM symbols WHERE id = ?1")?;
    let ids: [String; 2] =
        [read.query_row([one], |row| row.get(0))?, read.query_row([other], |row| row.get(0))?];
    let mut write = connection.prepare_cached("UPDATE symbols SET stable_id = ?2 WHERE id = ?1")?;
    write.execute(params![one, format!("{}~", ids[0])])?;
    write.execute(params![other, ids[0]])?;
    write.execute(params![one, ids[1]])?;
    Ok(())
}
