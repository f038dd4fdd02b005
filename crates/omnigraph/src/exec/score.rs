//! Scores of the rows at hand, and what they are computed from.

use super::eval::{Context, text_of};
use super::rows::{NodeColumn, Rows};
use super::whole_number;
use crate::error::{Error, Result};
use crate::search::{self, Query, Ranked};
use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use arrow_array::{Array, ArrayRef, FixedSizeListArray};
use omnigraph_compiler::query::plan::output::ScoreOp;
use omnigraph_compiler::query::typed::{Expr, Score};

/// `k` of reciprocal rank fusion where a query does not say another.
const USUAL_K: f64 = 60.0;

/// `wanted` rows are what the query is interested in.
pub(super) fn score(context: &Context<'_>, op: &ScoreOp, mut rows: Rows, wanted: usize) -> Result<Rows> {
    let mut all = Vec::with_capacity(op.scores.len());
    for score in &op.scores {
        all.push(match score {
            Score::Rrf { ranks, k } => {
                let k = fusion_constant(context, k)?;
                let rankings = ranks.iter().map(|score| ranked(context, score, &rows));
                let rankings = rankings.collect::<Result<Vec<_>>>()?;
                search::fused(context.view, &rankings, rows.len, k, wanted)
            }
            Score::Bm25 { var, .. } | Score::Nearest { var, .. } => {
                of_nodes(context, score, rows.node(var)?)?
            }
        });
    }
    rows.scores = all;
    Ok(rows)
}

fn ranked(context: &Context<'_>, score: &Score, rows: &Rows) -> Result<Ranked> {
    let column = rows.node(score.vars().first().copied().unwrap_or_default())?;
    let nodes = column.numbers.iter().enumerate().map(|(row, number)| (column.kinds.at(row), *number));
    let (nodes, less_is_better) = (nodes.collect(), score.is_distance());
    Ok(Ranked { nodes, scores: of_nodes(context, score, column)?, less_is_better })
}

/// Scores of nodes; not a number where there is none.
fn of_nodes(context: &Context<'_>, score: &Score, column: &NodeColumn) -> Result<Vec<f64>> {
    let query = query(context, score)?;
    let mut all = vec![f64::NAN; column.numbers.len()];
    for (kind, rows) in column.by_kind() {
        let numbers: Vec<u32> = rows.iter().map(|row| column.numbers[*row as usize]).collect();
        let found = search::scores(context.view, kind, &numbers, &query)?;
        for (row, score) in rows.iter().zip(found) {
            all[*row as usize] = score.unwrap_or(f64::NAN);
        }
    }
    Ok(all)
}

/// What a score looks for, with the values of its parameters.
pub(super) fn query(context: &Context<'_>, score: &Score) -> Result<Query> {
    match score {
        Score::Bm25 { property, query, .. } => {
            Ok(Query::Text { property: property.clone(), text: query_text(context, query)? })
        }
        Score::Nearest { property, query, dimension, .. } => {
            let vector = query_vector(context, query, *dimension)?;
            Ok(Query::Vector { property: property.clone(), dimension: *dimension, vector })
        }
        Score::Rrf { .. } => Err(Error::damaged("a fusion is not a score of one property")),
    }
}

/// The `k` of a fusion.
pub(super) fn fusion_constant(context: &Context<'_>, k: &Expr) -> Result<f64> {
    match whole_number(context, k, "`k` of `rrf`")? {
        Some(k) if k > 0 => Ok(k as f64),
        Some(_) => Err(Error::request("`k` of `rrf` must be greater than 0")),
        None => Ok(USUAL_K),
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
