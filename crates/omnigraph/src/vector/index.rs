//! The chunks of a vector column, with the rows that count.

use super::chunk::{NO_GUESS, Query, Vectors};
use crate::error::Error;
use crate::rows::{Best, RowRef};
use arrow_buffer::BooleanBuffer;
use std::cmp::Ordering;
use std::sync::Arc;

/// Floats from which on a second thread pays.
const LARGE: usize = 1 << 20;
/// Rows that are handed out together.
const SPAN: usize = 8192;

/// A column to search in.
#[derive(Clone, Debug)]
pub struct VectorIndex {
    dim: usize,
    chunks: Vec<(Arc<Vectors>, Option<BooleanBuffer>)>,
    threads: usize,
}

impl VectorIndex {
    /// Of chunks in the order that [`RowRef::chunk`] counts, each with the rows that live (`None`: all).
    pub fn new(dim: usize, chunks: Vec<(Arc<Vectors>, Option<BooleanBuffer>)>) -> Result<VectorIndex, Error> {
        if let Some((other, _)) = chunks.iter().find(|(vectors, _)| vectors.dim() != dim) {
            return Err(Error::Internal(format!(
                "a chunk of Vector({}) in a column of Vector({dim})",
                other.dim()
            )));
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(2);
        Ok(VectorIndex { dim, chunks, threads })
    }

    /// Searches with so many threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> VectorIndex {
        self.threads = threads.max(1);
        self
    }

    /// The live rows with the least cosine distance (0 to 2), nearest first; rows that are equally far in the order of
    /// `tie`.
    pub fn nearest(
        &self,
        query: &[f32],
        limit: usize,
        tie: impl Fn(RowRef, RowRef) -> Ordering,
    ) -> Result<Vec<(RowRef, f64)>, Error> {
        let Some(query) = self.direction(query)? else { return Ok(Vec::new()) };
        let mut best = Best::new(limit, &tie);
        for (chunk, guesses) in self.guess(&query).iter().enumerate() {
            for (row, guess) in guesses.iter().enumerate() {
                // Only what can be among the best is computed in full.
                if f64::from(guess + query.error) >= best.least()
                    && *guess != NO_GUESS
                    && let Some(similarity) = self.similarity(RowRef::new(chunk, row), &query).map(f64::from)
                    && similarity >= best.least()
                {
                    best.add(RowRef::new(chunk, row), similarity);
                }
            }
        }
        let best = best.into_sorted();
        Ok(best.into_iter().map(|(row, similarity)| (row, 1.0 - similarity)).collect())
    }

    /// About how alike all rows and a query are, by chunk.
    fn guess(&self, query: &Query) -> Vec<Vec<f32>> {
        let mut guesses: Vec<Vec<f32>> =
            self.chunks.iter().map(|(vectors, _)| vec![0.0; vectors.rows()]).collect();
        let mut spans: Vec<(usize, usize, &mut [f32])> = Vec::new();
        for (chunk, guesses) in guesses.iter_mut().enumerate() {
            spans.extend(guesses.chunks_mut(SPAN).enumerate().map(|(at, part)| (chunk, at * SPAN, part)));
        }
        let threads = if self.floats() < LARGE { 1 } else { self.threads.min(spans.len().max(1)) };
        let share = spans.len().div_ceil(threads).max(1);
        let work = |spans: &mut [(usize, usize, &mut [f32])]| {
            for (chunk, first, part) in spans {
                let (vectors, mask) = &self.chunks[*chunk];
                vectors.guess(*first, query, part);
                for (at, guess) in part.iter_mut().enumerate().filter(|_| mask.is_some()) {
                    if !is_live(mask.as_ref(), *first + at) {
                        *guess = NO_GUESS;
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            let mut shares = spans.chunks_mut(share);
            let own = shares.next();
            for spans in shares {
                scope.spawn(move || work(spans));
            }
            own.into_iter().for_each(work);
        });
        guesses
    }

    /// The cosine distances of these rows; `None` for dead rows, nulls and zero vectors.
    pub fn distances(&self, query: &[f32], candidates: &[RowRef]) -> Result<Vec<Option<f64>>, Error> {
        let Some(query) = self.direction(query)? else { return Ok(vec![None; candidates.len()]) };
        let distance = |candidate: &RowRef| Some(1.0 - f64::from(self.similarity(*candidate, &query)?));
        Ok(candidates.iter().map(distance).collect())
    }

    /// How alike a live row and a query are; `None` for dead rows, nulls and zero vectors.
    fn similarity(&self, row: RowRef, query: &Query) -> Option<f32> {
        let (vectors, mask) = self.chunks.get(row.chunk as usize)?;
        let at = row.row as usize;
        (at < vectors.rows() && is_live(mask.as_ref(), at)).then(|| vectors.similarity(at, &query.unit))?
    }

    /// The query with length 1; `None` when it has no direction.
    fn direction(&self, query: &[f32]) -> Result<Option<Query>, Error> {
        if query.len() == self.dim {
            return Ok(Query::new(query));
        }
        let message = format!("the query vector has {} elements, the column {}", query.len(), self.dim);
        Err(Error::Input { line: None, message })
    }

    fn floats(&self) -> usize {
        self.chunks.iter().map(|(vectors, _)| vectors.rows() * vectors.dim()).sum()
    }
}

fn is_live(mask: Option<&BooleanBuffer>, row: usize) -> bool {
    mask.is_none_or(|mask| row < mask.len() && mask.value(row))
}
