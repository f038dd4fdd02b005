//! Reciprocal rank fusion.

use super::score::{Ranking, scores};
use crate::error::{Error, Result};
use crate::exec::{Context, NodeColumn, Rows, whole_number};
use crate::rows::RowRef;
use omnigraph_compiler::query::typed::{Expr, Score};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Fused scores of rows; not a number where no ranking has the node. Ranks are those among the nodes of the rows.
pub(crate) fn fused(context: &Context<'_>, ranks: &[Score], k: &Expr, rows: &Rows) -> Result<Vec<f64>> {
    let k = constant_k(context, k)?;
    let mut sums = vec![f64::NAN; rows.len];
    for score in ranks {
        let var = score.vars().first().copied().unwrap_or_default().to_owned();
        let column = rows.node(&var)?;
        let values = scores(context, score, column)?;
        let places = ranked(context, column, &values, score.is_distance());
        for (row, sum) in sums.iter_mut().enumerate() {
            if let Some(place) = places.get(&(column.kinds.at(row), column.numbers[row])) {
                let gain = 1.0 / (k + *place as f64);
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

/// The best of a whole table by fused rank. Exact: `limit` nodes of any ranking have at least `1 / (k + limit)`, so a node
/// that is behind place `n * (k + limit) - k` in all `n` rankings gives less. Of the nodes before that, the places in all
/// rankings are counted.
pub(crate) fn best_fused(
    context: &Context<'_>,
    kind: u16,
    ranks: &[Score],
    k: &Expr,
    limit: usize,
) -> Result<Vec<(u32, f64)>> {
    let k = constant_k(context, k)?;
    let count = ranks.len();
    let depth = count.saturating_mul(limit.saturating_add(k as usize)).saturating_sub(k as usize);
    let Some(ranking) = Ranking::new(context, kind)? else { return Ok(Vec::new()) };
    let mut all: Vec<Vec<(RowRef, f64)>> = Vec::with_capacity(count);
    let mut candidates: Vec<RowRef> = Vec::new();
    for score in ranks {
        // More is better from here on.
        let sign = if score.is_distance() { -1.0 } else { 1.0 };
        let found: Vec<(RowRef, f64)> =
            ranking.all(context, score)?.into_iter().map(|(row, value)| (row, value * sign)).collect();
        candidates.extend(ranking.top(&found, depth).into_iter().map(|(row, _)| row));
        all.push(found);
    }
    candidates.sort_unstable();
    candidates.dedup();
    let mut sums = vec![0.0; candidates.len()];
    for found in &all {
        for (sum, place) in sums.iter_mut().zip(places(&ranking, found, &candidates)) {
            *sum += place.map_or(0.0, |place| 1.0 / (k + place as f64));
        }
    }
    let fused: Vec<(RowRef, f64)> = candidates.into_iter().zip(sums).collect();
    let best = ranking.top(&fused, limit);
    Ok(best.into_iter().map(|(row, score)| (ranking.number(row), score)).collect())
}

/// The places of some rows in a ranking that is not sorted, from 1; `None` for those it does not have.
fn places(ranking: &Ranking, all: &[(RowRef, f64)], wanted: &[RowRef]) -> Vec<Option<usize>> {
    let own = |row: &RowRef| all.binary_search_by_key(row, |(row, _)| *row).ok().map(|at| all[at].1);
    let values: Vec<Option<f64>> = wanted.iter().map(own).collect();
    let mut order: Vec<(f64, usize)> =
        values.iter().enumerate().filter_map(|(at, value)| Some(((*value)?, at))).collect();
    order.sort_unstable_by(|left, right| {
        right.0.total_cmp(&left.0).then_with(|| ranking.tie(wanted[left.1], wanted[right.1]))
    });
    let descending: Vec<f64> = order.iter().map(|(value, _)| *value).collect();
    // How many rows come behind one of ours and up to the next, that one included.
    let mut between = vec![0_usize; order.len() + 1];
    for (row, value) in all {
        let mut at = descending.partition_point(|ours| *ours > *value);
        while at < order.len() && descending[at].total_cmp(value).is_eq() {
            if ranking.tie(wanted[order[at].1], *row) != Ordering::Less {
                break;
            }
            at += 1;
        }
        between[at] += 1;
    }
    let mut found = vec![None; wanted.len()];
    let mut before = 0;
    for (at, (_, ours)) in order.iter().enumerate() {
        before += between[at];
        found[*ours] = Some(before);
    }
    found
}
