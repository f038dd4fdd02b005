//! What happens to the rows of a pattern: scores, groups, order, limits, columns.

use super::conjuncts;
use super::op::{AggregateCall, AggregateOp, Candidates, Limit, Op, ScoreOp, Sort};
use crate::query::typed::{Column, Expr, ExprKind, Read, Score, SortKey};
use crate::query::vars::{children, children_mut};
use crate::types::{Scalar, Type};

/// Adds the operators behind the pattern.
pub(super) fn plan(read: &Read, ops: &mut Vec<Op>) {
    let mut late: Vec<Expr> = conjuncts(&read.pattern.filters).into_iter().filter(has_score).collect();
    let mut columns = read.columns.clone();
    let mut order = read.order.clone();
    let mut scores = Vec::new();
    let exprs = late.iter_mut().chain(order.iter_mut().map(|key| &mut key.expr));
    for expr in exprs.chain(columns.iter_mut().map(|column| &mut column.expr)) {
        take_scores(expr, &mut scores);
    }
    if !scores.is_empty() {
        let candidates = candidates(ops);
        ops.push(Op::Score(ScoreOp { scores, candidates }));
    }
    ops.extend(late.into_iter().map(Op::Filter));
    let ranked = order.iter().filter(|key| matches!(key.expr.kind, ExprKind::ScoreSlot(_)));
    ops.extend(ranked.map(|key| Op::Filter(is_scored(&key.expr))));
    if read.aggregates {
        ops.push(Op::Aggregate(group(&mut columns, &mut order)));
    }
    let limit = Limit { skip: read.skip.clone(), limit: read.limit.clone() };
    if !order.is_empty() {
        let top = limit.limit.is_some().then(|| limit.clone());
        ops.push(Op::Sort(Sort { keys: order, top }));
    }
    if limit != Limit::default() {
        ops.push(Op::Limit(limit));
    }
    ops.push(Op::Project(columns));
}

/// Whether a score is computed somewhere in the expression.
pub(super) fn has_score(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Score(_)) || children(expr).into_iter().any(has_score)
}

/// Replaces scores by their numbers; equal ones share a number.
fn take_scores(expr: &mut Expr, scores: &mut Vec<Score>) {
    if let ExprKind::Score(score) = &expr.kind {
        let at = scores.iter().position(|known| known == &**score).unwrap_or(scores.len());
        if at == scores.len() {
            scores.push((**score).clone());
        }
        expr.kind = ExprKind::ScoreSlot(at);
        return;
    }
    for child in children_mut(expr) {
        take_scores(child, scores);
    }
}

/// A ranking holds what has a rank: without a match there is no score to order by.
fn is_scored(score: &Expr) -> Expr {
    let kind = ExprKind::IsNull { arg: Box::new(score.clone()), negated: true };
    Expr { kind, ty: Type::scalar(Scalar::Bool) }
}

fn candidates(ops: &[Op]) -> Candidates {
    match ops {
        [Op::Scan(scan)] if scan.filters.is_empty() && scan.search.is_empty() => Candidates::All,
        [Op::Scan(_)] => Candidates::Filtered,
        _ => Candidates::Pattern,
    }
}

/// Collects keys and aggregates; columns and order then name them by number.
fn group(columns: &mut [Column], order: &mut [SortKey]) -> AggregateOp {
    let mut keys: Vec<Expr> = Vec::new();
    for column in columns.iter() {
        if !matches!(column.expr.kind, ExprKind::Aggregate { .. }) && !keys.contains(&column.expr) {
            keys.push(column.expr.clone());
        }
    }
    let mut aggregates: Vec<AggregateCall> = Vec::new();
    let exprs = columns.iter_mut().map(|column| &mut column.expr);
    for expr in exprs.chain(order.iter_mut().map(|key| &mut key.expr)) {
        let slot = match &expr.kind {
            ExprKind::Aggregate { function, distinct, arg } => {
                let call = AggregateCall { function: *function, distinct: *distinct, arg: (**arg).clone() };
                let at = aggregates.iter().position(|known| *known == call).unwrap_or(aggregates.len());
                if at == aggregates.len() {
                    aggregates.push(call);
                }
                keys.len() + at
            }
            _ => match keys.iter().position(|key| key == expr) {
                Some(at) => at,
                None => continue, // the checker lets nothing else through
            },
        };
        expr.kind = ExprKind::Slot(slot);
    }
    AggregateOp { keys, aggregates }
}
