//! The uses of the symbols that are asked for, from the index.

use super::{CoveredSymbol, RefOptions, Through};
use crate::error::GraphError;
use crate::query::account::{self, Own};
use crate::query::symbol::{Cache, Symbol};
use crate::query::{Reader, dispatch};
use crate::resolve::Confidence;
use crate::store::file_of_row;
use crate::store::stored::Stored;
use orbit_extract::{RefKind, SymbolKind, word_of};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};

/// One use of a symbol that is asked for.
pub(super) struct Hit {
    pub(super) row: i64,
    pub(super) line: u32,
    pub(super) kind: RefKind,
    pub(super) confidence: Confidence,
    pub(super) scope: Option<i64>,
    /// The file and byte where it is written.
    place: (u32, u32),
    /// How many bytes it has.
    length: u32,
    /// Whether it is written with the name of what it means, not with another that an import gave it.
    is_by_name: bool,
}

/// What covers each symbol, every hit to show, how many name matches are only counted, and what stands for them.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) targets: Vec<CoveredSymbol>,
    pub(super) hits: Vec<Hit>,
    pub(super) skipped: usize,
    pub(super) through: Vec<Through>,
    /// Occurrences of the name, for the account.
    pub(super) own: Own,
    /// Uses of another overload or constructor that may be uses of what is asked for, in the order of places.
    pub(super) undecided: Vec<Undecided>,
}

/// A use of which nobody knows whether it means what is asked for.
pub(super) struct Undecided {
    pub(super) file: u32,
    pub(super) line: u32,
    pub(super) scope: Option<i64>,
}

impl Undecided {
    fn of(hit: &Hit) -> ((u32, u32), Undecided) {
        (hit.place, Undecided { file: hit.place.0, line: hit.line, scope: hit.scope })
    }
}

pub(super) fn collect(
    reader: &Reader<'_>,
    symbols: &[Symbol],
    options: &RefOptions,
    cache: &mut Cache,
) -> Result<Collected, GraphError> {
    let connection = reader.connection;
    let own = Own { definitions: symbols.len(), ..Own::default() };
    let word = symbols.first().and_then(|symbol| word_of(&symbol.name));
    let all = Collected { own, ..Collected::default() };
    let mut gathering = Gathering { reader, symbols, word, all, undecided: BTreeMap::new() };
    let mut here: BTreeSet<(u32, u32)> = BTreeSet::new();
    for symbol in symbols {
        let mut found = gathering.uses_of(symbol, cache)?;
        unname_implied(connection, symbol, &mut found, cache)?;
        let is_here = |hit: &&Hit| hit.confidence < Confidence::Dispatch && hit.is_by_name;
        here.extend(found.iter().filter(is_here).map(|hit| hit.place));
        found.retain(|hit| keeps(hit, options));
        gathering.all.targets.push(covered(symbol, found.len()));
        gathering.all.hits.append(&mut found);
    }
    let Gathering { mut all, mut undecided, .. } = gathering;
    all.own.here = here.len();
    // `{ fill }` of a script defines a property and uses the variable of the name, with one word.
    let is_use = |symbol: &&Symbol| here.contains(&(file_of_row(symbol.id), symbol.span.0));
    all.own.definitions -= symbols.iter().filter(is_use).count();
    undecided.retain(|place, _| !here.contains(place));
    all.own.undecided = undecided.len();
    all.undecided = undecided.into_values().collect();
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

/// The collection as it grows.
struct Gathering<'a> {
    reader: &'a Reader<'a>,
    symbols: &'a [Symbol],
    word: Option<&'a str>,
    all: Collected,
    undecided: BTreeMap<(u32, u32), Undecided>,
}

impl Gathering<'_> {
    /// The uses of a symbol, by its own name and through what stands for it.
    fn uses_of(&mut self, symbol: &Symbol, cache: &mut Cache) -> Result<Vec<Hit>, GraphError> {
        let connection = self.reader.connection;
        let mut found = resolved(connection, symbol.id, self.word)?;
        for alias in dispatch::also_reached_by(connection, symbol.id)? {
            if self.symbols.iter().all(|known| known.id != alias.symbol) {
                found.append(&mut self.uses_through(alias, cache)?);
            }
        }
        for other in dispatch::overloads(connection, symbol)? {
            self.undecided.extend(resolved(connection, other, self.word)?.iter().map(Undecided::of));
        }
        Ok(found)
    }

    fn uses_through(&mut self, alias: dispatch::Alias, cache: &mut Cache) -> Result<Vec<Hit>, GraphError> {
        let connection = self.reader.connection;
        let mut uses = resolved(connection, alias.symbol, self.word)?;
        uses.retain(|hit| !alias.is_constructed || hit.kind == RefKind::Call);
        for hit in &mut uses {
            hit.confidence = hit.confidence.max(alias.confidence);
        }
        let Some(meant) = cache.get(connection, alias.symbol)? else { return Ok(uses) };
        let (is_open, all) = (alias.confidence == Confidence::Dispatch, &mut self.all);
        if alias.is_constructed {
            // Which of several constructors is meant was left open.
            if is_open {
                self.undecided.extend(uses.iter().filter(|hit| hit.is_by_name).map(Undecided::of));
                all.own.is_open_elsewhere |= uses.iter().any(|hit| !hit.is_by_name);
            }
            if word_of(&meant.name) != self.word {
                all.own.is_open_elsewhere |= account::is_open(self.reader, meant)?;
            }
        } else if is_open {
            let selector = meant.selector();
            if all.through.iter().all(|known| known.selector != selector) {
                all.through.push(Through { selector, refs: uses.len() });
            }
        } else {
            if meant.address.kind == SymbolKind::Constructor {
                // `this(…)` calls a constructor and does not name the class that is asked for.
                uses.retain(|hit| hit.is_by_name);
            }
            // Uses of another piece of the same function are listed with its own.
            all.own.definitions += 1;
        }
        Ok(uses)
    }
}

/// A route may call a symbol without writing its name: under the registration stands the definition itself, or the name
/// follows from a rule of the framework. That is a use, and not an occurrence.
fn unname_implied(
    connection: &Connection,
    symbol: &Symbol,
    found: &mut [Hit],
    cache: &mut Cache,
) -> Result<(), GraphError> {
    for hit in found.iter_mut().filter(|hit| hit.kind == RefKind::Call) {
        let is_definition =
            hit.place.0 == file_of_row(symbol.id) && (symbol.span.0..symbol.span.1).contains(&hit.place.1);
        let Some(scope) = hit.scope else { continue };
        let is_implied = is_definition || hit.length as usize != symbol.name.len();
        if is_implied
            && cache.get(connection, scope)?.is_some_and(|scope| scope.address.kind == SymbolKind::Route)
        {
            hit.is_by_name = false;
        }
    }
    Ok(())
}

fn covered(symbol: &Symbol, refs: usize) -> CoveredSymbol {
    CoveredSymbol {
        selector: symbol.selector(),
        qualified: symbol.qualified.clone(),
        file: symbol.address.path.clone(),
        line: symbol.line,
        refs,
    }
}

fn keeps(hit: &Hit, options: &RefOptions) -> bool {
    hit.confidence <= options.confidence
        && options.kind.as_deref().is_none_or(|wanted| hit.kind.as_str() == wanted)
}

fn resolved(connection: &Connection, id: i64, word: Option<&str>) -> Result<Vec<Hit>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT id, line, kind, confidence, scope, span_start, name, span_end - span_start FROM ref_rows WHERE target = ?1 ORDER BY id",
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
            length: row.get(7)?,
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
            length: 0,
            is_by_name: true,
        }));
    }
    Ok(found)
}
