//! Attributes that are assigned and fields that are initialised: what is computed there reaches those who read them.

use crate::error::GraphError;
use crate::store::first_row;
use crate::store::stored::Stored;
use orbit_extract::SymbolKind;
use rusqlite::{Connection, params};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Where they are assigned, by file, as far as files were looked at.
#[derive(Default)]
pub(super) struct Attributes {
    files: HashMap<u32, Vec<Assignment>>,
}

/// The first and the last byte of `self.name = value` or of the declaration, and the symbol.
struct Assignment {
    span: (u32, u32),
    symbol: i64,
}

impl Attributes {
    /// The attribute that is assigned where something is used: `self.token = get_token()` uses `get_token`.
    pub(super) fn holding(
        &mut self,
        connection: &Connection,
        file: u32,
        place: u32,
    ) -> Result<Option<i64>, GraphError> {
        let found = match self.files.entry(file) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(assignments(connection, file)?),
        };
        let holds = |one: &&Assignment| (one.span.0..one.span.1).contains(&place);
        Ok(found.iter().find(holds).map(|one| one.symbol))
    }
}

fn assignments(connection: &Connection, file: u32) -> Result<Vec<Assignment>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT span_start, span_end, id FROM symbol_rows WHERE id BETWEEN ?1 AND ?2
           AND (kind = ?3 OR kind IN (?4, ?5) AND parent IS NOT NULL)",
    )?;
    let kinds = (Stored(SymbolKind::Field), Stored(SymbolKind::Const), Stored(SymbolKind::Static));
    let rows = params![first_row(file), first_row(file + 1) - 1, kinds.0, kinds.1, kinds.2];
    let rows = statement
        .query_map(rows, |row| Ok(Assignment { span: (row.get(0)?, row.get(1)?), symbol: row.get(2)? }))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
