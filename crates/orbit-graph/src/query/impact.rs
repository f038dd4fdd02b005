//! What a change can reach: breadth first over references and relations, nearest first, tests apart.

mod attributes;
mod closures;
mod diff;
mod names;
mod removed;
mod walk;

use super::symbol::{self, Cache, Symbol};
use super::{Reader, freshness, target};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::selector::Selector;
use rusqlite::Connection;
use serde::Serialize;
use walk::{Node, Reached, Via, Walked};

pub(crate) use diff::changed_symbols;
pub use names::{ImpactAccount, OpenName};
pub(crate) use removed::Removed;

const MAX_TOUCHED: usize = 200;

/// Which way edges are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// To those who use it.
    #[default]
    Inbound,
    /// To what it uses.
    Outbound,
    /// Both.
    Both,
}

/// How far and how sure.
#[derive(Clone, Copy, Debug)]
pub struct ImpactOptions {
    /// Steps from the start.
    pub depth: usize,
    /// Which way.
    pub direction: Direction,
    /// Edges below this are not followed.
    pub confidence: Confidence,
    /// At most this many rows of each list.
    pub limit: usize,
}

impl Default for ImpactOptions {
    fn default() -> ImpactOptions {
        ImpactOptions {
            depth: 3,
            direction: Direction::Inbound,
            confidence: Confidence::Dispatch,
            limit: MAX_TOUCHED,
        }
    }
}

/// Something the change can reach.
#[derive(Clone, Debug, Serialize)]
pub struct Touched {
    /// Full name; a file's module for code outside of any symbol.
    pub qualified_name: String,
    /// Canonical.
    pub selector: String,
    /// Where it is defined.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// Steps from the start.
    pub distance: usize,
    /// The last edge on the way.
    pub edge_kind: &'static str,
    /// The weakest edge on the way.
    pub confidence: Confidence,
    /// The symbol before it on the way.
    pub via: String,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Impact {
    /// Where it starts, canonical.
    pub start: Vec<String>,
    /// As asked.
    pub direction: Direction,
    /// Nearest first, without tests.
    pub touched: Vec<Touched>,
    /// Tests among what is reached, nearest first.
    pub tests: Vec<Touched>,
    /// Everything reached, tests included; at least this many when not `complete`.
    pub total: usize,
    /// A list is cut.
    pub truncated: bool,
    /// Whether nothing that the change could reach within the depth is left out: the search did not end early,
    /// nothing is uncertain, and every changed place is known.
    pub complete: bool,
    /// Occurrences of names that were followed, of which nobody knows what they mean: they may be uses.
    pub uncertain: usize,
    /// Where `uncertain` comes from, and what else keeps the answer from being complete.
    pub account: ImpactAccount,
    /// Symbols whose edges were followed.
    pub visited_nodes: usize,
    /// Changed places of a diff that are in no symbol of the index.
    pub unmapped: Vec<String>,
    /// Files of this answer that changed since they were indexed.
    pub stale: Vec<String>,
}

/// What a change starts from.
#[derive(Clone, Debug)]
pub(crate) enum Start {
    Here(Symbol),
    /// Not there any more; with what used it.
    Removed(Removed),
}

impl Start {
    fn selector(&self) -> String {
        match self {
            Start::Here(symbol) => symbol.selector(),
            Start::Removed(removed) => removed.selector.clone(),
        }
    }

    /// The file it is in, when it is in one.
    fn path(&self) -> Option<&str> {
        match self {
            Start::Here(symbol) => Some(&symbol.address.path),
            Start::Removed(_) => None,
        }
    }
}

/// The symbols that selectors name; a file or directory stands for all its symbols.
pub(crate) fn start_symbols(reader: &Reader<'_>, selectors: &[Selector]) -> Result<Vec<Start>, GraphError> {
    let mut start = Vec::new();
    for selector in selectors {
        let path = match selector {
            Selector::File(path) | Selector::Dir(path) => Some(path.as_str()),
            Selector::Loose(text) => Some(text.trim_end_matches('/')),
            _ => None,
        };
        let inside = match path {
            Some(path) => below(reader, path)?,
            None => Vec::new(),
        };
        if inside.is_empty() {
            start.extend(target::one(reader.connection, selector)?);
        } else {
            start.extend(inside);
        }
    }
    Ok(start.into_iter().map(Start::Here).collect())
}

/// The symbols of a file, or of all files of a directory.
fn below(reader: &Reader<'_>, path: &str) -> Result<Vec<Symbol>, GraphError> {
    let mut statement = reader.connection.prepare_cached(
        "SELECT path FROM file_rows WHERE path = ?1 OR ?1 = '.' OR substr(path, 1, length(?1) + 1) = ?1 || '/'
         ORDER BY path",
    )?;
    let paths: Vec<String> = statement.query_map([path], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut found = Vec::new();
    for path in paths {
        found.append(&mut symbol::select_in_file(reader.connection, "ORDER BY s.span_start, s.id", [path])?);
    }
    Ok(found)
}

pub(crate) fn impact(
    reader: &Reader<'_>,
    start: &[Start],
    unmapped: Vec<String>,
    options: &ImpactOptions,
) -> Result<Impact, GraphError> {
    let mut walked = walk::walk(reader, start, options)?;
    let (tests, touched): (Vec<usize>, Vec<usize>) =
        (0..walked.reached.len()).partition(|index| walked.reached[*index].is_test);
    let total = walked.reached.len();
    let mut rows = Rows { connection: reader.connection, walked: &walked, start, cache: Cache::default() };
    let (touched, tests) = (rows.list(&touched, options.limit)?, rows.list(&tests, options.limit)?);
    let paths = touched.iter().chain(&tests).map(|row| row.file.as_str());
    let paths = paths.chain(start.iter().take(MAX_TOUCHED).filter_map(Start::path));
    let stale = freshness::stale_among(reader.connection, reader.root, paths)?;
    let mut account = std::mem::take(&mut walked.account);
    account.complete &= unmapped.is_empty() && stale.is_empty();
    Ok(Impact {
        start: start.iter().take(MAX_TOUCHED).map(Start::selector).collect(),
        direction: options.direction,
        truncated: touched.len() + tests.len() < total || !walked.is_whole,
        touched,
        tests,
        total,
        complete: account.complete,
        uncertain: account.uncertain,
        account,
        visited_nodes: walked.visited,
        unmapped,
        stale,
    })
}

/// Turns what was reached into rows.
struct Rows<'w> {
    connection: &'w Connection,
    walked: &'w Walked,
    start: &'w [Start],
    cache: Cache,
}

impl Rows<'_> {
    fn list(&mut self, indices: &[usize], limit: usize) -> Result<Vec<Touched>, GraphError> {
        indices.iter().take(limit).map(|index| self.row(&self.walked.reached[*index])).collect()
    }

    fn row(&mut self, reached: &Reached) -> Result<Touched, GraphError> {
        let (qualified_name, selector, file, line) = self.describe(reached)?;
        let via = match reached.via {
            Via::Start(index) => self.start[index].selector(),
            Via::Reached(index) => self.describe(&self.walked.reached[index])?.1,
        };
        let Reached { distance, edge_kind, confidence, .. } = *reached;
        Ok(Touched { qualified_name, selector, file, line, distance, edge_kind, confidence, via })
    }

    /// Full name, selector, file and line.
    fn describe(&mut self, reached: &Reached) -> Result<(String, String, String, u32), GraphError> {
        let (path, module) = self.cache.file(self.connection, reached.file)?;
        let symbol = match reached.node {
            Node::Symbol(id) => self.cache.get(self.connection, id)?,
            Node::File(_) => None,
        };
        if let Some(symbol) = symbol {
            return Ok((symbol.qualified.clone(), symbol.selector(), path, symbol.line));
        }
        let name = if module.is_empty() { path.clone() } else { module };
        Ok((name, format!("file:{path}"), path, reached.line))
    }
}
