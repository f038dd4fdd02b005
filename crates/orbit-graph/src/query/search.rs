//! Finding things by words: identifiers split at case, underscores and digits; prefixes count; exact names come
//! first, definitions before members before config keys. When nothing matches, one typo per word is forgiven.

mod words;

use super::symbol::{self, Symbol};
use super::target::edit_distance;
use super::{Reader, freshness};
use crate::error::GraphError;
use globset::{Glob, GlobMatcher};
use orbit_extract::{ConfigKind, Lang, SymbolKind};
use rusqlite::{Connection, params};
use serde::Serialize;
use words::{fts, words_of};

/// Rows looked at before ranking.
const POOL: usize = 400;
const SUGGESTIONS: usize = 5;

/// What kind of thing matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchKind {
    /// A definition.
    Symbol,
    /// A string literal.
    String,
    /// A config key.
    Config,
}

/// A question.
#[derive(Clone, Debug)]
pub struct SearchQuery {
    /// Words, or a name.
    pub text: String,
    /// Only this kind of thing.
    pub kind: Option<MatchKind>,
    /// Only symbols of this kind.
    pub symbol_kind: Option<SymbolKind>,
    /// Only this language.
    pub lang: Option<Lang>,
    /// Only paths that match this glob.
    pub path: Option<String>,
    /// At most this many.
    pub limit: usize,
}

/// One hit.
#[derive(Clone, Debug, Serialize)]
pub struct Match {
    /// What matched.
    pub kind: MatchKind,
    /// The symbol's kind.
    pub symbol_kind: Option<&'static str>,
    /// The symbol's name.
    pub name: Option<String>,
    /// Its full name.
    pub qualified: Option<String>,
    /// Its signature.
    pub signature: Option<String>,
    /// The string or key.
    pub value: Option<String>,
    /// How to name it, or its file, in the next call.
    pub selector: String,
    /// Where.
    pub path: String,
    /// 1-based.
    pub line: u32,
    /// Higher is better.
    pub score: f64,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct SearchResult {
    /// Best first.
    pub matches: Vec<Match>,
    /// How many there are; `null` when there are more than were counted.
    pub total: Option<usize>,
    /// Whether the limit cut the list.
    pub truncated: bool,
    /// Similar words of the index, when nothing matched as written.
    pub did_you_mean: Vec<String>,
    /// Files of this answer that changed since they were indexed.
    pub stale: Vec<String>,
}

pub(crate) fn search(reader: &Reader<'_>, query: &SearchQuery) -> Result<SearchResult, GraphError> {
    let glob = match &query.path {
        Some(pattern) => {
            let glob =
                Glob::new(pattern).map_err(|_| GraphError::bad_selector(pattern, "not a valid glob"))?;
            Some(glob.compile_matcher())
        }
        None => None,
    };
    let finder = Finder { connection: reader.connection, query, glob };
    let words = words_of(&query.text);
    let mut found = finder.find(query.text.trim(), &words)?;
    let mut did_you_mean = Vec::new();
    if found.is_empty() && !words.is_empty() {
        (found, did_you_mean) = finder.forgiving(&words)?;
    }
    let pool_full = found.len() >= POOL;
    let total = found.len();
    found.truncate(query.limit);
    let stale =
        freshness::stale_among(reader.connection, reader.root, found.iter().map(|hit| hit.path.as_str()))?;
    Ok(SearchResult {
        truncated: found.len() < total,
        matches: found,
        total: (!pool_full).then_some(total),
        did_you_mean,
        stale,
    })
}

struct Finder<'q> {
    connection: &'q Connection,
    query: &'q SearchQuery,
    glob: Option<GlobMatcher>,
}

impl Finder<'_> {
    fn find(&self, text: &str, words: &[String]) -> Result<Vec<Match>, GraphError> {
        let mut found = Vec::new();
        if words.is_empty() {
            return Ok(found);
        }
        let wanted = |kind: MatchKind| self.query.kind.is_none_or(|only| only == kind);
        let only_symbols = self.query.symbol_kind.is_some();
        if wanted(MatchKind::Symbol) {
            found.append(&mut self.symbols(text, words)?);
        }
        if wanted(MatchKind::String) && !only_symbols {
            found.append(&mut self.strings(words)?);
        }
        if wanted(MatchKind::Config) && !only_symbols {
            found.append(&mut self.configs(words)?);
        }
        Ok(found)
    }

    fn symbols(&self, text: &str, words: &[String]) -> Result<Vec<Match>, GraphError> {
        let name = text.rsplit(['.', ':', '/']).find(|part| !part.is_empty()).unwrap_or(text);
        let mut found =
            symbol::select(self.connection, "WHERE s.name = ?1 LIMIT ?2", params![name, POOL as i64])?;
        let after = format!("{name}\u{10ffff}");
        let tail = "WHERE s.name > ?1 AND s.name < ?2 ORDER BY length(s.name) LIMIT ?3";
        found.append(&mut symbol::select(self.connection, tail, params![name, after, POOL as i64 / 4])?);
        for (columns, limit) in [("name", POOL), ("qualified signature", POOL / 4)] {
            if found.len() >= POOL {
                break;
            }
            let matching = match columns {
                "name" => format!("name : ({})", fts(words)),
                _ => fts(words),
            };
            let tail = "WHERE s.id IN (SELECT rowid FROM symbols_fts WHERE symbols_fts MATCH ?1 LIMIT ?2)";
            found.append(&mut symbol::select(self.connection, tail, params![matching, limit as i64])?);
        }
        found.retain(|symbol| self.keeps(symbol));
        let mut ranked: Vec<(f64, Symbol)> =
            found.into_iter().map(|symbol| (score(&symbol, name, text, words), symbol)).collect();
        ranked.sort_by(|(a, x), (b, y)| {
            b.total_cmp(a).then_with(|| {
                (x.path.len(), &x.path, x.line, x.id).cmp(&(y.path.len(), &y.path, y.line, y.id))
            })
        });
        ranked.dedup_by_key(|(_, symbol)| symbol.id);
        Ok(ranked.into_iter().map(|(score, symbol)| symbol_match(symbol, score)).collect())
    }

    fn keeps(&self, symbol: &Symbol) -> bool {
        let kind_fits = match self.query.symbol_kind {
            Some(kind) => symbol.kind == kind,
            None => symbol.kind != SymbolKind::Impl,
        };
        kind_fits && self.keeps_file(&symbol.path, symbol.lang)
    }

    fn keeps_file(&self, path: &str, lang: Lang) -> bool {
        self.query.lang.is_none_or(|wanted| wanted == lang)
            && self.glob.as_ref().is_none_or(|glob| glob.is_match(path))
    }

    fn strings(&self, words: &[String]) -> Result<Vec<Match>, GraphError> {
        let sql =
            "SELECT f.path, s.line, s.value, f.lang FROM string_rows s JOIN file_rows f ON f.id = s.id >> 22
             WHERE s.id IN (SELECT rowid FROM strings_fts WHERE strings_fts MATCH ?1 LIMIT ?2)
             ORDER BY length(s.value), length(f.path), f.path, s.line";
        self.values(sql, words, MatchKind::String)
    }

    /// Header cells of tables are found only when config keys are asked for.
    fn configs(&self, words: &[String]) -> Result<Vec<Match>, GraphError> {
        let csv = if self.query.kind == Some(MatchKind::Config) { u8::MAX } else { ConfigKind::Csv as u8 };
        let sql = format!(
            "SELECT f.path, c.line, c.key, f.lang FROM config_rows c JOIN file_rows f ON f.id = c.id >> 22
             WHERE c.id IN (SELECT rowid FROM configs_fts WHERE configs_fts MATCH ?1 LIMIT ?2) AND c.kind <> {csv}
             ORDER BY length(c.key), length(f.path), f.path, c.line"
        );
        self.values(&sql, words, MatchKind::Config)
    }

    fn values(&self, sql: &str, words: &[String], kind: MatchKind) -> Result<Vec<Match>, GraphError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params![fts(words), POOL as i64])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let (path, lang): (String, u8) = (row.get(0)?, row.get(3)?);
            if !self.keeps_file(&path, Lang::from_u8(lang).unwrap_or(Lang::Config)) {
                continue;
            }
            found.push(Match {
                kind,
                symbol_kind: None,
                name: None,
                qualified: None,
                signature: None,
                value: row.get(2)?,
                selector: format!("file:{path}"),
                path,
                line: row.get(1)?,
                score: if kind == MatchKind::String { 50.0 } else { 25.0 },
            });
        }
        Ok(found)
    }

    /// What is found when words are replaced by similar ones: one word if that is enough, else all of them.
    fn forgiving(&self, words: &[String]) -> Result<(Vec<Match>, Vec<String>), GraphError> {
        let corrected = self.corrected(words)?;
        for (index, options) in corrected.iter().enumerate() {
            for option in options {
                let mut tried = words.to_vec();
                tried[index].clone_from(option);
                let found = self.find(&tried.join("_"), &tried)?;
                if !found.is_empty() {
                    return Ok((found, vec![tried.join(" ")]));
                }
            }
        }
        let all: Option<Vec<String>> = corrected.iter().map(|options| options.first().cloned()).collect();
        let found = match &all {
            Some(all) => self.find(&all.join("_"), all)?,
            None => Vec::new(),
        };
        let suggestions = corrected.into_iter().flatten().take(SUGGESTIONS).collect();
        Ok((found, suggestions))
    }

    /// For each word, words of the index that are one typo away, most frequent first.
    fn corrected(&self, words: &[String]) -> Result<Vec<Vec<String>>, GraphError> {
        self.connection.execute_batch(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.symbol_words USING fts5vocab(main, symbols_fts, row);",
        )?;
        let mut statement = self
            .connection
            .prepare_cached("SELECT term, doc FROM temp.symbol_words WHERE length(term) BETWEEN ?1 AND ?2")?;
        let mut corrected = Vec::new();
        for word in words {
            let length = word.chars().count() as i64;
            let rows =
                statement.query_map(params![length - 1, length + 1], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let terms: Vec<(String, i64)> = rows.collect::<Result<_, _>>()?;
            let limit = usize::from(length > 2);
            let mut near: Vec<(usize, i64, String)> = terms
                .into_iter()
                .filter_map(|(term, count)| Some((edit_distance(word, &term, limit)?, -count, term)))
                .collect();
            near.sort();
            corrected.push(near.into_iter().take(SUGGESTIONS).map(|(_, _, term)| term).collect());
        }
        Ok(corrected)
    }
}

fn symbol_match(symbol: Symbol, score: f64) -> Match {
    Match {
        kind: MatchKind::Symbol,
        symbol_kind: Some(symbol.kind.as_str()),
        selector: symbol.selector(),
        name: Some(symbol.name),
        qualified: Some(symbol.qualified),
        signature: symbol.signature,
        value: None,
        path: symbol.path,
        line: symbol.line,
        score,
    }
}

/// Exact name, then name in another case, prefix, words of the name, anything else; definitions before members.
fn score(symbol: &Symbol, name: &str, text: &str, words: &[String]) -> f64 {
    let own = words_of(&symbol.name);
    let in_name = words.iter().filter(|word| own.iter().any(|part| part.starts_with(word.as_str()))).count();
    let base = if symbol.name == name && (text == name || symbol.qualified.ends_with(text)) {
        1000.0
    } else if symbol.name == name {
        950.0
    } else if symbol.name.eq_ignore_ascii_case(name) {
        900.0
    } else if symbol.name.to_lowercase().starts_with(&name.to_lowercase()) {
        700.0
    } else if in_name == words.len() {
        500.0
    } else {
        100.0 + 50.0 * in_name as f64
    };
    let member = match symbol.kind {
        SymbolKind::Field | SymbolKind::Variant | SymbolKind::Property | SymbolKind::Variable => 40.0,
        SymbolKind::Test => 45.0,
        SymbolKind::Heading => 60.0,
        _ => 0.0,
    };
    base - member - (own.len().saturating_sub(words.len()) as f64).min(20.0)
}
