//! The best nodes of a whole table: an index gives them at once.

use super::bounds;
use super::eval::Context;
use super::profile::Profile;
use super::rows::{Kinds, NodeColumn, Rows};
use super::score::{fusion_constant, query};
use crate::error::Result;
use crate::search;
use omnigraph_compiler::query::plan::ReadPlan;
use omnigraph_compiler::query::plan::op::{Op, Scan};
use omnigraph_compiler::query::plan::output::{Candidates, ScoreOp, Sort};
use omnigraph_compiler::query::typed::{Direction, ExprKind, Score};

/// The rows that the sort behind the scores would keep, with their scores; `None` when the plan is not such a ranking.
pub(super) fn ranked(
    context: &Context<'_>,
    plan: &ReadPlan,
    op: &ScoreOp,
    profile: &mut Profile,
) -> Result<Option<Rows>> {
    let Some((scan, score, sort)) = shape(plan, op) else { return Ok(None) };
    let Some(top) = &sort.top else { return Ok(None) };
    let (skip, count) = bounds(context, top)?;
    let limit = skip.saturating_add(count);
    let kind = context.view.node_place(&scan.types[0])?;
    let best = profile.time(plan.pattern.len(), |_| match score {
        Score::Rrf { ranks, k } => {
            let k = fusion_constant(context, k)?;
            let queries = ranks.iter().map(|score| query(context, score)).collect::<Result<Vec<_>>>()?;
            search::best_fused(context.view, kind, &queries, k, limit)
        }
        score => search::best(context.view, kind, &query(context, score)?, limit),
    })?;
    let (numbers, scores): (Vec<u32>, Vec<f64>) = best.into_iter().unzip();
    let column = NodeColumn { kinds: Kinds::One(kind), numbers };
    let nodes = vec![(scan.var.clone(), column)];
    Ok(Some(Rows { len: scores.len(), nodes, scores: vec![scores], ..Rows::default() }))
}

/// A scan of one type without conditions, one score, and an order by that score, best first.
fn shape<'p>(plan: &'p ReadPlan, op: &'p ScoreOp) -> Option<(&'p Scan, &'p Score, &'p Sort)> {
    let ReadPlan { pattern, output, .. } = plan;
    let ([Op::Scan(scan)], [score], [filter]) = (&pattern[..], &op.scores[..], &op.filters[..]) else {
        return None;
    };
    let sort = output.sort.as_ref().filter(|_| output.groups.is_none() && is_scored(&filter.kind))?;
    let [key] = sort.keys.as_slice() else { return None };
    let best_first = if score.is_distance() { Direction::Asc } else { Direction::Desc };
    let fits = scan.types.len() == 1
        && op.candidates == Candidates::All
        && key.expr.kind == ExprKind::ScoreSlot(0)
        && key.direction == best_first;
    fits.then_some((scan, score, sort))
}

fn is_scored(condition: &ExprKind) -> bool {
    matches!(condition, ExprKind::IsNull { arg, negated: true } if arg.kind == ExprKind::ScoreSlot(0))
}
