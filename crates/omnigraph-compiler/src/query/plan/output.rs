//! What happens to the rows of a pattern: scores, groups, order, limits, columns.

use super::conjuncts;
use super::op::Op;
use crate::query::typed::{Aggregate, Column, Expr, ExprKind, Read, Score, SortKey};
use crate::query::vars::{children, children_mut};
use crate::types::{Scalar, Type};

/// What becomes of the rows of a pattern, in the order of the fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Adds scores.
    pub scores: Option<ScoreOp>,
    /// Makes one row of each group.
    pub groups: Option<AggregateOp>,
    /// Orders.
    pub sort: Option<Sort>,
    /// Cuts.
    pub limit: Option<Limit>,
    /// What only columns need of the rows that are left, computed for those alone.
    pub late: Vec<Op>,
    /// The columns of the result, with names and types.
    pub columns: Vec<Column>,
}

/// Where the rows come from that a score is computed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Candidates {
    /// All nodes of a type: an index can give the best ones.
    All,
    /// The nodes of a type that pass filters: an index can give the best ones among them.
    Filtered,
    /// What a pattern leaves, mostly few: they are scored one by one.
    Pattern,
}

/// Computes scores; their numbers are their places here. A text without any of the words and a node without a vector
/// have the score null.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreOp {
    /// In order of first use.
    pub scores: Vec<Score>,
    /// Which rows get one.
    pub candidates: Candidates,
    /// Conditions on scores; the rows that pass all of them are kept.
    pub filters: Vec<Expr>,
}

/// Groups rows. Slots number the keys first, then the aggregates. Without keys there is one group, even of no rows. Without
/// aggregates it is what makes rows distinct.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateOp {
    /// What rows of a group have in common.
    pub keys: Vec<Expr>,
    /// What is computed for each group.
    pub aggregates: Vec<AggregateCall>,
}

/// An aggregate.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateCall {
    /// What is computed.
    pub function: Aggregate,
    /// Whether equal values count once.
    pub distinct: bool,
    /// Of what; nulls are left out.
    pub arg: Expr,
}

/// Orders rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Sort {
    /// In order of weight.
    pub keys: Vec<SortKey>,
    /// What the `limit` behind it keeps, so that only the top need be kept.
    pub top: Option<Limit>,
}

/// Leaves rows out at the start and cuts after the last one wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limit {
    /// Rows to leave out.
    pub skip: Option<Expr>,
    /// Rows to keep at most.
    pub limit: Option<Expr>,
}

/// What is done with the rows of a pattern, before it is known which operators find them.
pub(super) struct Draft {
    /// Conditions on scores.
    late: Vec<Expr>,
    columns: Vec<Column>,
    order: Vec<SortKey>,
}

impl Draft {
    pub(super) fn new(read: &Read) -> Draft {
        let late = conjuncts(&read.pattern.filters).into_iter().filter(has_score).collect();
        Draft { late, columns: read.columns.clone(), order: read.order.clone() }
    }

    pub(super) fn exprs(&mut self) -> impl Iterator<Item = &mut Expr> {
        let order = self.order.iter_mut().map(|key| &mut key.expr);
        self.late.iter_mut().chain(order).chain(self.columns.iter_mut().map(|column| &mut column.expr))
    }
}

/// What is done with the rows of a pattern that is planned as these operators.
pub(super) fn plan(read: &Read, mut draft: Draft, pattern: &mut Vec<Op>) -> Output {
    let mut scores = Vec::new();
    draft.exprs().for_each(|expr| take_scores(expr, &mut scores));
    let Draft { late, mut columns, mut order } = draft;
    let ranked = order.iter().filter(|key| matches!(key.expr.kind, ExprKind::ScoreSlot(_)));
    let filters: Vec<Expr> = late.into_iter().chain(ranked.map(|key| is_scored(&key.expr))).collect();
    let is_cut = read.limit.is_some() && !read.aggregates && !read.distinct;
    let before = filters.iter().chain(order.iter().map(|key| &key.expr)).collect::<Vec<&Expr>>();
    let late = if is_cut { take_late(pattern, &before) } else { Vec::new() };
    let scores = (!scores.is_empty()).then(|| ScoreOp { scores, candidates: candidates(pattern), filters });
    let groups = (read.aggregates || read.distinct).then(|| group(&mut columns, &mut order));
    let limit = Limit { skip: read.skip.clone(), limit: read.limit.clone() };
    let top = limit.limit.is_some().then(|| limit.clone());
    let sort = (!order.is_empty()).then_some(Sort { keys: order, top });
    let limit = Some(limit).filter(|limit| *limit != Limit::default());
    Output { scores, groups, sort, limit, late, columns }
}

/// Takes the blocks from the end of a pattern whose values nothing looks at before rows are cut.
fn take_late(pattern: &mut Vec<Op>, before: &[&Expr]) -> Vec<Op> {
    let value = |op: &Op| match op {
        Op::Fold(fold) => Some(ExprKind::Folded(fold.value)),
        Op::Mark(mark) => Some(ExprKind::Flag(mark.flag)),
        _ => None,
    };
    let start = pattern.iter().rposition(|op| value(op).is_none()).map_or(0, |last| last + 1);
    let blocks = pattern.split_off(start);
    let is_late = |op: &Op| value(op).is_some_and(|value| !before.iter().any(|expr| looks_at(expr, &value)));
    let (late, early) = blocks.into_iter().partition(is_late);
    pattern.extend::<Vec<Op>>(early);
    late
}

fn looks_at(expr: &Expr, value: &ExprKind) -> bool {
    expr.kind == *value || children(expr).into_iter().any(|child| looks_at(child, value))
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
