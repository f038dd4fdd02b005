//! The biography of a symbol or file: every commit and task, through every rename.

use super::commit::CommitRow;
use super::subject::Subject;
use super::{History, Staleness};
use crate::error::HistoryError;
use crate::facts::{Change, KnownBy};
use crate::store::{CommitId, SymbolId};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// One step of a lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hop {
    /// `renamed`, `moved`, `split` or `merged`.
    pub change: &'static str,
    /// The selector before.
    pub from: Option<String>,
    /// The selector after.
    pub to: Option<String>,
    /// The commit that did it.
    pub commit: String,
    /// `operation`, `matched` or `inferred`.
    pub known_by: &'static str,
}

/// An entry of an operation log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperationRow {
    /// `create`, `delete`, `rename`, `move`, `change_signature`, `change_body`, `split` or `merge`.
    pub op: String,
    /// The commit whose log it is.
    pub commit: String,
}

/// A task and its commits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskRow {
    /// As the messages have it.
    pub task_id: String,
    /// Newest first.
    pub commits: Vec<TaskCommit>,
}

/// A commit of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskCommit {
    /// In full.
    pub sha: String,
    /// In UTC.
    pub date: String,
    /// The first line of its message.
    pub summary: String,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SymbolHistory {
    /// Canonical.
    pub selector: String,
    /// `node:…`; `null` for a file, and for a symbol that no commit has.
    pub stable_id: Option<String>,
    /// Oldest first.
    pub lineage: Vec<Hop>,
    /// What operation logs say was done to it, oldest first.
    pub operations: Vec<OperationRow>,
    /// Newest first.
    pub commits: Vec<CommitRow>,
    /// All tasks, the most recent first.
    pub task_history: Vec<TaskRow>,
    /// `null` when the history is up to HEAD.
    pub staleness: Option<Staleness>,
    /// `graph`, or `git_log_fallback` when there is no history to answer from.
    pub source: &'static str,
    /// What a reader should know.
    pub warnings: Vec<String>,
    /// How many commits there are.
    pub total: usize,
    /// Whether the limit cut them.
    pub truncated: bool,
}

impl History {
    /// Every commit and task that touched a symbol or file, with its lineage.
    pub fn history(&self, subject: &Subject, limit: usize) -> Result<SymbolHistory, HistoryError> {
        let mut gathered = match subject {
            Subject::Symbol { .. } => self.of_symbol(subject)?,
            Subject::File(path) => self.of_file(path)?,
        };
        gathered.warnings.splice(0..0, self.warnings().iter().cloned());
        let total = gathered.touches.len();
        let mut commits = Vec::new();
        for (commit, change) in gathered.touches.iter().rev().take(limit) {
            commits.push(self.commit_row(*commit, Change::from_u8(*change).as_str())?);
        }
        for commit in gathered.touches.keys() {
            let sql = "SELECT text FROM warnings WHERE commit_id = ?1";
            let mut statement = self.connection.prepare_cached(sql)?;
            for text in statement.query_map([commit], |row| row.get::<_, String>(0))? {
                gathered.warnings.push(text?);
            }
        }
        Ok(SymbolHistory {
            selector: gathered.selector,
            stable_id: gathered.stable_id,
            lineage: gathered.lineage,
            operations: gathered.operations,
            task_history: self.task_history(gathered.touches.keys().rev().copied())?,
            truncated: commits.len() < total,
            commits,
            staleness: self.staleness().cloned(),
            source: "graph",
            warnings: gathered.warnings,
            total,
        })
    }

    fn of_symbol(&self, subject: &Subject) -> Result<Gathered, HistoryError> {
        let Some(symbol) = self.symbol_at(subject)? else {
            let mut gathered = Gathered { selector: subject.selector(), ..Gathered::default() };
            gathered.warnings.push("no commit that HEAD can see has this symbol yet".into());
            return Ok(gathered);
        };
        let mut gathered = Gathered::default();
        let stable_id = "SELECT stable_id FROM symbols WHERE id = ?1";
        gathered.stable_id = Some(self.connection.query_row(stable_id, [symbol], |row| row.get(0))?);
        let address = self.address_of(symbol)?;
        gathered.selector = address.map_or_else(|| subject.selector(), |address| address.to_string());
        let mut open = vec![symbol];
        let mut seen = BTreeSet::from([symbol]);
        let mut hops: Vec<(CommitId, Hop)> = Vec::new();
        while let Some(symbol) = open.pop() {
            // Where a symbol and its predecessor were both touched, the symbol asked for says how.
            for (commit, change) in self.touches_of(symbol)? {
                gathered.touches.entry(commit).or_insert(change);
            }
            for (commit, hop, other) in self.hops_of(symbol)? {
                hops.push((commit, hop));
                open.extend(other.filter(|other| seen.insert(*other)));
            }
        }
        gathered.operations = self.operations_of(symbol)?;
        hops.sort_by_key(|(commit, _)| *commit);
        gathered.lineage = hops.into_iter().map(|(_, hop)| hop).collect();
        Ok(gathered)
    }

    /// The stable id of the symbol at an address, as HEAD sees it.
    pub fn stable_id(&self, subject: &Subject) -> Result<Option<String>, HistoryError> {
        let Some(symbol) = self.symbol_at(subject)? else { return Ok(None) };
        let sql = "SELECT stable_id FROM symbols WHERE id = ?1";
        Ok(Some(self.connection.query_row(sql, [symbol], |row| row.get(0))?))
    }

    fn operations_of(&self, symbol: SymbolId) -> Result<Vec<OperationRow>, HistoryError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT o.commit_id, o.op, hex(c.sha) FROM operations o JOIN commits c ON c.id = o.commit_id
             WHERE o.symbol = ?1 ORDER BY o.commit_id, o.place",
        )?;
        let mut rows = statement.query([symbol])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            if self.view.seen.contains(row.get(0)?) {
                let commit = row.get::<_, String>(2)?.to_lowercase();
                found.push(OperationRow { op: row.get(1)?, commit });
            }
        }
        Ok(found)
    }

    fn hops_of(&self, symbol: SymbolId) -> Result<Vec<(CommitId, Hop, Option<SymbolId>)>, HistoryError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT h.commit_id, h.change, h.known_by, h.from_address, h.to_address, h.other, hex(c.sha)
             FROM hops h JOIN commits c ON c.id = h.commit_id WHERE h.symbol = ?1 ORDER BY h.commit_id, h.rowid",
        )?;
        let mut rows = statement.query([symbol])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let commit: CommitId = row.get(0)?;
            if !self.view.seen.contains(commit) {
                continue;
            }
            let selector = |address: Option<i64>| -> Result<Option<String>, HistoryError> {
                let address = address.map(|address| self.stored_address(address)).transpose()?.flatten();
                Ok(address.map(|address| address.to_string()))
            };
            let hop = Hop {
                change: Change::from_u8(row.get(1)?).as_str(),
                known_by: KnownBy::from_u8(row.get(2)?).as_str(),
                from: selector(row.get(3)?)?,
                to: selector(row.get(4)?)?,
                commit: row.get::<_, String>(6)?.to_lowercase(),
            };
            found.push((commit, hop, row.get(5)?));
        }
        Ok(found)
    }

    /// The commits of a file, and of what git says it was called before.
    pub(super) fn of_file(&self, path: &str) -> Result<Gathered, HistoryError> {
        let mut gathered = Gathered { selector: format!("file:{path}"), ..Gathered::default() };
        let (mut at, mut before) = (self.path_id(path)?, CommitId::MAX);
        while let Some(id) = at {
            let sql = "SELECT r.commit_id, r.old_path, hex(c.sha) FROM file_renames r JOIN commits c ON c.id = r.commit_id
                       WHERE r.path = ?1 AND r.commit_id < ?2 ORDER BY r.commit_id DESC";
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_map([id, before], |row| {
                Ok((row.get::<_, CommitId>(0)?, row.get::<_, u32>(1)?, row.get::<_, String>(2)?))
            })?;
            let rows: Vec<(CommitId, u32, String)> = rows.collect::<Result<_, _>>()?;
            let renamed = rows.into_iter().find(|(commit, ..)| self.view.seen.contains(*commit));
            let since = renamed.as_ref().map_or(0, |(commit, ..)| *commit);
            let touches = self.touches_of_file(id)?;
            let own = touches.into_iter().filter(|(commit, _)| (since..before).contains(commit));
            gathered.touches.extend(own);
            let Some((commit, old, sha)) = renamed else { break };
            gathered.lineage.push(Hop {
                change: Change::Moved.as_str(),
                from: Some(format!("file:{}", self.path_text(old)?)),
                to: Some(format!("file:{}", self.path_text(id)?)),
                commit: sha.to_lowercase(),
                known_by: KnownBy::Matched.as_str(),
            });
            (at, before) = (Some(old), commit);
        }
        gathered.lineage.reverse();
        if gathered.touches.is_empty() {
            gathered.warnings.push("no commit that HEAD can see has this file yet".into());
        }
        Ok(gathered)
    }

    /// Tasks of these commits, in the order they come.
    fn task_history(&self, commits: impl Iterator<Item = CommitId>) -> Result<Vec<TaskRow>, HistoryError> {
        let mut tasks: Vec<TaskRow> = Vec::new();
        for commit in commits {
            let names = self.tasks_of(commit)?;
            if names.is_empty() {
                continue;
            }
            let CommitRow { sha, date, summary, .. } = self.commit_row(commit, "")?;
            for name in names {
                let row = TaskCommit { sha: sha.clone(), date: date.clone(), summary: summary.clone() };
                match tasks.iter_mut().find(|task| task.task_id == name) {
                    Some(task) => task.commits.push(row),
                    None => tasks.push(TaskRow { task_id: name, commits: vec![row] }),
                }
            }
        }
        Ok(tasks)
    }
}

/// What was found about a subject.
#[derive(Default)]
pub(super) struct Gathered {
    selector: String,
    stable_id: Option<String>,
    lineage: Vec<Hop>,
    operations: Vec<OperationRow>,
    pub(super) touches: BTreeMap<CommitId, u8>,
    warnings: Vec<String>,
}
