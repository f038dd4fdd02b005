//! Who reads a config key: the keys of config files, and the places in code that read one by its name.

use super::refs::{CoveredSymbol, RefOptions, RefRow, RefTarget, Refs};
use super::snippets::Snippets;
use super::symbol;
use super::{Reader, freshness};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::selector::Selector;
use crate::store::stored::Stored;
use orbit_extract::{ConfigKind, RefKind, SymbolKind};
use rusqlite::params;

/// A place where a key is defined or read.
struct Place {
    file: String,
    line: u32,
    is_read: bool,
}

/// The reads of a config key that no symbol has the name of; `None` when nothing defines or reads it.
pub(crate) fn reads(
    reader: &Reader<'_>,
    selector: &Selector,
    options: &RefOptions,
) -> Result<Option<Refs>, GraphError> {
    let Selector::Loose(key) = selector else { return Ok(None) };
    let places = places(reader, key)?;
    if places.is_empty() {
        return Ok(None);
    }
    let (reads, definitions): (Vec<Place>, Vec<Place>) = places.into_iter().partition(|place| place.is_read);
    let paths = reads.iter().chain(&definitions).map(|place| place.file.as_str());
    let stale = freshness::stale_among(reader.connection, reader.root, paths)?;
    let total = reads.len();
    let covers = |place: &Place| CoveredSymbol {
        selector: format!("file:{}", place.file),
        qualified: key.clone(),
        file: place.file.clone(),
        line: place.line,
        refs: total,
    };
    let targets: Vec<CoveredSymbol> = definitions.iter().map(covers).collect();
    let mut snippets = Snippets::new(reader, &stale);
    let mut rows = Vec::new();
    for read in reads.into_iter().take(options.limit) {
        rows.push(RefRow {
            from_selector: standing_at(reader, &read)?,
            snippet: if options.snippets { snippets.get(&read.file, read.line) } else { None },
            kind: RefKind::Value.as_str(),
            // Nothing but the name leads from code to a config file.
            confidence: Confidence::FuzzyName,
            line: read.line,
            file: read.file,
        });
    }
    let selector = if let [only] = targets.as_slice() { Some(only.selector.clone()) } else { None };
    Ok(Some(Refs {
        target: RefTarget { name: key.clone(), qualified: Some(key.clone()), selector },
        targets,
        truncated: rows.len() < total,
        refs: rows,
        relations: Vec::new(),
        relations_total: 0,
        total,
        skipped_low_confidence: 0,
        through: Vec::new(),
        uncertain: Vec::new(),
        account: None,
        stale,
    }))
}

fn places(reader: &Reader<'_>, key: &str) -> Result<Vec<Place>, GraphError> {
    let mut statement = reader.connection.prepare_cached(
        "SELECT f.path, c.line, c.kind FROM config_rows c JOIN file_rows f ON f.id = c.id >> 22
         WHERE (c.key = ?1 OR c.kind = ?3 AND substr(?1, -length(c.key) - 1) = '.' || c.key) AND c.kind <> ?2
         ORDER BY f.path, c.line",
    )?;
    // The type of a part does not say what it is a part of: who reads `port` below nothing reads `server.port`, too.
    let kinds = (ConfigKind::Csv as u8, ConfigKind::Read as u8);
    let rows = statement.query_map(params![key, kinds.0, kinds.1], |row| {
        let is_read = row.get::<_, u8>(2)? == ConfigKind::Read as u8;
        Ok(Place { file: row.get(0)?, line: row.get(1)?, is_read })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The innermost symbol round a read, or its file.
fn standing_at(reader: &Reader<'_>, read: &Place) -> Result<String, GraphError> {
    let tail = "AND s.line <= ?2 AND s.end_line >= ?2 AND s.kind <> ?3
                ORDER BY s.end_line - s.line, s.span_start DESC LIMIT 1";
    let params = params![read.file, read.line, Stored(SymbolKind::Impl)];
    let found = symbol::select_in_file(reader.connection, tail, params)?.pop();
    Ok(found.map_or_else(|| format!("file:{}", read.file), |symbol| symbol.selector()))
}
