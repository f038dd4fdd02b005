//! Finding things by words: identifiers split at case, underscores and digits; prefixes count; exact names come
//! first, definitions before members before config keys. When nothing matches, one typo per word is forgiven.

mod symbols;
mod typos;
mod values;
mod words;

use super::{Reader, freshness};
use crate::error::GraphError;
use globset::{Glob, GlobMatcher};
use orbit_extract::{Lang, SymbolKind};
use rusqlite::Connection;
use serde::Serialize;
use words::words_of;

/// Rows of one kind looked at before ranking.
const POOL: usize = 400;

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
    /// The file that it stands in.
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
            let glob = Glob::new(pattern).map_err(|_| GraphError::Glob(pattern.clone()))?;
            Some(glob.compile_matcher())
        }
        None => None,
    };
    let finder = Finder { connection: reader.connection, query, glob };
    let words = words_of(&query.text);
    let mut found = finder.find(query.text.trim(), &words)?;
    let mut did_you_mean = Vec::new();
    if found.matches.is_empty() && !words.is_empty() {
        (found, did_you_mean) = finder.forgiving(&words)?;
    }
    let Found { mut matches, complete } = found;
    let total = matches.len();
    matches.truncate(query.limit);
    let paths = matches.iter().map(|hit| hit.path.as_str());
    let stale = freshness::stale_among(reader.connection, reader.root, paths)?;
    Ok(SearchResult {
        truncated: matches.len() < total,
        matches,
        total: complete.then_some(total),
        did_you_mean,
        stale,
    })
}

struct Finder<'q> {
    connection: &'q Connection,
    query: &'q SearchQuery,
    glob: Option<GlobMatcher>,
}

/// Hits, best first.
#[derive(Default)]
struct Found {
    matches: Vec<Match>,
    /// Whether these are all there are.
    complete: bool,
}

impl Finder<'_> {
    /// Symbols, then strings, then config keys; what comes later is looked for only while there is room.
    fn find(&self, text: &str, words: &[String]) -> Result<Found, GraphError> {
        let mut found = Found { matches: Vec::new(), complete: true };
        if words.is_empty() {
            return Ok(found);
        }
        let wanted = |kind: MatchKind| self.query.kind.is_none_or(|only| only == kind);
        let only_symbols = self.query.symbol_kind.is_some();
        if wanted(MatchKind::Symbol) {
            found = self.symbols(text, words)?;
        }
        for kind in [MatchKind::String, MatchKind::Config] {
            if !wanted(kind) || only_symbols {
                continue;
            }
            if self.is_full(found.matches.len()) {
                found.complete = false;
                break;
            }
            let mut more = self.values(words, kind, !found.matches.is_empty())?;
            found.matches.append(&mut more.matches);
            found.complete &= more.complete;
        }
        Ok(found)
    }

    /// Whether more hits would not be shown. One more than the limit tells that the list is cut.
    fn is_full(&self, hits: usize) -> bool {
        hits > self.query.limit
    }

    fn keeps_file(&self, path: &str, lang: Lang) -> bool {
        self.query.lang.is_none_or(|wanted| wanted == lang)
            && self.glob.as_ref().is_none_or(|glob| glob.is_match(path))
    }

    /// How many rows to look at: many more when most may be of the wrong kind or place.
    fn pool(&self) -> i64 {
        let is_filtered =
            self.glob.is_some() || self.query.lang.is_some() || self.query.symbol_kind.is_some();
        let wanted = POOL.max(self.query.limit.saturating_mul(2)) as i64;
        if is_filtered { wanted.saturating_mul(25) } else { wanted }
    }
}
