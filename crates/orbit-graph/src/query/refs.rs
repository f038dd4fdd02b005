//! Who uses a symbol: references by confidence, and the relations that lead to it. Of a file, who imports it.

mod collect;

use super::account::{self, Account};
use super::snippets::Snippets;
use super::symbol::{Cache, Symbol};
use super::uncertain::{self, Candidates, Uncertain, Why};
use super::{Reader, freshness, importers, reads, target};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::selector::Selector;
use crate::store::file_of_row;
use crate::store::stored::Stored;
use collect::{Collected, Hit, Undecided, collect};
use orbit_extract::RelationKind;
use rusqlite::{Connection, params};
use serde::Serialize;

/// Up to this many uncertain occurrences are listed with an answer that did not ask for them.
const FEW: usize = 30;
/// How many definitions are named that an uncertain occurrence could mean.
const MOST_CANDIDATES: usize = 5;

/// What is looked for.
#[derive(Clone, Debug)]
pub struct RefOptions {
    /// References of a lower confidence level are only counted.
    pub confidence: Confidence,
    /// Only this kind: a reference kind or a relation kind.
    pub kind: Option<String>,
    /// At most this many references, and as many relations.
    pub limit: usize,
    /// Whether the source line is shown.
    pub snippets: bool,
}

impl Default for RefOptions {
    fn default() -> RefOptions {
        RefOptions { confidence: Confidence::SameModule, kind: None, limit: 200, snippets: true }
    }
}

/// What the answer is about.
#[derive(Clone, Debug, Serialize)]
pub struct RefTarget {
    /// The name alone, without what it is declared in.
    pub name: String,
    /// Full name; `null` when several symbols are covered.
    pub qualified: Option<String>,
    /// Canonical; `null` when several symbols are covered.
    pub selector: Option<String>,
}

/// One of the symbols an answer covers.
#[derive(Clone, Debug, Serialize)]
pub struct CoveredSymbol {
    /// The canonical selector, which means this symbol alone.
    pub selector: String,
    /// The name with everything that it is declared in.
    pub qualified: String,
    /// Where it is defined.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// References at or above the asked confidence.
    pub refs: usize,
}

/// One use of the target.
#[derive(Clone, Debug, Serialize)]
pub struct RefRow {
    /// The file of the use.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// Why the name is used.
    pub kind: &'static str,
    /// How sure the edge is.
    pub confidence: Confidence,
    /// The symbol it stands in, or its file.
    pub from_selector: String,
    /// The source line; `null` when the file changed.
    pub snippet: Option<String>,
}

/// One structural edge.
#[derive(Clone, Debug, Serialize)]
pub struct RelationRow {
    /// The type that has the relation.
    pub from: String,
    /// Canonical, when it is a symbol of the repository.
    pub from_selector: Option<String>,
    /// `impl`, `extends`, `implements`.
    pub kind: &'static str,
    /// Where it is written.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// How sure the edge is.
    pub confidence: Confidence,
}

/// The answer to `refs`.
#[derive(Clone, Debug, Serialize)]
pub struct Refs {
    /// What was asked for.
    pub target: RefTarget,
    /// Every symbol the answer covers.
    pub targets: Vec<CoveredSymbol>,
    /// By file and line.
    pub refs: Vec<RefRow>,
    /// By file and line.
    pub relations: Vec<RelationRow>,
    /// References at or above the asked confidence.
    pub total: usize,
    /// Relations at or above the asked confidence.
    pub relations_total: usize,
    /// Whether `refs` or `relations` lists fewer than there are.
    pub truncated: bool,
    /// Name matches below the asked confidence.
    pub skipped_low_confidence: usize,
    /// The declarations that a symbol overrides or implements and whose uses may mean it.
    pub through: Vec<Through>,
    /// Occurrences that could be uses, when they are few: in `refs` they stand only if that confidence is asked for.
    pub uncertain: Vec<UncertainRow>,
    /// Where every occurrence of the name belongs; `null` when the name is not one word, and of files and modules.
    pub account: Option<Account>,
    /// Files of this answer that changed since they were indexed.
    pub stale: Vec<String>,
}

/// An occurrence of the name that could be a use.
#[derive(Clone, Debug, Serialize)]
pub struct UncertainRow {
    /// The file of the occurrence.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// Why nobody knows what it means.
    pub reason: String,
    /// The definitions of the name that can be written like this, at most five.
    pub candidates: Vec<String>,
    /// The name alone decides: the repository has one definition that can be written like this, and nothing known of
    /// other packages has the name.
    pub by_name_alone: bool,
    /// The symbol it stands in, or its file.
    pub from_selector: String,
    /// The source line; `null` when the file changed.
    pub snippet: Option<String>,
}

/// A declaration whose uses may run the symbol that was asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Through {
    /// The canonical selector, which means this symbol alone.
    pub selector: String,
    /// Its uses; listed at the confidence `dispatch`.
    pub refs: usize,
}

pub(crate) fn refs(
    reader: &Reader<'_>,
    selector: &Selector,
    options: &RefOptions,
) -> Result<Refs, GraphError> {
    let symbols = target::any(reader.connection, selector)?;
    if symbols.is_empty() {
        return of_no_symbol(reader, selector, options);
    }
    if symbols.len() > target::MANY {
        return Err(target::ambiguous(selector, &symbols));
    }
    let answer = of_symbols(reader, &symbols, options)?;
    importers::with_declared(reader, &symbols, options, answer)
}

fn of_symbols(reader: &Reader<'_>, symbols: &[Symbol], options: &RefOptions) -> Result<Refs, GraphError> {
    let connection = reader.connection;
    let mut cache = Cache::default();
    let Collected { targets, hits, skipped, through, own, undecided } =
        collect(reader, symbols, options, &mut cache)?;
    let mut account = account::account(reader, symbols, own)?;
    let total = hits.len();
    let placed = placed(connection, hits, options.limit, &mut cache)?;
    let (relations, relations_total) = relations(connection, symbols, options, &mut cache)?;
    let paths = placed
        .iter()
        .map(|(file, _)| file.as_str())
        .chain(relations.iter().map(|row| row.file.as_str()))
        .chain(symbols.iter().map(|symbol| symbol.address.path.as_str()));
    let is_few = account.as_ref().is_some_and(|account| (1..=FEW).contains(&account.uncertain));
    let open = if is_few { open(reader, symbols, undecided, &mut cache)? } else { Vec::new() };
    let paths = paths.chain(open.iter().map(|row| row.file.as_str()));
    let stale = freshness::stale_among(connection, reader.root, paths)?;
    if let Some(account) = &mut account {
        account.complete &= stale.is_empty();
    }
    let mut snippets = Snippets::new(reader, &stale);
    let uncertain = uncertain_rows(connection, symbols, open, options, &mut snippets, &mut cache)?;
    let mut rows = Vec::with_capacity(placed.len());
    for (file, hit) in placed {
        rows.push(RefRow {
            kind: hit.kind.as_str(),
            confidence: hit.confidence,
            from_selector: standing_in(connection, hit.scope, &file, &mut cache)?,
            snippet: if options.snippets { snippets.get(&file, hit.line) } else { None },
            line: hit.line,
            file,
        });
    }
    Ok(Refs {
        target: about(symbols),
        targets,
        truncated: rows.len() < total || relations.len() < relations_total,
        refs: rows,
        relations,
        total,
        relations_total,
        skipped_low_confidence: skipped,
        through,
        uncertain,
        account,
        stale,
    })
}

/// Where every occurrence of the name of these symbols belongs, for answers that list something else of them.
pub(super) fn account_of(reader: &Reader<'_>, symbols: &[Symbol]) -> Result<Option<Account>, GraphError> {
    let collected = collect(reader, symbols, &RefOptions::default(), &mut Cache::default())?;
    account::account(reader, symbols, collected.own)
}

/// What could be a use: what nobody resolved, and what was resolved to another overload or constructor.
fn open(
    reader: &Reader<'_>,
    symbols: &[Symbol],
    undecided: Vec<Undecided>,
    cache: &mut Cache,
) -> Result<Vec<Uncertain>, GraphError> {
    let mut open = uncertain::uncertain(reader, symbols, FEW)?;
    for Undecided { file, line, scope } in undecided {
        let (file, _) = cache.file(reader.connection, file)?;
        open.push(Uncertain { file, line, scope, why: Why::Overload, module: None });
    }
    Ok(open)
}

/// Who imports a file, or who reads a config key.
fn of_no_symbol(reader: &Reader<'_>, selector: &Selector, options: &RefOptions) -> Result<Refs, GraphError> {
    let found = match importers::importers(reader, selector, options)? {
        Some(found) => Some(found),
        None => reads::reads(reader, selector, options)?,
    };
    found.map_or_else(|| Err(target::not_found(reader.connection, selector)?), Ok)
}

/// The first hits in the order of files and lines, each with its file.
fn placed(
    connection: &Connection,
    hits: Vec<Hit>,
    limit: usize,
    cache: &mut Cache,
) -> Result<Vec<(String, Hit)>, GraphError> {
    let mut placed = Vec::with_capacity(hits.len());
    for hit in hits {
        let (file, _) = cache.file(connection, file_of_row(hit.row))?;
        placed.push((file, hit));
    }
    placed.sort_by(|a, b| (&a.0, a.1.row).cmp(&(&b.0, b.1.row)));
    placed.truncate(limit);
    Ok(placed)
}

/// The selector of the symbol that something stands in, or of its file.
fn standing_in(
    connection: &Connection,
    scope: Option<i64>,
    file: &str,
    cache: &mut Cache,
) -> Result<String, GraphError> {
    let symbol = match scope {
        Some(scope) => cache.get(connection, scope)?.map(Symbol::selector),
        None => None,
    };
    Ok(symbol.unwrap_or_else(|| format!("file:{file}")))
}

/// Uncertain occurrences with what they could mean, the symbols they stand in and, if asked for, their source lines.
fn uncertain_rows(
    connection: &Connection,
    symbols: &[Symbol],
    open: Vec<Uncertain>,
    options: &RefOptions,
    snippets: &mut Snippets<'_>,
    cache: &mut Cache,
) -> Result<Vec<UncertainRow>, GraphError> {
    let mut rows = Vec::with_capacity(open.len());
    if open.is_empty() {
        return Ok(rows);
    }
    let all = Candidates::of(connection, symbols)?;
    for row in open {
        let mut candidates = all.fitting(row.why);
        let by_name_alone = all.is_decided_by_name(&candidates);
        candidates.truncate(MOST_CANDIDATES);
        rows.push(UncertainRow {
            reason: row.reason(),
            candidates,
            by_name_alone,
            from_selector: standing_in(connection, row.scope, &row.file, cache)?,
            snippet: if options.snippets { snippets.get(&row.file, row.line) } else { None },
            line: row.line,
            file: row.file,
        });
    }
    Ok(rows)
}

/// What an answer about these symbols is about.
fn about(symbols: &[Symbol]) -> RefTarget {
    let single = if let [only] = symbols { Some(only) } else { None };
    RefTarget {
        name: symbols.first().map(|first| first.name.clone()).unwrap_or_default(),
        qualified: single.map(|only| only.qualified.clone()),
        selector: single.map(Symbol::selector),
    }
}

/// The first relations that lead to these symbols, and how many there are.
fn relations(
    connection: &Connection,
    symbols: &[Symbol],
    options: &RefOptions,
    cache: &mut Cache,
) -> Result<(Vec<RelationRow>, usize), GraphError> {
    let mut found = Vec::new();
    let mut statement = connection.prepare_cached(
        "SELECT id, kind, line, from_symbol, from_name, confidence FROM relation_rows WHERE to_symbol = ?1 ORDER BY id",
    )?;
    for symbol in symbols {
        let mut rows = statement.query(params![symbol.id])?;
        while let Some(row) = rows.next()? {
            let kind = row.get::<_, Stored<RelationKind>>(1)?.0.as_str();
            let confidence = row.get::<_, Stored<Confidence>>(5)?.0;
            let is_wanted = options.kind.as_deref().is_none_or(|wanted| wanted == kind);
            if !is_wanted || confidence > options.confidence {
                continue;
            }
            let from: Option<i64> = row.get(3)?;
            let from_symbol = match from {
                Some(id) => cache.get(connection, id)?.cloned(),
                None => None,
            };
            let (file, _) = cache.file(connection, file_of_row(row.get(0)?))?;
            found.push(RelationRow {
                from: from_symbol.as_ref().map_or(row.get(4)?, |symbol| symbol.qualified.clone()),
                from_selector: from_symbol.as_ref().map(Symbol::selector),
                kind,
                file,
                line: row.get(2)?,
                confidence,
            });
        }
    }
    found.sort_by(|a, b| (&a.file, a.line, &a.from).cmp(&(&b.file, b.line, &b.from)));
    let total = found.len();
    found.truncate(options.limit);
    Ok((found, total))
}
