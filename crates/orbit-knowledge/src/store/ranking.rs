//! Which things fit some words best, by BM25: a name counts more than the symbols and paths that an atom names, and those
//! more than its text.

use super::Session;
use crate::error::KnowledgeError;
use crate::id::Id;
use std::fmt::Write as _;

/// Things that are ranked; what comes behind is found by its text alone.
const RANKED: i64 = 1_000;

/// The ids of one kind that have all words, or words that begin so, the best first.
pub(crate) fn ranked(session: &Session<'_>, kind: &str, text: &str) -> Result<Vec<Id>, KnowledgeError> {
    let Some(query) = query(text) else { return Ok(Vec::new()) };
    session.rows(
        "SELECT p.id FROM search_words w JOIN search_places p ON p.place = w.rowid
         WHERE search_words MATCH ?1 AND p.kind = ?2
         ORDER BY bm25(search_words, 8.0, 1.0, 3.0), p.id LIMIT ?3",
        (query, kind, RANKED),
        |row| row.get(0),
    )
}

/// Words as FTS5 wants them: quoted, so that nothing is taken for an operator.
fn query(text: &str) -> Option<String> {
    let mut query = String::new();
    for word in text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let _ = write!(query, "\"{word}\"* ");
    }
    (!query.is_empty()).then_some(query)
}

/// Puts what was ranked first, in its order; the rest keeps its own.
pub(crate) fn sort_ranked<T>(found: &mut [T], ranked: &[Id], id: impl Fn(&T) -> Id) {
    found.sort_by_key(|it| ranked.iter().position(|known| *known == id(it)).unwrap_or(usize::MAX));
}
