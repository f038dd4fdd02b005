//! Which rows a text search accepts.

use super::asked::Asked;
use super::distance::automatic_edits;
use super::index::{Live, TextIndex};
use super::language::lower;
use super::postings::List;
use super::token::{Shape, each_token};
use crate::rows::RowRef;

/// What to look for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Match {
    /// Any of the words.
    Any(Vec<Word>),
    /// All of the words, one behind the other.
    Phrase(Vec<Word>),
    /// Any of the words, or one that is so many edits away.
    Near(Vec<(Word, u8)>),
    /// Any of the words, or one that begins with the last.
    Prefix(Vec<Word>),
}

/// A word of a search.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    /// In lower case, without accents.
    pub folded: String,
    /// In lower case, with accents.
    pub written: String,
    /// Whether it is the beginning of what is looked for: one letter of a script without spaces.
    pub is_begun: bool,
}

impl Match {
    /// Any word of the text.
    pub fn any(text: &str) -> Match {
        Match::Any(words(text, false))
    }

    /// The words of the text in their order.
    pub fn phrase(text: &str) -> Match {
        Match::Phrase(words(text, true))
    }

    /// Any word of the text or one that is spelled almost so. Without a number longer words may differ by more:
    /// two letters nothing, three to five one edit, longer ones two.
    pub fn near(text: &str, max_edits: Option<u8>) -> Match {
        let words = words(text, false).into_iter().map(|word| {
            let edits = max_edits.unwrap_or_else(|| automatic_edits(word.folded.chars().count()));
            (word, edits.min(MAX_EDITS))
        });
        Match::Near(words.collect())
    }

    /// Any word of the text, whose last word may be cut off.
    pub fn prefix(text: &str) -> Match {
        Match::Prefix(words(text, false))
    }
}

/// The last letter of a run of pairs is in the last of them; only between words of a phrase it keeps their distance.
fn words(text: &str, is_phrase: bool) -> Vec<Word> {
    let mut words: Vec<(Word, Shape)> = Vec::new();
    each_token(text, |word, at, shape| {
        let before = words.last().map(|(_, shape)| *shape);
        if before == Some(Shape::Last) && !is_phrase && words.len() > 1 {
            drop_tail(&mut words);
        }
        let is_begun = shape == Shape::Last && before != Some(Shape::Pair);
        words.push((Word { folded: word.to_owned(), written: lower(&text[at]), is_begun }, shape));
    });
    drop_tail(&mut words);
    words.into_iter().map(|(word, _)| word).collect()
}

fn drop_tail(words: &mut Vec<(Word, Shape)>) {
    if let [.., (_, Shape::Pair), (_, Shape::Last)] = words[..] {
        words.pop();
    }
}

/// More edits than this make any word of another.
const MAX_EDITS: u8 = 8;

impl TextIndex {
    /// The live rows that match, in order.
    pub fn find(&self, what: &Match) -> Vec<RowRef> {
        let asked = Asked::new(what, self.language);
        let mut found = Vec::new();
        for (at, chunk) in self.chunks.iter().enumerate() {
            let rows = Plan::new(chunk, &asked).rows();
            let live = rows.into_iter().filter(|row| chunk.is_live(*row));
            found.extend(live.map(|row| RowRef { chunk: at as u32, row }));
        }
        found
    }

    /// For each candidate whether it matches. Dead rows do not.
    pub fn accept(&self, what: &Match, candidates: &[RowRef]) -> Vec<bool> {
        let asked = Asked::new(what, self.language);
        let plans: Vec<Plan<'_>> = self.chunks.iter().map(|chunk| Plan::new(chunk, &asked)).collect();
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
    /// What counts as each word, in the order of the phrase.
    Phrase(Vec<Vec<List<'p>>>),
}

impl<'p> Plan<'p> {
    fn new(chunk: &'p Live, asked: &Asked) -> Plan<'p> {
        let mut lists = asked.terms.iter().map(|term| term.lists(&chunk.postings));
        if asked.is_phrase {
            Plan::Phrase(lists.collect())
        } else {
            Plan::Any(lists.by_ref().flatten().collect())
        }
    }

    fn rows(&self) -> Vec<u32> {
        match self {
            Plan::Any(lists) => rows_of(lists),
            Plan::Phrase(words) => {
                let count =
                    |lists: &&Vec<List<'_>>| lists.iter().map(|list| list.rows().len()).sum::<usize>();
                let rarest = words.iter().min_by_key(count);
                let rows = rarest.map(|lists| rows_of(lists)).unwrap_or_default();
                rows.into_iter().filter(|row| self.accepts(*row)).collect()
            }
        }
    }

    fn accepts(&self, row: u32) -> bool {
        match self {
            Plan::Any(lists) => lists.iter().any(|list| list.rows().binary_search(&row).is_ok()),
            Plan::Phrase(words) => in_order(words, row),
        }
    }
}

/// All rows of the lists, each once.
fn rows_of(lists: &[List<'_>]) -> Vec<u32> {
    let mut rows: Vec<u32> = lists.iter().flat_map(|list| list.rows().iter().copied()).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// Whether the words stand one behind the other somewhere in the row.
fn in_order(words: &[Vec<List<'_>>], row: u32) -> bool {
    let mut starts: Option<Vec<u32>> = None;
    let (mut positions, mut of_list) = (Vec::new(), Vec::new());
    for (offset, lists) in words.iter().enumerate() {
        positions.clear();
        for list in lists {
            if let Ok(place) = list.rows().binary_search(&row) {
                list.positions(place, &mut of_list);
                positions.append(&mut of_list);
            }
        }
        positions.sort_unstable();
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
