//! Who imports a file or a module: the uses of what is not a symbol.

use super::names::is_tail;
use super::refs::{CoveredSymbol, RefOptions, RefRow, RefTarget, Refs};
use super::snippets::Snippets;
use super::{Reader, freshness};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::selector::{Selector, normalize};
use orbit_extract::RefKind;
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
        Selector::Loose(text) => match normalize(text) {
            Ok(path) => select(connection, "path = ?1", [path]),
            Err(_) => Ok(Vec::new()),
        },
        Selector::Module(name) => {
            let exact = select(connection, "module = ?1", [name])?;
            if !exact.is_empty() {
                return Ok(exact);
            }
            let mut found = select(connection, "module <> ?1", [""])?;
            found.retain(|file| is_tail(&file.module, name));
            Ok(found)
        }
        Selector::Symbol(_) | Selector::Dir(_) | Selector::Command(_) => Ok(Vec::new()),
    }
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
    let rows = shown.into_iter().map(|(file, line)| RefRow {
        kind: RefKind::Use.as_str(),
        confidence: Confidence::ImportResolved,
        from_selector: Selector::File(file.clone()).to_string(),
        snippet: if options.snippets { snippets.get(&file, line) } else { None },
        line,
        file,
    });
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
