//! Finding things by words: identifiers split at case, underscores and digits; prefixes count; exact names come
//! first, definitions before members before config keys, code before tests. When no name, string or key has all
//! words, documentation is read; when that has not, one typo per word is forgiven.
//!
//! What is found never depends on how much of it is shown: the limit cuts the list, and `total` counts all of it.

mod documented;
mod files;
mod named;
mod symbols;
mod typos;
mod values;
mod words;

use super::{Reader, freshness};
use crate::error::GraphError;
use crate::store::lists::Lists;
use files::File;
use globset::{Glob, GlobMatcher};
use orbit_extract::{Lang, SymbolKind};
use rusqlite::Connection;
use serde::Serialize;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::Path;
use words::words_of;

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
    /// How many there are, shown or not.
    pub total: usize,
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
    let mut finder = Finder {
        connection: reader.connection,
        lists: reader.lists,
        root: reader.root,
        query,
        glob,
        kept_files: None,
        files: OnceCell::new(),
    };
    finder.kept_files = finder.files_that_fit()?;
    let words = words_of(&query.text);
    let mut found = finder.find(query.text.trim(), &words)?;
    if found.total == 0 && finder.wants_symbols() {
        found = finder.documented(&words)?;
    }
    let mut did_you_mean = Vec::new();
    if found.total == 0 && !words.is_empty() {
        (found, did_you_mean) = finder.forgiving(&words)?;
    }
    let Found { mut matches, total } = found;
    matches.truncate(query.limit);
    let paths = matches.iter().map(|hit| hit.path.as_str());
    let stale = freshness::stale_among(reader.connection, reader.root, paths)?;
    Ok(SearchResult { truncated: matches.len() < total, matches, total, did_you_mean, stale })
}

struct Finder<'q> {
    connection: &'q Connection,
    lists: &'q Lists,
    root: &'q Path,
    query: &'q SearchQuery,
    glob: Option<GlobMatcher>,
    /// The files of the wanted language and place; `None` when all are.
    kept_files: Option<HashSet<i64>>,
    /// The files that are searched, once they are needed.
    files: OnceCell<Vec<File>>,
}

/// Hits, best first.
#[derive(Default)]
struct Found {
    /// As many as can be shown, or more.
    matches: Vec<Match>,
    /// How many there are.
    total: usize,
}

impl Finder<'_> {
    /// Symbols, then strings, then config keys. All are counted; what does not fit in is not read.
    fn find(&self, text: &str, words: &[String]) -> Result<Found, GraphError> {
        let mut found = Found::default();
        if words.is_empty() && (self.query.symbol_kind.is_none() || !text.is_empty()) {
            return Ok(found);
        }
        if self.wants_symbols() {
            found = self.symbols(text, words)?;
        }
        for kind in [MatchKind::String, MatchKind::Config] {
            if self.query.symbol_kind.is_some() || self.query.kind.is_some_and(|only| only != kind) {
                continue;
            }
            let mut more = self.values(words, kind, &found)?;
            found.matches.append(&mut more.matches);
            found.total += more.total;
        }
        Ok(found)
    }

    fn wants_symbols(&self) -> bool {
        self.query.kind.is_none_or(|only| only == MatchKind::Symbol)
    }
}
