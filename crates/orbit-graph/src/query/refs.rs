//! Who uses a symbol: references by confidence, and the relations that lead to it. Of a file, who imports it.

use super::account::{self, Account, Own};
use super::snippets::Snippets;
use super::symbol::{Cache, Symbol};
use super::{Reader, dispatch, freshness, importers, target, uncertain};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::selector::Selector;
use crate::store::file_of_row;
use crate::store::stored::Stored;
use orbit_extract::{RefKind, RelationKind, word_of};
use rusqlite::{Connection, params};
use serde::Serialize;
use std::collections::BTreeSet;

/// Up to this many uncertain occurrences are listed with an answer that did not ask for them.
const FEW: usize = 30;

/// What is looked for.
#[derive(Clone, Debug)]
pub struct RefOptions {
    /// References of a lower confidence level are only counted.
    pub confidence: Confidence,
    /// Only this kind: a reference kind or a relation kind.
    pub kind: Option<String>,
    /// At most this many references.
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
    /// Whether `refs` lists fewer than `total`.
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
    pub reason: &'static str,
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

struct Hit {
    row: i64,
    line: u32,
    kind: RefKind,
    confidence: Confidence,
    scope: Option<i64>,
    /// The file and byte where it is written.
    place: (u32, u32),
    /// Whether it is written with the name of what it means, not with another that an import gave it.
    is_by_name: bool,
}

pub(crate) fn refs(
    reader: &Reader<'_>,
    selector: &Selector,
    options: &RefOptions,
) -> Result<Refs, GraphError> {
    let connection = reader.connection;
    let symbols = target::any(connection, selector)?;
    if symbols.is_empty() {
        let of_files = importers::importers(reader, selector, options)?;
        return of_files.map_or_else(|| Err(target::not_found(connection, selector)?), Ok);
    }
    if symbols.len() > target::MANY {
        return Err(target::ambiguous(selector, &symbols));
    }
    let mut cache = Cache::default();
    let Collected { targets, hits, skipped, through, own } =
        collect(connection, &symbols, options, &mut cache)?;
    let mut account = account::account(reader, &symbols, own)?;
    let total = hits.len();
    let mut placed = Vec::with_capacity(hits.len());
    for hit in hits {
        let (file, _) = cache.file(connection, file_of_row(hit.row))?;
        placed.push((file, hit));
    }
    placed.sort_by(|a, b| (&a.0, a.1.row).cmp(&(&b.0, b.1.row)));
    placed.truncate(options.limit);
    let relations = relations(connection, &symbols, options, &mut cache)?;
    let paths = placed
        .iter()
        .map(|(file, _)| file.as_str())
        .chain(relations.iter().map(|row| row.file.as_str()))
        .chain(symbols.iter().map(|symbol| symbol.address.path.as_str()));
    let is_few = account.as_ref().is_some_and(|account| (1..=FEW).contains(&account.uncertain));
    let open = if is_few { uncertain::uncertain(reader, &symbols, FEW)? } else { Vec::new() };
    let paths = paths.chain(open.iter().map(|row| row.file.as_str()));
    let stale = freshness::stale_among(connection, reader.root, paths)?;
    if let Some(account) = &mut account {
        account.complete &= stale.is_empty();
    }
    let mut snippets = Snippets::new(reader, &stale);
    let mut uncertain = Vec::with_capacity(open.len());
    for row in open {
        let scope = match row.scope {
            Some(scope) => cache.get(connection, scope)?.map(Symbol::selector),
            None => None,
        };
        uncertain.push(UncertainRow {
            reason: row.why.as_str(),
            from_selector: scope.unwrap_or_else(|| format!("file:{}", row.file)),
            snippet: if options.snippets { snippets.get(&row.file, row.line) } else { None },
            line: row.line,
            file: row.file,
        });
    }
    let mut rows = Vec::with_capacity(placed.len());
    for (file, hit) in placed {
        let from_selector = match hit.scope {
            Some(scope) => cache.get(connection, scope)?.map(Symbol::selector),
            None => None,
        };
        rows.push(RefRow {
            kind: hit.kind.as_str(),
            confidence: hit.confidence,
            from_selector: from_selector.unwrap_or_else(|| format!("file:{file}")),
            snippet: if options.snippets { snippets.get(&file, hit.line) } else { None },
            line: hit.line,
            file,
        });
    }
    Ok(Refs {
        target: about(&symbols),
        targets,
        truncated: rows.len() < total,
        refs: rows,
        relations,
        total,
        skipped_low_confidence: skipped,
        through,
        uncertain,
        account,
        stale,
    })
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

/// What covers each symbol, every hit to show, how many name matches are only counted, and what stands for them.
struct Collected {
    targets: Vec<CoveredSymbol>,
    hits: Vec<Hit>,
    skipped: usize,
    through: Vec<Through>,
    /// Occurrences of the name, for the account.
    own: Own,
}

fn collect(
    connection: &Connection,
    symbols: &[Symbol],
    options: &RefOptions,
    cache: &mut Cache,
) -> Result<Collected, GraphError> {
    let mut all = Collected {
        targets: Vec::new(),
        hits: Vec::new(),
        skipped: 0,
        through: Vec::new(),
        own: Own { definitions: symbols.len(), ..Own::default() },
    };
    let word = symbols.first().and_then(|symbol| word_of(&symbol.name));
    let mut here: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut undecided: BTreeSet<(u32, u32)> = BTreeSet::new();
    for symbol in symbols {
        let mut found = resolved(connection, symbol.id, word)?;
        for alias in dispatch::also_reached_by(connection, symbol.id)? {
            if symbols.iter().any(|symbol| symbol.id == alias.symbol) {
                continue;
            }
            let mut uses = resolved(connection, alias.symbol, word)?;
            uses.retain(|hit| !alias.is_constructed || hit.kind == RefKind::Call);
            for hit in &mut uses {
                hit.confidence = hit.confidence.max(alias.confidence);
            }
            let selector = cache.get(connection, alias.symbol)?.map(Symbol::selector);
            let is_new = |selector: &String| all.through.iter().all(|known| known.selector != *selector);
            // Uses of another piece of the same function are listed with its own.
            let is_base = !alias.is_constructed && alias.confidence == Confidence::Dispatch;
            if let Some(selector) = selector.filter(is_new).filter(|_| is_base) {
                all.through.push(Through { selector, refs: uses.len() });
            }
            all.own.definitions += usize::from(!alias.is_constructed && !is_base);
            // Which of several constructors is meant was left open.
            if alias.is_constructed && alias.confidence == Confidence::Dispatch {
                undecided.extend(uses.iter().map(|hit| hit.place));
            }
            found.append(&mut uses);
        }
        for other in dispatch::overloads(connection, symbol)? {
            undecided.extend(resolved(connection, other, word)?.iter().map(|hit| hit.place));
        }
        let is_here = |hit: &&Hit| hit.confidence < Confidence::Dispatch && hit.is_by_name;
        here.extend(found.iter().filter(is_here).map(|hit| hit.place));
        found.retain(|hit| keeps(hit, options));
        all.targets.push(CoveredSymbol {
            selector: symbol.selector(),
            qualified: symbol.qualified.clone(),
            file: symbol.address.path.clone(),
            line: symbol.line,
            refs: found.len(),
        });
        all.hits.append(&mut found);
    }
    all.own.here = here.len();
    all.own.undecided = undecided.difference(&here).count();
    // Symbols that override one declaration are all meant by its uses.
    all.hits.sort_by_key(|hit| (hit.row, hit.confidence));
    all.hits.dedup_by_key(|hit| hit.row);
    for hit in fuzzy(connection, symbols)? {
        if options.confidence == Confidence::FuzzyName && keeps(&hit, options) {
            all.hits.push(hit);
        } else {
            all.skipped += 1;
        }
    }
    Ok(all)
}

fn keeps(hit: &Hit, options: &RefOptions) -> bool {
    hit.confidence <= options.confidence
        && options.kind.as_deref().is_none_or(|wanted| hit.kind.as_str() == wanted)
}

fn resolved(connection: &Connection, id: i64, word: Option<&str>) -> Result<Vec<Hit>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT id, line, kind, confidence, scope, span_start, name FROM ref_rows WHERE target = ?1 ORDER BY id",
    )?;
    let rows = statement.query_map([id], |row| {
        let id: i64 = row.get(0)?;
        let name = row.get_ref(6)?.as_str()?;
        Ok(Hit {
            row: id,
            line: row.get(1)?,
            kind: row.get::<_, Stored<RefKind>>(2)?.0,
            confidence: row.get::<_, Stored<Confidence>>(3)?.0,
            scope: row.get(4)?,
            place: (file_of_row(id), row.get(5)?),
            is_by_name: Some(name) == word || word_of(name) == word,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Uses of the name that nobody could resolve, in files of the same languages.
fn fuzzy(connection: &Connection, symbols: &[Symbol]) -> Result<Vec<Hit>, GraphError> {
    let mut found = Vec::new();
    let mut seen = Vec::new();
    for symbol in symbols {
        let asked = (symbol.name.as_str(), symbol.family());
        if seen.contains(&asked) {
            continue;
        }
        seen.push(asked);
        let uses = dispatch::unresolved_uses(connection, &symbol.name, symbol.family())?;
        found.extend(uses.into_iter().map(|open| Hit {
            row: open.row,
            line: open.line,
            kind: open.kind,
            confidence: Confidence::FuzzyName,
            scope: open.scope,
            place: (0, 0),
            is_by_name: true,
        }));
    }
    Ok(found)
}

fn relations(
    connection: &Connection,
    symbols: &[Symbol],
    options: &RefOptions,
    cache: &mut Cache,
) -> Result<Vec<RelationRow>, GraphError> {
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
    Ok(found)
}
