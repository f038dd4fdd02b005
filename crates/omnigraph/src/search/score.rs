//! How well nodes fit: for nodes at hand, and the best of a whole table.

use super::{by_kind, places};
use crate::error::{Error, Result};
use crate::exec::{Context, NodeColumn, text_of};
use crate::rows::RowRef;
use crate::topology::{Ids, Numbers};
use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use arrow_array::{Array, ArrayRef, FixedSizeListArray};
use omnigraph_compiler::query::typed::{Expr, Score};
use std::cmp::Ordering;
use std::sync::Arc;

/// Scores of nodes; not a number where there is none.
pub(crate) fn scores(context: &Context<'_>, score: &Score, column: &NodeColumn) -> Result<Vec<f64>> {
    let mut all = vec![f64::NAN; column.numbers.len()];
    for (kind, rows) in by_kind(column) {
        let places = places(context, kind, column, &rows)?;
        let found = match score {
            Score::Bm25 { property, query, .. } => match query_text(context, query)? {
                Some(text) => {
                    let found = context.view.text_index(kind, property)?.scores(&text, &places);
                    found.into_iter().map(|score| score.filter(|score| *score > 0.0)).collect()
                }
                None => vec![None; rows.len()],
            },
            Score::Nearest { property, query, dimension, .. } => {
                let vector = query_vector(context, query, *dimension)?;
                let index = context.view.vector_index(kind, property, *dimension)?;
                match (vector, index) {
                    (Some(vector), Some(index)) => index.distances(&vector, &places)?,
                    _ => vec![None; rows.len()],
                }
            }
            Score::Rrf { .. } => return Err(Error::damaged("a fusion is not a score of one property")),
        };
        for (row, score) in rows.iter().zip(found) {
            all[*row as usize] = score.unwrap_or(f64::NAN);
        }
    }
    Ok(all)
}

/// The best nodes of one type with their scores, best first; of equal ones those with the least ids.
pub(crate) fn best(context: &Context<'_>, kind: u16, score: &Score, limit: usize) -> Result<Vec<(u32, f64)>> {
    let Some(ranking) = Ranking::new(context, kind)? else { return Ok(Vec::new()) };
    let found = ranking.best(context, score, limit)?;
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
    pub(super) fn new(context: &Context<'_>, kind: u16) -> Result<Option<Ranking>> {
        let Some(table) = context.view.node_table(kind)? else { return Ok(None) };
        let ids = context.view.node(kind).ids.clone();
        let numbers = (0..table.fragments().len()).map(|place| context.view.numbers(table, place, &ids));
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
    pub(super) fn best(
        &self,
        context: &Context<'_>,
        score: &Score,
        limit: usize,
    ) -> Result<Vec<(RowRef, f64)>> {
        let tie = |left: RowRef, right: RowRef| self.tie(left, right);
        Ok(match score {
            Score::Bm25 { property, query, .. } => match query_text(context, query)? {
                Some(text) => context.view.text_index(self.kind, property)?.top(&text, limit, tie),
                None => Vec::new(),
            },
            Score::Nearest { property, query, dimension, .. } => {
                let vector = query_vector(context, query, *dimension)?;
                match (vector, context.view.vector_index(self.kind, property, *dimension)?) {
                    (Some(vector), Some(index)) => index.nearest(&vector, limit, tie)?,
                    _ => Vec::new(),
                }
            }
            Score::Rrf { .. } => return Err(Error::damaged("a fusion is not a score of one property")),
        })
    }
}

fn query_text(context: &Context<'_>, query: &Expr) -> Result<Option<String>> {
    let value = context.constant(query)?;
    Ok(text_of(&value)?.map(str::to_owned))
}

/// The vector to look for: as given, or that of a text.
fn query_vector(context: &Context<'_>, query: &Expr, dimension: u32) -> Result<Option<Vec<f32>>> {
    let value: ArrayRef = context.constant(query)?;
    if value.is_null(0) {
        return Ok(None);
    }
    if value.data_type() == &arrow_schema::DataType::Utf8 {
        let text = text_of(&value)?.unwrap_or_default();
        return crate::embedding::query_vector(text, dimension as usize).map(Some);
    }
    let list = value.as_any().downcast_ref::<FixedSizeListArray>();
    let list = list.ok_or_else(|| Error::request("`nearest` needs a vector or a text"))?;
    let floats = list.value(0);
    let floats =
        floats.as_primitive_opt::<Float32Type>().ok_or_else(|| Error::damaged("a vector of no floats"))?;
    if floats.len() != dimension as usize {
        return Err(Error::request(format!(
            "the vector has {} dimensions, the property {dimension}",
            floats.len()
        )));
    }
    Ok(Some(floats.values().to_vec()))
}
