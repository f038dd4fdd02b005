//! The words of a column chunk, counted and sorted.

use super::distance::letter_set;
use super::language::{lower, stem};
use super::postings::{BLOCK, NO_TEXT, Postings, Stems, write_group};
use super::token::each_token;
use crate::error::Error;
use arrow_array::{Array, StringArray};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use omnigraph_compiler::Language;

/// The words in the order in which they come, each with the number of its term.
struct Stream {
    terms: HashMap<Box<str>, u32, FixedState>,
    /// Term of each word of the chunk.
    words: Vec<u32>,
    lengths: Vec<u32>,
}

impl Postings {
    /// Reads a chunk; row n of the postings is row n of the array. With a language, the stems of the words are kept too.
    pub fn build(texts: &StringArray, language: Option<Language>) -> Result<Postings, Error> {
        let stream = read(texts, language);
        if u32::try_from(stream.words.len()).is_err() || u32::try_from(texts.len()).is_err() {
            return Err(Error::Internal("a chunk of text with more than 2^32 words".into()));
        }
        let mut order: Vec<(&str, u32)> = stream.terms.iter().map(|(word, term)| (&**word, *term)).collect();
        order.sort_unstable();
        let slots = Slots::fill(&stream, order.len());
        let stems = language.map(|language| stems(&order, language));
        let mut postings = Postings { lengths: stream.lengths.clone(), stems, ..Postings::default() };
        postings.positions.reserve(stream.words.len() * 2);
        postings.rows.reserve(stream.words.len());
        postings.counts.reserve(stream.words.len());
        for (word, term) in order {
            postings.add(parts(word).0, slots.of(term));
        }
        postings.rows.shrink_to_fit();
        postings.counts.shrink_to_fit();
        postings.positions.shrink_to_fit();
        Ok(postings)
    }

    /// Adds a term that is greater than all before it, with its rows and places in order.
    fn add(&mut self, word: &str, places: &[(u32, u32)]) {
        self.words.push_str(word);
        self.word_ends.push(self.words.len() as u32);
        self.letter_sets.push(letter_set(word));
        self.first_marks.push(self.marks.len() as u32);
        for (at, places) in places.chunk_by(|a, b| a.0 == b.0).enumerate() {
            if at % BLOCK == 0 {
                self.marks.push(self.positions.len() as u32);
            }
            self.rows.push(places[0].0);
            self.counts.push(u16::try_from(places.len()).unwrap_or(u16::MAX));
            let mut last = None;
            for (_, place) in places {
                write_group(place + 1 - last.map_or(0, |last: u32| last + 1), &mut self.positions);
                last = Some(*place);
            }
            self.positions.push(0);
        }
        self.posting_ends.push(self.rows.len() as u32);
    }
}

/// Between a word without accents and the same as it is written.
const AS_WRITTEN: char = '\0';

/// The two forms of a word.
fn parts(word: &str) -> (&str, &str) {
    word.split_once(AS_WRITTEN).unwrap_or((word, word))
}

fn stems(order: &[(&str, u32)], language: Language) -> Stems {
    let mut stems = Stems::default();
    for (word, _) in order {
        stems.push(&stem(language, parts(word).1));
    }
    stems.sort();
    stems
}

/// Where stems are needed, words that differ by their accents are different.
fn read(texts: &StringArray, language: Option<Language>) -> Stream {
    let mut stream = Stream { terms: HashMap::default(), words: Vec::new(), lengths: Vec::new() };
    let mut both = String::new();
    for text in texts {
        let Some(text) = text else {
            stream.lengths.push(NO_TEXT);
            continue;
        };
        let before = stream.words.len();
        each_token(text, |word, at, _| {
            if language.is_some() && !text[at.clone()].is_ascii() {
                both.clear();
                both.extend([word, "\0", &lower(&text[at])]);
            }
            let word = if both.is_empty() { word } else { &both };
            let known = stream.terms.get(word).copied();
            let term = known.unwrap_or_else(|| {
                let term = stream.terms.len() as u32;
                stream.terms.insert(word.into(), term);
                term
            });
            stream.words.push(term);
            both.clear();
        });
        stream.lengths.push((stream.words.len() - before) as u32);
    }
    stream
}

/// Rows and places of the words, term by term.
struct Slots {
    places: Vec<(u32, u32)>,
    ends: Vec<u32>,
}

impl Slots {
    /// A counting sort: rows and places stay in order within a term.
    fn fill(stream: &Stream, terms: usize) -> Slots {
        let mut ends = vec![0; terms];
        for term in &stream.words {
            ends[*term as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            let count = *end;
            *end = sum; // the start for now; filling moves it to the end
            sum += count;
        }
        let mut places = vec![(0, 0); stream.words.len()];
        let mut words = stream.words.iter();
        for (row, length) in stream.lengths.iter().enumerate().filter(|(_, length)| **length != NO_TEXT) {
            for (place, term) in words.by_ref().take(*length as usize).enumerate() {
                let slot = &mut ends[*term as usize];
                places[*slot as usize] = (row as u32, place as u32);
                *slot += 1;
            }
        }
        Slots { places, ends }
    }

    fn of(&self, term: u32) -> &[(u32, u32)] {
        let start = term.checked_sub(1).map_or(0, |before| self.ends[before as usize] as usize);
        &self.places[start..self.ends[term as usize] as usize]
    }
}
