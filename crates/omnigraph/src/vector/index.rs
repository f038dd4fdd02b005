//! The chunks of a vector column, with the rows that count.

use super::chunk::{Vectors, unit};
use crate::error::Error;
use crate::rows::{Best, RowRef};
use arrow_buffer::BooleanBuffer;
use std::cmp::Ordering;
use std::ops::Range;
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
        tie: impl Fn(RowRef, RowRef) -> Ordering + Sync,
    ) -> Result<Vec<(RowRef, f64)>, Error> {
        let Some(query) = self.direction(query)? else { return Ok(Vec::new()) };
        let found = self.divided(|spans| {
            let mut best = Best::new(limit, &tie);
            for (chunk, rows) in spans {
                self.search(*chunk, rows.clone(), &query, &mut best);
            }
            best.into_sorted()
        })?;
        let mut best = Best::new(limit, &tie);
        for (row, similarity) in found.into_iter().flatten() {
            best.add(row, similarity);
        }
        Ok(best.into_sorted().into_iter().map(|(row, similarity)| (row, 1.0 - similarity)).collect())
    }

    /// The cosine distances of all live rows that have one, in order.
    pub fn all(&self, query: &[f32]) -> Result<Vec<(RowRef, f64)>, Error> {
        let Some(query) = self.direction(query)? else { return Ok(Vec::new()) };
        let found = self.divided(|spans| {
            let mut found = Vec::with_capacity(spans.iter().map(|(_, rows)| rows.len()).sum());
            for (chunk, rows) in spans {
                let (vectors, mask) = &self.chunks[*chunk];
                let live = rows.clone().filter(|row| is_live(mask.as_ref(), *row));
                found.extend(live.filter_map(|row| {
                    let similarity = vectors.similarity(row, &query)?;
                    Some((RowRef::new(*chunk, row), 1.0 - f64::from(similarity)))
                }));
            }
            found
        })?;
        Ok(found.concat())
    }

    /// Hands out parts of the rows to threads; the results are in the order of the rows.
    fn divided<R: Send>(&self, work: impl Fn(&[(usize, Range<usize>)]) -> R + Sync) -> Result<Vec<R>, Error> {
        let spans = self.spans();
        let threads = if self.floats() < LARGE { 1 } else { self.threads.min(spans.len().max(1)) };
        let share = spans.len().div_ceil(threads).max(1);
        let mut shares = spans.chunks(share);
        let own = shares.next().unwrap_or_default();
        let work = &work;
        std::thread::scope(|scope| {
            let others: Vec<_> = shares.map(|spans| scope.spawn(move || work(spans))).collect();
            let mut found = vec![work(own)];
            for other in others {
                found.push(other.join().map_err(|_| Error::Internal("a search thread failed".into()))?);
            }
            Ok(found)
        })
    }

    /// The cosine distances of these rows; `None` for dead rows, nulls and zero vectors.
    pub fn distances(&self, query: &[f32], candidates: &[RowRef]) -> Result<Vec<Option<f64>>, Error> {
        let Some(query) = self.direction(query)? else { return Ok(vec![None; candidates.len()]) };
        let distance = |candidate: &RowRef| {
            let (vectors, mask) = self.chunks.get(candidate.chunk as usize)?;
            let row = candidate.row as usize;
            if row >= vectors.rows() || !is_live(mask.as_ref(), row) {
                return None;
            }
            Some(1.0 - f64::from(vectors.similarity(row, &query)?))
        };
        Ok(candidates.iter().map(distance).collect())
    }

    fn search<T>(&self, chunk: usize, rows: Range<usize>, query: &[f32], best: &mut Best<'_, T>)
    where
        T: Fn(RowRef, RowRef) -> Ordering,
    {
        let (vectors, mask) = &self.chunks[chunk];
        for row in rows {
            if is_live(mask.as_ref(), row)
                && let Some(similarity) = vectors.similarity(row, query)
                && f64::from(similarity) >= best.least()
            {
                best.add(RowRef::new(chunk, row), similarity.into());
            }
        }
    }

    /// The query with length 1; `None` when it has no direction.
    fn direction(&self, query: &[f32]) -> Result<Option<Vec<f32>>, Error> {
        if query.len() == self.dim {
            return Ok(unit(query));
        }
        let message = format!("the query vector has {} elements, the column {}", query.len(), self.dim);
        Err(Error::Input { line: None, message })
    }

    fn spans(&self) -> Vec<(usize, Range<usize>)> {
        let mut spans = Vec::new();
        for (chunk, (vectors, _)) in self.chunks.iter().enumerate() {
            let rows = vectors.rows();
            spans.extend((0..rows).step_by(SPAN).map(|start| (chunk, start..(start + SPAN).min(rows))));
        }
        spans
    }

    fn floats(&self) -> usize {
        self.chunks.iter().map(|(vectors, _)| vectors.rows() * vectors.dim()).sum()
    }
}

fn is_live(mask: Option<&BooleanBuffer>, row: usize) -> bool {
    mask.is_none_or(|mask| row < mask.len() && mask.value(row))
}
