//! The shortest way from one symbol to another along calls.
//!
//! The search goes backwards, from what is called to its callers, level by level: the index lists users by target. Each
//! level is put in order of path and line, so that of several shortest ways the same one is found whatever the order in
//! which files came into the index.

use super::symbol::{Cache, Symbol};
use super::{Reader, dispatch, freshness, target};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::selector::Selector;
use crate::store::stored::Stored;
use orbit_extract::{Family, RefKind};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// Calls looked at before a search that reaches very much ends.
const MAX_CALLS: usize = 200_000;

/// Uses that run what they name. One that reads a function may hand it on, or only look at it.
const CALLS: [RefKind; 2] = [RefKind::Call, RefKind::Macro];

/// One symbol on the way.
#[derive(Clone, Debug, Serialize)]
pub struct PathStep {
    /// Canonical.
    pub selector: String,
    /// Fully qualified.
    pub qualified: String,
    /// Where it is defined.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// How it goes on; `null` for the last one.
    pub next: Option<PathCall>,
}

/// How one symbol on the way leads to the next.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PathCall {
    /// Where the next one is called, in the file of this one.
    pub line: u32,
    /// How sure the edge is.
    pub confidence: Confidence,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct CallPath {
    /// From the first symbol to the last. Empty when none was found, which does not say that there is none: what is called
    /// through a value that nobody can name is not an edge.
    pub steps: Vec<PathStep>,
    /// Calls on the way back that are less sure than what was asked for, and were not followed.
    pub weaker: usize,
    /// Whether the search ended before it had looked at everything.
    pub truncated: bool,
    /// Files of this answer that changed since they were indexed.
    pub stale: Vec<String>,
}

/// A caller, and what it leads to.
#[derive(Clone, Copy)]
struct Caller {
    id: i64,
    to: i64,
    call: PathCall,
}

pub(crate) fn path(
    reader: &Reader<'_>,
    from: &Selector,
    to: &Selector,
    threshold: Confidence,
) -> Result<CallPath, GraphError> {
    let connection = reader.connection;
    let named = |selector: &Selector| {
        let found = target::all(connection, selector)?;
        if found.len() > target::MANY { Err(target::ambiguous(selector, &found)) } else { Ok(found) }
    };
    let (starts, ends) = (named(from)?, named(to)?);
    let mut search = Search {
        connection,
        threshold,
        cache: Cache::default(),
        starts: starts.iter().map(|symbol| symbol.id).collect(),
        seen: HashMap::new(),
        names: HashSet::new(),
        calls: 0,
        weaker: 0,
    };
    let first = search.run(&ends)?;
    let steps = match first {
        Some(first) => search.way(first)?,
        None => Vec::new(),
    };
    let files = steps.iter().map(|step| step.file.as_str());
    let files = files.chain(starts.iter().chain(&ends).map(|symbol| symbol.address.path.as_str()));
    let stale = freshness::stale_among(connection, reader.root, files)?;
    let truncated = steps.is_empty() && search.calls >= MAX_CALLS;
    Ok(CallPath { steps, weaker: search.weaker, truncated, stale })
}

struct Search<'r> {
    connection: &'r Connection,
    threshold: Confidence,
    cache: Cache,
    starts: HashSet<i64>,
    /// What each symbol leads to; nothing for the ends.
    seen: HashMap<i64, Option<(i64, PathCall)>>,
    /// Names whose unresolved uses were looked at already.
    names: HashSet<(String, Family)>,
    calls: usize,
    weaker: usize,
}

impl Search<'_> {
    /// The symbol nearest to the ends that is one of the starts, or stands inside of one.
    fn run(&mut self, ends: &[Symbol]) -> Result<Option<i64>, GraphError> {
        self.seen.extend(ends.iter().map(|end| (end.id, None)));
        let mut level: Vec<i64> = ends.iter().map(|end| end.id).collect();
        while !level.is_empty() && self.calls < MAX_CALLS {
            let mut found: Vec<Caller> = Vec::new();
            for id in level {
                let mut callers = self.callers(id)?;
                self.calls += callers.len();
                self.weaker += callers.len();
                callers.retain(|caller| caller.call.confidence <= self.threshold);
                self.weaker -= callers.len();
                found.append(&mut callers);
            }
            level = self.next_level(found)?;
            for id in &level {
                if self.is_start(*id)? {
                    return Ok(Some(*id));
                }
            }
        }
        Ok(None)
    }

    /// The callers that are new, in order.
    fn next_level(&mut self, found: Vec<Caller>) -> Result<Vec<i64>, GraphError> {
        let mut keyed = Vec::with_capacity(found.len());
        for caller in found.into_iter().filter(|caller| !self.seen.contains_key(&caller.id)) {
            if let Some(symbol) = self.cache.get(self.connection, caller.id)? {
                keyed.push(((symbol.address.path.clone(), symbol.line, symbol.span.0), caller));
            }
        }
        keyed.sort_by(|(a, x), (b, y)| {
            (a, x.call.confidence, x.call.line).cmp(&(b, y.call.confidence, y.call.line))
        });
        let mut level = Vec::with_capacity(keyed.len());
        for (_, caller) in keyed {
            if let Entry::Vacant(unknown) = self.seen.entry(caller.id) {
                unknown.insert(Some((caller.to, caller.call)));
                level.push(caller.id);
            }
        }
        Ok(level)
    }

    fn is_start(&self, id: i64) -> Result<bool, GraphError> {
        let mut statement = self.connection.prepare_cached("SELECT parent FROM symbol_rows WHERE id = ?1")?;
        let mut at = Some(id);
        while let Some(id) = at {
            if self.starts.contains(&id) {
                return Ok(true);
            }
            at = statement.query_row([id], |row| row.get(0)).optional()?.flatten();
        }
        Ok(false)
    }

    /// Who calls a symbol: by its name, by what it overrides, by its class.
    fn callers(&mut self, id: i64) -> Result<Vec<Caller>, GraphError> {
        let mut found = self.users(id, id)?;
        for other in dispatch::also_reached_by(self.connection, id)? {
            let mut users = self.users(other.symbol, id)?;
            for user in &mut users {
                user.call.confidence = user.call.confidence.max(other.confidence);
            }
            found.append(&mut users);
        }
        let Some(symbol) = self.cache.get(self.connection, id)?.cloned() else { return Ok(found) };
        if self.names.insert((symbol.name.clone(), symbol.family())) {
            let mut open = dispatch::unresolved_uses(self.connection, &symbol.name, symbol.family())?;
            open.retain(|open| CALLS.contains(&open.kind));
            found.extend(open.into_iter().filter_map(|open| {
                let confidence = Confidence::FuzzyName;
                Some(Caller { id: open.scope?, to: id, call: PathCall { line: open.line, confidence } })
            }));
        }
        Ok(found)
    }

    /// The symbols that call `of`, as callers of `to`. Code outside of symbols is called by nobody.
    fn users(&self, of: i64, to: i64) -> Result<Vec<Caller>, GraphError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT scope, line, confidence FROM ref_rows
             WHERE target = ?1 AND kind IN (?2, ?3) AND scope IS NOT NULL",
        )?;
        let [call, expansion] = CALLS.map(Stored);
        let rows = statement.query_map(params![of, call, expansion], |row| {
            let Stored(confidence) = row.get(2)?;
            Ok(Caller { id: row.get(0)?, to, call: PathCall { line: row.get(1)?, confidence } })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The symbols from the first to an end.
    fn way(&mut self, first: i64) -> Result<Vec<PathStep>, GraphError> {
        let mut steps = Vec::new();
        let mut at = Some(first);
        while let Some(id) = at {
            let next = self.seen.get(&id).copied().flatten();
            let Some(symbol) = self.cache.get(self.connection, id)? else { break };
            steps.push(PathStep {
                selector: symbol.selector(),
                qualified: symbol.qualified.clone(),
                file: symbol.address.path.clone(),
                line: symbol.line,
                next: next.map(|(_, call)| call),
            });
            at = next.map(|(id, _)| id);
        }
        Ok(steps)
    }
}
