//! How well nodes fit: for nodes at hand, and the best of a whole table.

use super::places;
use crate::error::Result;
use crate::rows::RowRef;
use crate::topology::{Ids, Numbers};
use crate::view::View;
use std::cmp::Ordering;
use std::sync::Arc;

/// What the nodes of a type are scored by.
pub(crate) enum Query {
    /// BM25 of a text property; nothing has a score for a text that is null.
    Text { property: String, text: Option<String> },
    /// Distance of a vector property; nothing has one to a vector that is null.
    Vector { property: String, dimension: u32, vector: Option<Vec<f32>> },
}

/// Scores of nodes of one type; `None` for a text without any of the words and a node without a vector.
pub(crate) fn scores(view: &View, kind: u16, numbers: &[u32], query: &Query) -> Result<Vec<Option<f64>>> {
    let places = places(view, kind, numbers)?;
    match query {
        Query::Text { property, text: Some(text) } => {
            let found = view.text_index(kind, property)?.scores(text, &places);
            Ok(found.into_iter().map(|score| score.filter(|score| *score > 0.0)).collect())
        }
        Query::Vector { property, dimension, vector: Some(vector) } => {
            match view.vector_index(kind, property, *dimension)? {
                Some(index) => index.distances(vector, &places),
                None => Ok(vec![None; numbers.len()]),
            }
        }
        Query::Text { text: None, .. } | Query::Vector { vector: None, .. } => Ok(vec![None; numbers.len()]),
    }
}

/// The best nodes of one type with their scores, best first; of equal ones those with the least ids.
pub(crate) fn best(view: &View, kind: u16, query: &Query, limit: usize) -> Result<Vec<(u32, f64)>> {
    let Some(ranking) = Ranking::new(view, kind)? else { return Ok(Vec::new()) };
    let found = ranking.best(view, query, limit)?;
    Ok(found.into_iter().map(|(row, score)| (ranking.number(row), score)).collect())
}

/// The rows of a node type, to be ranked.
pub(super) struct Ranking {
    kind: u16,
    numbers: Vec<Arc<Numbers>>,
    ids: Arc<Ids>,
}

impl Ranking {
    /// `None` without rows.
    pub(super) fn new(view: &View, kind: u16) -> Result<Option<Ranking>> {
        let Some(table) = view.node_table(kind)? else { return Ok(None) };
        let ids = view.node(kind).ids.clone();
        let numbers = (0..table.fragments().len()).map(|place| view.numbers(table, place, &ids));
        let numbers = numbers.collect::<Result<_>>()?;
        Ok(Some(Ranking { kind, numbers, ids }))
    }

    pub(super) fn number(&self, row: RowRef) -> u32 {
        self.numbers[row.chunk as usize].0[row.row as usize]
    }

    /// By id.
    pub(super) fn tie(&self, left: RowRef, right: RowRef) -> Ordering {
        let known = self.ids.read();
        known.id(self.number(left)).cmp(known.id(self.number(right)))
    }

    /// The best rows with their scores, best first; of equal ones those with the least ids.
    pub(super) fn best(&self, view: &View, query: &Query, limit: usize) -> Result<Vec<(RowRef, f64)>> {
        let tie = |left: RowRef, right: RowRef| self.tie(left, right);
        match query {
            Query::Text { property, text: Some(text) } => {
                Ok(view.text_index(self.kind, property)?.top(text, limit, tie))
            }
            Query::Vector { property, dimension, vector: Some(vector) } => {
                match view.vector_index(self.kind, property, *dimension)? {
                    Some(index) => index.nearest(vector, limit, tie),
                    None => Ok(Vec::new()),
                }
            }
            Query::Text { text: None, .. } | Query::Vector { vector: None, .. } => Ok(Vec::new()),
        }
    }
}
