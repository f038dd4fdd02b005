//! The shape of a repository: files, languages, kinds of symbols, and where most of them are.

use super::{Reader, symbol, target};
use crate::error::GraphError;
use crate::selector::{Selector, normalize};
use rusqlite::{Connection, params};
use serde::Serialize;
use std::collections::BTreeMap;

const SUMMARY_FILES: usize = 20;

/// How much is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OverviewFormat {
    /// Counts, and the files with the most symbols.
    #[default]
    Summary,
    /// Every file with its symbols.
    Full,
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
    /// The symbols; `null` in a summary.
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
    /// Whether `files` lists fewer than there are.
    pub truncated: bool,
}

/// A path and everything below it.
const IN_SCOPE: &str = "(?1 IS NULL OR f.path = ?1 OR substr(f.path, 1, length(?1) + 1) = ?1 || '/')";

pub(crate) fn overview(
    reader: &Reader<'_>,
    scope: Option<&Selector>,
    format: OverviewFormat,
) -> Result<Overview, GraphError> {
    let connection = reader.connection;
    let path = match scope {
        None => None,
        Some(Selector::File(path) | Selector::Dir(path)) => Some(path.clone()),
        Some(Selector::Loose(text)) => {
            Some(normalize(text).map_err(|reason| GraphError::bad_selector(text, reason))?)
        }
        Some(other) => {
            return Err(GraphError::bad_selector(&other.to_string(), "overview takes a file or a directory"));
        }
    };
    let path = path.filter(|path| path != ".");
    let below = path.as_deref();
    let languages = counts(
        connection,
        &format!("SELECT f.lang, count(*) FROM files f WHERE {IN_SCOPE} GROUP BY 1"),
        below,
    )?;
    if let (true, Some(path)) = (languages.is_empty(), &path) {
        return Err(target::not_found(connection, &Selector::File(path.clone()))?);
    }
    let symbol_kinds = counts(
        connection,
        &format!(
            "SELECT s.kind, count(*) FROM symbols s JOIN files f ON f.path = s.file_path WHERE {IN_SCOPE} GROUP BY 1"
        ),
        below,
    )?;
    let mut files = files(connection, below, format)?;
    if format == OverviewFormat::Full {
        for file in &mut files {
            file.symbols = Some(symbols_of(connection, &file.path)?);
        }
    }
    let total_files = languages.values().sum();
    Ok(Overview {
        format,
        scope: scope.and(path).map(|path| {
            let is_file = files.len() == 1 && files[0].path == path;
            if is_file { Selector::File(path).to_string() } else { Selector::Dir(path).to_string() }
        }),
        total_files,
        total_symbols: symbol_kinds.values().sum(),
        truncated: files.len() < total_files,
        languages,
        symbol_kinds,
        files,
    })
}

fn files(
    connection: &Connection,
    below: Option<&str>,
    format: OverviewFormat,
) -> Result<Vec<FileSummary>, GraphError> {
    let (order, limit) = match format {
        OverviewFormat::Summary => ("symbol_count DESC, f.path", SUMMARY_FILES as i64),
        OverviewFormat::Full => ("f.path", -1),
    };
    let sql = format!(
        "SELECT f.path, f.lang, (SELECT count(*) FROM symbol_rows s JOIN file_rows r ON r.path = f.path
           WHERE s.id BETWEEN r.id << 22 AND ((r.id + 1) << 22) - 1) AS symbol_count
         FROM files f WHERE {IN_SCOPE} ORDER BY {order} LIMIT ?2"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params![below, limit], |row| {
        let path: String = row.get(0)?;
        let symbol_count = row.get::<_, i64>(2)? as usize;
        Ok(FileSummary {
            selector: format!("file:{path}"),
            path,
            lang: row.get(1)?,
            symbol_count,
            symbols: None,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn counts(
    connection: &Connection,
    sql: &str,
    scope: Option<&str>,
) -> Result<BTreeMap<String, usize>, GraphError> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows =
        statement.query_map(params![scope], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as usize)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn symbols_of(connection: &Connection, path: &str) -> Result<Vec<SymbolSummary>, GraphError> {
    let symbols = symbol::select(connection, "WHERE f.path = ?1 ORDER BY s.span_start, s.id", [path])?;
    let rows = symbols.into_iter().map(|symbol| SymbolSummary {
        selector: symbol.selector(),
        kind: symbol.kind.as_str().into(),
        name: symbol.name,
        qualified: symbol.qualified,
        file: symbol.path,
        line: symbol.line,
    });
    Ok(rows.collect())
}
