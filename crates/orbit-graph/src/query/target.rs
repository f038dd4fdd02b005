//! From a selector to the symbols it names. Zero and several are errors that help: nearest names, or all
//! candidates. There is no silent first match.

use super::names::{bare, is_tail, last_part, same_name};
use super::routes;
use super::symbol::{self, Symbol};
use super::written::{self, Through, Written};
use crate::error::GraphError;
use crate::selector::{Selector, normalize};
use crate::store::stored::Stored;
use orbit_extract::{SymbolKind, SymbolSelector, unnumbered};
use rusqlite::{Connection, params};
use std::collections::BTreeSet;

const NEAREST: usize = 5;
const MAX_CANDIDATES: usize = 50;
/// A bare name of more symbols than this says nothing.
pub(crate) const MANY: usize = 100;

/// Exactly one symbol, by its own name.
pub(crate) fn exactly_one(connection: &Connection, selector: &Selector) -> Result<Symbol, GraphError> {
    let mut found = match selector {
        Selector::Loose(text) => by_own_name(connection, text)?,
        other => any(connection, other)?,
    };
    match found.len() {
        0 => Err(not_found(connection, selector)?),
        1 => Ok(found.remove(0)),
        _ => Err(ambiguous(selector, &found)),
    }
}

/// One thing, which may have several definitions: overloads, and twins under conditions. At least one, in source order.
pub(crate) fn one(connection: &Connection, selector: &Selector) -> Result<Vec<Symbol>, GraphError> {
    let found = all(connection, selector)?;
    if is_one(&found) { Ok(found) } else { Err(ambiguous(selector, &found)) }
}

/// Whether these are definitions of one thing.
pub(crate) fn is_one(found: &[Symbol]) -> bool {
    let thing = |symbol: &Symbol| (symbol.family(), unnumbered(&symbol.qualified).to_owned());
    found.iter().all(|symbol| thing(symbol) == thing(&found[0]))
}

/// What a selector names in a file that it says itself.
pub(crate) enum InFile {
    /// By name.
    Symbol(SymbolSelector),
    /// The innermost one at a line.
    Line(String, u32),
}

impl InFile {
    /// The file.
    pub(crate) fn path(&self) -> &str {
        match self {
            InFile::Symbol(symbol) => &symbol.path,
            InFile::Line(path, _) => path,
        }
    }
}

/// What a selector names, if it says the file and the index knows that.
pub(crate) fn in_named_file(
    connection: &Connection,
    selector: &Selector,
) -> Result<Option<InFile>, GraphError> {
    let named = match selector {
        Selector::Symbol(symbol) => Some(InFile::Symbol(symbol.clone())),
        Selector::Loose(text) => match place(text) {
            Some((path, line)) => Some(InFile::Line(path, line)),
            None => behind_path(connection, text)?.map(InFile::Symbol),
        },
        _ => None,
    };
    let Some(named) = named else { return Ok(None) };
    let mut is_file = connection.prepare_cached("SELECT 1 FROM file_rows WHERE path = ?1")?;
    Ok(if is_file.exists([named.path()])? { Some(named) } else { None })
}

/// Every symbol a selector names: at least one.
pub(crate) fn all(connection: &Connection, selector: &Selector) -> Result<Vec<Symbol>, GraphError> {
    let found = any(connection, selector)?;
    if found.is_empty() {
        return Err(not_found(connection, selector)?);
    }
    Ok(found)
}

/// Every symbol a selector names, if there are any.
pub(crate) fn any(connection: &Connection, selector: &Selector) -> Result<Vec<Symbol>, GraphError> {
    match selector {
        Selector::Symbol(symbol) => in_file(connection, symbol),
        Selector::Module(name) => modules(connection, name),
        Selector::Command(name) => super::commands::handlers(connection, name),
        Selector::Loose(text) => {
            let found = by_own_name(connection, text)?;
            Ok(as_written(connection, text, &found)?.map_or(found, |written| written.symbols))
        }
        Selector::File(_) | Selector::Dir(_) => Ok(Vec::new()),
    }
}

/// Where a name is defined that is written otherwise than its definition.
pub(crate) fn note(connection: &Connection, selector: &Selector) -> Result<Option<String>, GraphError> {
    let Selector::Loose(text) = selector else { return Ok(None) };
    let found = by_own_name(connection, text)?;
    let Some(written) = as_written(connection, text, &found)? else { return Ok(None) };
    let names: BTreeSet<&str> = written.symbols.iter().map(|symbol| unnumbered(&symbol.qualified)).collect();
    let names = names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    Ok(Some(match written.through {
        Through::Supertype => format!("`{text}` is inherited; it is defined as {names}"),
        Through::Module | Through::Place => format!("`{text}` is defined as {names}"),
    }))
}

/// What a name of several parts means when no code is defined under it. A module that has the name of a function is not
/// meant, and what is called so among tests only if nothing else is.
fn as_written(connection: &Connection, text: &str, found: &[Symbol]) -> Result<Option<Written>, GraphError> {
    let is_meant = |symbol: &Symbol| {
        let (path, kind) = (&symbol.address.path, symbol.address.kind);
        kind != SymbolKind::Module && !symbol::is_test(path, kind)
    };
    // A place in a file, and a name behind its path, mean one thing.
    let is_place = || Ok::<_, GraphError>(place(text).is_some() || behind_path(connection, text)?.is_some());
    if found.iter().any(is_meant) || !found.is_empty() && is_place()? {
        return Ok(None);
    }
    let written = written::find(connection, &bare(text))?;
    Ok(written.filter(|written| found.is_empty() || written.symbols.iter().any(is_meant)))
}

pub(crate) fn ambiguous(selector: &Selector, found: &[Symbol]) -> GraphError {
    GraphError::Ambiguous {
        selector: selector.to_string(),
        candidates: found.iter().take(MAX_CANDIDATES).map(Symbol::selector).collect(),
        total: found.len(),
    }
}

/// Symbols of a file by short name, local name, or qualified name; the longest reading wins.
fn in_file(connection: &Connection, selector: &SymbolSelector) -> Result<Vec<Symbol>, GraphError> {
    let symbols = symbol::select_in_file(connection, "ORDER BY s.span_start, s.id", [&selector.path])?;
    Ok(pick(symbols, selector))
}

/// Those symbols of a file that a selector names.
pub(crate) fn pick(mut symbols: Vec<Symbol>, selector: &SymbolSelector) -> Vec<Symbol> {
    let SymbolSelector { name, kind, .. } = selector;
    symbols.retain(|symbol| kind.is_none_or(|kind| symbol.address.kind == kind));
    let is_exact = |symbol: &&Symbol| symbol.address.local == *name || symbol.qualified == *name;
    let exact: Vec<Symbol> = symbols.iter().filter(is_exact).cloned().collect();
    if !exact.is_empty() {
        return exact;
    }
    symbols.retain(|symbol| {
        let is_named = kind.is_some() || symbol.address.kind != SymbolKind::Impl;
        // A parameter at the end of a path is not a name.
        is_named && symbol.address.kind != SymbolKind::Route && is_tail(&symbol.qualified, name)
    });
    symbols
}

/// The innermost of a file's symbols that covers a line.
pub(crate) fn innermost(symbols: &[Symbol], line: u32) -> Option<&Symbol> {
    let covers = |symbol: &&Symbol| {
        (symbol.line..=symbol.end_line).contains(&line) && symbol.address.kind != SymbolKind::Impl
    };
    let size = |symbol: &&Symbol| (symbol.end_line - symbol.line, std::cmp::Reverse(symbol.span.0));
    symbols.iter().filter(covers).min_by_key(size)
}

/// Inline modules, and the files that are modules.
fn modules(connection: &Connection, name: &str) -> Result<Vec<Symbol>, GraphError> {
    let last = last_part(name);
    let kind = SymbolKind::Module as u8;
    let tail = "AND s.kind = ?2 ORDER BY f.path, s.id";
    let mut found = symbol::select_named(connection, tail, params![last, kind])?;
    found.retain(|symbol| is_tail(&symbol.qualified, name));
    let exact: Vec<Symbol> = found.iter().filter(|symbol| symbol.qualified == name).cloned().collect();
    Ok(if exact.is_empty() { found } else { exact })
}

/// A name, a qualified name, `path:line`, `path:line:column`, or a name behind the path of its file. A heading is
/// meant only where no code has its name.
fn by_own_name(connection: &Connection, text: &str) -> Result<Vec<Symbol>, GraphError> {
    if let Some((path, line)) = place(text)
        && let Some(symbol) = at_line(connection, &path, line)?
    {
        return Ok(vec![symbol]);
    }
    if let Some(symbol) = behind_path(connection, text)? {
        return in_file(connection, &symbol);
    }
    let routes = routes::named(connection, text)?;
    if !routes.is_empty() {
        return Ok(routes);
    }
    let (text, kind) = match text.rsplit_once(':') {
        Some((name, kind)) if !name.ends_with(':') && SymbolKind::parse(kind).is_some() => {
            (name, SymbolKind::parse(kind))
        }
        _ => (text, None),
    };
    let text = bare(text);
    let name = last_part(&text);
    if name == text && kind.is_none() {
        refuse_many(connection, name)?;
    }
    let mut found = symbol::select_named(connection, "ORDER BY f.path, s.span_start, s.id", [name])?;
    found.retain(|symbol| {
        let kind_fits =
            kind.map_or(symbol.address.kind != SymbolKind::Impl, |kind| symbol.address.kind == kind);
        kind_fits && is_tail(&symbol.qualified, &text)
    });
    if found.iter().any(|symbol| symbol.address.kind != SymbolKind::Heading) {
        found.retain(|symbol| symbol.address.kind != SymbolKind::Heading);
    }
    // Overloads are numbered: a name without a number means all of them.
    let is_numbered = unnumbered(&text) != text;
    let is_exact = |symbol: &&Symbol| {
        let own = if is_numbered { &symbol.qualified } else { unnumbered(&symbol.qualified) };
        same_name(own, &text)
    };
    let exact: Vec<Symbol> = found.iter().filter(is_exact).cloned().collect();
    Ok(if exact.is_empty() { found } else { exact })
}

/// `path:line` or `path:line:column`.
fn place(text: &str) -> Option<(String, u32)> {
    let (path, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let line = path.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse().ok()?)));
    let (path, line) = line.unwrap_or((path, last));
    Some((normalize(path).ok()?, line))
}

/// A name behind the path of its file: `src/cart.py#Cart.add`, `src/cart.py::Cart::add`, `src/cart.py:Cart.add`. Paths may
/// have these signs in them, so the longest path that is a file counts.
fn behind_path(connection: &Connection, text: &str) -> Result<Option<SymbolSelector>, GraphError> {
    let mut is_file = connection.prepare_cached("SELECT 1 FROM file_rows WHERE path = ?1")?;
    for (at, _) in text.rmatch_indices([':', '#']) {
        let (path, name) = (&text[..at], text[at..].trim_start_matches([':', '#']));
        let Ok(path) = normalize(path) else { continue };
        if name.is_empty() || !is_file.exists([&path])? {
            continue;
        }
        let selector = format!("symbol:{path}#{name}");
        let Ok(Selector::Symbol(symbol)) = Selector::parse(&selector) else { return Ok(None) };
        return Ok(Some(symbol));
    }
    Ok(None)
}

/// Fails for a bare name that very many symbols have, without reading them all.
fn refuse_many(connection: &Connection, name: &str) -> Result<(), GraphError> {
    // The index of names has all that counting needs.
    let mut statement = connection
        .prepare_cached("SELECT count(*) FROM symbol_rows WHERE name = ?1 COLLATE NOCASE AND name = ?1")?;
    let total: i64 = statement.query_row([name], |row| row.get(0))?;
    let total = total as usize;
    if total <= 2 * MANY {
        return Ok(());
    }
    let tail = "AND s.kind <> ?2 LIMIT ?3";
    let params = params![name, Stored(SymbolKind::Impl), MAX_CANDIDATES as i64];
    let mut found = symbol::select_named(connection, tail, params)?;
    found.sort_by(|a, b| (&a.address.path, a.span).cmp(&(&b.address.path, b.span)));
    let candidates = found.iter().map(Symbol::selector).collect();
    Err(GraphError::Ambiguous { selector: name.to_owned(), candidates, total })
}

/// The innermost symbol that covers a line.
fn at_line(connection: &Connection, path: &str, line: u32) -> Result<Option<Symbol>, GraphError> {
    let tail = "AND s.line <= ?2 AND s.end_line >= ?2 AND s.kind <> ?3
                ORDER BY s.end_line - s.line, s.span_start DESC";
    let mut found = symbol::select_in_file(connection, tail, params![path, line, Stored(SymbolKind::Impl)])?;
    // `constructor(private size: number)` is about the constructor, not about the field that it declares.
    let begins = |symbol: &Symbol| {
        let kind = symbol.address.kind;
        symbol.line == line && (kind.is_callable() || kind.is_type())
    };
    let first = (0..found.len()).filter(|at| begins(&found[*at])).min_by_key(|at| found[*at].span.0);
    Ok((!found.is_empty()).then(|| found.swap_remove(first.unwrap_or(0))))
}

/// The error for a selector that names nothing, with the nearest names.
pub(crate) fn not_found(connection: &Connection, selector: &Selector) -> Result<GraphError, GraphError> {
    let wanted = match selector {
        Selector::Symbol(SymbolSelector { name, .. })
        | Selector::Module(name)
        | Selector::Command(name)
        | Selector::Loose(name) => name,
        Selector::File(path) | Selector::Dir(path) => path,
    };
    let nearest = match selector {
        Selector::File(_) | Selector::Dir(_) => nearest_paths(connection, wanted)?,
        Selector::Command(_) => super::commands::nearest(connection, wanted)?,
        Selector::Loose(text) => match near_line(connection, text)? {
            Some(near) => near,
            None => nearest_symbols(connection, last_part(wanted))?,
        },
        _ => nearest_symbols(connection, last_part(wanted))?,
    };
    let selector = selector.to_string();
    if nearest.contains(&selector) {
        let reason = "a symbol is needed here, not a file; `path:line` names the symbol at a line";
        return Ok(GraphError::bad_selector(&selector, reason));
    }
    Ok(GraphError::NotFound { selector, nearest })
}

/// For `path:line` in a known file, the symbols nearest to the line.
fn near_line(connection: &Connection, text: &str) -> Result<Option<Vec<String>>, GraphError> {
    let Some((path, line)) = place(text) else { return Ok(None) };
    let tail = "AND s.kind <> ?2 ORDER BY min(abs(s.line - ?3), abs(s.end_line - ?3)), s.span_start LIMIT ?4";
    let params = params![path, Stored(SymbolKind::Impl), line, NEAREST as i64];
    let near = symbol::select_in_file(connection, tail, params)?;
    Ok((!near.is_empty()).then(|| near.iter().map(Symbol::selector).collect()))
}

fn nearest_symbols(connection: &Connection, name: &str) -> Result<Vec<String>, GraphError> {
    let mut statement = connection
        .prepare_cached("SELECT DISTINCT name FROM symbol_rows WHERE length(name) BETWEEN ?1 AND ?2")?;
    let length = name.chars().count();
    let bounds = params![length.saturating_sub(3) as i64, length as i64 + 12];
    let names: Vec<String> = statement.query_map(bounds, |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut selectors = Vec::new();
    for near in nearest(name, names.iter().map(String::as_str)) {
        let tail = "AND s.kind <> ?2 ORDER BY f.path, s.id LIMIT 1";
        let found = symbol::select_named(connection, tail, params![near, Stored(SymbolKind::Impl)])?;
        selectors.extend(found.iter().map(Symbol::selector));
    }
    Ok(selectors)
}

fn nearest_paths(connection: &Connection, path: &str) -> Result<Vec<String>, GraphError> {
    let mut statement = connection.prepare_cached("SELECT path FROM file_rows ORDER BY path")?;
    let paths: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let file = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let wanted = file(path);
    let names: Vec<String> = paths.iter().map(|path| file(path)).collect();
    let near: Vec<&str> = nearest(&wanted, names.iter().map(String::as_str));
    let hits = paths.iter().filter(|path| near.contains(&file(path).as_str()));
    Ok(hits.take(NEAREST).map(|path| format!("file:{path}")).collect())
}

/// The names most like `wanted`, best first; none that are unlike it.
pub(crate) fn nearest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let lower = wanted.to_lowercase();
    let limit = (wanted.chars().count() / 3).clamp(1, 4);
    let mut scored: Vec<(usize, &str)> = names
        .filter_map(|name| {
            let candidate = name.to_lowercase();
            let distance = if candidate == lower {
                0
            } else if candidate.contains(&lower) || lower.contains(&candidate) && candidate.len() > 3 {
                1
            } else {
                edit_distance(&lower, &candidate, limit)?
            };
            Some((distance, name))
        })
        .collect();
    scored.sort_by(|a, b| (a.0, a.1.len(), a.1).cmp(&(b.0, b.1.len(), b.1)));
    scored.dedup();
    scored.into_iter().take(NEAREST).map(|(_, name)| name).collect()
}

/// Insertions, deletions, replacements and swaps of neighbours between two words; `None` above `limit`.
pub(crate) fn edit_distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        if row.iter().min().is_some_and(|least| *least > limit) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    last.pop().filter(|distance| *distance <= limit)
}
