//! What implements a trait or interface, or extends a class: by the last part of its name, whatever path was
//! written, so that types of other repositories can be asked for too.

pub(crate) mod structural;

use super::account::Account;
use super::symbol::{Cache, Symbol};
use super::{Reader, freshness, refs, target};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::selector::Selector;
use crate::store::file_of_row;
use crate::store::stored::Stored;
use orbit_extract::{Family, RelationKind, SymbolKind, SymbolSelector};
use rusqlite::{Connection, params};
use serde::Serialize;

/// A type that implements or extends.
#[derive(Clone, Debug, Serialize)]
pub struct Implementor {
    /// Full name of the type.
    pub type_qualified: String,
    /// The trait as resolved, or as written.
    pub trait_matched: String,
    /// `impl`, `implements`, `extends`.
    pub kind: &'static str,
    /// Canonical, when the type is a symbol of the repository.
    pub selector: Option<String>,
    /// Where it is written.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// How sure the edge is.
    pub confidence: Confidence,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Implementors {
    /// The last part of the name asked for.
    pub trait_name: String,
    /// The symbols of that name in the repository, canonical.
    pub targets: Vec<String>,
    /// By file and line.
    pub implementors: Vec<Implementor>,
    /// How many there are.
    pub total: usize,
    /// Whether the list is cut.
    pub truncated: bool,
    /// Where every occurrence of the type's name belongs; `null` when it is not a type of the repository. `complete` when
    /// none of them could be one more implementor, and when nothing implements it without saying so.
    pub account: Option<Account>,
    /// Files of this answer that changed since they were indexed.
    pub stale: Vec<String>,
}

pub(crate) fn implementors(
    reader: &Reader<'_>,
    selector: &Selector,
    limit: usize,
) -> Result<Implementors, GraphError> {
    let connection = reader.connection;
    let asked = match selector {
        Selector::Symbol(SymbolSelector { name, .. })
        | Selector::Module(name)
        | Selector::Command(name)
        | Selector::Loose(name) => name,
        Selector::File(path) | Selector::Dir(path) => path,
    };
    let name = asked.rsplit([':', '.', '/']).next().unwrap_or(asked).to_owned();
    let mut symbols = target::any(connection, selector)?;
    let is_unknown = symbols.is_empty();
    symbols.retain(|symbol| symbol.address.kind.is_type());
    let mut found = related(connection, &name, &symbols)?;
    add_implicit(connection, &symbols, &mut found)?;
    if found.is_empty() && is_unknown {
        return Err(target::not_found(connection, selector)?);
    }
    found.sort_by(|a, b| (&a.file, a.line, &a.type_qualified).cmp(&(&b.file, b.line, &b.type_qualified)));
    let total = found.len();
    found.truncate(limit);
    let paths = found
        .iter()
        .map(|row| row.file.as_str())
        .chain(symbols.iter().map(|symbol| symbol.address.path.as_str()));
    let stale = freshness::stale_among(connection, reader.root, paths)?;
    let mut account = if symbols.is_empty() { None } else { refs::account_of(reader, &symbols)? };
    if let Some(account) = &mut account {
        account.complete &= stale.is_empty() && all_say_so(connection, &symbols)?;
    }
    let targets = symbols.iter().map(Symbol::selector).collect();
    Ok(Implementors {
        trait_name: name,
        targets,
        truncated: found.len() < total,
        implementors: found,
        total,
        account,
        stale,
    })
}

/// Whether what implements one of these types names it, or is found without that.
fn all_say_so(connection: &Connection, types: &[Symbol]) -> Result<bool, GraphError> {
    for ty in types.iter().filter(|ty| ty.address.kind == SymbolKind::Interface) {
        match ty.family() {
            // Any object or class with the members will do.
            Family::Script => return Ok(false),
            // A type has the methods of what it embeds, and nobody knows those of other packages.
            Family::Go if structural::embeds_unknown(connection)? => return Ok(false),
            _ => {}
        }
    }
    Ok(true)
}

/// Adds the types that implement an interface by their methods alone and are not there yet.
fn add_implicit(
    connection: &Connection,
    interfaces: &[Symbol],
    found: &mut Vec<Implementor>,
) -> Result<(), GraphError> {
    for interface in interfaces {
        for symbol in structural::implicit(connection, interface)? {
            let selector = symbol.selector();
            if found.iter().any(|row| row.selector.as_ref() == Some(&selector)) {
                continue;
            }
            found.push(Implementor {
                type_qualified: symbol.qualified,
                trait_matched: interface.qualified.clone(),
                kind: RelationKind::Implements.as_str(),
                selector: Some(selector),
                file: symbol.address.path,
                line: symbol.line,
                confidence: Confidence::SameModule,
            });
        }
    }
    Ok(())
}

/// The relations that lead to one of `symbols`, and those that name something of this name and lead nowhere or,
/// when there are no symbols, anywhere.
fn related(connection: &Connection, name: &str, symbols: &[Symbol]) -> Result<Vec<Implementor>, GraphError> {
    const COLUMNS: &str = "SELECT id, kind, line, from_symbol, from_name, to_symbol, to_name, confidence";
    let mut edges = Vec::new();
    let mut statement =
        connection.prepare_cached(&format!("{COLUMNS} FROM relation_rows WHERE to_symbol = ?1"))?;
    for symbol in symbols {
        edges.extend(statement.query_map([symbol.id], edge)?.collect::<Result<Vec<_>, _>>()?);
    }
    let mut statement = connection.prepare_cached(&format!(
        "{COLUMNS} FROM relation_rows WHERE to_last = ?1 AND (to_symbol IS NULL OR ?2)"
    ))?;
    let named = statement.query_map(params![name, symbols.is_empty()], edge)?;
    edges.extend(named.collect::<Result<Vec<_>, _>>()?);
    let mut cache = Cache::default();
    edges.into_iter().map(|edge| implementor(connection, &mut cache, edge)).collect()
}

struct Edge {
    row: i64,
    kind: RelationKind,
    line: u32,
    from: Option<i64>,
    from_name: String,
    to: Option<i64>,
    to_name: String,
    confidence: Confidence,
}

fn edge(row: &rusqlite::Row<'_>) -> rusqlite::Result<Edge> {
    Ok(Edge {
        row: row.get(0)?,
        kind: row.get::<_, Stored<RelationKind>>(1)?.0,
        line: row.get(2)?,
        from: row.get(3)?,
        from_name: row.get(4)?,
        to: row.get(5)?,
        to_name: row.get(6)?,
        confidence: row.get::<_, Stored<Confidence>>(7)?.0,
    })
}

fn implementor(connection: &Connection, cache: &mut Cache, edge: Edge) -> Result<Implementor, GraphError> {
    let mut symbol = |id: Option<i64>| match id {
        Some(id) => Ok(cache.get(connection, id)?.cloned()),
        None => Ok::<_, GraphError>(None),
    };
    let (from, to) = (symbol(edge.from)?, symbol(edge.to)?);
    let (file, _) = cache.file(connection, file_of_row(edge.row))?;
    Ok(Implementor {
        type_qualified: from.as_ref().map_or(edge.from_name, |symbol| symbol.qualified.clone()),
        trait_matched: to.map_or(edge.to_name, |symbol| symbol.qualified),
        kind: edge.kind.as_str(),
        selector: from.as_ref().map(Symbol::selector),
        file,
        line: edge.line,
        confidence: edge.confidence,
    })
}
