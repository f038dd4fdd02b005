//! What implements a trait or interface, or extends a class: by the last part of its name, whatever path was
//! written, so that types of other repositories can be asked for too.

use super::symbol::{self, Cache, Symbol};
use super::{Reader, freshness, target};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::selector::Selector;
use crate::store::file_of_row;
use orbit_extract::RelationKind;
use rusqlite::Connection;
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
        Selector::Symbol { name, .. }
        | Selector::Module(name)
        | Selector::Command(name)
        | Selector::Loose(name) => name,
        Selector::File(path) | Selector::Dir(path) => path,
    };
    let name = asked.rsplit([':', '.', '/']).next().unwrap_or(asked).to_owned();
    let symbols = match target::all(connection, selector) {
        Ok(mut symbols) => {
            symbols.retain(|symbol| symbol.kind.is_type());
            symbols
        }
        Err(GraphError::NotFound { .. }) => Vec::new(),
        Err(error) => return Err(error),
    };
    let mut found = related(connection, &name, &symbols)?;
    if found.is_empty() && symbols.is_empty() {
        return Err(target::not_found(connection, selector)?);
    }
    found.sort_by(|a, b| (&a.file, a.line, &a.type_qualified).cmp(&(&b.file, b.line, &b.type_qualified)));
    let total = found.len();
    found.truncate(limit);
    let stale = freshness::stale_among(connection, reader.root, found.iter().map(|row| row.file.as_str()))?;
    let targets = symbols.iter().map(Symbol::selector).collect();
    Ok(Implementors {
        trait_name: name,
        targets,
        truncated: found.len() < total,
        implementors: found,
        total,
        stale,
    })
}

/// The relations that lead to a type of this name: to one of `symbols`, or, when there are none, to any.
fn related(connection: &Connection, name: &str, symbols: &[Symbol]) -> Result<Vec<Implementor>, GraphError> {
    let mut cache = Cache::default();
    let mut found = Vec::new();
    let mut statement = connection.prepare_cached(
        "SELECT id, kind, line, from_symbol, from_name, to_symbol, to_name, confidence FROM relation_rows
         WHERE to_name = ?1 OR substr(to_name, -length(?1) - 1) IN ('.' || ?1, ':' || ?1, '/' || ?1)
           OR to_symbol IN (SELECT id FROM symbol_rows WHERE name = ?1)
         ORDER BY id",
    )?;
    let mut rows = statement.query([name])?;
    while let Some(row) = rows.next()? {
        let (from, to): (Option<i64>, Option<i64>) = (row.get(3)?, row.get(5)?);
        if to.is_some_and(|to| !symbols.is_empty() && !symbols.iter().any(|symbol| symbol.id == to)) {
            continue; // another type of the same name
        }
        let to_symbol = match to {
            Some(id) => cache.get(connection, id)?.cloned(),
            None => None,
        };
        let from_symbol = match from {
            Some(id) => cache.get(connection, id)?.cloned(),
            None => None,
        };
        let (file, _) = cache.file(connection, file_of_row(row.get(0)?))?;
        found.push(Implementor {
            type_qualified: from_symbol.as_ref().map_or(row.get(4)?, |symbol| symbol.qualified.clone()),
            trait_matched: to_symbol.map_or(row.get(6)?, |symbol| symbol.qualified),
            kind: RelationKind::from_u8(row.get(1)?).unwrap_or(RelationKind::Extends).as_str(),
            selector: from_symbol.as_ref().map(Symbol::selector),
            file,
            line: row.get(2)?,
            confidence: symbol::confidence(row.get(7)?),
        });
    }
    Ok(found)
}
