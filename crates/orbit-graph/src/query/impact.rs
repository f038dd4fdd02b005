//! What a change can reach: breadth first over references and relations, nearest first, tests apart.

mod diff;

use super::symbol::{self, Cache, Symbol, is_test};
use super::{Reader, freshness, target};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::selector::Selector;
use crate::store::file_of_row;
use orbit_extract::{RefKind, RelationKind, SymbolKind};
use rusqlite::params;
use serde::Serialize;
use std::collections::{BTreeSet, HashSet, VecDeque};

pub(crate) use diff::changed_symbols;

const MAX_TOUCHED: usize = 200;
/// Nodes looked at before giving up on an exact total.
const MAX_VISITED: usize = 5_000;

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
            confidence: Confidence::SameModule,
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
    /// Everything reached, tests included.
    pub total: usize,
    /// A list is cut.
    pub truncated: bool,
    /// Symbols looked at.
    pub visited_nodes: usize,
    /// Changed places of a diff that are in no symbol of the index.
    pub unmapped: Vec<String>,
    /// Files of this answer that changed since they were indexed.
    pub stale: Vec<String>,
}

/// A node of the search: a symbol, or code of a file outside of any symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Symbol(i64),
    File(u32),
}

struct Edge {
    to: Node,
    line: u32,
    kind: &'static str,
    confidence: Confidence,
}

/// The symbols that selectors name; a file or directory stands for all its symbols.
pub(crate) fn start_symbols(reader: &Reader<'_>, selectors: &[Selector]) -> Result<Vec<Symbol>, GraphError> {
    let mut start = Vec::new();
    for selector in selectors {
        let path = match selector {
            Selector::File(path) | Selector::Dir(path) => Some(path.as_str()),
            Selector::Loose(text) => Some(text.trim_end_matches('/')),
            _ => None,
        };
        let below = match path {
            Some(path) => symbol::select(
                reader.connection,
                "WHERE f.path = ?1 OR ?1 = '.' OR substr(f.path, 1, length(?1) + 1) = ?1 || '/' ORDER BY f.path, s.id",
                [path],
            )?,
            None => Vec::new(),
        };
        if below.is_empty() {
            start.push(target::one(reader.connection, selector)?);
        } else {
            start.extend(below);
        }
    }
    Ok(start)
}

pub(crate) fn impact(
    reader: &Reader<'_>,
    start: &[Symbol],
    unmapped: Vec<String>,
    options: &ImpactOptions,
) -> Result<Impact, GraphError> {
    let mut walk = Walk { reader, cache: Cache::default(), options, rows: Vec::new() };
    let visited_nodes = walk.run(start)?;
    let (mut touched, mut tests) = (Vec::new(), Vec::new());
    for (row, is_test) in walk.rows {
        if is_test { &mut tests } else { &mut touched }.push(row);
    }
    let total = touched.len() + tests.len();
    let cut = |mut rows: Vec<Touched>| {
        rows.truncate(options.limit);
        rows
    };
    let (touched, tests) = (cut(touched), cut(tests));
    let shown = touched.len() + tests.len();
    let paths = touched.iter().chain(&tests).map(|row| row.file.as_str());
    let stale = freshness::stale_among(reader.connection, reader.root, paths)?;
    Ok(Impact {
        start: start.iter().take(MAX_TOUCHED).map(Symbol::selector).collect(),
        direction: options.direction,
        touched,
        tests,
        total,
        truncated: shown < total || visited_nodes >= MAX_VISITED,
        visited_nodes,
        unmapped,
        stale,
    })
}

struct Walk<'r, 'g> {
    reader: &'r Reader<'g>,
    cache: Cache,
    options: &'r ImpactOptions,
    rows: Vec<(Touched, bool)>,
}

impl Walk<'_, '_> {
    /// Returns how many nodes were looked at.
    fn run(&mut self, start: &[Symbol]) -> Result<usize, GraphError> {
        let mut seen: HashSet<Node> = start.iter().map(|symbol| Node::Symbol(symbol.id)).collect();
        let mut open: VecDeque<(Node, usize, Confidence, String)> = start
            .iter()
            .map(|symbol| (Node::Symbol(symbol.id), 0, Confidence::Exact, symbol.selector()))
            .collect();
        let mut visited = 0;
        while let Some((node, distance, weakest, selector)) = open.pop_front() {
            visited += 1;
            let Node::Symbol(id) = node else { continue };
            if distance >= self.options.depth || visited >= MAX_VISITED {
                continue;
            }
            for edge in self.edges(id)? {
                if edge.confidence > self.options.confidence || !seen.insert(edge.to) {
                    continue;
                }
                let confidence = weakest.max(edge.confidence);
                let Some((row, is_test)) = self.touched(&edge, distance + 1, confidence, &selector)? else {
                    continue;
                };
                open.push_back((edge.to, distance + 1, confidence, row.selector.clone()));
                self.rows.push((row, is_test));
            }
        }
        Ok(visited)
    }

    fn touched(
        &mut self,
        edge: &Edge,
        distance: usize,
        confidence: Confidence,
        via: &str,
    ) -> Result<Option<(Touched, bool)>, GraphError> {
        let connection = self.reader.connection;
        let (qualified_name, selector, file, line, kind) = match edge.to {
            Node::Symbol(id) => match self.cache.get(connection, id)? {
                Some(symbol) => (
                    symbol.qualified.clone(),
                    symbol.selector(),
                    symbol.path.clone(),
                    symbol.line,
                    symbol.kind,
                ),
                None => return Ok(None),
            },
            Node::File(id) => {
                let (path, module) = self.cache.file(connection, id)?;
                let name = if module.is_empty() { path.clone() } else { module };
                (name, format!("file:{path}"), path, edge.line, SymbolKind::Module)
            }
        };
        let is_test = is_test(&file, kind);
        let (edge_kind, via) = (edge.kind, via.to_owned());
        Ok(Some((
            Touched { qualified_name, selector, file, line, distance, edge_kind, confidence, via },
            is_test,
        )))
    }

    fn edges(&self, id: i64) -> Result<Vec<Edge>, GraphError> {
        let mut edges = Vec::new();
        if self.options.direction != Direction::Outbound {
            self.inbound(id, &mut edges)?;
        }
        if self.options.direction != Direction::Inbound {
            self.outbound(id, &mut edges)?;
        }
        Ok(edges)
    }

    /// Who uses it, and what extends or implements it. An import alone is no use: what it brings is used below.
    fn inbound(&self, id: i64, edges: &mut Vec<Edge>) -> Result<(), GraphError> {
        let mut statement = self.reader.connection.prepare_cached(
            "SELECT id, line, kind, confidence, scope FROM ref_rows WHERE target = ?1 AND kind <> ?2 ORDER BY id",
        )?;
        let mut rows = statement.query(params![id, RefKind::Use as u8])?;
        while let Some(row) = rows.next()? {
            let scope: Option<i64> = row.get(4)?;
            edges.push(Edge {
                to: scope.map_or(Node::File(file_of_row(row.get(0)?)), Node::Symbol),
                line: row.get(1)?,
                kind: RefKind::from_u8(row.get(2)?).unwrap_or(RefKind::Value).as_str(),
                confidence: symbol::confidence(row.get(3)?),
            });
        }
        let mut statement = self.reader.connection.prepare_cached(
            "SELECT from_symbol, line, kind, confidence FROM relation_rows WHERE to_symbol = ?1 AND from_symbol IS NOT NULL
             ORDER BY id",
        )?;
        self.relations(&mut statement, id, edges)
    }

    fn outbound(&self, id: i64, edges: &mut Vec<Edge>) -> Result<(), GraphError> {
        let Some(symbol) = symbol::select(self.reader.connection, "WHERE s.id = ?1", [id])?.pop() else {
            return Ok(());
        };
        let (first, last) = symbol.file_rows();
        let mut statement = self.reader.connection.prepare_cached(
            "SELECT target, line, kind, confidence FROM ref_rows WHERE id BETWEEN ?1 AND ?2 AND span_start >= ?3
               AND span_end <= ?4 AND target IS NOT NULL AND kind <> ?5 ORDER BY span_start",
        )?;
        let mut rows =
            statement.query(params![first, last, symbol.span.0, symbol.span.1, RefKind::Use as u8])?;
        while let Some(row) = rows.next()? {
            edges.push(Edge {
                to: Node::Symbol(row.get(0)?),
                line: row.get(1)?,
                kind: RefKind::from_u8(row.get(2)?).unwrap_or(RefKind::Value).as_str(),
                confidence: symbol::confidence(row.get(3)?),
            });
        }
        let mut statement = self.reader.connection.prepare_cached(
            "SELECT to_symbol, line, kind, confidence FROM relation_rows WHERE from_symbol = ?1 AND to_symbol IS NOT NULL
             ORDER BY id",
        )?;
        self.relations(&mut statement, id, edges)
    }

    #[expect(clippy::unused_self, reason = "reads next to its two callers")]
    fn relations(
        &self,
        statement: &mut rusqlite::CachedStatement<'_>,
        id: i64,
        edges: &mut Vec<Edge>,
    ) -> Result<(), GraphError> {
        let mut rows = statement.query([id])?;
        while let Some(row) = rows.next()? {
            edges.push(Edge {
                to: Node::Symbol(row.get(0)?),
                line: row.get(1)?,
                kind: RelationKind::from_u8(row.get(2)?).unwrap_or(RelationKind::Extends).as_str(),
                confidence: symbol::confidence(row.get(3)?),
            });
        }
        Ok(())
    }
}

/// Lines of a file that a diff changed, as 1-based ranges on its new side.
pub(crate) type ChangedLines = Vec<(String, BTreeSet<u32>)>;
