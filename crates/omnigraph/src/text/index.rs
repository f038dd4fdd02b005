//! The chunks of a column, with the rows that count.

use super::postings::Postings;
use arrow_buffer::BooleanBuffer;
use omnigraph_compiler::Language;
use std::sync::Arc;

/// A chunk and which of its rows count.
#[derive(Clone, Debug)]
pub struct Live {
    pub(super) postings: Arc<Postings>,
    /// `None` when all rows live.
    mask: Option<BooleanBuffer>,
    /// Rows that do not count, ascending.
    dead: Vec<u32>,
    /// Live rows with text, and their words.
    docs: u64,
    words: u64,
}

impl Live {
    /// All rows, or those of the mask, which has a bit for every row.
    pub fn new(postings: Arc<Postings>, mask: Option<BooleanBuffer>) -> Live {
        let mask = mask.filter(|mask| mask.count_set_bits() < postings.rows());
        let is_live = |row: &usize| mask.as_ref().is_none_or(|mask| *row < mask.len() && mask.value(*row));
        let (live, dead): (Vec<usize>, Vec<usize>) = (0..postings.rows()).partition(is_live);
        let lengths = live.iter().filter_map(|row| postings.length(*row as u32));
        let (docs, words) =
            lengths.fold((0, 0), |(docs, words), length| (docs + 1, words + u64::from(length)));
        let dead = dead.into_iter().map(|row| row as u32).collect();
        Live { postings, mask, dead, docs, words }
    }

    pub(super) fn is_live(&self, row: u32) -> bool {
        self.mask.as_ref().is_none_or(|mask| (row as usize) < mask.len() && mask.value(row as usize))
    }

    pub(super) fn is_whole(&self) -> bool {
        self.dead.is_empty()
    }

    /// How many of these rows live.
    pub(super) fn frequency(&self, rows: &[u32]) -> u64 {
        let found = if self.dead.len() < rows.len() {
            rows.len() - self.dead.iter().filter(|row| rows.binary_search(row).is_ok()).count()
        } else {
            rows.iter().filter(|row| self.is_live(**row)).count()
        };
        found as u64
    }
}

/// A column to search in.
#[derive(Clone, Debug, Default)]
pub struct TextIndex {
    pub(super) chunks: Vec<Live>,
    pub(super) language: Option<Language>,
}

impl TextIndex {
    /// Of its chunks, in the order that [`crate::rows::RowRef::chunk`] counts.
    /// All have the stems of the language, if there is one.
    pub fn new(chunks: Vec<Live>, language: Option<Language>) -> TextIndex {
        TextIndex { chunks, language }
    }

    /// How many live rows have text.
    pub fn docs(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.docs).sum()
    }

    /// Words of a live row with text, on average.
    pub(super) fn average_length(&self) -> f64 {
        let words: u64 = self.chunks.iter().map(|chunk| chunk.words).sum();
        words as f64 / (self.docs().max(1) as f64)
    }
}
