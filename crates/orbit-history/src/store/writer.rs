//! The only code that adds facts to the history. Every write happens inside a transaction of the caller.

use super::{CommitId, PathId, SymbolId};
use crate::error::HistoryError;
use crate::facts::{Change, KnownBy};
use crate::git::Oid;
use crate::git::log::CommitDiff;
use crate::ids;
use orbit_extract::SymbolKind;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{BTreeSet, HashMap};

/// Paths remembered with their rows.
const KEPT_PATHS: usize = 200_000;

/// Adds facts.
pub(crate) struct Writer<'c> {
    pub(crate) connection: &'c Connection,
    paths: HashMap<String, PathId>,
    next_commit: CommitId,
    next_symbol: SymbolId,
    /// Whether ids of commits that are walked again are waiting.
    has_kept_ids: bool,
}

/// Where a symbol is seen for the first time.
pub(crate) struct FirstSight<'f> {
    pub(crate) address: i64,
    pub(crate) path: &'f str,
    pub(crate) name: &'f str,
    pub(crate) kind: SymbolKind,
}

/// A row of `hops`.
pub(crate) struct HopRow {
    pub(crate) symbol: SymbolId,
    pub(crate) change: Change,
    pub(crate) known_by: KnownBy,
    pub(crate) from: Option<i64>,
    pub(crate) to: Option<i64>,
    pub(crate) other: Option<SymbolId>,
}

impl<'c> Writer<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Result<Writer<'c>, HistoryError> {
        let max = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, u32>(0));
        Ok(Writer {
            next_commit: max("SELECT coalesce(max(id), 0) + 1 FROM commits")?,
            next_symbol: next_symbol(connection)?,
            has_kept_ids: max("SELECT EXISTS (SELECT 1 FROM kept_ids)")? != 0,
            connection,
            paths: HashMap::new(),
        })
    }

    /// Adds a commit with its parents, author and message.
    pub(crate) fn commit(
        &mut self,
        diff: &CommitDiff,
        parents: &[CommitId],
        flags: u8,
        log_hash: Option<&[u8]>,
    ) -> Result<CommitId, HistoryError> {
        let id = self.next_commit;
        let author = self.author(&diff.author, &diff.email)?;
        let sha = diff.sha.as_bytes();
        self.connection
            .prepare_cached("INSERT INTO commits VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
            .execute(params![id, sha, parents.first(), diff.date, author, flags, log_hash])?;
        for parent in parents.iter().skip(1) {
            self.connection
                .prepare_cached("INSERT OR IGNORE INTO merge_parents VALUES (?1, ?2)")?
                .execute([id, *parent])?;
        }
        self.connection
            .prepare_cached("INSERT INTO messages VALUES (?1, ?2)")?
            .execute(params![id, diff.message])?;
        self.next_commit += 1;
        Ok(id)
    }

    fn author(&self, name: &str, email: &str) -> Result<i64, HistoryError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO authors (name, email) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET name = ?1 RETURNING id",
        )?;
        Ok(statement.query_row([name, email], |row| row.get(0))?)
    }

    /// The row of a path.
    pub(crate) fn path(&mut self, path: &str) -> Result<PathId, HistoryError> {
        if let Some(id) = self.paths.get(path) {
            return Ok(*id);
        }
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO paths (path) VALUES (?1) ON CONFLICT DO UPDATE SET path = ?1 RETURNING id",
        )?;
        let id = statement.query_row([path], |row| row.get(0))?;
        if self.paths.len() >= KEPT_PATHS {
            self.paths.clear();
        }
        self.paths.insert(path.to_owned(), id);
        Ok(id)
    }

    /// The row of an address.
    pub(crate) fn address(&self, path: PathId, name: &str, kind: SymbolKind) -> Result<i64, HistoryError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO addresses (path, name, kind) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET kind = ?3 RETURNING id",
        )?;
        Ok(statement.query_row(params![path, name, kind as u8], |row| row.get(0))?)
    }

    /// The symbol that is first seen at an address in a commit, or the one that it was there before the commit was
    /// walked again.
    pub(crate) fn first_sight(&mut self, sha: Oid, seen: &FirstSight<'_>) -> Result<SymbolId, HistoryError> {
        if let Some(kept) = self.kept_id(sha, seen.address)? {
            return Ok(kept);
        }
        let sha = sha.to_string();
        let mut number = 0;
        loop {
            let stable_id = ids::numbered(&sha, seen.path, seen.name, seen.kind, number);
            // An id that is in use already was given back to a symbol that people knew by it.
            match self.known_symbol(&stable_id)? {
                Some(known) if self.is_used(known)? => number += 1,
                Some(known) => return Ok(known),
                None => return self.symbol(&stable_id),
            }
        }
    }

    /// A symbol with this stable id; an existing one is taken.
    pub(crate) fn symbol(&mut self, stable_id: &str) -> Result<SymbolId, HistoryError> {
        if let Some(known) = self.known_symbol(stable_id)? {
            return Ok(known);
        }
        let id = self.next_symbol;
        self.connection
            .prepare_cached("INSERT INTO symbols VALUES (?1, ?2)")?
            .execute(params![id, stable_id])?;
        self.next_symbol += 1;
        Ok(id)
    }

    /// The symbol with this stable id.
    pub(crate) fn known_symbol(&self, stable_id: &str) -> Result<Option<SymbolId>, HistoryError> {
        let mut statement = self.connection.prepare_cached("SELECT id FROM symbols WHERE stable_id = ?1")?;
        Ok(statement.query_row([stable_id], |row| row.get(0)).optional()?)
    }

    /// Whether a symbol has an address anywhere.
    pub(crate) fn is_used(&self, symbol: SymbolId) -> Result<bool, HistoryError> {
        let mut statement =
            self.connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM assigns WHERE symbol = ?1)")?;
        Ok(statement.query_row([symbol], |row| row.get(0))?)
    }

    fn kept_id(&self, sha: Oid, address: i64) -> Result<Option<SymbolId>, HistoryError> {
        if !self.has_kept_ids {
            return Ok(None);
        }
        let mut statement =
            self.connection.prepare_cached("SELECT symbol FROM kept_ids WHERE sha = ?1 AND address = ?2")?;
        Ok(statement.query_row(params![sha.as_bytes(), address], |row| row.get(0)).optional()?)
    }

    /// From this commit on the address is the symbol.
    pub(crate) fn assign(
        &self,
        commit: CommitId,
        address: i64,
        symbol: SymbolId,
    ) -> Result<(), HistoryError> {
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO assigns VALUES (?1, ?2, ?3)")?
            .execute(params![address, commit, symbol])?;
        Ok(())
    }

    pub(crate) fn touch(
        &self,
        symbol: SymbolId,
        commit: CommitId,
        change: Change,
    ) -> Result<(), HistoryError> {
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO touches VALUES (?1, ?2, ?3)")?
            .execute(params![symbol, commit, change as u8])?;
        Ok(())
    }

    pub(crate) fn touch_file(
        &self,
        path: PathId,
        commit: CommitId,
        change: Change,
    ) -> Result<(), HistoryError> {
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO file_touches VALUES (?1, ?2, ?3)")?
            .execute(params![path, commit, change as u8])?;
        Ok(())
    }

    pub(crate) fn rename_file(&self, old: PathId, new: PathId, commit: CommitId) -> Result<(), HistoryError> {
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO file_renames VALUES (?1, ?2, ?3)")?
            .execute([new, commit, old])?;
        Ok(())
    }

    pub(crate) fn hop(&self, commit: CommitId, hop: &HopRow) -> Result<(), HistoryError> {
        self.connection.prepare_cached("INSERT INTO hops VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?.execute(
            params![hop.symbol, commit, hop.change as u8, hop.known_by as u8, hop.from, hop.to, hop.other],
        )?;
        Ok(())
    }

    /// What a followed log says was done to a symbol.
    pub(crate) fn operation(
        &self,
        symbol: SymbolId,
        commit: CommitId,
        place: usize,
        op: &str,
    ) -> Result<(), HistoryError> {
        self.connection
            .prepare_cached("INSERT OR IGNORE INTO operations VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![symbol, commit, place as u32, op])?;
        Ok(())
    }

    pub(crate) fn warning(&self, commit: CommitId, text: &str) -> Result<(), HistoryError> {
        self.connection
            .prepare_cached("INSERT INTO warnings VALUES (?1, ?2)")?
            .execute(params![commit, text])?;
        Ok(())
    }
}

/// The row that the next new symbol gets.
pub(crate) fn next_symbol(connection: &Connection) -> Result<SymbolId, HistoryError> {
    Ok(connection.query_row("SELECT coalesce(max(id), 0) + 1 FROM symbols", [], |row| row.get(0))?)
}

/// Notes which tasks a commit names.
pub(crate) fn tasks(
    connection: &Connection,
    commit: CommitId,
    names: &BTreeSet<String>,
) -> Result<(), HistoryError> {
    for name in names {
        let task: i64 = connection
            .prepare_cached(
                "INSERT INTO tasks (name) VALUES (?1) ON CONFLICT DO UPDATE SET name = ?1 RETURNING id",
            )?
            .query_row([name], |row| row.get(0))?;
        connection
            .prepare_cached("INSERT OR IGNORE INTO task_commits VALUES (?1, ?2)")?
            .execute(params![task, commit])?;
    }
    Ok(())
}
