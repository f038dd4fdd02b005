//! The source of a symbol or file, as it is on disk now.

use super::symbol::Symbol;
use super::{Reader, freshness, target};
use crate::error::GraphError;
use crate::selector::{Selector, normalize};
use crate::store::stored::Stored;
use orbit_extract::Lang;
use rusqlite::OptionalExtension;
use serde::Serialize;

/// A byte range.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ByteSpan {
    /// First byte.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

/// What is known about the thing shown.
#[derive(Clone, Debug, Serialize)]
pub struct ShowMetadata {
    /// Relative to the worktree.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// 1-based.
    pub end_line: u32,
    /// In the file.
    pub span: ByteSpan,
    /// `file`, or the symbol's kind.
    pub kind: String,
    /// The symbol's name.
    pub name: Option<String>,
    /// Its full name; for a file, its module.
    pub qualified: Option<String>,
    /// Its signature.
    pub signature: Option<String>,
    /// The language.
    pub lang: String,
    /// The limit cut the source.
    pub truncated: bool,
    /// The file changed since it was indexed: the lines may be off.
    pub stale: bool,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Show {
    /// Canonical.
    pub selector: String,
    /// The text; `null` when the file is gone.
    pub source: Option<String>,
    /// About it.
    pub metadata: ShowMetadata,
    /// Further definitions of the same name: overloads, or twins under other conditions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_definitions: Vec<String>,
}

pub(crate) fn show(reader: &Reader<'_>, selector: &Selector, max_bytes: usize) -> Result<Show, GraphError> {
    if let Some(path) = file_of(reader, selector)? {
        return show_file(reader, &path, max_bytes);
    }
    let definitions = target::one(reader.connection, selector)?;
    // Of overloads and twins the longest has the body.
    let longest = definitions.iter().rev().max_by_key(|symbol| symbol.span.1 - symbol.span.0);
    let Some(symbol) = longest else { return Err(target::not_found(reader.connection, selector)?) };
    let mut shown = show_symbol(reader, symbol, max_bytes)?;
    let others = definitions.iter().filter(|other| other.id != symbol.id);
    shown.other_definitions = others.map(Symbol::selector).collect();
    Ok(shown)
}

/// The path, when the selector names a file or a module that is one.
fn file_of(reader: &Reader<'_>, selector: &Selector) -> Result<Option<String>, GraphError> {
    let (sql, text) = match selector {
        Selector::File(path) => ("SELECT path FROM file_rows WHERE path = ?1", path.clone()),
        Selector::Loose(path) => match normalize(path) {
            Ok(path) => ("SELECT path FROM file_rows WHERE path = ?1", path),
            Err(_) => return Ok(None),
        },
        Selector::Module(name) => {
            ("SELECT min(path) FROM file_rows WHERE module = ?1 HAVING count(*) = 1", name.clone())
        }
        _ => return Ok(None),
    };
    let found: Option<String> =
        reader.connection.prepare_cached(sql)?.query_row([text], |row| row.get(0)).optional()?;
    if found.is_none() && matches!(selector, Selector::File(_)) {
        return Err(target::not_found(reader.connection, selector)?);
    }
    Ok(found)
}

fn show_file(reader: &Reader<'_>, path: &str, max_bytes: usize) -> Result<Show, GraphError> {
    let (Stored(lang), module): (Stored<Lang>, String) = reader
        .connection
        .prepare_cached("SELECT lang, module FROM file_rows WHERE path = ?1")?
        .query_row([path], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let bytes = std::fs::read(reader.root.join(path)).ok();
    let length = bytes.as_ref().map_or(0, Vec::len);
    let (source, truncated) = cut(bytes.as_deref(), max_bytes);
    let lines = source.as_deref().map_or(1, |text| text.lines().count().max(1));
    Ok(Show {
        selector: format!("file:{path}"),
        metadata: ShowMetadata {
            file: path.to_owned(),
            line: 1,
            end_line: lines as u32,
            span: ByteSpan { start: 0, end: length as u32 },
            kind: "file".into(),
            name: None,
            qualified: Some(module).filter(|module| !module.is_empty()),
            signature: None,
            lang: lang.as_str().into(),
            truncated,
            stale: freshness::is_stale(reader.connection, reader.root, path)?,
        },
        other_definitions: Vec::new(),
        source,
    })
}

fn show_symbol(reader: &Reader<'_>, symbol: &Symbol, max_bytes: usize) -> Result<Show, GraphError> {
    let stale = freshness::is_stale(reader.connection, reader.root, &symbol.address.path)?;
    let bytes = std::fs::read(reader.root.join(&symbol.address.path)).ok();
    let (start, end) = (symbol.span.0 as usize, symbol.span.1 as usize);
    let slice = bytes.as_deref().map(|bytes| &bytes[start.min(bytes.len())..end.min(bytes.len())]);
    let (source, truncated) = cut(slice, max_bytes);
    Ok(Show {
        selector: symbol.selector(),
        source,
        metadata: ShowMetadata {
            file: symbol.address.path.clone(),
            line: symbol.line,
            end_line: symbol.end_line,
            span: ByteSpan { start: symbol.span.0, end: symbol.span.1 },
            kind: symbol.address.kind.as_str().into(),
            name: Some(symbol.name.clone()),
            qualified: Some(symbol.qualified.clone()),
            signature: symbol.signature.clone(),
            lang: symbol.lang.as_str().into(),
            truncated,
            stale,
        },
        other_definitions: Vec::new(),
    })
}

/// At most `max_bytes` of text, cut between characters.
fn cut(bytes: Option<&[u8]>, max_bytes: usize) -> (Option<String>, bool) {
    let Some(bytes) = bytes else { return (None, false) };
    let text = String::from_utf8_lossy(bytes);
    let end = text.floor_char_boundary(max_bytes);
    (Some(text[..end].to_owned()), end < text.len())
}
