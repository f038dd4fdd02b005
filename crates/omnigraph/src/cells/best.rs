//! Rows by their place, and the best of them.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A row of a column: its chunk and its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowRef {
    /// Which chunk.
    pub chunk: u32,
    /// Offset into the chunk.
    pub row: u32,
}

impl RowRef {
    /// Of its parts.
    pub fn new(chunk: usize, row: usize) -> RowRef {
        RowRef { chunk: chunk as u32, row: row as u32 }
    }
}

/// The rows with the greatest scores so far; the worst of them is on top of the heap. Rows with equal scores are in
/// the order of `tie`.
#[derive(Debug)]
pub(crate) struct Best<'t, T> {
    limit: usize,
    tie: &'t T,
    heap: BinaryHeap<Scored<'t, T>>,
    /// What a row must reach to get in.
    least: f64,
}

#[derive(Debug)]
struct Scored<'t, T> {
    row: RowRef,
    score: f64,
    tie: &'t T,
}

impl<'t, T: Fn(RowRef, RowRef) -> Ordering> Best<'t, T> {
    pub(crate) fn new(limit: usize, tie: &'t T) -> Best<'t, T> {
        Best {
            limit,
            tie,
            heap: BinaryHeap::new(),
            least: if limit == 0 { f64::INFINITY } else { f64::NEG_INFINITY },
        }
    }

    /// What a row must reach to get in.
    pub(crate) fn least(&self) -> f64 {
        self.least
    }

    /// Adds a row if it is good enough.
    pub(crate) fn add(&mut self, row: RowRef, score: f64) {
        let added = Scored { row, score, tie: self.tie };
        if self.heap.len() < self.limit {
            self.heap.push(added);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && added < *worst
        {
            *worst = added;
        }
        if self.heap.len() >= self.limit {
            self.least = self.heap.peek().map_or(f64::INFINITY, |worst| worst.score);
        }
    }

    /// Best first.
    pub(crate) fn into_sorted(self) -> Vec<(RowRef, f64)> {
        self.heap.into_sorted_vec().into_iter().map(|scored| (scored.row, scored.score)).collect()
    }
}

impl<T: Fn(RowRef, RowRef) -> Ordering> Ord for Scored<'_, T> {
    /// Better is less.
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then_with(|| (self.tie)(self.row, other.row))
    }
}

impl<T: Fn(RowRef, RowRef) -> Ordering> PartialOrd for Scored<'_, T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Fn(RowRef, RowRef) -> Ordering> PartialEq for Scored<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T: Fn(RowRef, RowRef) -> Ordering> Eq for Scored<'_, T> {}
