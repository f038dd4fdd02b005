//! Breadth first, level by level, on row numbers only: names and selectors are read for what is shown.
//!
//! Every level is put in order of path and line before it is followed, so that the answer depends on the code
//! and not on the order in which files came into the index.

use super::attributes::Attributes;
use super::names::{ImpactAccount, Names};
use super::{Direction, ImpactOptions, Start};
use crate::error::GraphError;
use crate::query::Reader;
use crate::query::dispatch;
use crate::query::symbol::{self, Cache, is_test};
use crate::resolve::Confidence;
use crate::store::file_of_row;
use crate::store::stored::Stored;
use orbit_extract::{RefKind, RelationKind, SymbolKind};
use rusqlite::{CachedStatement, Connection, OptionalExtension, params};
use std::collections::HashSet;

/// Edges looked at before a search that reaches very much ends.
const MAX_EDGES: usize = 20_000;

/// A node of the search: a symbol, or code of a file outside of any symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Node {
    Symbol(i64),
    File(u32),
}

/// What came before on the way.
#[derive(Clone, Copy, Debug)]
pub(super) enum Via {
    Start(usize),
    Reached(usize),
}

/// Something the walk came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) node: Node,
    pub(super) file: u32,
    /// Where it is defined; for code outside of symbols, where the edge is.
    pub(super) line: u32,
    pub(super) distance: usize,
    pub(super) edge_kind: &'static str,
    /// The weakest edge on the way.
    pub(super) confidence: Confidence,
    pub(super) via: Via,
    pub(super) is_test: bool,
}

/// The end of a walk.
pub(super) struct Walked {
    /// Nearest first.
    pub(super) reached: Vec<Reached>,
    /// Nodes whose edges were followed.
    pub(super) visited: usize,
    /// Whether the search went to its end.
    pub(super) is_whole: bool,
    /// What it may have missed.
    pub(super) account: ImpactAccount,
}

/// A way from one node to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: Node,
    pub(super) line: u32,
    pub(super) kind: &'static str,
    pub(super) confidence: Confidence,
}

pub(super) fn walk(
    reader: &Reader<'_>,
    start: &[Start],
    options: &ImpactOptions,
) -> Result<Walked, GraphError> {
    let symbols = || {
        start.iter().enumerate().filter_map(|(index, start)| match start {
            Start::Here(symbol) => Some((index, symbol)),
            Start::Removed(_) => None,
        })
    };
    let mut walk = Walk {
        connection: reader.connection,
        options,
        cache: Cache::default(),
        seen: symbols().map(|(_, symbol)| Node::Symbol(symbol.id)).collect(),
        names: Names::default(),
        walked: Walked { reached: Vec::new(), visited: 0, is_whole: true, account: ImpactAccount::default() },
        edges: 0,
        left_out: 0,
        attributes: Attributes::default(),
    };
    let mut level: Vec<(i64, Via, Confidence)> =
        symbols().map(|(index, symbol)| (symbol.id, Via::Start(index), Confidence::Exact)).collect();
    for distance in 1..=options.depth {
        let first = walk.walked.reached.len();
        if distance == 1 {
            walk.leave_removed(start)?;
        }
        walk.follow(&level, distance)?;
        level = walk.next_level(first)?;
        walk.enclosing(&mut level, distance)?;
        if level.is_empty() {
            break;
        }
        if distance < options.depth && walk.is_enough() {
            walk.walked.is_whole = false;
            break;
        }
    }
    let Walk { mut walked, names, mut cache, left_out, .. } = walk;
    walked.account = names.account(reader, &mut cache)?;
    walked.account.uncertain += removed_uses(start, options) + left_out;
    walked.account.complete &= walked.is_whole && walked.account.uncertain == 0;
    Ok(walked)
}

/// Uses of names that are gone which lead nowhere: they may have meant what is gone.
fn removed_uses(start: &[Start], options: &ImpactOptions) -> usize {
    let uncertain = start.iter().map(|start| match start {
        Start::Removed(removed) => removed.uncertain,
        Start::Here(_) => 0,
    });
    if options.direction == Direction::Outbound { 0 } else { uncertain.sum() }
}

pub(super) struct Walk<'r> {
    pub(super) connection: &'r Connection,
    pub(super) options: &'r ImpactOptions,
    cache: Cache,
    pub(super) seen: HashSet<Node>,
    names: Names,
    pub(super) walked: Walked,
    edges: usize,
    /// Edges below the asked confidence, and uses of overloads that may mean what is followed.
    left_out: usize,
    attributes: Attributes,
}

impl Walk<'_> {
    /// Takes the first step from what is not there any more.
    fn leave_removed(&mut self, start: &[Start]) -> Result<(), GraphError> {
        if self.options.direction == Direction::Outbound {
            return Ok(());
        }
        for (index, start) in start.iter().enumerate() {
            let Start::Removed(removed) = start else { continue };
            self.walked.visited += 1;
            let mut users = removed.users.clone();
            users.sort_by_key(|edge| (edge.to, edge.confidence, edge.line, edge.kind));
            for edge in &users {
                if edge.confidence <= self.options.confidence && !self.seen.contains(&edge.to) {
                    self.reach(edge, 1, edge.confidence, Via::Start(index))?;
                }
            }
        }
        Ok(())
    }

    /// Takes one step from every node of a level.
    fn follow(&mut self, level: &[(i64, Via, Confidence)], distance: usize) -> Result<(), GraphError> {
        for (id, via, weakest) in level {
            if self.edges >= MAX_EDGES {
                self.walked.is_whole = false;
                return Ok(());
            }
            self.walked.visited += 1;
            let mut edges = self.edges(*id)?;
            self.edges += edges.len();
            edges.retain(|edge| !self.seen.contains(&edge.to));
            let known = edges.len();
            edges.retain(|edge| edge.confidence <= self.options.confidence);
            self.left_out += known - edges.len();
            edges.sort_by_key(|edge| (edge.to, edge.confidence, edge.line, edge.kind));
            edges.dedup_by_key(|edge| edge.to);
            for edge in edges {
                self.reach(&edge, distance, (*weakest).max(edge.confidence), *via)?;
            }
        }
        Ok(())
    }

    pub(super) fn reach(
        &mut self,
        edge: &Edge,
        distance: usize,
        confidence: Confidence,
        via: Via,
    ) -> Result<(), GraphError> {
        let (file, line, kind) = match edge.to {
            Node::File(file) => (file, edge.line, SymbolKind::Module),
            Node::Symbol(id) => match self.place(id)? {
                Some((line, kind)) => (file_of_row(id), line, kind),
                None => return Ok(()),
            },
        };
        self.seen.insert(edge.to);
        let is_test = is_test(&self.cache.file(self.connection, file)?.0, kind);
        let (node, edge_kind) = (edge.to, edge.kind);
        self.walked.reached.push(Reached { node, file, line, distance, edge_kind, confidence, via, is_test });
        Ok(())
    }

    fn place(&self, id: i64) -> Result<Option<(u32, SymbolKind)>, GraphError> {
        let mut statement =
            self.connection.prepare_cached("SELECT line, kind FROM symbol_rows WHERE id = ?1")?;
        let place =
            statement.query_row([id], |row| Ok((row.get(0)?, row.get::<_, Stored<SymbolKind>>(1)?.0)));
        Ok(place.optional()?)
    }

    /// Puts the nodes reached since `first` in order, and gives the symbols among them.
    fn next_level(&mut self, first: usize) -> Result<Vec<(i64, Via, Confidence)>, GraphError> {
        let mut keyed = Vec::new();
        for reached in self.walked.reached.drain(first..) {
            keyed.push((self.cache.file(self.connection, reached.file)?.0, reached));
        }
        keyed.sort_by(|(a, x), (b, y)| (a, x.line, x.node).cmp(&(b, y.line, y.node)));
        self.walked.reached.extend(keyed.into_iter().map(|(_, reached)| reached));
        let symbols = self.walked.reached[first..].iter().enumerate();
        let symbols = symbols.filter_map(|(index, reached)| match reached.node {
            Node::Symbol(id) => Some((id, Via::Reached(first + index), reached.confidence)),
            Node::File(_) => None,
        });
        Ok(symbols.collect())
    }

    /// Whether both lists are as long as they may get.
    fn is_enough(&self) -> bool {
        let tests = self.walked.reached.iter().filter(|reached| reached.is_test).count();
        tests >= self.options.limit && self.walked.reached.len() - tests >= self.options.limit
    }

    fn edges(&mut self, id: i64) -> Result<Vec<Edge>, GraphError> {
        let mut edges = Vec::new();
        if self.options.direction != Direction::Outbound {
            self.inbound(id, &mut edges)?;
            let others = dispatch::also_reached_by(self.connection, id)?;
            let overrides = others.iter().any(|other| other.confidence == Confidence::Dispatch);
            for other in others {
                let first = edges.len();
                self.users(other.symbol, &mut edges)?;
                let mut also = edges.split_off(first);
                also.retain(|edge| !other.is_constructed || edge.kind == RefKind::Call.as_str());
                for edge in &mut also {
                    edge.confidence = edge.confidence.max(other.confidence);
                }
                edges.append(&mut also);
                // A class whose constructor it is, is written where the constructor is meant.
                if other.is_constructed {
                    self.unresolved(other.symbol, overrides, &mut edges)?;
                }
            }
            self.unresolved(id, overrides, &mut edges)?;
            self.left_out += self.uses_of_overloads(id)?;
        }
        if self.options.direction != Direction::Inbound {
            self.outbound(id, &mut edges)?;
        }
        Ok(edges)
    }

    /// Who uses it, and what extends or implements it. An import alone is not a use: what it brings is used below.
    fn inbound(&mut self, id: i64, edges: &mut Vec<Edge>) -> Result<(), GraphError> {
        self.users(id, edges)?;
        let statement = self.connection.prepare_cached(
            "SELECT from_symbol, line, kind, confidence FROM relation_rows
             WHERE to_symbol = ?1 AND from_symbol IS NOT NULL",
        )?;
        relations(statement, id, edges)
    }

    pub(super) fn users(&mut self, id: i64, edges: &mut Vec<Edge>) -> Result<(), GraphError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, line, kind, confidence, scope, span_start FROM ref_rows WHERE target = ?1 AND kind <> ?2",
        )?;
        let mut rows = statement.query(params![id, Stored(RefKind::Use)])?;
        while let Some(row) = rows.next()? {
            let (scope, file): (Option<i64>, u32) = (row.get(4)?, file_of_row(row.get(0)?));
            let edge = Edge {
                to: scope.map_or(Node::File(file), Node::Symbol),
                line: row.get(1)?,
                kind: row.get::<_, Stored<RefKind>>(2)?.0.as_str(),
                confidence: row.get::<_, Stored<Confidence>>(3)?.0,
            };
            edges.push(edge);
            if let Some(attribute) = self.attributes.holding(self.connection, file, row.get(5)?)? {
                edges.push(Edge { to: Node::Symbol(attribute), ..edge });
            }
        }
        Ok(())
    }

    /// Uses of its name that lead nowhere: followed when asked for, else accounted for in the end.
    fn unresolved(&mut self, id: i64, overrides: bool, edges: &mut Vec<Edge>) -> Result<(), GraphError> {
        let Some(symbol) = self.cache.get(self.connection, id)?.cloned() else { return Ok(()) };
        let is_new = self.names.follow(self.connection, &symbol, overrides)?;
        if !is_new || self.options.confidence < Confidence::FuzzyName {
            return Ok(());
        }
        let uses = dispatch::unresolved_uses(self.connection, &symbol.name, symbol.family())?;
        self.names.follow_by_name(&symbol, uses.len());
        let uses = uses.into_iter().filter(|open| open.kind != RefKind::Use);
        edges.extend(uses.map(|site| Edge {
            to: site.scope.map_or(Node::File(file_of_row(site.row)), Node::Symbol),
            line: site.line,
            kind: site.kind.as_str(),
            confidence: Confidence::FuzzyName,
        }));
        Ok(())
    }

    /// How often other overloads of a function of C++ are used: which one is meant is not always known.
    fn uses_of_overloads(&mut self, id: i64) -> Result<usize, GraphError> {
        let Some(symbol) = self.cache.get(self.connection, id)? else { return Ok(0) };
        let mut count = self.connection.prepare_cached("SELECT count(*) FROM ref_rows WHERE target = ?1")?;
        let mut uses = 0;
        for other in dispatch::overloads(self.connection, symbol)? {
            uses += count.query_row([other], |row| row.get::<_, i64>(0))?;
        }
        Ok(usize::try_from(uses).unwrap_or(0))
    }

    fn outbound(&self, id: i64, edges: &mut Vec<Edge>) -> Result<(), GraphError> {
        let Some(symbol) = symbol::select(self.connection, "WHERE s.id = ?1", [id])?.pop() else {
            return Ok(());
        };
        let (first, last) = symbol.file_rows();
        let mut statement = self.connection.prepare_cached(
            "SELECT target, line, kind, confidence FROM ref_rows WHERE id BETWEEN ?1 AND ?2 AND span_start >= ?3
               AND span_end <= ?4 AND target IS NOT NULL AND kind <> ?5",
        )?;
        let mut rows =
            statement.query(params![first, last, symbol.span.0, symbol.span.1, Stored(RefKind::Use)])?;
        while let Some(row) = rows.next()? {
            edges.push(Edge {
                to: Node::Symbol(row.get(0)?),
                line: row.get(1)?,
                kind: row.get::<_, Stored<RefKind>>(2)?.0.as_str(),
                confidence: row.get::<_, Stored<Confidence>>(3)?.0,
            });
        }
        let statement = self.connection.prepare_cached(
            "SELECT to_symbol, line, kind, confidence FROM relation_rows
             WHERE from_symbol = ?1 AND to_symbol IS NOT NULL",
        )?;
        relations(statement, id, edges)
    }
}

fn relations(mut statement: CachedStatement<'_>, id: i64, edges: &mut Vec<Edge>) -> Result<(), GraphError> {
    let mut rows = statement.query([id])?;
    while let Some(row) = rows.next()? {
        edges.push(Edge {
            to: Node::Symbol(row.get(0)?),
            line: row.get(1)?,
            kind: row.get::<_, Stored<RelationKind>>(2)?.0.as_str(),
            confidence: row.get::<_, Stored<Confidence>>(3)?.0,
        });
    }
    Ok(())
}
