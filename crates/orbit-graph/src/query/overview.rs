//! The shape of a repository: files, languages, kinds of symbols, and where most of them are.

mod entries;

use super::{Reader, freshness, symbol, target};
use crate::error::GraphError;
use crate::selector::{Selector, normalize};
use crate::store::stored::Stored;
use crate::store::{file_of_row, first_row};
use orbit_extract::{Lang, SymbolKind};
use rusqlite::{Connection, params};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

pub use entries::{EntryPoint, EntryPoints};

const SUMMARY_FILES: usize = 20;

/// How much is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OverviewFormat {
    /// Counts, and the files with the most symbols; of one file, its symbols.
    #[default]
    Summary,
    /// Every file with its symbols.
    Full,
    /// Counts, and where programs and tests begin.
    EntryPoints,
}

/// A symbol in an overview.
#[derive(Clone, Debug, Serialize)]
pub struct SymbolSummary {
    /// Short name.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// Full name.
    pub qualified: String,
    /// Canonical.
    pub selector: String,
    /// Where it is defined.
    pub file: String,
    /// 1-based.
    pub line: u32,
}

/// A file in an overview.
#[derive(Clone, Debug, Serialize)]
pub struct FileSummary {
    /// Relative to the worktree.
    pub path: String,
    /// Canonical.
    pub selector: String,
    /// Its language.
    pub lang: String,
    /// How many symbols it defines.
    pub symbol_count: usize,
    /// The symbols; `null` in a summary of more than one file.
    pub symbols: Option<Vec<SymbolSummary>>,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Overview {
    /// As asked.
    pub format: OverviewFormat,
    /// What was looked at, canonical; `null` for all.
    pub scope: Option<String>,
    /// Files in scope.
    pub total_files: usize,
    /// Symbols in scope.
    pub total_symbols: usize,
    /// Files by language.
    pub languages: BTreeMap<String, usize>,
    /// Symbols by kind.
    pub symbol_kinds: BTreeMap<String, usize>,
    /// Files, most symbols first in a summary, by path in full.
    pub files: Vec<FileSummary>,
    /// Where programs and tests begin, when that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry_points: Option<EntryPoints>,
    /// Whether `files` lists fewer than there are.
    pub truncated: bool,
    /// Files of this answer that changed since they were indexed.
    pub stale: Vec<String>,
}

/// A file in scope.
struct Scoped {
    id: u32,
    path: String,
    lang: Lang,
    symbols: usize,
}

pub(crate) fn overview(
    reader: &Reader<'_>,
    scope: Option<&Selector>,
    format: OverviewFormat,
) -> Result<Overview, GraphError> {
    let connection = reader.connection;
    let path = scope_path(scope)?;
    let mut scoped = files_in(connection, path.as_deref())?;
    if let (true, Some(path)) = (scoped.is_empty(), &path) {
        return Err(target::not_found(connection, &Selector::File(path.clone()))?);
    }
    let symbol_kinds = count_symbols(connection, &mut scoped, path.is_none())?;
    let mut languages = BTreeMap::new();
    for file in &scoped {
        *languages.entry(file.lang.as_str().to_owned()).or_insert(0) += 1;
    }
    let total_files = scoped.len();
    let mut entry_points = None;
    if format == OverviewFormat::EntryPoints {
        entry_points = Some(entries::entry_points(reader, &scoped)?);
        scoped.clear();
    }
    if format == OverviewFormat::Summary {
        scoped.sort_by(|a, b| b.symbols.cmp(&a.symbols).then_with(|| a.path.cmp(&b.path)));
        scoped.truncate(SUMMARY_FILES);
    }
    let is_one_file = matches!(&scoped[..], [only] if Some(&only.path) == path.as_ref());
    let lists_symbols = is_one_file || format == OverviewFormat::Full;
    let files: Vec<FileSummary> =
        scoped.into_iter().map(|file| summary(connection, file, lists_symbols)).collect::<Result<_, _>>()?;
    let entries = entry_points.iter().flat_map(|found| &found.entries);
    let paths = files.iter().map(|file| file.path.as_str());
    let paths = paths.chain(entries.map(|entry| entry.file.as_str()));
    let stale = freshness::stale_among(connection, reader.root, paths)?;
    Ok(Overview {
        format,
        scope: path.map(|path| {
            if is_one_file { Selector::File(path).to_string() } else { Selector::Dir(path).to_string() }
        }),
        total_files,
        total_symbols: symbol_kinds.values().sum(),
        truncated: entry_points.is_none() && files.len() < total_files,
        entry_points,
        languages,
        symbol_kinds,
        files,
        stale,
    })
}

/// The path asked about; `None` for everything.
fn scope_path(scope: Option<&Selector>) -> Result<Option<String>, GraphError> {
    let path = match scope {
        None => return Ok(None),
        Some(Selector::File(path) | Selector::Dir(path)) => path.clone(),
        Some(Selector::Loose(text)) => {
            normalize(text).map_err(|reason| GraphError::bad_selector(text, reason))?
        }
        Some(other) => {
            return Err(GraphError::bad_selector(&other.to_string(), "overview takes a file or a directory"));
        }
    };
    Ok(Some(path).filter(|path| path != "."))
}

/// A file, or every file below a directory, by path.
fn files_in(connection: &Connection, path: Option<&str>) -> Result<Vec<Scoped>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT id, path, lang FROM file_rows
         WHERE ?1 IS NULL OR path = ?1 OR substr(path, 1, length(?1) + 1) = ?1 || '/' ORDER BY path",
    )?;
    let rows = statement.query_map(params![path], |row| {
        let lang = row.get::<_, Stored<Lang>>(2)?.0;
        Ok(Scoped { id: row.get(0)?, path: row.get(1)?, lang, symbols: 0 })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Counts the symbols of each file, and of each kind in all of them. All rows are read in one go when all
/// files are in scope.
fn count_symbols(
    connection: &Connection,
    scoped: &mut [Scoped],
    is_everything: bool,
) -> Result<BTreeMap<String, usize>, GraphError> {
    let ranges: Vec<(i64, i64)> = if is_everything {
        vec![(0, i64::MAX)]
    } else {
        scoped.iter().map(|file| (first_row(file.id), first_row(file.id + 1) - 1)).collect()
    };
    let mut by_kind = [0; u8::MAX as usize + 1];
    let mut by_file: HashMap<u32, usize> = HashMap::new();
    let mut statement =
        connection.prepare_cached("SELECT id, kind FROM symbol_rows WHERE id BETWEEN ?1 AND ?2")?;
    for (first, last) in ranges {
        let mut rows = statement.query([first, last])?;
        while let Some(row) = rows.next()? {
            *by_file.entry(file_of_row(row.get(0)?)).or_insert(0) += 1;
            by_kind[usize::from(row.get::<_, u8>(1)?)] += 1;
        }
    }
    for file in scoped {
        file.symbols = by_file.get(&file.id).copied().unwrap_or(0);
    }
    let counted = SymbolKind::ALL.into_iter().map(|kind| (kind.as_str().to_owned(), by_kind[kind as usize]));
    Ok(counted.filter(|(_, count)| *count > 0).collect())
}

fn summary(connection: &Connection, file: Scoped, lists_symbols: bool) -> Result<FileSummary, GraphError> {
    let symbols = if lists_symbols { Some(symbols_of(connection, &file.path)?) } else { None };
    Ok(FileSummary {
        selector: format!("file:{}", file.path),
        path: file.path,
        lang: file.lang.as_str().into(),
        symbol_count: file.symbols,
        symbols,
    })
}

fn symbols_of(connection: &Connection, path: &str) -> Result<Vec<SymbolSummary>, GraphError> {
    let symbols = symbol::select_in_file(connection, "ORDER BY s.span_start, s.id", [path])?;
    let rows = symbols.into_iter().map(|symbol| SymbolSummary {
        selector: symbol.selector(),
        kind: symbol.address.kind.as_str().into(),
        name: symbol.name,
        qualified: symbol.qualified,
        file: symbol.address.path,
        line: symbol.line,
    });
    Ok(rows.collect())
}
