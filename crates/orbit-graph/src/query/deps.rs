//! What a file, or the files of a directory, import.

use super::{Reader, freshness, target};
use crate::error::GraphError;
use crate::selector::{Selector, normalize};
use rusqlite::{Connection, params};
use serde::Serialize;

/// One import.
#[derive(Clone, Debug, Serialize)]
pub struct Import {
    /// Who imports.
    pub from_file: String,
    /// 1-based.
    pub line: u32,
    /// The module as written.
    pub target_path: String,
    /// The symbol taken from it.
    pub target_symbol: Option<String>,
    /// The file of the repository it leads to.
    pub resolved_file: Option<String>,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Deps {
    /// Canonical.
    pub scope: String,
    /// By file and line.
    pub imports: Vec<Import>,
    /// How many there are.
    pub total: usize,
    /// Whether the list is cut.
    pub truncated: bool,
    /// Files of this answer that changed since they were indexed.
    pub stale: Vec<String>,
}

pub(crate) fn deps(reader: &Reader<'_>, selector: &Selector, limit: usize) -> Result<Deps, GraphError> {
    let connection = reader.connection;
    let path = match selector {
        Selector::File(path) | Selector::Dir(path) => path.clone(),
        Selector::Loose(text) => normalize(text).map_err(|reason| GraphError::bad_selector(text, reason))?,
        other => {
            return Err(GraphError::bad_selector(&other.to_string(), "deps takes a file or a directory"));
        }
    };
    let is_file: bool = connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM file_rows WHERE path = ?1)")?
        .query_row([&path], |row| row.get(0))?;
    let mut statement = connection.prepare_cached(
        "SELECT f.path, i.line, i.target_path, i.target_symbol, t.path FROM file_rows f
         JOIN import_rows i ON i.id BETWEEN f.id << 22 AND ((f.id + 1) << 22) - 1
         LEFT JOIN file_rows t ON t.id = i.resolved_file
         WHERE f.path = ?1 OR ?1 = '.' OR substr(f.path, 1, length(?1) + 1) = ?1 || '/'
         ORDER BY f.path, i.line, i.target_path, i.target_symbol",
    )?;
    let rows = statement.query_map(params![path], |row| {
        Ok(Import {
            from_file: row.get(0)?,
            line: row.get(1)?,
            target_path: row.get(2)?,
            target_symbol: row.get(3)?,
            resolved_file: row.get(4)?,
        })
    })?;
    let mut imports: Vec<Import> = rows.collect::<Result<_, _>>()?;
    if imports.is_empty() && !is_file && !is_directory(reader, &path)? {
        return Err(target::not_found(connection, &Selector::File(path))?);
    }
    let total = imports.len();
    imports.truncate(limit);
    for import in imports.iter_mut().filter(|import| import.resolved_file.is_none()) {
        import.resolved_file = named_outright(connection, import)?;
    }
    let paths = imports.iter().map(|row| row.from_file.as_str());
    let paths = paths.chain(imports.iter().filter_map(|row| row.resolved_file.as_deref()));
    let stale = freshness::stale_among(connection, reader.root, paths)?;
    let scope = if is_file { Selector::File(path) } else { Selector::Dir(path) };
    Ok(Deps { scope: scope.to_string(), truncated: imports.len() < total, imports, total, stale })
}

/// The file that a relative path names as it is: `./data.json`. The resolver looks for code only.
fn named_outright(connection: &Connection, import: &Import) -> Result<Option<String>, GraphError> {
    if !import.target_path.starts_with("./") && !import.target_path.starts_with("../") {
        return Ok(None);
    }
    let dir = import.from_file.rsplit_once('/').map_or("", |(dir, _)| dir);
    let Ok(path) = normalize(&format!("{dir}/{}", import.target_path)) else { return Ok(None) };
    let mut is_file = connection.prepare_cached("SELECT 1 FROM file_rows WHERE path = ?1")?;
    Ok(if is_file.exists([&path])? { Some(path) } else { None })
}

fn is_directory(reader: &Reader<'_>, path: &str) -> Result<bool, GraphError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM file_rows WHERE ?1 = '.' OR substr(path, 1, length(?1) + 1) = ?1 || '/')";
    Ok(reader.connection.prepare_cached(sql)?.query_row([path], |row| row.get(0))?)
}
