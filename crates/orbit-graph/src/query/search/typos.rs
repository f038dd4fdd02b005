//! One typo per word is forgiven when nothing matches as written.

use super::{Finder, Found};
use crate::error::GraphError;
use crate::query::target::edit_distance;
use rusqlite::params;

const SUGGESTIONS: usize = 5;

impl Finder<'_> {
    /// What is found when words are replaced by similar ones: one word if that is enough, else all of them.
    pub(super) fn forgiving(&self, words: &[String]) -> Result<(Found, Vec<String>), GraphError> {
        self.connection.execute_batch(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.symbol_words USING fts5vocab(main, symbols_fts, row);",
        )?;
        let corrected: Vec<Vec<String>> =
            words.iter().map(|word| self.similar(word)).collect::<Result<_, _>>()?;
        for (index, options) in corrected.iter().enumerate() {
            for option in options {
                let mut tried = words.to_vec();
                tried[index].clone_from(option);
                let found = self.find(&tried.join("_"), &tried)?;
                if found.total > 0 {
                    return Ok((found, vec![tried.join(" ")]));
                }
            }
        }
        let all: Option<Vec<String>> = corrected.iter().map(|options| options.first().cloned()).collect();
        let found = match &all {
            Some(all) => self.find(&all.join("_"), all)?,
            None => Found::default(),
        };
        let suggestions = corrected.into_iter().flatten().take(SUGGESTIONS).collect();
        Ok((found, suggestions))
    }

    /// Words of the index that are one typo away, most frequent first. Those with the same first letter are
    /// looked at first, because a list of them is short; the others only when there is none.
    fn similar(&self, word: &str) -> Result<Vec<String>, GraphError> {
        let Some(first) = word.chars().next() else { return Ok(Vec::new()) };
        let (from, to) = (first.to_string(), format!("{first}\u{10ffff}"));
        let near = self.similar_between(word, &from, &to)?;
        if near.is_empty() { self.similar_between(word, "", "\u{10ffff}") } else { Ok(near) }
    }

    fn similar_between(&self, word: &str, from: &str, to: &str) -> Result<Vec<String>, GraphError> {
        let length = word.chars().count();
        let limit = usize::from(length > 2);
        let mut statement = self
            .connection
            .prepare_cached("SELECT term, doc FROM temp.symbol_words WHERE term BETWEEN ?1 AND ?2")?;
        let mut rows = statement.query(params![from, to])?;
        let mut near: Vec<(usize, i64, String)> = Vec::new();
        while let Some(row) = rows.next()? {
            let term = row.get_ref(0)?.as_str().unwrap_or("");
            if let Some(distance) = edit_distance(word, term, limit) {
                near.push((distance, -row.get::<_, i64>(1)?, term.to_owned()));
            }
        }
        near.sort();
        Ok(near.into_iter().take(SUGGESTIONS).map(|(_, _, term)| term).collect())
    }
}
