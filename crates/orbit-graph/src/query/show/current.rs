//! A file as it is on disk now, and its symbols when that is not what was indexed.

use crate::error::GraphError;
use crate::query::symbol::{Symbol, select_in_file};
use crate::query::target::{self, InFile};
use crate::query::{Reader, freshness};
use crate::store::stored::Stored;
use crate::walk::MAX_FILE_BYTES;
use orbit_extract::{ExtractedFile, Lang, SymbolAddress, numbered};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A file of the index.
pub(super) struct Current {
    /// `None` when it is gone.
    pub(super) bytes: Option<Vec<u8>>,
    /// Its symbols, when it is not what was indexed; else the index has them. The error says why it cannot be read.
    pub(super) symbols: Option<Result<Vec<Symbol>, &'static str>>,
}

impl Current {
    pub(super) fn read(reader: &Reader<'_>, path: &str) -> Result<Current, GraphError> {
        let (bytes, is_changed) = freshness::read(reader.connection, reader.root, path)?;
        let symbols = match bytes.as_deref().filter(|_| is_changed) {
            Some(bytes) => Some(symbols(reader, path, bytes)?),
            None => None,
        };
        Ok(Current { bytes, symbols })
    }

    /// Where an indexed symbol is now; the error says why it is nowhere.
    pub(super) fn find(&self, indexed: &Symbol) -> Result<Symbol, String> {
        let path = &indexed.address.path;
        match (&self.bytes, &self.symbols) {
            (None, _) => Err(format!("{path} is gone")),
            (Some(_), None) => Ok(indexed.clone()),
            (Some(_), Some(Err(reason))) => {
                Err(format!("{path} changed since it was indexed and cannot be read: {reason}"))
            }
            (Some(_), Some(Ok(symbols))) => {
                let found = symbols.iter().find(|symbol| symbol.address == indexed.address);
                found.cloned().ok_or_else(|| {
                    let (kind, name) = (indexed.address.kind.as_str(), &indexed.address.local);
                    format!("{path} changed since it was indexed and has no {kind} `{name}` any more")
                })
            }
        }
    }

    /// What is named in this file, when the file is not what was indexed.
    pub(super) fn named(&self, wanted: &InFile) -> Vec<Symbol> {
        let Some(Ok(symbols)) = &self.symbols else { return Vec::new() };
        match wanted {
            InFile::Symbol(selector) => target::pick(symbols.clone(), selector),
            InFile::Line(_, line) => target::innermost(symbols, *line).into_iter().cloned().collect(),
        }
    }
}

/// The symbols that a file of the index has now.
fn symbols(
    reader: &Reader<'_>,
    path: &str,
    bytes: &[u8],
) -> Result<Result<Vec<Symbol>, &'static str>, GraphError> {
    let (Stored(lang), module): (Stored<Lang>, String) = reader
        .connection
        .prepare_cached("SELECT lang, module FROM file_rows WHERE path = ?1")?
        .query_row([path], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Ok(Err("oversize"));
    }
    let extracted = catch_unwind(AssertUnwindSafe(|| orbit_extract::extract(path, lang, bytes)));
    let facts = match extracted {
        Ok(Ok(facts)) => facts,
        Ok(Err(error)) => return Ok(Err(error.as_str())),
        Err(_) => return Ok(Err("the extractor panicked")),
    };
    let known = select_in_file(reader.connection, "ORDER BY s.id", [path])?;
    Ok(Ok(of_facts(path, &module, &facts, &known)))
}

/// Symbols as the index would have them. What it knew already keeps its full name.
fn of_facts(path: &str, module: &str, facts: &ExtractedFile, known: &[Symbol]) -> Vec<Symbol> {
    let made = facts.symbols.iter().enumerate().map(|(index, symbol)| {
        let address: SymbolAddress = facts.address(path, symbol);
        let known = known.iter().find(|known| known.address == address);
        let local = numbered(facts.names.get(symbol.local), symbol.overload);
        let qualified = match known {
            Some(known) => known.qualified.clone(),
            None if module.is_empty() => local.into_owned(),
            None => format!("{module}{}{local}", facts.lang.separator()),
        };
        Symbol {
            // No row has these numbers.
            id: known.map_or(-1 - index as i64, |known| known.id),
            address,
            lang: facts.lang,
            name: facts.names.get(symbol.name).to_owned(),
            qualified,
            span: (symbol.span.start, symbol.span.end),
            line: symbol.line,
            end_line: symbol.end_line,
            signature: symbol.signature.as_deref().map(str::to_owned),
        }
    });
    made.collect()
}
