//! Rows of symbols: by number, name, file, or whatever condition follows.

use super::stored::Stored;
use super::{FILE_SHIFT, file_of_row, first_row};
use crate::error::GraphError;
use orbit_extract::{Family, Lang, SymbolAddress, numbered};
use rusqlite::{Connection, OptionalExtension, Row};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A symbol row with its file.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) id: i64,
    pub(crate) address: SymbolAddress,
    pub(crate) lang: Lang,
    pub(crate) name: String,
    /// Fully qualified, with `#2` for a second definition.
    pub(crate) qualified: String,
    pub(crate) span: (u32, u32),
    pub(crate) line: u32,
    pub(crate) end_line: u32,
    pub(crate) signature: Option<String>,
}

/// The columns of [`Symbol`], from `symbol_rows s JOIN file_rows f`.
pub(crate) const COLUMNS: &str = "s.id, f.path, f.lang, s.name, s.qualified, s.overload, s.kind, s.span_start, \
     s.span_end, s.line, s.end_line, s.signature, f.module";

/// `symbol_rows` with the files they are in.
pub(crate) const SOURCE: &str = "symbol_rows s JOIN file_rows f ON f.id = s.id >> 22";

/// The symbols called `?1`, as a condition on [`SOURCE`]. The index of names knows no case.
pub(crate) const NAMED: &str = "s.name = ?1 COLLATE NOCASE AND s.name = ?1";

/// The symbols of the file `?1`, as a condition on [`SOURCE`] that reads that file's rows only.
pub(crate) const IN_FILE: &str = "f.path = ?1 AND s.id BETWEEN f.id << 22 AND ((f.id + 1) << 22) - 1";

const _: () = assert!(FILE_SHIFT == 22, "SOURCE and IN_FILE spell the shift out");

impl Symbol {
    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Symbol> {
        let (path, qualified): (String, String) = (row.get(1)?, row.get(4)?);
        let (overload, module): (u16, String) = (row.get(5)?, row.get(12)?);
        let Stored(lang): Stored<Lang> = row.get(2)?;
        let Stored(kind) = row.get(6)?;
        let qualified = numbered(&qualified, overload).into_owned();
        let strip = |prefix: &str| {
            qualified.strip_prefix(prefix).and_then(|rest| rest.strip_prefix(lang.separator()))
        };
        let local = strip(&module)
            .filter(|_| !module.is_empty())
            .or_else(|| strip(&path))
            .unwrap_or(&qualified)
            .to_owned();
        Ok(Symbol {
            id: row.get(0)?,
            address: SymbolAddress { path, local, kind },
            lang,
            name: row.get(3)?,
            qualified,
            span: (row.get(7)?, row.get(8)?),
            line: row.get(9)?,
            end_line: row.get(10)?,
            signature: row.get(11)?,
        })
    }

    /// Canonical: feeds the next call.
    pub(crate) fn selector(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn family(&self) -> Family {
        self.lang.family()
    }

    /// The row numbers of its file.
    pub(crate) fn file_rows(&self) -> (i64, i64) {
        let file = file_of_row(self.id);
        (first_row(file), first_row(file + 1) - 1)
    }
}

/// Symbols for a query whose `WHERE` and order follow [`SOURCE`].
pub(crate) fn select(
    connection: &Connection,
    tail: &str,
    params: impl rusqlite::Params,
) -> Result<Vec<Symbol>, GraphError> {
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM {SOURCE} {tail}"))?;
    let rows = statement.query_map(params, Symbol::from_row)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The symbols of a file, for a query whose further conditions and order follow [`IN_FILE`].
pub(crate) fn select_in_file(
    connection: &Connection,
    tail: &str,
    params: impl rusqlite::Params,
) -> Result<Vec<Symbol>, GraphError> {
    select(connection, &format!("WHERE {IN_FILE} {tail}"), params)
}

/// The symbols of a name, for a query whose further conditions and order follow [`NAMED`].
pub(crate) fn select_named(
    connection: &Connection,
    tail: &str,
    params: impl rusqlite::Params,
) -> Result<Vec<Symbol>, GraphError> {
    select(connection, &format!("WHERE {NAMED} {tail}"), params)
}

/// Symbols by row number, each read once.
#[derive(Default)]
pub(crate) struct Cache {
    symbols: HashMap<i64, Option<Symbol>>,
    paths: HashMap<u32, (String, String)>,
}

impl Cache {
    pub(crate) fn get(&mut self, connection: &Connection, id: i64) -> Result<Option<&Symbol>, GraphError> {
        let found = match self.symbols.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(select(connection, "WHERE s.id = ?1", [id])?.pop()),
        };
        Ok(found.as_ref())
    }

    /// The path and module of a file.
    pub(crate) fn file(&mut self, connection: &Connection, id: u32) -> Result<(String, String), GraphError> {
        if let Some(known) = self.paths.get(&id) {
            return Ok(known.clone());
        }
        let mut statement = connection.prepare_cached("SELECT path, module FROM file_rows WHERE id = ?1")?;
        let found: Option<(String, String)> =
            statement.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let found = found.ok_or_else(|| GraphError::Damaged(format!("rows of unknown file {id}")))?;
        self.paths.insert(id, found.clone());
        Ok(found)
    }
}
