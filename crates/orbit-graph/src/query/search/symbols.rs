//! Symbols by name: what fits best is looked for first, and the rest only while there is room.

use super::words::{all_begin, last_begins, name_and_container, whole, words_of};
use super::{Finder, Found, Match, MatchKind};
use crate::error::GraphError;
use crate::query::symbol::{self, Symbol, is_test};
use orbit_extract::SymbolKind;
use rusqlite::params;
use std::collections::HashSet;

/// Ways to look for a name, best first. Beginnings of words cost much more than whole words: every word of the index
/// that begins so has to be looked at.
#[derive(Clone, Copy)]
enum Way {
    /// In any case.
    Exact,
    Beginning,
    /// All words in the name, whole.
    Words,
    /// Some words are the name, the others whole words of the names around it.
    Member,
    /// All words in the name, the last one as a beginning.
    LastBegins,
    /// All words in the name, each as a beginning.
    Beginnings,
    /// All words in the name, the names round it, or its parameters.
    Anywhere,
}

const WAYS: [Way; 7] =
    [Way::Exact, Way::Beginning, Way::Words, Way::Member, Way::LastBegins, Way::Beginnings, Way::Anywhere];

impl Way {
    /// Whether there is no need to look this way when so many have been found already.
    fn is_needless(self, found: usize, limit: usize) -> bool {
        match self {
            Way::Exact | Way::Beginning | Way::Words => found > limit,
            // A member that is named by its class is meant, however many names hold both words.
            Way::Member => false,
            Way::LastBegins => found > limit / 2,
            Way::Beginnings | Way::Anywhere => found > 0,
        }
    }
}

impl Finder<'_> {
    pub(super) fn symbols(&self, text: &str, words: &[String]) -> Result<Found, GraphError> {
        let name = text.rsplit(['.', ':', '/']).find(|part| !part.is_empty()).unwrap_or(text);
        let wanted = Wanted { name, text, words, squeezed: squeeze(name) };
        let (mut ranked, mut seen) = (Vec::<(f64, Symbol)>::new(), HashSet::new());
        let mut complete = true;
        for way in WAYS {
            if way.is_needless(ranked.len(), self.query.limit) {
                complete = false;
                break;
            }
            let mut rows = self.by(way, &wanted)?;
            complete &= (rows.len() as i64) < self.pool();
            rows.retain(|symbol| self.keeps(symbol) && seen.insert(symbol.id));
            ranked.extend(rows.into_iter().map(|symbol| (wanted.score(&symbol), symbol)));
        }
        ranked.sort_by(|(a, x), (b, y)| {
            b.total_cmp(a).then_with(|| {
                (x.address.path.len(), &x.address.path, x.line, x.id).cmp(&(
                    y.address.path.len(),
                    &y.address.path,
                    y.line,
                    y.id,
                ))
            })
        });
        let matches = ranked.into_iter().map(|(score, symbol)| found(symbol, score)).collect();
        Ok(Found { matches, complete })
    }

    fn by(&self, way: Way, wanted: &Wanted<'_>) -> Result<Vec<Symbol>, GraphError> {
        let pool = self.pool();
        let matching = match way {
            Way::Exact => {
                let tail = "WHERE s.name = ?1 COLLATE NOCASE LIMIT ?2";
                return symbol::select(self.connection, tail, params![wanted.name, pool]);
            }
            Way::Beginning => {
                // The inner select reads nothing but the index of names.
                let tail = "WHERE s.id IN (SELECT id FROM symbol_rows WHERE name > ?1 COLLATE NOCASE AND name < ?2 COLLATE NOCASE
                              ORDER BY length(name), name LIMIT ?3)";
                let after = format!("{}\u{10ffff}", wanted.name);
                return symbol::select(self.connection, tail, params![wanted.name, after, pool / 4]);
            }
            Way::Words => format!("name : ({})", whole(wanted.words)),
            Way::Member => match name_and_container(wanted.text) {
                Some(matching) => matching,
                None => return Ok(Vec::new()),
            },
            Way::LastBegins => format!("name : ({})", last_begins(wanted.words)),
            Way::Beginnings => format!("name : ({})", all_begin(wanted.words)),
            Way::Anywhere => all_begin(wanted.words),
        };
        let tail = "WHERE s.id IN (SELECT rowid FROM symbols_fts WHERE symbols_fts MATCH ?1 LIMIT ?2)";
        symbol::select(self.connection, tail, params![matching, pool])
    }

    fn keeps(&self, symbol: &Symbol) -> bool {
        let kind_fits = match self.query.symbol_kind {
            Some(kind) => symbol.address.kind == kind,
            None => symbol.address.kind != SymbolKind::Impl,
        };
        kind_fits && self.keeps_file(&symbol.address.path, symbol.lang)
    }
}

/// What was typed, in the forms that names are compared with.
struct Wanted<'q> {
    name: &'q str,
    text: &'q str,
    words: &'q [String],
    /// Letters and digits only, in lower case: `query set`, `query_set` and `QuerySet` are the same.
    squeezed: String,
}

impl Wanted<'_> {
    /// Exact name, then the name in another spelling, a name with what it belongs to, beginning, words of the name,
    /// anything else; definitions before members before prose, code before its tests.
    fn score(&self, symbol: &Symbol) -> f64 {
        let own = words_of(&symbol.name);
        let begins = |word: &&String| own.iter().any(|part| part.starts_with(word.as_str()));
        let in_name = self.words.iter().filter(begins).count();
        let squeezed = squeeze(&symbol.name);
        let base = if symbol.name == self.name
            && (self.text == self.name || symbol.qualified.ends_with(self.text))
        {
            1000.0
        } else if let Some(score) = self.as_member(symbol, &squeezed) {
            score
        } else if squeezed == self.squeezed {
            // `session.send` asks for another `send` than this one, if there is one.
            if self.text == self.name { 990.0 } else { 690.0 }
        } else if squeezed.starts_with(&self.squeezed) {
            700.0
        } else if in_name == self.words.len() {
            500.0
        } else {
            100.0 + 50.0 * in_name as f64
        };
        let member = match symbol.address.kind {
            SymbolKind::Field | SymbolKind::Variant | SymbolKind::Property | SymbolKind::Variable => 40.0,
            SymbolKind::Heading => 60.0,
            _ => 0.0,
        };
        let test = if is_test(&symbol.address.path, symbol.address.kind) { 45.0 } else { 0.0 };
        base - f64::max(member, test) - (own.len().saturating_sub(self.words.len()) as f64).min(20.0)
    }
}

/// How much a symbol is worth whose name is some of the words and whose surroundings are the others.
const MEMBER_OF_IT: f64 = 960.0;
const MEMBER_BELOW_IT: f64 = 850.0;

impl Wanted<'_> {
    /// The score of a symbol that is named by its name and what is around it, the nearest first.
    fn as_member(&self, symbol: &Symbol, name: &str) -> Option<f64> {
        let all = squeeze(self.text);
        let rest =
            all.strip_suffix(name).or_else(|| all.strip_prefix(name)).filter(|rest| !rest.is_empty())?;
        let container = symbol.qualified.strip_suffix(symbol.name.as_str()).unwrap_or(&symbol.qualified);
        let around: Vec<String> =
            container.split(|c: char| !c.is_alphanumeric() && c != '_').map(squeeze).collect();
        let around: Vec<&str> = around.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        if around.last() == Some(&rest) {
            return Some(MEMBER_OF_IT);
        }
        let mut others = self.words.iter().filter(|word| !name.contains(word.as_str())).peekable();
        let are_around = others.peek().is_some() && others.all(|word| around.contains(&word.as_str()));
        let found = around.contains(&rest) || are_around;
        found.then_some(MEMBER_BELOW_IT)
    }
}

fn squeeze(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn found(symbol: Symbol, score: f64) -> Match {
    Match {
        kind: MatchKind::Symbol,
        symbol_kind: Some(symbol.address.kind.as_str()),
        selector: symbol.selector(),
        name: Some(symbol.name),
        qualified: Some(symbol.qualified),
        signature: symbol.signature,
        value: None,
        path: symbol.address.path,
        line: symbol.line,
        score,
    }
}
