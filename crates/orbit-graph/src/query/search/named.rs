//! Symbols with words in their names, or in their names and in the names around them: what the lists of rows of each word have
//! in common. A list is read once, however many ways there are to share the words out, and kept for the next search.

use super::Finder;
use super::words::{Term, all_of, words_of};
use crate::error::GraphError;
use crate::store::lists::{common, either};
use std::sync::Arc;

/// More words than this are a sentence.
const MOST_TYPED: usize = 6;

/// What a word stands in.
#[derive(Clone, Copy)]
enum Column {
    Name,
    /// The names around it.
    Qualified,
    /// Any of these, or the parameters.
    Any,
}

impl Finder<'_> {
    /// The symbols whose names have all words as they are.
    pub(super) fn with_name(&self, words: &[String]) -> Result<Vec<i64>, GraphError> {
        self.with_all(Column::Name, words)
    }

    /// The symbols that are named by what they belong to, in either order: `session send` is `send` in `Session`, and so is
    /// `send session`. The names around a symbol are kept as they are written, so that `query set` and `QuerySet` both look
    /// for `queryset`, too. Nothing for a single word.
    pub(super) fn members(&self, text: &str) -> Result<Vec<i64>, GraphError> {
        let typed: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
        let mut found = Vec::new();
        if typed.len() > MOST_TYPED {
            return Ok(found);
        }
        for at in 1..typed.len() {
            let (first, last) = typed.split_at(at);
            for (name, container) in [(last, first), (first, last)] {
                let named = self.with_name(&words_of(&name.join(" ")))?;
                found = either(&found, &self.inside_of(named, container)?);
            }
        }
        Ok(found)
    }

    /// The symbols of some rows with all words in their names, in the names around them or in their parameters, one of them in
    /// the name.
    pub(super) fn around(
        &self,
        terms: &[Term],
        is_kept: impl Fn(i64) -> bool,
    ) -> Result<Vec<i64>, GraphError> {
        // The rarest first: what is left of it is short.
        let mut lists = Vec::new();
        for term in terms {
            lists.push(self.list_of(Column::Any, term)?);
        }
        lists.sort_by_key(|list| list.len());
        let Some((first, others)) = lists.split_first() else { return Ok(Vec::new()) };
        let first: Vec<i64> = first.iter().copied().filter(|row| is_kept(*row)).collect();
        let all = others.iter().fold(first, |all, list| common(&all, list));
        let mut found = Vec::new();
        for term in terms.iter().filter(|_| !all.is_empty()) {
            found = either(&found, &common(&all, &self.list_of(Column::Name, term)?));
        }
        Ok(found)
    }

    /// Those of some symbols that have the names around them, as typed or as one word.
    fn inside_of(&self, named: Vec<i64>, typed: &[&str]) -> Result<Vec<i64>, GraphError> {
        let as_one = if typed.len() > 1 {
            common(&named, &self.list(Column::Qualified, &typed.concat().to_lowercase())?)
        } else {
            Vec::new()
        };
        let mut rest = named;
        for part in typed {
            if rest.is_empty() {
                break;
            }
            let mut with_part = common(&rest, &self.list(Column::Qualified, &part.to_lowercase())?);
            let words = words_of(part);
            if words.len() > 1 {
                with_part = either(&with_part, &common(&rest, &self.with_all(Column::Qualified, &words)?));
            }
            rest = with_part;
        }
        Ok(either(&as_one, &rest))
    }

    fn with_all(&self, column: Column, words: &[String]) -> Result<Vec<i64>, GraphError> {
        let Some((first, others)) = words.split_first() else { return Ok(Vec::new()) };
        let mut all = self.list(column, first)?.to_vec();
        for word in others {
            if all.is_empty() {
                break;
            }
            all = common(&all, &self.list(column, word)?);
        }
        Ok(all)
    }

    fn list(&self, column: Column, word: &str) -> Result<Arc<[i64]>, GraphError> {
        self.list_of(column, &Term { word: word.to_owned(), begins: false })
    }

    fn list_of(&self, column: Column, term: &Term) -> Result<Arc<[i64]>, GraphError> {
        let word = all_of(std::slice::from_ref(term));
        let matching = match column {
            Column::Name => format!("name : {word}"),
            Column::Qualified => format!("qualified : {word}"),
            Column::Any => word,
        };
        self.lists.matching(self.connection, &matching)
    }
}
