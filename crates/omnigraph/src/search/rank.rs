//! Reciprocal rank fusion: each ranking gives `1 / (k + place)` to what it has, down to a depth.

use super::score::{Ranking, scores};
use crate::error::{Error, Result};
use crate::exec::{Context, NodeColumn, Rows, whole_number};
use crate::rows::RowRef;
use omnigraph_compiler::query::typed::{Expr, Score};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Places of a ranking that count at least. What is further down in one ranking and nowhere in the others is not a find;
/// with less, a search for few rows would miss what is good in both without being among the very best of either.
const DEPTH: usize = 100;

/// Fused scores of rows; not a number where no ranking has the node. Ranks are those among the nodes of the rows.
pub(crate) fn fused(
    context: &Context<'_>,
    ranks: &[Score],
    k: &Expr,
    rows: &Rows,
    wanted: usize,
) -> Result<Vec<f64>> {
    let k = constant_k(context, k)?;
    let mut sums = vec![f64::NAN; rows.len];
    for score in ranks {
        let var = score.vars().first().copied().unwrap_or_default().to_owned();
        let column = rows.node(&var)?;
        let values = scores(context, score, column)?;
        let places = ranked(context, column, &values, score.is_distance());
        for (row, sum) in sums.iter_mut().enumerate() {
            let place = places.get(&(column.kinds.at(row), column.numbers[row]));
            if let Some(place) = place.filter(|place| **place <= depth(wanted)) {
                let gain = gain(k, *place);
                *sum = if sum.is_nan() { gain } else { *sum + gain };
            }
        }
    }
    Ok(sums)
}

fn constant_k(context: &Context<'_>, k: &Expr) -> Result<f64> {
    match whole_number(context, k, "`k` of `rrf`")? {
        Some(k) if k > 0 => Ok(k as f64),
        Some(_) => Err(Error::request("`k` of `rrf` must be greater than 0")),
        None => Ok(60.0),
    }
}

/// The place of every node that has a score, from 1; ties by id.
fn ranked(
    context: &Context<'_>,
    column: &NodeColumn,
    values: &[f64],
    less_is_better: bool,
) -> HashMap<(u16, u32), usize> {
    let mut best: HashMap<(u16, u32), f64> = HashMap::new();
    for (row, value) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
        best.insert((column.kinds.at(row), column.numbers[row]), *value);
    }
    let mut order: Vec<((u16, u32), f64)> = best.into_iter().collect();
    order.sort_unstable_by(|left, right| {
        let by_value = if less_is_better { left.1.total_cmp(&right.1) } else { right.1.total_cmp(&left.1) };
        by_value.then_with(|| by_id(context, left.0, right.0))
    });
    order.into_iter().enumerate().map(|(at, (node, _))| (node, at + 1)).collect()
}

fn by_id(context: &Context<'_>, left: (u16, u32), right: (u16, u32)) -> Ordering {
    if left.0 != right.0 {
        return left.0.cmp(&right.0);
    }
    let known = context.view.node(left.0).ids.read();
    known.id(left.1).cmp(known.id(right.1))
}

/// The best of a whole table by fused rank.
pub(crate) fn best_fused(
    context: &Context<'_>,
    kind: u16,
    ranks: &[Score],
    k: &Expr,
    limit: usize,
) -> Result<Vec<(u32, f64)>> {
    let k = constant_k(context, k)?;
    let Some(ranking) = Ranking::new(context, kind)? else { return Ok(Vec::new()) };
    let mut sums: HashMap<RowRef, f64> = HashMap::new();
    for score in ranks {
        for (at, (row, _)) in ranking.best(context, score, depth(limit))?.into_iter().enumerate() {
            *sums.entry(row).or_default() += gain(k, at + 1);
        }
    }
    let mut fused: Vec<(RowRef, f64)> = sums.into_iter().collect();
    fused.sort_unstable_by(|left, right| {
        right.1.total_cmp(&left.1).then_with(|| ranking.tie(left.0, right.0))
    });
    fused.truncate(limit);
    Ok(fused.into_iter().map(|(row, score)| (ranking.number(row), score)).collect())
}

/// How many places of a ranking count when so many rows are wanted.
fn depth(wanted: usize) -> usize {
    wanted.max(DEPTH)
}

/// What a place in a ranking gives.
fn gain(k: f64, place: usize) -> f64 {
    1.0 / (k + place as f64)
}
