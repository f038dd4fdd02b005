//! The source of a symbol or file, as it is on disk now.
//!
//! A file that changed since it was indexed is extracted anew: its symbols are looked for in the new text. What is longer than
//! the limit comes in pages.

mod current;
mod page;

use super::Reader;
use super::importers;
use super::symbol::Symbol;
use super::target;
use crate::error::GraphError;
use crate::selector::{Selector, normalize};
use crate::store::stored::Stored;
use current::Current;
use orbit_extract::Lang;
use page::Page;
use rusqlite::OptionalExtension;
use serde::Serialize;

pub use page::Lines;

/// What is shown of it.
#[derive(Clone, Copy, Debug)]
pub struct ShowOptions {
    /// Cut after the last line that ends within so many bytes.
    pub max_bytes: usize,
    /// Only these lines of the file.
    pub lines: Option<Lines>,
}

impl ShowOptions {
    /// Everything that is known about it, and nothing of the source.
    pub const METADATA: ShowOptions = ShowOptions { max_bytes: 0, lines: None };

    /// The source up to so many bytes.
    pub fn up_to(max_bytes: usize) -> ShowOptions {
        ShowOptions { max_bytes, lines: None }
    }
}

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
    /// The file changed since it was indexed, and this is not in it any more.
    pub stale: bool,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Show {
    /// Canonical.
    pub selector: String,
    /// The text; `null` when it is gone.
    pub source: Option<String>,
    /// About it.
    pub metadata: ShowMetadata,
    /// The lines that the text has, when it does not have all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<String>,
    /// The lines to ask for next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_lines: Option<String>,
    /// A line that is longer than the limit, and ends early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut_line: Option<u32>,
    /// Why there is no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone: Option<String>,
    /// Further definitions of the same name: overloads, or twins under other conditions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_definitions: Vec<String>,
}

pub(crate) fn show(
    reader: &Reader<'_>,
    selector: &Selector,
    options: &ShowOptions,
) -> Result<Show, GraphError> {
    if let Some((path, lines)) = lines_of_file(reader, selector)? {
        let lines = options.lines.or(Some(lines));
        return show_file(reader, &path, &ShowOptions { lines, ..*options });
    }
    if let Some(path) = file_of(reader, selector)? {
        return show_file(reader, &path, options);
    }
    if let Some(wanted) = target::in_named_file(reader.connection, selector)? {
        let current = Current::read(reader, wanted.path())?;
        let found = current.named(&wanted);
        if !found.is_empty() {
            return show_first(reader, &one_thing(selector, found)?, options);
        }
    }
    if let Selector::Loose(text) = selector
        && target::any(reader.connection, selector)?.is_empty()
        && let Some(path) = importers::file_called(reader.connection, text)?
    {
        return show_file(reader, &path, options);
    }
    show_first(reader, &target::one(reader.connection, selector)?, options)
}

/// Symbols that the new text of a file has, when they are one thing.
fn one_thing(selector: &Selector, found: Vec<Symbol>) -> Result<Vec<Symbol>, GraphError> {
    if target::is_one(&found) { Ok(found) } else { Err(target::ambiguous(selector, &found)) }
}

/// Of overloads and twins the longest has the body; one that is gone comes last.
fn show_first(
    reader: &Reader<'_>,
    definitions: &[Symbol],
    options: &ShowOptions,
) -> Result<Show, GraphError> {
    let mut longest: Vec<&Symbol> = definitions.iter().collect();
    longest.sort_by_key(|symbol| std::cmp::Reverse(symbol.span.1 - symbol.span.0));
    let mut gone = None;
    for symbol in longest {
        let mut shown = show_symbol(reader, symbol, options)?;
        let others = definitions.iter().filter(|other| other.id != symbol.id);
        shown.other_definitions = others.map(Symbol::selector).collect();
        if shown.gone.is_none() {
            return Ok(shown);
        }
        gone.get_or_insert(shown);
    }
    gone.ok_or_else(|| GraphError::Damaged("a name without definitions".into()))
}

/// Some lines of a file: `src/cart.py:10-40`, with `file:` before it or not, or `src/cart.py#L10-L40`.
fn lines_of_file(reader: &Reader<'_>, selector: &Selector) -> Result<Option<(String, Lines)>, GraphError> {
    let (Selector::File(text) | Selector::Loose(text)) = selector else { return Ok(None) };
    let Some((path, range)) = text.rsplit_once([':', '#']) else { return Ok(None) };
    let (Ok(path), true) = (normalize(path), range.contains('-')) else { return Ok(None) };
    let Ok(lines) = range.parse::<Lines>() else { return Ok(None) };
    let mut statement = reader.connection.prepare_cached("SELECT 1 FROM file_rows WHERE path = ?1")?;
    let is_file = statement.exists([&path])?;
    Ok(is_file.then_some((path, lines)))
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

fn show_file(reader: &Reader<'_>, path: &str, options: &ShowOptions) -> Result<Show, GraphError> {
    let (Stored(lang), module): (Stored<Lang>, String) = reader
        .connection
        .prepare_cached("SELECT lang, module FROM file_rows WHERE path = ?1")?
        .query_row([path], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let bytes = std::fs::read(reader.root.join(path)).ok();
    let length = bytes.as_ref().map_or(0, Vec::len);
    let selector = format!("file:{path}");
    let all = page::lines_of(bytes.as_deref().unwrap_or_default(), 0, length);
    let metadata = ShowMetadata {
        file: path.to_owned(),
        line: 1,
        end_line: all.last,
        span: ByteSpan { start: 0, end: length as u32 },
        kind: "file".into(),
        name: None,
        qualified: Some(module).filter(|module| !module.is_empty()),
        signature: None,
        lang: lang.as_str().into(),
        truncated: false,
        stale: bytes.is_none(),
    };
    match bytes {
        Some(bytes) => shown(selector, metadata, &bytes, options),
        None => Ok(gone(selector, metadata, format!("{path} is gone"))),
    }
}

fn show_symbol(reader: &Reader<'_>, symbol: &Symbol, options: &ShowOptions) -> Result<Show, GraphError> {
    let current = Current::read(reader, &symbol.address.path)?;
    match (current.find(symbol), &current.bytes) {
        (Ok(symbol), Some(bytes)) => shown(symbol.selector(), about(&symbol), bytes, options),
        (found, _) => {
            let reason = found.err().unwrap_or_default();
            let metadata = ShowMetadata { stale: true, ..about(symbol) };
            Ok(gone(symbol.selector(), metadata, reason))
        }
    }
}

fn about(symbol: &Symbol) -> ShowMetadata {
    ShowMetadata {
        file: symbol.address.path.clone(),
        line: symbol.line,
        end_line: symbol.end_line,
        span: ByteSpan { start: symbol.span.0, end: symbol.span.1 },
        kind: symbol.address.kind.as_str().into(),
        name: Some(symbol.name.clone()),
        qualified: Some(symbol.qualified.clone()),
        signature: symbol.signature.clone(),
        lang: symbol.lang.as_str().into(),
        truncated: false,
        stale: false,
    }
}

/// The part of a text that is asked for and fits.
fn shown(
    selector: String,
    mut metadata: ShowMetadata,
    bytes: &[u8],
    options: &ShowOptions,
) -> Result<Show, GraphError> {
    let span = (metadata.span.start as usize, metadata.span.end as usize);
    let Page { text, lines, next, cut_line } = page::page(bytes, span, options.lines, options.max_bytes)
        .map_err(|all| GraphError::OutsideLines { selector: selector.clone(), lines: all.to_string() })?;
    metadata.truncated = next.is_some() || cut_line.is_some();
    let all = page::lines_of(bytes, span.0, span.1);
    Ok(Show {
        selector,
        source: Some(text),
        metadata,
        lines: (lines != all).then(|| lines.to_string()),
        next_lines: next.map(|next| next.to_string()),
        cut_line,
        gone: None,
        other_definitions: Vec::new(),
    })
}

fn gone(selector: String, metadata: ShowMetadata, reason: String) -> Show {
    Show {
        selector,
        source: None,
        metadata,
        lines: None,
        next_lines: None,
        cut_line: None,
        gone: Some(reason),
        other_definitions: Vec::new(),
    }
}
