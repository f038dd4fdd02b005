//! Symbols by name, by the names around it, and by the path of their file.

use super::words::{Term, all_of, beginnings, words_of};
use super::{Finder, Found, Match, MatchKind};
use crate::error::GraphError;
use crate::query::routes;
use crate::query::symbol::{self, Symbol, is_test};
use crate::store::file_of_row;
use crate::store::stored::Stored;
use foldhash::fast::FixedState;
use hashbrown::HashSet;
use orbit_extract::SymbolKind;
use rusqlite::params;

/// Rows of one way that are read and ranked, or twice as many as are shown if that is more. All are counted.
const POOL: usize = 100;

/// With this many hits that are no tests, nobody looks for what is in files that have the other words: that takes long for
/// words that are everywhere. The number of hits does not depend on how many are shown.
const ENOUGH: usize = 5;

/// More words than this are not shared out between a symbol and the path of its file: there are too many ways.
const MOST_SHARED_OUT: usize = 5;

/// A word that this many names have is everywhere: beside other words it stands for itself, and not for all that begin
/// with it, unless nothing is found so.
const EVERYWHERE: i64 = 1000;

/// Rows that were found.
type Seen = HashSet<i64, FixedState>;

/// Ways to look for a name, best first.
#[derive(Clone, Copy)]
enum Way {
    /// In any case.
    Exact,
    Beginning,
    /// All words in the name, whole.
    Words,
    /// Some words are the name, the others whole words of the names around it.
    Member,
    /// All words in the name, each as a beginning.
    Beginnings,
    /// Some words begin words of the name, the others words of the names around it or of its parameters.
    Around,
    /// Some words begin words of the path, the others words of the name or what is around it.
    File,
    /// All words in the names around it or its parameters.
    Anywhere,
}

/// These together are what is found. A single word cannot be shared out between a name and its surroundings.
const ONE_WORD: [Way; 3] = [Way::Exact, Way::Beginning, Way::Beginnings];
const WORDS: [Way; 7] =
    [Way::Exact, Way::Beginning, Way::Words, Way::Member, Way::Beginnings, Way::Around, Way::File];

/// What is tried when nothing is found and words that are everywhere stood for themselves.
const AS_BEGINNINGS: [Way; 4] = [Way::Beginnings, Way::Around, Way::File, Way::Anywhere];

impl Finder<'_> {
    pub(super) fn symbols(&self, text: &str, words: &[String]) -> Result<Found, GraphError> {
        let name = text.rsplit(['.', ':', '/']).find(|part| !part.is_empty()).unwrap_or(text);
        let (terms, squeezed) = (self.terms(words)?, squeeze(name));
        let wanted = Wanted { name, text, words, terms, squeezed, routes: Vec::new() };
        let ways: &[Way] = if words.len() == 1 { &ONE_WORD } else { &WORDS };
        let (mut seen, mut chosen) = (Seen::default(), Vec::new());
        let routes = routes::named(self.connection, text)?;
        let is_wanted =
            |route: &&Symbol| self.query.symbol_kind.is_none_or(|kind| kind == route.address.kind);
        let routes: Vec<i64> = routes.iter().filter(is_wanted).map(|route| route.id).collect();
        self.add(routes.clone(), &mut seen, &mut chosen)?;
        let wanted = Wanted { routes, ..wanted };
        let mut is_name = false;
        for way in ways {
            let is_shared_out = matches!(way, Way::Member | Way::Around | Way::File);
            if is_name && is_shared_out || matches!(way, Way::File) && self.has_enough_code(&chosen)? {
                continue;
            }
            let rows = self.by(*way, &wanted)?;
            self.add(rows, &mut seen, &mut chosen)?;
            // One word that is the name of something is not shared out between a name and what is around it.
            is_name |= matches!(way, Way::Exact) && !seen.is_empty() && !text.contains(char::is_whitespace);
        }
        let terms = beginnings(words);
        let last = if wanted.terms == terms { &[Way::Anywhere][..] } else { &AS_BEGINNINGS[..] };
        let wanted = Wanted { terms, ..wanted };
        for way in last {
            if seen.is_empty() {
                let rows = self.by(*way, &wanted)?;
                self.add(rows, &mut seen, &mut chosen)?;
            }
        }
        let mut ranked: Vec<(f64, Symbol)> =
            self.read(&chosen)?.into_iter().map(|symbol| (wanted.score(&symbol), symbol)).collect();
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
        Ok(Found { matches, total: seen.len() })
    }

    /// Adds what is found one way to what was `seen`, and as much of it as may be shown to what is `chosen`: code before
    /// tests.
    fn add(&self, mut rows: Vec<i64>, seen: &mut Seen, chosen: &mut Vec<i64>) -> Result<(), GraphError> {
        rows.retain(|row| self.keeps_row(*row) && seen.insert(*row));
        let pool = POOL.max(self.query.limit.saturating_mul(2));
        if rows.len() > pool {
            rows = self.code_before_tests(&rows, pool)?;
        }
        chosen.append(&mut rows);
        Ok(())
    }

    /// Whether what was found is enough without tests, which stand behind all code.
    fn has_enough_code(&self, chosen: &[i64]) -> Result<bool, GraphError> {
        let mut left = ENOUGH;
        for row in chosen {
            if left == 0 {
                break;
            }
            left -= usize::from(!self.is_test_row(*row)?);
        }
        Ok(left == 0)
    }

    fn by(&self, way: Way, wanted: &Wanted<'_>) -> Result<Vec<i64>, GraphError> {
        match way {
            // What is asked for by its kind alone.
            _ if wanted.words.is_empty() => self.rows("?1 = ?1 AND ?2 = ?2", "", ""),
            Way::Exact => self.rows("name = ?1 COLLATE NOCASE AND ?2 = ?2", wanted.name, ""),
            Way::Beginning => {
                let after = format!("{}\u{10ffff}", wanted.name);
                self.rows("name > ?1 COLLATE NOCASE AND name < ?2 COLLATE NOCASE", wanted.name, &after)
            }
            Way::Words => self.of_kind(self.with_name(wanted.words)?),
            Way::Member => self.of_kind(self.members(wanted.text)?),
            // Without a beginning they are what whole words find.
            Way::Beginnings if wanted.terms.iter().all(|term| !term.begins) => Ok(Vec::new()),
            Way::Beginnings => self.matching(&format!("name : ({})", all_of(&wanted.terms))),
            Way::Around => self.of_kind(self.around(&wanted.terms, |_| true)?),
            Way::File => self.in_named_files(&wanted.terms),
            Way::Anywhere => self.matching(&all_of(&wanted.terms)),
        }
    }

    /// The words as they are looked for: as beginnings, those that are everywhere as they are.
    fn terms(&self, words: &[String]) -> Result<Vec<Term>, GraphError> {
        let mut terms = beginnings(words);
        let mut count = self.connection.prepare_cached(
            "SELECT count(*) FROM (SELECT 1 FROM symbols_fts WHERE symbols_fts MATCH ?1 LIMIT ?2)",
        )?;
        for term in terms.iter_mut().filter(|term| term.begins && words.len() > 1) {
            let matching = format!("name : \"{}\"", term.word);
            term.begins =
                count.query_row(params![matching, EVERYWHERE], |row| row.get::<_, i64>(0))? < EVERYWHERE;
        }
        Ok(terms)
    }

    /// Symbols with those words that the paths of their files do not have, one of them in the name.
    fn in_named_files(&self, terms: &[Term]) -> Result<Vec<i64>, GraphError> {
        let mut found = Vec::new();
        if terms.len() > MOST_SHARED_OUT {
            return Ok(found);
        }
        for (missing, files) in self.files_by_missing_words(terms)? {
            let missing: Vec<Term> = missing.into_iter().cloned().collect();
            let is_kept = |row| files.contains(&i64::from(file_of_row(row)));
            found.append(&mut self.around(&missing, is_kept)?);
        }
        self.of_kind(found)
    }

    fn matching(&self, matching: &str) -> Result<Vec<i64>, GraphError> {
        if self.query.symbol_kind.is_none() && !self.has_impls()? {
            // Nothing is to be left out, so that no row of a word that is everywhere need be read.
            let sql = "SELECT rowid FROM symbols_fts WHERE symbols_fts MATCH ?1";
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_map([matching], |row| row.get(0))?;
            return Ok(rows.collect::<Result<_, _>>()?);
        }
        let condition = "id IN (SELECT rowid FROM symbols_fts WHERE symbols_fts MATCH ?1) AND ?2 = ?2";
        self.rows(condition, matching, "")
    }

    /// Of these rows those of the wanted kind.
    fn of_kind(&self, rows: Vec<i64>) -> Result<Vec<i64>, GraphError> {
        if rows.is_empty() || self.query.symbol_kind.is_none() && !self.has_impls()? {
            return Ok(rows);
        }
        let list = serde_json::to_string(&rows).unwrap_or_default();
        self.rows("id IN (SELECT value FROM json_each(?1)) AND ?2 = ?2", &list, "")
    }

    /// The symbols of the wanted kind for which a condition on two texts holds.
    fn rows(&self, condition: &str, first: &str, second: &str) -> Result<Vec<i64>, GraphError> {
        let (kind, is_wanted) = match self.query.symbol_kind {
            Some(kind) => (kind, "="),
            None => (SymbolKind::Impl, "<>"),
        };
        let sql = format!("SELECT id FROM symbol_rows WHERE {condition} AND kind {is_wanted} ?3");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params![first, second, Stored(kind)], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn read(&self, rows: &[i64]) -> Result<Vec<Symbol>, GraphError> {
        let list = serde_json::to_string(rows).unwrap_or_default();
        let tail = "WHERE s.id IN (SELECT value FROM json_each(?1))";
        symbol::select(self.connection, tail, [list])
    }
}

/// What was typed, in the forms that names are compared with.
struct Wanted<'q> {
    name: &'q str,
    text: &'q str,
    words: &'q [String],
    /// As they are looked for.
    terms: Vec<Term>,
    /// Letters and digits only, in lower case: `query set`, `query_set` and `QuerySet` are the same.
    squeezed: String,
    /// Routes whose whole path it is.
    routes: Vec<i64>,
}

impl Wanted<'_> {
    /// Exact name, then the name in another spelling, a name with what it belongs to, beginning, words of the name,
    /// words of the name and of what it belongs to, anything else; definitions before members before prose. Tests come
    /// behind all code.
    fn score(&self, symbol: &Symbol) -> f64 {
        let own = words_of(&symbol.name);
        let begins = |word: &&String| own.iter().any(|part| part.starts_with(word.as_str()));
        let in_name = self.words.iter().filter(begins).count();
        let squeezed = squeeze(&symbol.name);
        let is_route = self.routes.contains(&symbol.id);
        let is_exact =
            symbol.name == self.name && (self.text == self.name || symbol.qualified.ends_with(self.text));
        let base = if is_route || is_exact {
            EXACT
        } else if let Some(score) = self.as_member(symbol, &squeezed) {
            score
        } else if squeezed == self.squeezed {
            // `session.send` asks for another `send` than this one, if there is one.
            if self.text == self.name { 990.0 } else { 690.0 }
        } else if squeezed.starts_with(&self.squeezed) {
            700.0
        } else if in_name == self.words.len() {
            500.0
        } else if self.is_around(symbol, &own) {
            450.0
        } else {
            (100.0 + 50.0 * in_name as f64).min(400.0)
        };
        let member = match symbol.address.kind {
            SymbolKind::Field | SymbolKind::Variant | SymbolKind::Property | SymbolKind::Variable => 40.0,
            SymbolKind::Heading => 60.0,
            _ => 0.0,
        };
        let score = base - member - (own.len().saturating_sub(self.words.len()) as f64).min(20.0);
        let is_asked_for = base >= EXACT && self.text == self.name && self.is_test_name();
        let is_behind = is_test(&symbol.address.path, symbol.address.kind) && !is_asked_for;
        if is_behind { score / BEHIND_CODE } else { score }
    }

    /// Whether what was typed can only be meant for tests.
    fn is_test_name(&self) -> bool {
        self.words.first().is_some_and(|word| word == "test")
            || self.words.last().is_some_and(|word| word == "test")
    }

    /// Whether the words that are not in a symbol's own name begin words of what it belongs to.
    fn is_around(&self, symbol: &Symbol, own: &[String]) -> bool {
        let container = symbol.qualified.strip_suffix(symbol.name.as_str()).unwrap_or(&symbol.qualified);
        let nearest = container.rsplit([':', '.', '/']).find(|part| !part.is_empty()).unwrap_or("");
        let around = words_of(nearest);
        let begins =
            |word: &String, parts: &[String]| parts.iter().any(|part| part.starts_with(word.as_str()));
        self.words.iter().any(|word| begins(word, own))
            && self.words.iter().all(|word| begins(word, own) || begins(word, &around))
    }
}

/// How much the name is worth as it was typed.
const EXACT: f64 = 1000.0;
/// The score of a test is divided by this: the best one is below the worst of code.
const BEHIND_CODE: f64 = 100.0;

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

pub(super) fn found(symbol: Symbol, score: f64) -> Match {
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
