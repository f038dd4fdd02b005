//! Who imports a file or a module: the uses of what is not a symbol.

use super::names::{bare, is_tail, parts};
use super::refs::{CoveredSymbol, RefOptions, RefRow, RefTarget, Refs};
use super::snippets::Snippets;
use super::symbol::Symbol;
use super::{Reader, freshness};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::selector::{Selector, normalize};
use orbit_extract::{Lang, RefKind, SymbolKind};
use rusqlite::{Connection, Row, ToSql};
use std::collections::BTreeSet;

/// A file that is asked for.
struct Asked {
    id: u32,
    path: String,
    module: String,
}

/// The files that a selector names; none when it names a symbol, or nothing.
fn asked(connection: &Connection, selector: &Selector) -> Result<Vec<Asked>, GraphError> {
    match selector {
        Selector::File(path) => select(connection, "path = ?1", [path]),
        Selector::Loose(text) => {
            let found = match normalize(text) {
                Ok(path) => select(connection, "path = ?1", [path])?,
                Err(_) => Vec::new(),
            };
            if found.is_empty() { called(connection, text) } else { Ok(found) }
        }
        Selector::Module(name) => modules(connection, name),
        Selector::Symbol(_) | Selector::Dir(_) | Selector::Command(_) => Ok(Vec::new()),
    }
}

/// The files that are a module: of exactly this name, else of one that ends so.
fn modules(connection: &Connection, name: &str) -> Result<Vec<Asked>, GraphError> {
    let exact = select(connection, "module = ?1", [name])?;
    if !exact.is_empty() {
        return Ok(exact);
    }
    let mut found = select(connection, "module <> ?1", [""])?;
    found.retain(|file| is_tail(&file.module, name));
    Ok(found)
}

/// The same of a name as it is written in code: `black.lines`, `crate::util::units`. One part alone is the end of too
/// many names.
fn called(connection: &Connection, text: &str) -> Result<Vec<Asked>, GraphError> {
    let name = bare(text);
    match parts(&name).len() {
        _ if Lang::of_path(text).is_some() => Ok(Vec::new()),
        0 | 1 => select(connection, "module = ?1", [&name]),
        _ => modules(connection, &name),
    }
}

/// The path of the one file that is a module of this name, as it is written in code.
pub(super) fn file_called(connection: &Connection, text: &str) -> Result<Option<String>, GraphError> {
    let mut found = called(connection, text)?;
    Ok(if found.len() == 1 { found.pop().map(|file| file.path) } else { None })
}

/// The imports that lead to the files which symbols declare (`mod x;` of Rust): path and line, by symbol.
fn of_declared(
    connection: &Connection,
    symbols: &[Symbol],
) -> Result<Vec<BTreeSet<(String, u32)>>, GraphError> {
    let mut all = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        let mut lines = BTreeSet::new();
        if symbol.address.kind == SymbolKind::Module {
            for file in select(connection, "module = ?1", [&symbol.qualified])? {
                if file.path != symbol.address.path {
                    lines.extend(imports_of(connection, &file)?);
                }
            }
        }
        // Its own line is what declares it.
        lines.remove(&(symbol.address.path.clone(), symbol.line));
        all.push(lines);
    }
    Ok(all)
}

fn select(
    connection: &Connection,
    condition: &str,
    params: [impl ToSql; 1],
) -> Result<Vec<Asked>, GraphError> {
    let sql = format!("SELECT id, path, module FROM file_rows WHERE {condition} ORDER BY path");
    let file = |row: &Row<'_>| Ok(Asked { id: row.get(0)?, path: row.get(1)?, module: row.get(2)? });
    Ok(connection.prepare_cached(&sql)?.query_map(params, file)?.collect::<Result<_, _>>()?)
}

/// Every line that imports one of the files, or something defined in it; `None` when the selector names no file.
pub(super) fn importers(
    reader: &Reader<'_>,
    selector: &Selector,
    options: &RefOptions,
) -> Result<Option<Refs>, GraphError> {
    let connection = reader.connection;
    let files = asked(connection, selector)?;
    let Some(first) = files.first() else { return Ok(None) };
    let is_wanted = options.kind.as_deref().is_none_or(|kind| kind == RefKind::Use.as_str());
    let mut lines: BTreeSet<(String, u32)> = BTreeSet::new();
    let mut targets = Vec::with_capacity(files.len());
    for file in &files {
        let found = if is_wanted { imports_of(connection, file)? } else { BTreeSet::new() };
        targets.push(CoveredSymbol {
            selector: Selector::File(file.path.clone()).to_string(),
            qualified: file.module.clone(),
            file: file.path.clone(),
            line: 1,
            refs: found.len(),
        });
        lines.extend(found);
    }
    let total = lines.len();
    let shown: Vec<(String, u32)> = lines.into_iter().take(options.limit).collect();
    let paths = shown.iter().map(|(path, _)| path).chain(files.iter().map(|file| &file.path));
    let stale = freshness::stale_among(connection, reader.root, paths.map(String::as_str))?;
    let mut snippets = Snippets::new(reader, &stale);
    let rows = shown.into_iter().map(|place| import_row(&mut snippets, options, place));
    let refs: Vec<RefRow> = rows.collect();
    let is_single = files.len() == 1;
    let target = RefTarget {
        name: first.path.rsplit('/').next().unwrap_or(&first.path).to_owned(),
        qualified: is_single.then(|| first.module.clone()),
        selector: is_single.then(|| targets[0].selector.clone()),
    };
    Ok(Some(Refs {
        target,
        targets,
        truncated: refs.len() < total,
        refs,
        relations: Vec::new(),
        relations_total: 0,
        total,
        skipped_low_confidence: 0,
        uncertain: Vec::new(),
        account: None,
        through: Vec::new(),
        stale,
    }))
}

/// An answer with the imports of the files that modules among its symbols declare, which are uses of those.
pub(super) fn with_declared(
    reader: &Reader<'_>,
    symbols: &[Symbol],
    options: &RefOptions,
    mut answer: Refs,
) -> Result<Refs, GraphError> {
    if options.kind.as_deref().is_some_and(|kind| kind != RefKind::Use.as_str()) {
        return Ok(answer);
    }
    let declared = of_declared(reader.connection, symbols)?;
    let known: BTreeSet<(String, u32)> = answer.refs.iter().map(|row| (row.file.clone(), row.line)).collect();
    let mut added: BTreeSet<(String, u32)> = BTreeSet::new();
    for (lines, symbol) in declared.into_iter().zip(symbols) {
        let new: BTreeSet<(String, u32)> = lines.difference(&known).cloned().collect();
        if let Some(target) = answer.targets.iter_mut().find(|target| target.selector == symbol.selector()) {
            target.refs += new.len();
        }
        added.extend(new);
    }
    answer.total += added.len();
    let paths = added.iter().map(|(path, _)| path.as_str());
    let stale: BTreeSet<String> = freshness::stale_among(reader.connection, reader.root, paths)?
        .into_iter()
        .chain(std::mem::take(&mut answer.stale))
        .collect();
    answer.stale = stale.into_iter().collect();
    let mut snippets = Snippets::new(reader, &answer.stale);
    answer.refs.extend(added.into_iter().map(|place| import_row(&mut snippets, options, place)));
    answer.refs.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    answer.refs.truncate(options.limit);
    answer.truncated |= answer.refs.len() < answer.total;
    Ok(answer)
}

/// An import as a use of what it leads to.
fn import_row(snippets: &mut Snippets<'_>, options: &RefOptions, (file, line): (String, u32)) -> RefRow {
    RefRow {
        kind: RefKind::Use.as_str(),
        confidence: Confidence::ImportResolved,
        from_selector: Selector::File(file.clone()).to_string(),
        snippet: if options.snippets { snippets.get(&file, line) } else { None },
        line,
        file,
    }
}

/// Path and line of the imports that lead to a file. One line may take several names from it.
fn imports_of(connection: &Connection, file: &Asked) -> Result<BTreeSet<(String, u32)>, GraphError> {
    let sql = format!(
        "SELECT f.path, i.line FROM import_rows i JOIN file_rows f ON f.id = i.id >> {}
         WHERE i.resolved_file = ?1 AND f.id <> ?1",
        crate::store::FILE_SHIFT
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([file.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
