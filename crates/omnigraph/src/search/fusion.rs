//! Reciprocal rank fusion (RRF): each ranking gives `1 / (k + rank)` to what it has, down to a depth.

use super::score::{Query, Ranking};
use crate::error::Result;
use crate::rows::RowRef;
use crate::view::View;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Places of a ranking that count at least. What is further down in one ranking and nowhere in the others is not a find;
/// with less, a search for few rows would miss what is good in both without being among the very best of either.
const DEPTH: usize = 100;

/// The nodes of rows with their scores by one ranking.
pub(crate) struct Ranked {
    /// Type and number of the node of each row.
    pub(crate) nodes: Vec<(u16, u32)>,
    /// Not a number where there is none.
    pub(crate) scores: Vec<f64>,
    /// Distances rather than scores.
    pub(crate) less_is_better: bool,
}

/// Fused scores of so many rows; not a number where no ranking has the node. Ranks are those among the nodes of the rows.
pub(crate) fn fused(view: &View, rankings: &[Ranked], rows: usize, k: f64, wanted: usize) -> Vec<f64> {
    let mut sums = vec![f64::NAN; rows];
    for ranking in rankings {
        let ranks = ranks(view, ranking);
        for (node, sum) in ranking.nodes.iter().zip(&mut sums) {
            if let Some(rank) = ranks.get(node).filter(|rank| **rank <= depth(wanted)) {
                let gain = gain(k, *rank);
                *sum = if sum.is_nan() { gain } else { *sum + gain };
            }
        }
    }
    sums
}

/// The rank of every node that has a score, from 1; ties by id.
fn ranks(view: &View, ranking: &Ranked) -> HashMap<(u16, u32), usize> {
    let scored = ranking.nodes.iter().copied().zip(ranking.scores.iter().copied());
    let best: HashMap<(u16, u32), f64> = scored.filter(|(_, score)| !score.is_nan()).collect();
    let mut order: Vec<((u16, u32), f64)> = best.into_iter().collect();
    order.sort_unstable_by(|left, right| {
        let by_score =
            if ranking.less_is_better { left.1.total_cmp(&right.1) } else { right.1.total_cmp(&left.1) };
        by_score.then_with(|| by_id(view, left.0, right.0))
    });
    order.into_iter().enumerate().map(|(at, (node, _))| (node, at + 1)).collect()
}

fn by_id(view: &View, left: (u16, u32), right: (u16, u32)) -> Ordering {
    if left.0 != right.0 {
        return left.0.cmp(&right.0);
    }
    let known = view.node(left.0).ids.read();
    known.id(left.1).cmp(known.id(right.1))
}

/// The best of a whole table by fused rank.
pub(crate) fn best_fused(
    view: &View,
    kind: u16,
    queries: &[Query],
    k: f64,
    limit: usize,
) -> Result<Vec<(u32, f64)>> {
    let Some(ranking) = Ranking::new(view, kind)? else { return Ok(Vec::new()) };
    let mut sums: HashMap<RowRef, f64> = HashMap::new();
    for query in queries {
        for (at, (row, _)) in ranking.best(view, query, depth(limit))?.into_iter().enumerate() {
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

/// What a rank adds to the fused score.
fn gain(k: f64, rank: usize) -> f64 {
    1.0 / (k + rank as f64)
}
