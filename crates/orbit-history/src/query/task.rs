//! What a task touched.

use super::{History, Staleness};
use crate::error::HistoryError;
use crate::facts::Change;
use crate::store::{CommitId, SymbolId};
use rusqlite::OptionalExtension;
use serde::Serialize;
use std::collections::BTreeMap;

/// A symbol that a task touched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskSymbol {
    /// Where it is now, or was last.
    pub selector: String,
    /// Which it is for good.
    pub stable_id: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its name inside the file.
    pub name: String,
    /// Where it is now, or was last.
    pub path: String,
    /// How many commits of the task touched it.
    pub commits: usize,
    /// The number of the newest, for ordering.
    #[serde(skip)]
    newest: CommitId,
    /// What the newest did.
    pub change: &'static str,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskSymbols {
    /// As asked.
    pub task_id: String,
    /// What was touched last comes first.
    pub symbols: Vec<TaskSymbol>,
    /// Every file that the task touched.
    pub files: Vec<String>,
    /// Commits of the task that HEAD can see.
    pub commits: usize,
    /// Similar ids, when nothing has this one.
    pub did_you_mean: Vec<String>,
    /// `null` when the history is up to HEAD.
    pub staleness: Option<Staleness>,
}

impl History {
    /// The symbols and files that the commits of a task touched.
    pub fn task(&self, task_id: &str) -> Result<TaskSymbols, HistoryError> {
        let commits = self.commits_of_task(task_id)?;
        let did_you_mean = if commits.is_empty() { self.similar_tasks(task_id)? } else { Vec::new() };
        Ok(TaskSymbols {
            task_id: task_id.to_owned(),
            symbols: self.symbols_of(&commits)?,
            files: self.files_of(&commits)?,
            commits: commits.len(),
            did_you_mean,
            staleness: self.staleness().cloned(),
        })
    }

    fn commits_of_task(&self, task_id: &str) -> Result<Vec<CommitId>, HistoryError> {
        let id: Option<i64> = self
            .connection
            .prepare_cached("SELECT id FROM tasks WHERE name = ?1")?
            .query_row([task_id], |row| row.get(0))
            .optional()?;
        let sql = "SELECT commit_id FROM task_commits WHERE task = ?1 ORDER BY commit_id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([id], |row| row.get(0))?;
        let mut commits: Vec<CommitId> = rows.collect::<Result<_, _>>()?;
        commits.retain(|commit| self.view.seen.contains(*commit));
        Ok(commits)
    }

    fn symbols_of(&self, commits: &[CommitId]) -> Result<Vec<TaskSymbol>, HistoryError> {
        let sql = "SELECT symbol, change FROM touches WHERE commit_id = ?1";
        let mut touched: BTreeMap<SymbolId, (usize, CommitId, u8)> = BTreeMap::new();
        let mut statement = self.connection.prepare_cached(sql)?;
        for commit in commits {
            let rows = statement.query_map([commit], |row| Ok((row.get(0)?, row.get(1)?)))?;
            for row in rows {
                let (symbol, change): (SymbolId, u8) = row?;
                let entry = touched.entry(symbol).or_default();
                *entry = (entry.0 + 1, *commit, change);
            }
        }
        let mut symbols = Vec::new();
        for (symbol, (commits, newest, change)) in touched {
            let Some(address) = self.address_of(symbol)? else { continue };
            let stable_id = "SELECT stable_id FROM symbols WHERE id = ?1";
            symbols.push(TaskSymbol {
                selector: address.to_string(),
                stable_id: self
                    .connection
                    .prepare_cached(stable_id)?
                    .query_row([symbol], |row| row.get(0))?,
                kind: address.kind.as_str(),
                name: address.local,
                path: address.path,
                commits,
                newest,
                change: Change::from_u8(change).as_str(),
            });
        }
        symbols.sort_by(|a, b| b.newest.cmp(&a.newest).then_with(|| a.selector.cmp(&b.selector)));
        Ok(symbols)
    }

    fn files_of(&self, commits: &[CommitId]) -> Result<Vec<String>, HistoryError> {
        let sql = "SELECT p.path FROM file_touches f JOIN paths p ON p.id = f.path WHERE f.commit_id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut files = std::collections::BTreeSet::new();
        for commit in commits {
            for path in statement.query_map([commit], |row| row.get::<_, String>(0))? {
                files.insert(path?);
            }
        }
        Ok(files.into_iter().collect())
    }

    /// Ids that begin alike.
    fn similar_tasks(&self, task_id: &str) -> Result<Vec<String>, HistoryError> {
        let bare = task_id.trim_matches(['[', ']', '#', ' ']);
        let head: String = bare.chars().take(bare.chars().count().div_ceil(2).max(3)).collect();
        let after = format!("{head}\u{10ffff}");
        let sql = "SELECT name FROM tasks WHERE name >= ?1 AND name < ?2 ORDER BY name DESC LIMIT 5";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([head, after], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
