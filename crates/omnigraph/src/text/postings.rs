//! Where each word of one column chunk stands.

use super::distance::{Pattern, differ};

/// Postings between two marks into the positions.
pub(super) const BLOCK: usize = 128;

/// A row without text.
pub(super) const NO_TEXT: u32 = u32::MAX;

/// The words of one immutable chunk of a column. Rows are offsets into the chunk.
#[derive(Debug, Default)]
pub struct Postings {
    /// The words, sorted, beside each other.
    pub(super) words: String,
    /// End of each word.
    pub(super) word_ends: Vec<u32>,
    /// Which letters each word has.
    pub(super) letter_sets: Vec<u64>,
    /// End of the postings of each word.
    pub(super) posting_ends: Vec<u32>,
    /// Rows of all postings, ascending within a word.
    pub(super) rows: Vec<u32>,
    /// How often the word stands in the row; `u16::MAX` is that or more, and the positions tell.
    pub(super) counts: Vec<u16>,
    /// Positions as differences in 7-bit groups, posting by posting.
    pub(super) positions: Vec<u8>,
    /// Where the positions of every 128th posting of a word begin; words begin anew.
    pub(super) marks: Vec<u32>,
    /// First mark of each word.
    pub(super) first_marks: Vec<u32>,
    /// Of each word, in columns with a language.
    pub(super) stems: Option<Stems>,
    /// Words of each row; [`NO_TEXT`] where the text is null.
    pub(super) lengths: Vec<u32>,
}

/// The stems of words.
#[derive(Debug, Default)]
pub(super) struct Stems {
    /// Of one word behind the other.
    text: String,
    ends: Vec<u32>,
    /// The words, sorted by their stems.
    order: Vec<u32>,
}

impl Stems {
    /// Adds the stem of the next word.
    pub(super) fn push(&mut self, stem: &str) {
        self.text.push_str(stem);
        self.ends.push(self.text.len() as u32);
    }

    /// When all words are there.
    pub(super) fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.ends.len() as u32).collect();
        order.sort_by(|left, right| self.of(*left as usize).cmp(self.of(*right as usize)));
        self.order = order;
    }

    fn of(&self, term: usize) -> &str {
        let start = term.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[term] as usize]
    }
}

/// The postings of one word in one chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'p> {
    postings: &'p Postings,
    term: usize,
    start: usize,
    end: usize,
}

impl Postings {
    /// How many rows the chunk has.
    pub fn rows(&self) -> usize {
        self.lengths.len()
    }

    /// How many different words there are.
    pub fn terms(&self) -> usize {
        self.word_ends.len()
    }

    /// Bytes in memory.
    pub fn memory_size(&self) -> usize {
        let wide = self.word_ends.capacity()
            + self.posting_ends.capacity()
            + self.rows.capacity()
            + self.marks.capacity()
            + self.first_marks.capacity()
            + self.lengths.capacity();
        let stems = self
            .stems
            .as_ref()
            .map_or(0, |stems| stems.text.capacity() + 4 * (stems.ends.len() + stems.order.len()));
        self.words.capacity()
            + stems
            + self.positions.capacity()
            + self.counts.capacity() * 2
            + wide * 4
            + self.letter_sets.capacity() * 8
    }

    pub(super) fn word(&self, term: usize) -> &str {
        let start = term.checked_sub(1).map_or(0, |before| self.word_ends[before] as usize);
        &self.words[start..self.word_ends[term] as usize]
    }

    pub(super) fn list_of(&self, term: usize) -> List<'_> {
        let start = term.checked_sub(1).map_or(0, |before| self.posting_ends[before] as usize);
        List { postings: self, term, start, end: self.posting_ends[term] as usize }
    }

    /// The terms of a word: several where a language tells words apart by their accents.
    pub(super) fn equal(&self, word: &str) -> impl Iterator<Item = usize> {
        let first = self.first_not_less(word);
        (first..self.terms()).take_while(move |term| self.word(*term) == word)
    }

    /// The terms that begin so.
    pub(super) fn begun(&self, begin: &str) -> impl Iterator<Item = usize> {
        let first = self.first_not_less(begin);
        (first..self.terms()).take_while(move |term| self.word(*term).starts_with(begin))
    }

    fn first_not_less(&self, word: &str) -> usize {
        let (mut low, mut high) = (0, self.terms());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.word(middle) < word { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The terms with a stem.
    pub(super) fn stemmed(&self, stem: &str) -> Vec<usize> {
        let Some(stems) = &self.stems else { return Vec::new() };
        let first = stems.order.partition_point(|term| stems.of(*term as usize) < stem);
        let same = stems.order[first..].iter().map(|term| *term as usize);
        same.take_while(|term| stems.of(*term) == stem).collect()
    }

    /// The terms at most so many edits away.
    pub(super) fn near(&self, word: &str, edits: u8) -> Vec<usize> {
        let mut pattern = Pattern::new(word);
        let near = (0..self.terms()).filter(|term| {
            !differ(pattern.set, self.letter_sets[*term], edits) && pattern.within(self.word(*term), edits)
        });
        near.collect()
    }

    /// How many words the row has; `None` where the text is null.
    pub(super) fn length(&self, row: u32) -> Option<u32> {
        let length = self.lengths[row as usize];
        (length != NO_TEXT).then_some(length)
    }
}

impl<'p> List<'p> {
    /// The rows the word stands in, ascending.
    pub(super) fn rows(&self) -> &'p [u32] {
        &self.postings.rows[self.start..self.end]
    }

    /// How often the word stands in the row at this place of [`List::rows`].
    pub(super) fn count(&self, at: usize) -> u32 {
        match self.postings.counts[self.start + at] {
            u16::MAX => {
                let mut positions = Vec::new();
                self.positions(at, &mut positions);
                positions.len() as u32
            }
            count => u32::from(count),
        }
    }

    /// Rows with their counts.
    pub(super) fn counts(&self) -> &'p [u16] {
        &self.postings.counts[self.start..self.end]
    }

    /// The places of the word in the row at this place of [`List::rows`], ascending.
    pub(super) fn positions(&self, at: usize, out: &mut Vec<u32>) {
        let postings = self.postings;
        let mark = postings.first_marks[self.term] as usize + at / BLOCK;
        let mut from = postings.marks[mark] as usize;
        for _ in 0..at % BLOCK {
            while read_group(&postings.positions, &mut from) != 0 {}
        }
        out.clear();
        let mut place = 0;
        loop {
            match read_group(&postings.positions, &mut from) {
                0 => return,
                step => place += step,
            }
            out.push(place - 1);
        }
    }
}

/// A number in 7-bit groups, the lowest first. A posting's positions are steps from -1 and end with 0.
fn read_group(bytes: &[u8], from: &mut usize) -> u32 {
    let mut value = 0;
    let mut shift = 0;
    loop {
        let byte = bytes[*from];
        *from += 1;
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return value;
        }
        shift += 7;
    }
}

pub(super) fn write_group(mut value: u32, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
