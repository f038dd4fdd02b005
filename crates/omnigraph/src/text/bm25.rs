//! How well rows fit a text: Okapi BM25.

use super::asked::Asked;
use super::index::TextIndex;
use super::postings::List;
use crate::rows::{Best, RowRef};
use std::cmp::Ordering;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// A word of the query in one chunk.
struct Weighted<'p> {
    found: Found<'p>,
    idf: f64,
}

/// Where a word stands, or what counts as it.
enum Found<'p> {
    One(List<'p>),
    /// Rows with how often any of several words stands in them, ascending.
    Several(Vec<u32>, Vec<u32>),
}

impl Found<'_> {
    fn new(mut lists: Vec<List<'_>>) -> Option<Found<'_>> {
        if lists.len() < 2 {
            return lists.pop().map(Found::One);
        }
        let mut all: Vec<(u32, u32)> = Vec::new();
        for list in lists {
            all.extend(list.rows().iter().enumerate().map(|(at, row)| (*row, list.count(at))));
        }
        all.sort_unstable();
        let (mut rows, mut counts): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for same in all.chunk_by(|left, right| left.0 == right.0) {
            rows.push(same[0].0);
            counts.push(same.iter().map(|(_, count)| count).sum());
        }
        Some(Found::Several(rows, counts))
    }

    fn rows(&self) -> &[u32] {
        match self {
            Found::One(list) => list.rows(),
            Found::Several(rows, _) => rows,
        }
    }

    fn count(&self, place: usize) -> u32 {
        match self {
            Found::One(list) => list.count(place),
            Found::Several(_, counts) => counts[place],
        }
    }

    fn each(&self, mut take: impl FnMut(u32, u32)) {
        match self {
            Found::One(list) => {
                for (place, (row, count)) in list.rows().iter().zip(list.counts()).enumerate() {
                    take(*row, if *count == u16::MAX { list.count(place) } else { u32::from(*count) });
                }
            }
            Found::Several(rows, counts) => {
                rows.iter().zip(counts).for_each(|(row, count)| take(*row, *count));
            }
        }
    }
}

/// The part of the denominator that does not depend on the count.
#[derive(Clone, Copy)]
struct Norm {
    constant: f64,
    per_word: f64,
}

impl Norm {
    fn of(self, count: u32, length: u32) -> f64 {
        let count = f64::from(count);
        count * (K1 + 1.0) / (count + self.constant + self.per_word * f64::from(length))
    }
}

impl TextIndex {
    /// The best rows with at least one word of the query, best first; rows with equal scores in the order of `tie`.
    pub fn top(
        &self,
        query: &str,
        limit: usize,
        tie: impl Fn(RowRef, RowRef) -> Ordering,
    ) -> Vec<(RowRef, f64)> {
        let mut best = Best::new(limit, &tie);
        self.each(query, |row, score| {
            if score >= best.least() {
                best.add(row, score);
            }
        });
        best.into_sorted()
    }

    fn each(&self, query: &str, mut take: impl FnMut(RowRef, f64)) {
        let norm = self.norm();
        let mut sums: Vec<f64> = Vec::new();
        for (at, (chunk, terms)) in self.chunks.iter().zip(self.weigh(query)).enumerate() {
            if terms.is_empty() {
                continue;
            }
            let lengths = &chunk.postings.lengths;
            sums.clear();
            sums.resize(chunk.postings.rows(), 0.0);
            for Weighted { found, idf } in &terms {
                found.each(|row, count| {
                    sums[row as usize] += idf * norm.of(count, lengths[row as usize]);
                });
            }
            let is_whole = chunk.is_whole();
            for (row, sum) in sums.iter().enumerate() {
                if *sum > 0.0 && (is_whole || chunk.is_live(row as u32)) {
                    take(RowRef::new(at, row), *sum);
                }
            }
        }
    }

    /// The scores of these rows; 0 without a word of the query, `None` for dead rows and those without text. Only
    /// the postings of these rows are read.
    pub fn scores(&self, query: &str, candidates: &[RowRef]) -> Vec<Option<f64>> {
        let norm = self.norm();
        let terms = self.weigh(query);
        let score = |candidate: &RowRef| {
            let chunk = self.chunks.get(candidate.chunk as usize)?;
            let is_there = (candidate.row as usize) < chunk.postings.rows() && chunk.is_live(candidate.row);
            let length = is_there.then(|| chunk.postings.length(candidate.row))??;
            let mut sum = 0.0;
            for Weighted { found, idf } in &terms[candidate.chunk as usize] {
                if let Ok(place) = found.rows().binary_search(&candidate.row) {
                    sum += idf * norm.of(found.count(place), length);
                }
            }
            Some(sum)
        };
        candidates.iter().map(score).collect()
    }

    /// The words of the query in each chunk. A word that stands twice in the query counts twice.
    fn weigh(&self, query: &str) -> Vec<Vec<Weighted<'_>>> {
        let docs = self.docs() as f64;
        let mut chunks: Vec<Vec<Weighted<'_>>> = self.chunks.iter().map(|_| Vec::new()).collect();
        for term in &Asked::any(query, self.language).terms {
            let found: Vec<Option<Found<'_>>> =
                self.chunks.iter().map(|chunk| Found::new(term.lists(&chunk.postings))).collect();
            let pairs = self.chunks.iter().zip(&found);
            let frequency: u64 =
                pairs.filter_map(|(chunk, found)| Some(chunk.frequency(found.as_ref()?.rows()))).sum();
            let frequency = frequency as f64;
            let idf = (1.0 + (docs - frequency + 0.5) / (frequency + 0.5)).ln();
            for (terms, found) in chunks.iter_mut().zip(found) {
                terms.extend(found.map(|found| Weighted { found, idf }));
            }
        }
        chunks
    }

    fn norm(&self) -> Norm {
        let average = self.average_length();
        let per_word = if average > 0.0 { K1 * B / average } else { 0.0 };
        Norm { constant: K1 * (1.0 - B), per_word }
    }
}
