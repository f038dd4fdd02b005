//! What a commit can see, as sets of commit numbers. A set of a million commits takes 125 KB, so membership is a
//! bit and a head's set is kept with the history.

use super::CommitId;
use crate::error::HistoryError;
use rusqlite::{Connection, OptionalExtension, params};

/// How many heads' sets are kept.
const KEPT_HEADS: u32 = 64;

/// A set of commits by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommitSet {
    bits: Vec<u64>,
}

impl CommitSet {
    pub(crate) fn insert(&mut self, id: CommitId) {
        let word = id as usize / 64;
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] |= 1 << (id % 64);
    }

    pub(crate) fn contains(&self, id: CommitId) -> bool {
        self.bits.get(id as usize / 64).is_some_and(|word| word & (1 << (id % 64)) != 0)
    }

    fn union(&mut self, other: &CommitSet) {
        if self.bits.len() < other.bits.len() {
            self.bits.resize(other.bits.len(), 0);
        }
        self.bits.iter_mut().zip(&other.bits).for_each(|(word, more)| *word |= more);
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bits.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn from_bytes(bytes: &[u8]) -> CommitSet {
        let words = bytes.chunks_exact(8);
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        CommitSet { bits: words.map(word).collect() }
    }
}

/// What a head sees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    /// Every commit it can reach.
    pub(crate) seen: CommitSet,
    /// Its line of first parents, along which addresses keep their symbols.
    pub(crate) line: CommitSet,
}

/// The view of a stored commit: kept, or found by following parents until a kept one is met.
pub(crate) fn view(connection: &Connection, commit: CommitId) -> Result<View, HistoryError> {
    view_of_all(connection, &[commit])
}

/// The union of what several commits see, with the line of the first.
pub(crate) fn view_of_all(connection: &Connection, commits: &[CommitId]) -> Result<View, HistoryError> {
    let mut view = View::default();
    let mut open: std::collections::BinaryHeap<CommitId> = commits.iter().copied().collect();
    let mut first_parent = connection.prepare_cached("SELECT first_parent FROM commits WHERE id = ?1")?;
    let mut others = connection.prepare_cached("SELECT parent FROM merge_parents WHERE child = ?1")?;
    // Numbers fall along parents, so taking the largest first meets every commit once.
    while let Some(commit) = open.pop() {
        if view.seen.contains(commit) {
            continue;
        }
        if let Some(kept) = kept(connection, commit)? {
            view.seen.union(&kept.seen);
            continue;
        }
        view.seen.insert(commit);
        open.extend(
            first_parent.query_row([commit], |row| row.get::<_, Option<CommitId>>(0)).optional()?.flatten(),
        );
        for parent in others.query_map([commit], |row| row.get::<_, CommitId>(0))? {
            open.push(parent?);
        }
    }
    if let Some(first) = commits.first() {
        view.line = line(connection, *first)?;
    }
    Ok(view)
}

/// A commit and its first parents, up to the root.
pub(crate) fn line(connection: &Connection, commit: CommitId) -> Result<CommitSet, HistoryError> {
    let mut line = CommitSet::default();
    let mut first_parent = connection.prepare_cached("SELECT first_parent FROM commits WHERE id = ?1")?;
    let mut at = Some(commit);
    while let Some(commit) = at {
        if let Some(kept) = kept(connection, commit)? {
            line.union(&kept.line);
            break;
        }
        line.insert(commit);
        at = first_parent.query_row([commit], |row| row.get(0)).optional()?.flatten();
    }
    Ok(line)
}

fn kept(connection: &Connection, commit: CommitId) -> Result<Option<View>, HistoryError> {
    let mut statement = connection.prepare_cached("SELECT seen, line FROM heads WHERE commit_id = ?1")?;
    let row = statement
        .query_row([commit], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Vec<u8>>(1)?)))
        .optional()?;
    Ok(row
        .map(|(seen, line)| View { seen: CommitSet::from_bytes(&seen), line: CommitSet::from_bytes(&line) }))
}

/// Whether the view of a commit is kept.
pub(crate) fn is_kept(connection: &Connection, commit: CommitId) -> Result<bool, HistoryError> {
    let mut statement =
        connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM heads WHERE commit_id = ?1)")?;
    Ok(statement.query_row([commit], |row| row.get(0))?)
}

/// Keeps the view of a head, and lets go of the oldest ones.
pub(crate) fn keep(connection: &Connection, commit: CommitId) -> Result<(), HistoryError> {
    let view = view(connection, commit)?;
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO heads VALUES (?1, ?2, ?3, (SELECT coalesce(max(kept), 0) + 1 FROM heads))",
        )?
        .execute(params![commit, view.seen.to_bytes(), view.line.to_bytes()])?;
    connection
        .prepare_cached("DELETE FROM heads WHERE commit_id NOT IN (SELECT commit_id FROM heads ORDER BY kept DESC LIMIT ?1)")?
        .execute([KEPT_HEADS])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_survive_being_stored() {
        let mut set = CommitSet::default();
        for id in [1, 63, 64, 1000] {
            set.insert(id);
        }
        let back = CommitSet::from_bytes(&set.to_bytes());
        assert_eq!(set, back);
        assert!(back.contains(64) && !back.contains(65) && !back.contains(5000));
    }
}
