//! What a command or route does: its handler, and what that calls, as a tree.

use super::callees::{CallSite, calls_between, calls_in};
use super::commands::{Code, Command};
use super::symbol::{self, Cache, Symbol};
use super::{Reader, commands, freshness, routes, target};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::selector::Selector;
use crate::store::first_row;
use crate::store::stored::Stored;
use orbit_extract::SymbolKind;
use rusqlite::Connection;
use serde::Serialize;
use std::collections::HashSet;

const MAX_NODES: usize = 200;

/// A node of the call tree.
#[derive(Clone, Debug, Serialize)]
pub struct TraceNode {
    /// The name alone, without what it is declared in.
    pub name: String,
    /// The name with everything that it is declared in.
    pub qualified_name: String,
    /// The canonical selector, which means this symbol alone.
    pub selector: String,
    /// Where it is defined.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// How sure the edge to it is; `null` for the root.
    pub confidence: Option<Confidence>,
    /// It is one of its own callers: not followed again.
    pub recursive: bool,
    /// Its calls are shown at an earlier place in the tree.
    pub shown_above: bool,
    /// What it calls, in order.
    pub children: Vec<TraceNode>,
}

/// Code that runs and is not a function with a name.
#[derive(Clone, Debug, Serialize)]
pub struct TraceCode {
    /// Where it stands.
    pub file: String,
    /// 1-based line of the pattern or registration that it stands behind.
    pub line: u32,
    /// The symbol that it stands in, canonical; `null` outside of all.
    pub within: Option<String>,
    /// What it calls, in order.
    pub calls: Vec<TraceNode>,
}

/// The answer to `trace`.
#[derive(Clone, Debug, Serialize)]
pub struct Trace {
    /// `command` or `route`.
    pub kind: &'static str,
    /// The command with the groups it belongs to, as a user types it; or the method and path of a route.
    pub command: String,
    /// Where it is declared.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// The handler; `null` when it is not one function that is known.
    pub root: Option<TraceNode>,
    /// The code that runs for it, where that is not one function: arms of a `match`, functions written in place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<TraceCode>,
    /// Where to look when nothing is known of what runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look_at: Option<String>,
    /// Nodes in the tree.
    pub visited_nodes: usize,
    /// The limit of nodes or the depth cut the tree.
    pub truncated: bool,
    /// Files of this answer that changed since they were indexed.
    pub stale: Vec<String>,
}

impl TraceNode {
    /// The files of this node and of those below it.
    fn files(&self) -> Vec<&str> {
        let below = self.children.iter().flat_map(TraceNode::files);
        std::iter::once(self.file.as_str()).chain(below).collect()
    }
}

struct Walk<'c, 'g> {
    reader: &'c Reader<'g>,
    cache: Cache,
    threshold: Confidence,
    depth: usize,
    on_path: Vec<i64>,
    expanded: HashSet<i64>,
    visited: usize,
    truncated: bool,
}

pub(crate) fn trace(
    reader: &Reader<'_>,
    command: &str,
    depth: usize,
    threshold: Confidence,
) -> Result<Trace, GraphError> {
    let name = command.strip_prefix("command:").unwrap_or(command).trim();
    let (name, place) = name.rsplit_once(" at ").map_or((name, None), |(name, place)| (name, Some(place)));
    let mut found = commands::named(reader.connection, name)?;
    found.retain(|found| place.is_none_or(|place| place == format!("{}:{}", found.path, found.line)));
    if found.is_empty() {
        return match route(reader.connection, command)? {
            Some(route) => trace_route(reader, &route, depth, threshold),
            None if routes::is_route(command) => {
                let names = routes::names(reader.connection)?;
                let nearest = target::nearest(command, names.iter().map(String::as_str));
                let nearest = nearest.into_iter().map(str::to_owned).collect();
                Err(GraphError::NotFound { selector: command.to_owned(), nearest })
            }
            None => Err(target::not_found(reader.connection, &Selector::Command(name.to_owned()))?),
        };
    }
    let command = only(found, name)?;
    let mut walk = Walk::new(reader, depth, threshold);
    let root = match command.handler {
        Some(handler) => match symbol::select(reader.connection, "WHERE s.id = ?1", [handler])?.pop() {
            Some(symbol) => Some(walk.node(&symbol, None, 0)?),
            None => None,
        },
        None => None,
    };
    let runs = if root.is_none() { walk.runs(&command.code(reader.connection)?)? } else { Vec::new() };
    let look_at = (root.is_none() && runs.is_empty()).then(|| {
        command
            .variant
            .as_ref()
            .map_or_else(|| format!("{}:{}", command.path, command.line), Symbol::selector)
    });
    let mut paths = vec![command.path.as_str()];
    paths.extend(root.iter().flat_map(TraceNode::files));
    paths.extend(runs.iter().map(|code| code.file.as_str()));
    paths.extend(runs.iter().flat_map(|code| code.calls.iter().flat_map(TraceNode::files)));
    let stale = freshness::stale_among(reader.connection, reader.root, paths.into_iter())?;
    Ok(Trace {
        kind: "command",
        command: command.name.clone(),
        file: command.path.clone(),
        line: command.line,
        root,
        runs,
        look_at,
        visited_nodes: walk.visited,
        truncated: walk.truncated,
        stale,
    })
}

/// The one command of several with the same name, when they do the same.
fn only(mut found: Vec<Command>, name: &str) -> Result<Command, GraphError> {
    let differs = |other: &Command| other.handler != found[0].handler || other.handler.is_none();
    if found.len() > 1 && found.iter().any(differs) {
        let candidates = found
            .iter()
            .map(|command| format!("{} at {}:{}", command.selector(), command.path, command.line));
        return Err(GraphError::Ambiguous {
            selector: name.to_owned(),
            candidates: candidates.collect(),
            total: found.len(),
        });
    }
    Ok(found.remove(0))
}

/// The route that a text or selector names.
fn route(connection: &Connection, text: &str) -> Result<Option<Symbol>, GraphError> {
    let mut found = routes::named(connection, text)?;
    if text.starts_with("symbol:") {
        found = target::any(connection, &Selector::parse(text)?)?;
        found.retain(|symbol| symbol.address.kind == SymbolKind::Route);
    }
    match found.len() {
        0 | 1 => Ok(found.pop()),
        _ => Err(target::ambiguous(&Selector::Loose(text.to_owned()), &found)),
    }
}

fn trace_route(
    reader: &Reader<'_>,
    route: &Symbol,
    depth: usize,
    threshold: Confidence,
) -> Result<Trace, GraphError> {
    let mut walk = Walk::new(reader, depth, threshold);
    let sites = routes::calls(reader.connection, route)?;
    let mut targets: Vec<i64> = sites.iter().filter_map(|site| site.target).collect();
    targets.dedup();
    let (mut root, mut runs) = (None, Vec::new());
    if let [handler] = targets.as_slice() {
        let handler = symbol::select(reader.connection, "WHERE s.id = ?1", [handler])?.pop();
        root = handler.map(|handler| walk.node(&handler, None, 0)).transpose()?;
    } else if !targets.is_empty() {
        let calls = walk.children(sites, 0)?;
        let (file, within) = (route.address.path.clone(), Some(route.selector()));
        runs.push(TraceCode { file, line: route.line, within, calls });
    }
    let look_at =
        (root.is_none() && runs.is_empty()).then(|| format!("{}:{}", route.address.path, route.line));
    let mut paths = vec![route.address.path.as_str()];
    paths.extend(root.iter().flat_map(TraceNode::files));
    paths.extend(runs.iter().flat_map(|code| code.calls.iter().flat_map(TraceNode::files)));
    let stale = freshness::stale_among(reader.connection, reader.root, paths.into_iter())?;
    Ok(Trace {
        kind: SymbolKind::Route.as_str(),
        command: routes::names_of(reader.connection, route)?.join(", "),
        file: route.address.path.clone(),
        line: route.line,
        root,
        runs,
        look_at,
        visited_nodes: walk.visited,
        truncated: walk.truncated,
        stale,
    })
}

impl<'c, 'g> Walk<'c, 'g> {
    fn new(reader: &'c Reader<'g>, depth: usize, threshold: Confidence) -> Walk<'c, 'g> {
        Walk {
            reader,
            cache: Cache::default(),
            threshold,
            depth,
            on_path: Vec::new(),
            expanded: HashSet::new(),
            visited: 0,
            truncated: false,
        }
    }

    /// What runs for a command that no single function handles.
    fn runs(&mut self, parts: &[Code]) -> Result<Vec<TraceCode>, GraphError> {
        let connection = self.reader.connection;
        let mut found = Vec::new();
        for code in parts {
            let tail =
                "WHERE s.id BETWEEN ?1 AND ?2 AND s.span_start <= ?3 AND s.span_end >= ?4 AND s.kind <> ?5
                        ORDER BY s.span_end - s.span_start LIMIT 1";
            let (first, last) = (first_row(code.file), first_row(code.file + 1) - 1);
            let kind = Stored(SymbolKind::Impl);
            let params = rusqlite::params![first, last, code.span.0, code.span.1, kind];
            let within = symbol::select(connection, tail, params)?.pop().map(|symbol| symbol.selector());
            let sites = calls_between(connection, code.file, code.span)?;
            let calls = self.children(sites, 0)?;
            found.push(TraceCode { file: code.path.clone(), line: code.line, within, calls });
        }
        Ok(found)
    }

    /// What runs when a symbol is called: for a type, its constructors. A type that is a handler runs as a whole.
    fn calls_of(&self, symbol: &Symbol, level: usize) -> Result<Vec<CallSite>, GraphError> {
        let connection = self.reader.connection;
        if level == 0 || !symbol.address.kind.is_type() {
            return calls_in(connection, symbol);
        }
        let tail = "WHERE s.id BETWEEN ?1 AND ?2 AND s.parent = ?3 AND s.kind = ?4 ORDER BY s.span_start";
        let (first, last) = symbol.file_rows();
        let params = rusqlite::params![first, last, symbol.id, Stored(SymbolKind::Constructor)];
        let mut calls = Vec::new();
        for constructor in symbol::select(connection, tail, params)? {
            calls.append(&mut calls_in(connection, &constructor)?);
        }
        Ok(calls)
    }

    fn node(
        &mut self,
        symbol: &Symbol,
        confidence: Option<Confidence>,
        level: usize,
    ) -> Result<TraceNode, GraphError> {
        self.visited += 1;
        let recursive = self.on_path.contains(&symbol.id);
        let shown_above = !recursive && self.expanded.contains(&symbol.id);
        let mut node = TraceNode {
            name: symbol.name.clone(),
            qualified_name: symbol.qualified.clone(),
            selector: symbol.selector(),
            file: symbol.address.path.clone(),
            line: symbol.line,
            confidence,
            recursive,
            shown_above,
            children: Vec::new(),
        };
        if recursive || shown_above {
            return Ok(node);
        }
        self.on_path.push(symbol.id);
        self.expanded.insert(symbol.id);
        let sites = self.calls_of(symbol, level)?;
        node.children = self.children(sites, level)?;
        self.on_path.pop();
        Ok(node)
    }

    /// The nodes of calls, each target once.
    fn children(&mut self, sites: Vec<CallSite>, level: usize) -> Result<Vec<TraceNode>, GraphError> {
        let (mut seen, mut children) = (HashSet::new(), Vec::new());
        for site in sites {
            let Some(callee) = site.target.filter(|_| site.confidence <= self.threshold) else { continue };
            if !seen.insert(callee) {
                continue;
            }
            if level >= self.depth || self.visited >= MAX_NODES {
                self.truncated = true;
                break;
            }
            let Some(callee) = self.cache.get(self.reader.connection, callee)?.cloned() else { continue };
            children.push(self.node(&callee, Some(site.confidence), level + 1)?);
        }
        Ok(children)
    }
}
