//! What has to keep one name with a symbol: its other pieces, and the members that stand for each other.

use super::dispatch::{self, overriders};
use super::implementors::structural;
use super::symbol::{self, Symbol};
use crate::error::GraphError;
use crate::store::rows::{Facts, SymbolFacts};
use crate::store::stored::Stored;
use orbit_extract::{Lang, RelationKind, SymbolKind};
use rusqlite::{Connection, params};
use std::collections::BTreeSet;

impl Facts<'_> {
    /// The other places of a symbol that is declared and defined apart, or defined once for each platform.
    pub fn pieces(&self, id: i64) -> Result<Vec<SymbolFacts>, GraphError> {
        let Some(symbol) = one(self.connection, id)? else { return Ok(Vec::new()) };
        self.all(dispatch::twins(self.connection, &symbol)?)
    }

    /// The members that a member overrides or implements, those that override or implement it, and theirs, through any
    /// number of steps. With one of them called otherwise, the others would no longer stand for it.
    pub fn linked_members(&self, id: i64) -> Result<Vec<SymbolFacts>, GraphError> {
        let mut found = BTreeSet::from([id]);
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let Some(member) = one(self.connection, id)? else { continue };
            let mut next = dispatch::declarations(self.connection, &member, usize::MAX)?;
            next.extend(overriders(self.connection, id)?);
            next.extend(implementations(self.connection, &member)?);
            next.extend(dispatch::twins(self.connection, &member)?);
            open.extend(next.into_iter().filter(|id| found.insert(*id)));
        }
        found.remove(&id);
        self.all(found)
    }

    fn all(&self, ids: impl IntoIterator<Item = i64>) -> Result<Vec<SymbolFacts>, GraphError> {
        let mut found = Vec::new();
        for id in ids {
            found.extend(self.by_id(id)?);
        }
        Ok(found)
    }
}

fn one(connection: &Connection, id: i64) -> Result<Option<Symbol>, GraphError> {
    Ok(symbol::select(connection, "WHERE s.id = ?1", [id])?.pop())
}

/// The methods that implement a method of a Go interface: those of the types that satisfy it, own or promoted.
fn implementations(connection: &Connection, member: &Symbol) -> Result<Vec<i64>, GraphError> {
    if member.lang != Lang::Go || member.address.kind != SymbolKind::Method {
        return Ok(Vec::new());
    }
    let tail = "WHERE s.id = (SELECT parent FROM symbol_rows WHERE id = ?1) AND s.kind = ?2";
    let parent = symbol::select(connection, tail, params![member.id, Stored(SymbolKind::Interface)])?;
    let Some(interface) = parent.into_iter().next() else { return Ok(Vec::new()) };
    let mut types: BTreeSet<i64> =
        structural::implicit(connection, &interface)?.into_iter().map(|ty| ty.id).collect();
    let mut open: Vec<i64> = types.iter().copied().collect();
    let mut embedded = connection.prepare_cached(
        "SELECT to_symbol FROM relation_rows WHERE from_symbol = ?1 AND kind = ?2 AND to_symbol IS NOT NULL",
    )?;
    while let Some(ty) = open.pop() {
        let rows = embedded.query_map(params![ty, Stored(RelationKind::Extends)], |row| row.get(0))?;
        for row in rows {
            let ty: i64 = row?;
            open.extend(Some(ty).filter(|ty| types.insert(*ty)));
        }
    }
    let tail = "AND s.kind = ?2 ORDER BY s.id";
    let named = symbol::select_named(connection, tail, params![member.name, Stored(SymbolKind::Method)])?;
    let mut found = Vec::new();
    for method in named.iter().filter(|method| method.lang == Lang::Go && method.id != member.id) {
        let owner = structural::owner(connection, method)?;
        found.extend(owner.filter(|owner| types.contains(owner)).map(|_| method.id));
    }
    Ok(found)
}
