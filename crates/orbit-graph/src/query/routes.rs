//! HTTP routes by their names: a method and a path, or the path alone.

mod mounted;

use super::callees::CallSite;
use super::symbol::{self, Symbol};
use crate::error::GraphError;
use crate::store::schema::EXTERNAL;
use crate::store::stored::Stored;
use mounted::{Mounts, OPEN};
use orbit_extract::{RefKind, SymbolKind};
use rusqlite::{Connection, params};

/// The routes that a text names: `GET /users/{id}`, or `/users/{id}` for every method; by their whole paths, else by what
/// their own files say.
pub(crate) fn named(connection: &Connection, text: &str) -> Result<Vec<Symbol>, GraphError> {
    let text = text.strip_suffix(":route").unwrap_or(text).trim();
    let is_path = text.starts_with('/');
    if !is_route(text) {
        return Ok(Vec::new());
    }
    let whole = mounted_as(connection, text)?;
    if !whole.is_empty() {
        return Ok(whole);
    }
    let route = Stored(SymbolKind::Route);
    if is_path {
        let tail = "WHERE s.kind = ?1 AND substr(s.name, instr(s.name, ' ') + 1) = ?2 ORDER BY f.path, s.span_start, s.id";
        return symbol::select(connection, tail, params![route, text]);
    }
    let tail = "AND s.kind = ?2 ORDER BY f.path, s.span_start, s.id";
    symbol::select_named(connection, tail, params![text, route])
}

/// The routes whose whole path, with all that their routers are mounted under, a text names.
fn mounted_as(connection: &Connection, text: &str) -> Result<Vec<Symbol>, GraphError> {
    let Some(mounts) = Mounts::read(connection)? else { return Ok(Vec::new()) };
    let (mut ids, mut open) = (Vec::new(), Vec::new());
    for (route, names) in mounts.names()? {
        if names.iter().any(|name| is_named(name, text)) {
            ids.push(route);
        } else if names.iter().any(|name| ends_so(name, text)) {
            open.push(route);
        }
    }
    let ids = if ids.is_empty() { open } else { ids };
    let list = serde_json::to_string(&ids).unwrap_or_default();
    let tail = "WHERE s.id IN (SELECT value FROM json_each(?1)) ORDER BY f.path, s.span_start, s.id";
    if ids.is_empty() { Ok(Vec::new()) } else { symbol::select(connection, tail, [list]) }
}

/// The whole names of a route: one for each place where its router is mounted.
pub(crate) fn names_of(connection: &Connection, route: &Symbol) -> Result<Vec<String>, GraphError> {
    let mounts = Mounts::read(connection)?;
    let names = mounts.map(|mounts| mounts.names()).transpose()?.unwrap_or_default();
    let own = names.into_iter().find(|(id, _)| *id == route.id).map(|(_, names)| names);
    Ok(own.unwrap_or_else(|| vec![route.name.clone()]))
}

/// The names of all routes.
pub(crate) fn names(connection: &Connection) -> Result<Vec<String>, GraphError> {
    let all = symbol::select(connection, "WHERE s.kind = ?1 ORDER BY s.name", [Stored(SymbolKind::Route)])?;
    let mut names: Vec<String> = all.into_iter().map(|route| route.name).collect();
    if let Some(mounts) = Mounts::read(connection)? {
        names.extend(mounts.names()?.into_iter().flat_map(|(_, names)| names));
    }
    names.sort();
    names.dedup();
    Ok(names)
}

/// Whether a text is written as a route.
pub(crate) fn is_route(text: &str) -> bool {
    let is_method = |method: &str| !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_uppercase());
    text.starts_with('/') || text.split_once(' ').is_some_and(|(method, _)| is_method(method))
}

/// Whether a text names a route: by method and path, or by the path alone.
pub(crate) fn is_named(name: &str, text: &str) -> bool {
    name.eq_ignore_ascii_case(text)
        || text.starts_with('/')
            && name.split_once(' ').is_some_and(|(_, path)| path.eq_ignore_ascii_case(text))
}

/// Whether a text may name a route whose prefix is not known: `/api/v1/items` is `…/items`.
fn ends_so(name: &str, text: &str) -> bool {
    let Some((method, path)) = name.split_once(' ') else { return false };
    let Some(tail) = path.strip_prefix(OPEN).filter(|tail| !tail.is_empty()) else { return false };
    let asked = text.split_once(' ').filter(|_| !text.starts_with('/'));
    let (of, asked) = asked.map_or((None, text), |(of, asked)| (Some(of), asked));
    of.is_none_or(|of| of.eq_ignore_ascii_case(method)) && asked.starts_with('/') && asked.ends_with(tail)
}

/// What runs when a route is asked for: its handlers, or the calls of a function that is written in place. The call that
/// registers it belongs to what the route stands in.
pub(crate) fn calls(connection: &Connection, route: &Symbol) -> Result<Vec<CallSite>, GraphError> {
    let (first, last) = route.file_rows();
    let mut statement = connection.prepare_cached(
        "SELECT name, line, target, confidence FROM ref_rows WHERE id BETWEEN ?1 AND ?2 AND kind IN (?3, ?4)
           AND (scope = ?5 OR span_start >= ?6 AND span_end <= ?7
             AND scope IS NOT (SELECT parent FROM symbol_rows WHERE id = ?5)
             AND scope NOT IN (SELECT id FROM symbol_rows WHERE id BETWEEN ?1 AND ?2
               AND (kind = ?8 OR span_start <= ?6 AND span_end >= ?7)))
         ORDER BY span_start",
    )?;
    let kinds = (Stored(RefKind::Call), Stored(RefKind::Macro), Stored(SymbolKind::Route));
    let params = params![first, last, kinds.0, kinds.1, route.id, route.span.0, route.span.1, kinds.2];
    let rows = statement.query_map(params, |row| {
        let confidence = row.get::<_, Stored<_>>(3)?.0;
        let (name, line, target) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let is_external = row.get::<_, u8>(3)? == EXTERNAL;
        Ok(CallSite { name, line, target, confidence, is_external })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
