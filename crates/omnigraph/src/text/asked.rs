//! A search in the language of a column: which words of a text it accepts, with an index and without.

use super::distance::Pattern;
use super::language::{is_stop_word, lower, stem};
use super::matching::{Match, Word};
use super::postings::{List, Postings};
use super::token::{Shape, each_token};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use omnigraph_compiler::Language;
use std::ops::Range;
use std::rc::Rc;

/// What is looked for in texts of one language.
#[derive(Debug)]
pub struct Asked {
    language: Option<Language>,
    pub(super) terms: Vec<Term>,
    pub(super) is_phrase: bool,
}

/// A word to look for: itself, and what counts as it.
#[derive(Debug)]
pub(super) struct Term {
    word: String,
    /// Words with one of these stems count as the word.
    stems: Vec<String>,
    /// So do words at most so many edits away.
    edits: Option<u8>,
    /// So do words that begin with it.
    is_begun: bool,
}

impl Asked {
    /// Words that say nothing alone are left out unless all are, or they are part of a phrase.
    pub fn new(what: &Match, language: Option<Language>) -> Asked {
        let (words, edits): (Vec<&Word>, Vec<Option<u8>>) = match what {
            Match::Any(words) | Match::Phrase(words) | Match::Prefix(words) => {
                (words.iter().collect(), vec![None; words.len()])
            }
            Match::Near(words) => words.iter().map(|(word, edits)| (word, Some(*edits))).unzip(),
        };
        let (is_phrase, is_prefix) = (matches!(what, Match::Phrase(_)), matches!(what, Match::Prefix(_)));
        let is_cut = |at: usize| is_prefix && at + 1 == words.len();
        let says_something = |at: usize| {
            is_cut(at) || language.is_none_or(|language| !is_stop_word(language, &words[at].written))
        };
        let keeps_all = is_phrase || !(0..words.len()).any(says_something);
        let picked = (0..words.len()).filter(|at| keeps_all || says_something(*at));
        let terms =
            picked.map(|at| Term::new(words[at], language, edits[at], is_cut(at) || words[at].is_begun));
        Asked { language, terms: terms.collect(), is_phrase }
    }

    /// The words of a ranking.
    pub(super) fn any(text: &str, language: Option<Language>) -> Asked {
        Asked::new(&Match::any(text), language)
    }

    /// Where a text has what is looked for, in order; a phrase is one place. Nowhere when it does not match.
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        // Where each word stands, and of which terms it is.
        let mut found: Vec<(Range<usize>, Rc<[bool]>)> = Vec::new();
        // Most words of a long text stand in it often.
        let mut known: HashMap<&str, Rc<[bool]>, FixedState> = HashMap::default();
        each_token(text, |word, at, shape| {
            let written = &text[at.clone()];
            let is = known.entry(written).or_insert_with(|| {
                let stem = self.language.map(|language| stem(language, &lower(written)));
                self.terms.iter().map(|term| term.accepts(word, stem.as_deref())).collect()
            });
            let is = is.clone();
            let begins = |term: &Term| term.is_begun && term.word.len() < word.len();
            let is_half =
                shape == Shape::Pair && self.terms.iter().zip(&*is).all(|(term, is)| !is || begins(term));
            let half = written.chars().next().map_or(0, char::len_utf8);
            found.push((if is_half { at.start..at.start + half } else { at }, is));
        });
        let length = if self.is_phrase { self.terms.len() } else { 1 };
        let mut places: Vec<Range<usize>> = Vec::new();
        for window in found.windows(length.max(1)).filter(|_| length > 0) {
            let at = window[0].0.start..window[length - 1].0.end;
            let is_here = if self.is_phrase {
                (0..length).all(|term| window[term].1[term])
            } else {
                window[0].1.contains(&true)
            };
            match places.last_mut().filter(|last| is_here && at.start < last.end) {
                Some(last) => last.end = last.end.max(at.end),
                None if is_here => places.push(at),
                None => {}
            }
        }
        places
    }

    /// Whether a text has what is looked for.
    pub fn matches(&self, text: &str) -> bool {
        !self.places(text).is_empty()
    }
}

impl Term {
    fn new(word: &Word, language: Option<Language>, edits: Option<u8>, is_begun: bool) -> Term {
        let stems = language.map(|language| {
            // Who leaves out accents means the words that have them, too.
            let mut stems = vec![stem(language, &word.written), stem(language, &word.folded)];
            stems.dedup();
            stems
        });
        Term { word: word.folded.clone(), stems: stems.unwrap_or_default(), edits, is_begun }
    }

    fn accepts(&self, word: &str, stem: Option<&str>) -> bool {
        self.word == word
            || stem.is_some_and(|stem| self.stems.iter().any(|known| known == stem))
            || if self.is_begun {
                word.starts_with(&self.word)
            } else {
                self.edits.is_some_and(|edits| Pattern::new(&self.word).within(word, edits))
            }
    }

    /// The postings of all words that count as this one, each once.
    pub(super) fn lists<'p>(&self, postings: &'p Postings) -> Vec<List<'p>> {
        let mut terms: Vec<usize> = match self.edits {
            _ if self.is_begun => postings.begun(&self.word).collect(),
            Some(edits) => postings.near(&self.word, edits),
            None => postings.equal(&self.word).collect(),
        };
        if !self.stems.is_empty() {
            terms.extend(self.stems.iter().flat_map(|stem| postings.stemmed(stem)));
            terms.sort_unstable();
            terms.dedup();
        }
        terms.into_iter().map(|term| postings.list_of(term)).collect()
    }
}
