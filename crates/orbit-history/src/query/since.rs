//! What happened to symbols and files after a commit: for knowledge that was written down there.

use super::History;
use super::commit::{CommitRow, iso_date};
use crate::error::HistoryError;
use crate::facts::{Change, KnownBy};
use crate::git::Oid;
use crate::location::HistoryLocation;
use crate::store::reach::{self, CommitSet};
use crate::store::{self, CommitId, SymbolId};
use crate::tasks::TaskIdPattern;
use orbit_git::Git;
use orbit_graph::{SymbolAddress, SymbolKind};
use rusqlite::{OptionalExtension, params};
use std::collections::BTreeMap;
use std::path::Path;

/// Where a symbol went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whereabouts {
    /// Now, or last.
    pub address: SymbolAddress,
    /// The last thing that happened to it, and how that is known; `None` when it never went anywhere.
    pub hop: Option<(Change, KnownBy)>,
    /// Which it is for good; a part of what was split has an id of its own.
    pub stable_id: String,
}

/// The commits that HEAD sees and an earlier commit does not.
pub struct Since<'h> {
    history: &'h History,
    before: CommitSet,
}

impl History {
    /// Asks about what happened after a commit; `None` when the history does not have it.
    pub fn since(&self, sha: &str) -> Result<Option<Since<'_>>, HistoryError> {
        let Some(sha) = Oid::parse(sha.as_bytes()) else { return Ok(None) };
        let Some(id) = store::commit_id(&self.connection, sha)? else { return Ok(None) };
        Ok(Some(Since { history: self, before: reach::view(&self.connection, id)?.seen }))
    }

    /// The stable ids of what HEAD's line has, or had last, at the addresses of a file.
    pub fn ids_of_file(&self, path: &str) -> Result<BTreeMap<(String, SymbolKind), String>, HistoryError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT a.name, a.kind, s.commit_id, y.stable_id FROM paths p JOIN addresses a ON a.path = p.id
             JOIN assigns s ON s.address = a.id JOIN symbols y ON y.id = s.symbol WHERE p.path = ?1
             ORDER BY s.commit_id",
        )?;
        let mut rows = statement.query([path])?;
        let mut found = BTreeMap::new();
        while let Some(row) = rows.next()? {
            if self.view.line.contains(row.get::<_, CommitId>(2)?)
                && let Some(kind) = SymbolKind::from_u8(row.get(1)?)
            {
                found.insert((row.get(0)?, kind), row.get(3)?);
            }
        }
        Ok(found)
    }

    /// Where a symbol is now or was last, then what it was split into or merged with.
    pub fn whereabouts(&self, stable_id: &str) -> Result<Vec<Whereabouts>, HistoryError> {
        let Some(symbol) = self.symbol_of_id(stable_id)? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        let last = self.last_hop(symbol)?;
        found.extend(self.whereabouts_of(symbol, last)?);
        let mut statement = self.connection.prepare_cached(
            "SELECT symbol, change, known_by, commit_id FROM hops WHERE other = ?1 ORDER BY commit_id, rowid",
        )?;
        let rows = statement.query_map([symbol], |row| {
            Ok((
                row.get::<_, SymbolId>(0)?,
                (Change::from_u8(row.get(1)?), KnownBy::from_u8(row.get(2)?)),
                row.get::<_, CommitId>(3)?,
            ))
        })?;
        let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
        for (part, hop, commit) in rows {
            if part != symbol && self.view.seen.contains(commit) {
                found.extend(self.whereabouts_of(part, Some(hop))?);
            }
        }
        found.dedup();
        Ok(found)
    }

    fn symbol_of_id(&self, stable_id: &str) -> Result<Option<SymbolId>, HistoryError> {
        let mut statement = self.connection.prepare_cached("SELECT id FROM symbols WHERE stable_id = ?1")?;
        Ok(statement.query_row([stable_id], |row| row.get(0)).optional()?)
    }

    fn last_hop(&self, symbol: SymbolId) -> Result<Option<(Change, KnownBy)>, HistoryError> {
        let sql = "SELECT change, known_by, commit_id FROM hops WHERE symbol = ?1 ORDER BY commit_id DESC, rowid DESC";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([symbol])?;
        while let Some(row) = rows.next()? {
            if self.view.seen.contains(row.get::<_, CommitId>(2)?) {
                return Ok(Some((Change::from_u8(row.get(0)?), KnownBy::from_u8(row.get(1)?))));
            }
        }
        Ok(None)
    }

    fn whereabouts_of(
        &self,
        symbol: SymbolId,
        hop: Option<(Change, KnownBy)>,
    ) -> Result<Option<Whereabouts>, HistoryError> {
        let Some(address) = self.address_of(symbol)? else { return Ok(None) };
        let sql = "SELECT stable_id FROM symbols WHERE id = ?1";
        let stable_id = self.connection.prepare_cached(sql)?.query_row(params![symbol], |row| row.get(0))?;
        Ok(Some(Whereabouts { address, hop, stable_id }))
    }
}

impl Since<'_> {
    /// The commits that touched a symbol, newest first.
    pub fn of_symbol(&self, stable_id: &str) -> Result<Vec<CommitRow>, HistoryError> {
        let symbol = self.history.symbol_of_id(stable_id)?;
        self.rows(symbol.map_or(Ok(Vec::new()), |symbol| self.history.touches_of(symbol))?)
    }

    /// The commits that touched a file, newest first.
    pub fn of_file(&self, path: &str) -> Result<Vec<CommitRow>, HistoryError> {
        let id = self.history.path_id(path)?;
        self.rows(id.map_or(Ok(Vec::new()), |id| self.history.touches_of_file(id))?)
    }

    /// What files are called now that were called otherwise: old path to new path.
    pub fn renamed_files(&self) -> Result<BTreeMap<String, String>, HistoryError> {
        let mut statement = self.history.connection.prepare_cached(
            "SELECT r.commit_id, o.path, n.path FROM file_renames r JOIN paths o ON o.id = r.old_path
             JOIN paths n ON n.id = r.path ORDER BY r.commit_id",
        )?;
        let mut rows = statement.query([])?;
        let mut now: BTreeMap<String, String> = BTreeMap::new();
        while let Some(row) = rows.next()? {
            if self.is_new(row.get(0)?) {
                let (old, new): (String, String) = (row.get(1)?, row.get(2)?);
                for path in now.values_mut().filter(|path| **path == old) {
                    path.clone_from(&new);
                }
                now.insert(old, new);
            }
        }
        now.retain(|old, new| old != new);
        Ok(now)
    }

    fn is_new(&self, commit: CommitId) -> bool {
        self.history.view.seen.contains(commit) && !self.before.contains(commit)
    }

    fn rows(&self, touches: Vec<(CommitId, u8)>) -> Result<Vec<CommitRow>, HistoryError> {
        let new = touches.into_iter().filter(|(commit, _)| self.is_new(*commit));
        new.map(|(commit, change)| self.history.commit_row(commit, Change::from_u8(change).as_str()))
            .collect()
    }
}

/// The commits of a revision range that touched a path (any, when it is empty), newest first, read from git now.
/// Empty when git does not know the range.
pub fn git_log_between(dir: &Path, range: &str, path: &str) -> Result<Vec<CommitRow>, HistoryError> {
    let clone = HistoryLocation::of(dir)?;
    let pattern = TaskIdPattern::choose(None, clone.config()?.as_ref())?;
    let format = "--format=%x01%H%x00%at%x00%an%x00%B%x00";
    let mut args = vec!["log", format, "--end-of-options", range, "--"];
    if !path.is_empty() {
        args.push(path);
    }
    let Ok(text) = Git::at(&clone.root).output(&args) else { return Ok(Vec::new()) };
    let text = String::from_utf8_lossy(&text);
    let row = |row: &str| {
        let mut fields = row.split('\0');
        let (sha, date, author, message) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        Some(CommitRow {
            sha: sha.to_owned(),
            date: iso_date(date.parse().unwrap_or(0)),
            author: author.to_owned(),
            summary: message.lines().next().unwrap_or_default().to_owned(),
            change: Change::Modified.as_str(),
            task_ids: pattern.ids(message).into_iter().collect(),
        })
    };
    Ok(text.split('\u{1}').filter_map(row).collect())
}
