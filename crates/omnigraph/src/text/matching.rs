//! Which rows a text search accepts.

use super::distance::automatic_edits;
use super::index::{Live, TextIndex};
use super::postings::List;
use super::token::tokens;
use crate::rows::RowRef;

/// What to look for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Match {
    /// Any of the words.
    Any(Vec<String>),
    /// All of the words, one behind the other.
    Phrase(Vec<String>),
    /// Any of the words, or one that is so many edits away.
    Near(Vec<(String, u8)>),
}

impl Match {
    /// Any word of the text.
    pub fn any(text: &str) -> Match {
        Match::Any(tokens(text))
    }

    /// The words of the text in their order.
    pub fn phrase(text: &str) -> Match {
        Match::Phrase(tokens(text))
    }

    /// Any word of the text or one that is spelled almost so. Without a number longer words may differ by more:
    /// two letters nothing, three to five one edit, longer ones two.
    pub fn near(text: &str, max_edits: Option<u8>) -> Match {
        let words = tokens(text).into_iter().map(|word| {
            let edits = max_edits.unwrap_or_else(|| automatic_edits(word.chars().count()));
            (word, edits.min(MAX_EDITS))
        });
        Match::Near(words.collect())
    }
}

/// More edits than this make any word of another.
const MAX_EDITS: u8 = 8;

impl TextIndex {
    /// The live rows that match, in order.
    pub fn find(&self, what: &Match) -> Vec<RowRef> {
        let mut found = Vec::new();
        for (at, chunk) in self.chunks.iter().enumerate() {
            let rows = Plan::new(chunk, what).rows();
            let live = rows.into_iter().filter(|row| chunk.is_live(*row));
            found.extend(live.map(|row| RowRef { chunk: at as u32, row }));
        }
        found
    }

    /// For each candidate whether it matches. Dead rows do not.
    pub fn accept(&self, what: &Match, candidates: &[RowRef]) -> Vec<bool> {
        let plans: Vec<Plan<'_>> = self.chunks.iter().map(|chunk| Plan::new(chunk, what)).collect();
        let judge = |candidate: &RowRef| {
            let (Some(chunk), Some(plan)) =
                (self.chunks.get(candidate.chunk as usize), plans.get(candidate.chunk as usize))
            else {
                return false;
            };
            chunk.is_live(candidate.row) && plan.accepts(candidate.row)
        };
        candidates.iter().map(judge).collect()
    }
}

/// The postings of one chunk that decide.
enum Plan<'p> {
    Any(Vec<List<'p>>),
    /// In the order of the phrase.
    Phrase(Vec<List<'p>>),
}

impl<'p> Plan<'p> {
    fn new(chunk: &'p Live, what: &Match) -> Plan<'p> {
        let postings = &chunk.postings;
        match what {
            Match::Any(words) => Plan::Any(words.iter().filter_map(|word| postings.list(word)).collect()),
            Match::Near(words) => {
                Plan::Any(words.iter().flat_map(|(word, edits)| postings.near(word, *edits)).collect())
            }
            Match::Phrase(words) => {
                let lists: Option<Vec<List<'_>>> = words.iter().map(|word| postings.list(word)).collect();
                lists.map_or(Plan::Any(Vec::new()), Plan::Phrase)
            }
        }
    }

    fn rows(&self) -> Vec<u32> {
        match self {
            Plan::Any(lists) => {
                let mut rows: Vec<u32> = lists.iter().flat_map(|list| list.rows().iter().copied()).collect();
                rows.sort_unstable();
                rows.dedup();
                rows
            }
            Plan::Phrase(lists) => {
                let rarest = lists.iter().min_by_key(|list| list.rows().len());
                let rows = rarest.map_or(&[][..], |list| list.rows());
                rows.iter().copied().filter(|row| self.accepts(*row)).collect()
            }
        }
    }

    fn accepts(&self, row: u32) -> bool {
        match self {
            Plan::Any(lists) => lists.iter().any(|list| list.rows().binary_search(&row).is_ok()),
            Plan::Phrase(lists) => {
                let places: Option<Vec<usize>> =
                    lists.iter().map(|list| list.rows().binary_search(&row).ok()).collect();
                places.is_some_and(|places| in_order(lists, &places))
            }
        }
    }
}

/// Whether the words stand one behind the other somewhere in the row.
fn in_order(lists: &[List<'_>], places: &[usize]) -> bool {
    let mut starts: Option<Vec<u32>> = None;
    let mut positions = Vec::new();
    for (offset, (list, place)) in lists.iter().zip(places).enumerate() {
        list.positions(*place, &mut positions);
        let offset = offset as u32;
        let begins = positions.iter().filter_map(|position| position.checked_sub(offset));
        let next: Vec<u32> = match &starts {
            None => begins.collect(),
            Some(starts) => begins.filter(|begin| starts.binary_search(begin).is_ok()).collect(),
        };
        if next.is_empty() {
            return false;
        }
        starts = Some(next);
    }
    starts.is_some()
}
