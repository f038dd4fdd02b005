//! What a symbol calls.

mod account;

use super::symbol::{Cache, Symbol};
use super::{Reader, dispatch, freshness, routes, target};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::selector::Selector;
use crate::store::schema::EXTERNAL;
use crate::store::stored::Stored;
use crate::store::{file_of_row, first_row};
use orbit_extract::{RefKind, SymbolKind};
use rusqlite::{Connection, params};
use serde::Serialize;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

pub use account::{CalleesAccount, OpenCall};

/// Something called.
#[derive(Clone, Debug, Serialize)]
pub struct Callee {
    /// As written at the call.
    pub target_name: String,
    /// Full name; `null` when unresolved.
    pub target_qualified: Option<String>,
    /// Canonical; `null` when unresolved.
    pub selector: Option<String>,
    /// How sure the edge is.
    pub confidence: Confidence,
    /// What the target is.
    pub kind: Option<&'static str>,
    /// Where the target is defined.
    pub file: Option<String>,
    /// 1-based line of the first call.
    pub line: u32,
    /// How often it is called.
    pub count: usize,
    /// Members that override or implement it: the call may run one of them. Listed at the confidence `dispatch`.
    #[serde(skip_serializing_if = "is_zero")]
    pub overridden_by: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The answer to `callees`.
#[derive(Clone, Debug, Serialize)]
pub struct Callees {
    /// The caller, canonical.
    pub selector: String,
    /// In order of the first call.
    pub callees: Vec<Callee>,
    /// How many different things are called, at or above the asked confidence.
    pub total: usize,
    /// Whether `callees` lists fewer.
    pub truncated: bool,
    /// Calls below the asked confidence, which are not listed: those that leave the repository, and those that nobody
    /// could resolve.
    pub hidden_unresolved: usize,
    /// Every call that is written in it, by what is known; `null` when the file cannot be read.
    pub account: Option<CalleesAccount>,
    /// The first calls that could call something of the repository.
    pub uncertain: Vec<OpenCall>,
    /// Definitions of the same name in other files, whose calls are not listed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_definitions: Vec<String>,
    /// Files of this answer that changed since they were indexed.
    pub stale: Vec<String>,
}

/// A call found inside a span.
pub(crate) struct CallSite {
    pub(crate) name: String,
    pub(crate) line: u32,
    pub(crate) target: Option<i64>,
    pub(crate) confidence: Confidence,
    /// Known to come from outside of the repository.
    pub(crate) is_external: bool,
}

/// The calls written inside a symbol, nested definitions included, in source order.
pub(crate) fn calls_in(connection: &Connection, symbol: &Symbol) -> Result<Vec<CallSite>, GraphError> {
    calls_between(connection, file_of_row(symbol.id), symbol.span)
}

/// The calls written inside a part of a file, in source order. That a route calls what is defined under it is not
/// a call of what both stand in.
pub(crate) fn calls_between(
    connection: &Connection,
    file: u32,
    span: (u32, u32),
) -> Result<Vec<CallSite>, GraphError> {
    let (first, last) = (first_row(file), first_row(file + 1) - 1);
    let mut statement = connection.prepare_cached(
        "SELECT r.name, r.line, r.target, r.confidence FROM ref_rows r
         LEFT JOIN symbol_rows o ON o.id = r.scope AND o.kind = ?7
         LEFT JOIN symbol_rows t ON o.id IS NOT NULL AND t.id = r.target AND t.id BETWEEN ?1 AND ?2
           AND t.span_start <= r.span_start AND t.span_end >= r.span_end
         WHERE r.id BETWEEN ?1 AND ?2 AND r.span_start >= ?3 AND r.span_end <= ?4 AND r.kind IN (?5, ?6)
           AND t.id IS NULL ORDER BY r.span_start",
    )?;
    let kinds = (Stored(RefKind::Call), Stored(RefKind::Macro), Stored(SymbolKind::Route));
    let params = params![first, last, span.0, span.1, kinds.0, kinds.1, kinds.2];
    let rows = statement.query_map(params, |row| {
        Ok(CallSite {
            name: row.get(0)?,
            line: row.get(1)?,
            target: row.get(2)?,
            confidence: row.get::<_, Stored<Confidence>>(3)?.0,
            is_external: row.get::<_, u8>(3)? == EXTERNAL,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn row(
    target_name: String,
    target: Option<Symbol>,
    confidence: Confidence,
    line: u32,
    overridden_by: usize,
) -> Callee {
    Callee {
        target_name,
        target_qualified: target.as_ref().map(|target| target.qualified.clone()),
        selector: target.as_ref().map(Symbol::selector),
        confidence,
        kind: target.as_ref().map(|target| target.address.kind.as_str()),
        file: target.map(|target| target.address.path),
        line,
        count: 1,
        overridden_by,
    }
}

/// The definitions of a name whose calls are listed, and those in other files. Lines are those of one file: the one with
/// the longest definition, because that has a body.
fn definitions(
    connection: &Connection,
    selector: &Selector,
) -> Result<(Vec<Symbol>, Vec<Symbol>), GraphError> {
    let all = target::one(connection, selector)?;
    let longest = all.iter().rev().max_by_key(|symbol| symbol.span.1 - symbol.span.0);
    let file = longest.map_or("", |symbol| symbol.address.path.as_str()).to_owned();
    Ok(all.into_iter().partition(|symbol| symbol.address.path == file))
}

fn calls_of(connection: &Connection, callers: &[Symbol]) -> Result<Vec<CallSite>, GraphError> {
    let mut sites = Vec::new();
    for caller in callers {
        sites.append(&mut match caller.address.kind {
            SymbolKind::Route => routes::calls(connection, caller)?,
            _ => calls_in(connection, caller)?,
        });
    }
    Ok(sites)
}

pub(crate) fn callees(
    reader: &Reader<'_>,
    selector: &Selector,
    threshold: Confidence,
    limit: usize,
) -> Result<Callees, GraphError> {
    let connection = reader.connection;
    let (callers, others) = definitions(connection, selector)?;
    let sites = calls_of(connection, &callers)?;
    let counted = account::account(reader, &callers, &sites)?;
    let hidden = sites.iter().filter(|site| site.confidence > threshold).count();
    let mut listed = each_once(connection, sites, threshold)?;
    let total = listed.len();
    listed.truncate(limit);
    let paths = listed
        .iter()
        .filter_map(|row| row.file.as_deref())
        .chain(callers.iter().map(|caller| caller.address.path.as_str()));
    let stale = freshness::stale_among(connection, reader.root, paths)?;
    let (mut account, uncertain) = counted.unzip();
    if let Some(account) = &mut account {
        account.complete &= stale.is_empty();
    }
    Ok(Callees {
        selector: callers.first().map(Symbol::selector).unwrap_or_default(),
        truncated: listed.len() < total,
        callees: listed,
        total,
        hidden_unresolved: hidden,
        account,
        uncertain: uncertain.unwrap_or_default(),
        other_definitions: others.iter().map(Symbol::selector).collect(),
        stale,
    })
}

/// What is called, each thing once, in the order of the first calls; behind a declaration what overrides it, if asked for.
fn each_once(
    connection: &Connection,
    sites: Vec<CallSite>,
    threshold: Confidence,
) -> Result<Vec<Callee>, GraphError> {
    let mut cache = Cache::default();
    let mut order: Vec<Callee> = Vec::new();
    let mut by_target: HashMap<(Option<i64>, String), usize> = HashMap::new();
    for site in sites.into_iter().filter(|site| site.confidence <= threshold) {
        let key = (site.target, if site.target.is_some() { String::new() } else { site.name.clone() });
        if let Some(at) = by_target.get(&key) {
            order[*at].count += 1;
            continue;
        }
        let target = match site.target {
            Some(id) => cache.get(connection, id)?.cloned(),
            None => None,
        };
        by_target.insert(key, order.len());
        let overriders = match &target {
            Some(target) => dispatch::overriders(connection, target.id)?,
            None => Vec::new(),
        };
        let line = site.line;
        order.push(row(site.name, target, site.confidence, line, overriders.len()));
        for overrider in overriders.into_iter().filter(|_| threshold >= Confidence::Dispatch) {
            let key = (Some(overrider), String::new());
            if let (Entry::Vacant(place), Some(target)) =
                (by_target.entry(key), cache.get(connection, overrider)?.cloned())
            {
                place.insert(order.len());
                order.push(row(target.name.clone(), Some(target), Confidence::Dispatch, line, 0));
            }
        }
    }
    Ok(order)
}
