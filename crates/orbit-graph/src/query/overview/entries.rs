//! Where programs begin: `main`, commands, scripts that packages install, files that are run, and tests.

use super::Scoped;
use crate::error::GraphError;
use crate::query::symbol::{self, Symbol, is_test};
use crate::query::{Reader, commands};
use crate::selector::Selector;
use orbit_extract::{Lang, SymbolKind};
use rusqlite::Connection;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// A place where something begins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct EntryPoint {
    /// `main`, `command`, `binary` (what a package installs) or `script` (a file that does something when it is run).
    pub kind: &'static str,
    /// What it is called there.
    pub name: String,
    /// Canonical.
    pub selector: String,
    /// Relative to the worktree.
    pub file: String,
    /// 1-based.
    pub line: u32,
}

/// Where programs and tests begin.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EntryPoints {
    /// By kind, name and place.
    pub entries: Vec<EntryPoint>,
    /// How many tests there are, by the directory that they are all in.
    pub tests: BTreeMap<String, usize>,
}

/// The entry points of these files.
pub(super) fn entry_points(reader: &Reader<'_>, files: &[Scoped]) -> Result<EntryPoints, GraphError> {
    let connection = reader.connection;
    let scoped: HashMap<&str, &Scoped> = files.iter().map(|file| (file.path.as_str(), file)).collect();
    let mut entries = mains(connection)?;
    entries.extend(commands::all(connection)?.into_iter().map(|command| EntryPoint {
        kind: "command",
        selector: command.selector(),
        name: command.name,
        file: command.path,
        line: command.line,
    }));
    entries.extend(binaries(connection)?);
    entries.extend(scripts(reader)?);
    entries.retain(|entry| {
        scoped.contains_key(entry.file.as_str()) && !is_test(&entry.file, SymbolKind::Function)
    });
    entries.sort();
    entries.dedup();
    Ok(EntryPoints { entries, tests: tests(connection, files)? })
}

/// Functions that run when the program is started, by the rule of each language.
fn mains(connection: &Connection) -> Result<Vec<EntryPoint>, GraphError> {
    let mut found = symbol::select_named(connection, "ORDER BY f.path, s.id", ["main"])?;
    found.append(&mut symbol::select_named(connection, "ORDER BY f.path, s.id", ["Main"])?);
    found.retain(begins_program);
    let entries = found.into_iter().map(|symbol| EntryPoint {
        kind: "main",
        selector: symbol.selector(),
        name: symbol.qualified,
        file: symbol.address.path,
        line: symbol.line,
    });
    Ok(entries.collect())
}

fn begins_program(symbol: &Symbol) -> bool {
    let is_free = symbol.address.kind == SymbolKind::Function && symbol.address.local == symbol.name;
    let is_static = symbol.signature.as_deref().is_some_and(|text| text.contains("static "));
    match symbol.lang {
        Lang::Rust | Lang::Go | Lang::C | Lang::Cpp | Lang::Kotlin => is_free && symbol.name == "main",
        Lang::Java => is_static && symbol.name == "main",
        Lang::CSharp => is_static && symbol.name == "Main",
        _ => false,
    }
}

/// Programs that a package installs, by their names in `package.json` and `pyproject.toml`.
fn binaries(connection: &Connection) -> Result<Vec<EntryPoint>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT f.path, c.key, c.line FROM config_rows c JOIN file_rows f ON f.id = c.id >> 22
         WHERE f.path LIKE '%package.json' AND (c.key = 'bin' OR c.key GLOB 'bin.*')
            OR f.path LIKE '%pyproject.toml' AND c.key GLOB '*scripts.*'",
    )?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let rows: Vec<(String, String, u32)> = rows.collect::<Result<_, _>>()?;
    let named = |path: &str, key: &str| match path.rsplit('/').next()? {
        "package.json" => Some(key.strip_prefix("bin.").unwrap_or(key).to_owned()),
        "pyproject.toml" => {
            let tables = ["project.scripts.", "project.gui-scripts.", "tool.poetry.scripts."];
            tables.iter().find_map(|table| key.strip_prefix(table)).map(str::to_owned)
        }
        _ => None,
    };
    let is_table = |file: &str, key: &str| {
        key == "bin" && rows.iter().any(|(other, key, _)| other == file && key.starts_with("bin."))
    };
    let entries =
        rows.iter().filter(|(file, key, _)| !is_table(file, key)).filter_map(|(file, key, line)| {
            let (name, selector) = (named(file, key)?, Selector::File(file.clone()).to_string());
            Some(EntryPoint { kind: "binary", name, selector, file: file.clone(), line: *line })
        });
    Ok(entries.collect())
}

/// Python files that do something when they are run: they ask whether they are `__main__`, or are called so.
fn scripts(reader: &Reader<'_>) -> Result<Vec<EntryPoint>, GraphError> {
    let mut statement = reader.connection.prepare_cached(
        "SELECT f.path, s.line FROM string_rows s JOIN file_rows f ON f.id = s.id >> 22
         WHERE s.id IN (SELECT rowid FROM strings_fts WHERE strings_fts MATCH 'main') AND s.value = '__main__'
           AND f.lang = ?1
         UNION SELECT path, 1 FROM file_rows WHERE path = '__main__.py' OR substr(path, -12) = '/__main__.py'",
    )?;
    let rows = statement.query_map([Lang::Python as u8], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let rows: Vec<(String, u32)> = rows.collect::<Result<_, _>>()?;
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for (file, line) in rows {
        if file.ends_with("__main__.py") || asks_for_main(reader, &file, line) {
            found.entry(file).or_insert(line);
        }
    }
    let entries = found.into_iter().map(|(file, line)| EntryPoint {
        kind: "script",
        name: file.clone(),
        selector: Selector::File(file.clone()).to_string(),
        file,
        line,
    });
    Ok(entries.collect())
}

/// Whether a line compares `__name__`; other uses of the string are about other modules.
fn asks_for_main(reader: &Reader<'_>, file: &str, line: u32) -> bool {
    let text = std::fs::read_to_string(reader.root.join(file)).unwrap_or_default();
    let line = text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default().trim();
    line.starts_with("if ") && line.contains("__name__") && !line.contains(".__name__")
}

/// The tests of these files, by the outermost directory that is called for tests, else by their own.
fn tests(connection: &Connection, files: &[Scoped]) -> Result<BTreeMap<String, usize>, GraphError> {
    let mut statement = connection
        .prepare_cached("SELECT id >> 22, count(*) FROM symbol_rows WHERE kind = ?1 GROUP BY id >> 22")?;
    let rows = statement.query_map([SymbolKind::Test as u8], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let counts: HashMap<u32, i64> = rows.collect::<Result<_, _>>()?;
    let mut tests = BTreeMap::new();
    for file in files {
        if let Some(count) = counts.get(&file.id) {
            *tests.entry(root_of(&file.path)).or_insert(0) += *count as usize;
        }
    }
    Ok(tests)
}

fn root_of(path: &str) -> String {
    let dir = path.rsplit_once('/').map_or(".", |(dir, _)| dir);
    let mut end = 0;
    for part in dir.split('/') {
        end += part.len();
        if matches!(part, "test" | "tests" | "__tests__" | "spec" | "Tests") {
            return dir[..end].to_owned();
        }
        end += 1;
    }
    dir.to_owned()
}
