//! What a question is about: a symbol by its address, or a file.

use super::History;
use crate::error::HistoryError;
use crate::store::{CommitId, SymbolId};
use orbit_graph::{Selector, SymbolAddress, SymbolKind, SymbolSelector};
use rusqlite::{OptionalExtension, params};

/// A symbol or a file of the worktree, as a canonical selector names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A symbol, by its local name.
    Symbol(SymbolSelector),
    /// A file.
    File(String),
}

impl Subject {
    /// From a selector that says where to look; `None` for one that only the code index understands.
    pub fn of(selector: &Selector) -> Option<Subject> {
        match selector {
            Selector::Symbol(symbol) => Some(Subject::Symbol(symbol.clone())),
            Selector::File(path) => Some(Subject::File(path.clone())),
            _ => None,
        }
    }

    /// The file it is in.
    pub fn path(&self) -> &str {
        match self {
            Subject::Symbol(SymbolSelector { path, .. }) | Subject::File(path) => path,
        }
    }

    /// As a selector.
    pub fn selector(&self) -> String {
        match self {
            Subject::Symbol(symbol) => symbol.to_string(),
            Subject::File(path) => format!("file:{path}"),
        }
    }
}

impl History {
    /// The symbol at an address: along HEAD's line first, else wherever HEAD can see it.
    pub(crate) fn symbol_at(&self, subject: &Subject) -> Result<Option<SymbolId>, HistoryError> {
        let Subject::Symbol(SymbolSelector { path, name, kind }) = subject else { return Ok(None) };
        let mut statement = self.connection.prepare_cached(
            "SELECT s.commit_id, s.symbol FROM paths p JOIN addresses a ON a.path = p.id
             JOIN assigns s ON s.address = a.id
             WHERE p.path = ?1 AND a.name = ?2 AND (?3 IS NULL OR a.kind = ?3) ORDER BY s.commit_id DESC",
        )?;
        let rows = statement.query_map(params![path, name, kind.map(|kind| kind as u8)], |row| {
            Ok((row.get::<_, CommitId>(0)?, row.get::<_, SymbolId>(1)?))
        })?;
        let rows: Vec<(CommitId, SymbolId)> = rows.collect::<Result<_, _>>()?;
        let in_line = rows.iter().find(|(commit, _)| self.view.line.contains(*commit));
        let found = in_line.or_else(|| rows.iter().find(|(commit, _)| self.view.seen.contains(*commit)));
        Ok(found.map(|(_, symbol)| *symbol))
    }

    /// Where a symbol is now, or was last.
    pub(crate) fn address_of(&self, symbol: SymbolId) -> Result<Option<SymbolAddress>, HistoryError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT commit_id, address FROM assigns WHERE symbol = ?1 ORDER BY commit_id DESC",
        )?;
        let mut rows = statement.query([symbol])?;
        let mut elsewhere = None;
        while let Some(row) = rows.next()? {
            let (commit, address): (CommitId, i64) = (row.get(0)?, row.get(1)?);
            if self.view.line.contains(commit) {
                return self.stored_address(address);
            }
            if self.view.seen.contains(commit) {
                elsewhere.get_or_insert(address);
            }
        }
        elsewhere.map_or(Ok(None), |address| self.stored_address(address))
    }

    /// The address of a row.
    pub(crate) fn stored_address(&self, id: i64) -> Result<Option<SymbolAddress>, HistoryError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT p.path, a.name, a.kind FROM addresses a JOIN paths p ON p.id = a.path WHERE a.id = ?1",
        )?;
        let found = statement.query_row([id], |row| {
            let kind = SymbolKind::from_u8(row.get(2)?).unwrap_or(SymbolKind::Variable);
            Ok(SymbolAddress { path: row.get(0)?, local: row.get(1)?, kind })
        });
        Ok(found.optional()?)
    }

    /// The commits that touched a symbol and that HEAD can see, newest first.
    pub(crate) fn touches_of(&self, symbol: SymbolId) -> Result<Vec<(CommitId, u8)>, HistoryError> {
        let sql = "SELECT commit_id, change FROM touches WHERE symbol = ?1 ORDER BY commit_id DESC";
        self.seen_touches(sql, symbol)
    }

    /// As [`History::touches_of`], for the row of a path.
    pub(crate) fn touches_of_file(&self, path: u32) -> Result<Vec<(CommitId, u8)>, HistoryError> {
        let sql = "SELECT commit_id, change FROM file_touches WHERE path = ?1 ORDER BY commit_id DESC";
        self.seen_touches(sql, path)
    }

    fn seen_touches(&self, sql: &str, of: u32) -> Result<Vec<(CommitId, u8)>, HistoryError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([of], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut found: Vec<(CommitId, u8)> = rows.collect::<Result<_, _>>()?;
        found.retain(|(commit, _)| self.view.seen.contains(*commit));
        Ok(found)
    }

    /// The row of a path.
    pub(crate) fn path_id(&self, path: &str) -> Result<Option<u32>, HistoryError> {
        let mut statement = self.connection.prepare_cached("SELECT id FROM paths WHERE path = ?1")?;
        Ok(statement.query_row([path], |row| row.get(0)).optional()?)
    }

    pub(crate) fn path_text(&self, id: u32) -> Result<String, HistoryError> {
        let mut statement = self.connection.prepare_cached("SELECT path FROM paths WHERE id = ?1")?;
        Ok(statement.query_row([id], |row| row.get(0))?)
    }
}
