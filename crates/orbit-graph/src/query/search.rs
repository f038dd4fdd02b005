//! Finding things by words: identifiers split at case and underscores, prefixes count, exact names come first.

use crate::error::GraphError;
use rusqlite::{Connection, params};
use serde::Serialize;

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
    /// Only this kind of thing; symbols and strings when `None`.
    pub kind: Option<MatchKind>,
    /// At most this many.
    pub limit: usize,
}

/// One hit.
#[derive(Clone, Debug, Serialize)]
pub struct Match {
    /// What matched.
    pub kind: MatchKind,
    /// The symbol's kind.
    pub symbol_kind: Option<String>,
    /// The symbol's name.
    pub name: Option<String>,
    /// Its full name.
    pub qualified: Option<String>,
    /// Its signature.
    pub signature: Option<String>,
    /// The string or key.
    pub value: Option<String>,
    /// How to name it in the next call.
    pub selector: Option<String>,
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
    /// How many there are, when counted.
    pub total: Option<usize>,
    /// Whether the limit cut the list.
    pub truncated: bool,
}

pub(crate) fn search(connection: &Connection, query: &SearchQuery) -> Result<SearchResult, GraphError> {
    let words = words_of(&query.text);
    let mut matches = Vec::new();
    if words.is_empty() || query.limit == 0 {
        return Ok(SearchResult { matches, total: Some(0), truncated: false });
    }
    let wanted = |kind: MatchKind| query.kind.map_or(kind != MatchKind::Config, |only| only == kind);
    if wanted(MatchKind::Symbol) {
        matches.append(&mut symbols(connection, query, &words)?);
    }
    if wanted(MatchKind::String) && matches.len() <= query.limit {
        matches.append(&mut values(connection, query, &words, MatchKind::String)?);
    }
    if wanted(MatchKind::Config) {
        matches.append(&mut values(connection, query, &words, MatchKind::Config)?);
    }
    let truncated = matches.len() > query.limit;
    let total = (!truncated).then_some(matches.len());
    matches.truncate(query.limit);
    Ok(SearchResult { matches, total, truncated })
}

fn symbols(connection: &Connection, query: &SearchQuery, words: &[String]) -> Result<Vec<Match>, GraphError> {
    let sql = "
      WITH hits AS (
        SELECT id, 1000.0 AS score FROM symbol_rows WHERE name = ?1
        UNION ALL
        SELECT rowid, -bm25(symbols_fts, 10.0, 2.0, 1.0) FROM symbols_fts WHERE symbols_fts MATCH ?2 LIMIT 2000
      )
      SELECT s.file_path, s.line, s.kind, s.name, s.qualified, s.signature, max(h.score) AS best
      FROM hits h JOIN symbols s ON s.id = h.id
      GROUP BY s.id
      ORDER BY best >= 1000.0 DESC, lower(s.name) = lower(?1) DESC, s.kind IN ('field', 'variant', 'impl', 'heading'),
        best DESC, length(s.file_path), s.file_path, s.line
      LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let rows =
        statement.query_map(params![query.text.trim(), fts(words), query.limit as i64 + 1], |row| {
            let (path, kind, name): (String, String, String) = (row.get(0)?, row.get(2)?, row.get(3)?);
            let qualified: String = row.get(4)?;
            Ok(Match {
                kind: MatchKind::Symbol,
                selector: Some(format!("symbol:{path}#{qualified}:{kind}")),
                symbol_kind: Some(kind),
                name: Some(name),
                qualified: Some(qualified),
                signature: row.get(5)?,
                value: None,
                path,
                line: row.get(1)?,
                score: row.get(6)?,
            })
        })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn values(
    connection: &Connection,
    query: &SearchQuery,
    words: &[String],
    kind: MatchKind,
) -> Result<Vec<Match>, GraphError> {
    let sql = match kind {
        MatchKind::Config => {
            "SELECT c.file_path, c.line, c.key FROM configs_fts h JOIN configs c ON c.id = h.rowid
             WHERE configs_fts MATCH ?1 ORDER BY length(c.key), c.file_path, c.line LIMIT ?2"
        }
        _ => {
            "SELECT s.file_path, s.line, s.value FROM strings_fts h JOIN strings s ON s.id = h.rowid
             WHERE strings_fts MATCH ?1 ORDER BY length(s.value), s.file_path, s.line LIMIT ?2"
        }
    };
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![fts(words), query.limit as i64 + 1], |row| {
        Ok(Match {
            kind,
            symbol_kind: None,
            name: None,
            qualified: None,
            signature: None,
            value: row.get(2)?,
            selector: None,
            path: row.get(0)?,
            line: row.get(1)?,
            score: 0.0,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// `dueSch run_due` asks for `due`, `sch`, `run`, `due`.
fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in text.chars() {
        if c.is_alphanumeric() {
            let starts_word = !last.is_alphanumeric() || (c.is_uppercase() && last.is_lowercase());
            match words.last_mut() {
                Some(word) if !starts_word => word.extend(c.to_lowercase()),
                _ => words.push(c.to_lowercase().collect()),
            }
        }
        last = c;
    }
    words
}

/// Every word as a prefix, all of them required.
fn fts(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"*")).collect();
    quoted.join(" AND ")
}
