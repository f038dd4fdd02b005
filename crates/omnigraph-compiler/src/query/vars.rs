//! Which variables a checked expression or pattern mentions.

use super::typed::{Expr, ExprKind, Pattern, Score, TextMatch, TextMode};
use std::collections::BTreeSet;

/// All variables that an expression looks at, those inside of blocks included.
pub(super) fn of_expr(expr: &Expr) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    expr_vars(expr, &mut found);
    found
}

/// All variables of a pattern: bound by it or not.
pub(super) fn of_pattern(pattern: &Pattern) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    pattern_vars(pattern, &mut found);
    found
}

fn pattern_vars(pattern: &Pattern, found: &mut BTreeSet<String>) {
    found.extend(pattern.nodes.iter().map(|node| node.name.clone()));
    found.extend(pattern.outer.iter().cloned());
    for edge in &pattern.edges {
        found.extend([edge.src.clone(), edge.dst.clone()]);
        found.extend(edge.var.clone());
    }
    pattern.filters.iter().for_each(|filter| expr_vars(filter, found));
    pattern.blocks.iter().for_each(|(_, block)| pattern_vars(block, found));
}

fn expr_vars(expr: &Expr, found: &mut BTreeSet<String>) {
    match &expr.kind {
        ExprKind::Property { var, .. }
        | ExprKind::Id { var }
        | ExprKind::TypeOf { var }
        | ExprKind::HasType { var, .. }
        | ExprKind::Since { var, .. }
        | ExprKind::Src { var }
        | ExprKind::Dst { var }
        | ExprKind::PathNodes { var }
        | ExprKind::PathEdges { var }
        | ExprKind::PathHops { var } => {
            found.insert(var.clone());
        }
        ExprKind::Text(text) => {
            found.insert(text.var.clone());
        }
        ExprKind::Score(score) => found.extend(score.vars().into_iter().map(str::to_owned)),
        ExprKind::Exists(pattern) | ExprKind::Fold { pattern, .. } => {
            found.extend(pattern.outer.iter().cloned());
        }
        _ => children(expr).into_iter().for_each(|child| expr_vars(child, found)),
    }
}

/// The expressions directly inside of an expression; the queries of searches too, patterns not.
pub(super) fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::List(items) | ExprKind::And(items) | ExprKind::Or(items) => items.iter().collect(),
        ExprKind::Compare { left, right, .. } | ExprKind::Arith { left, right, .. } => vec![left, right],
        ExprKind::In { item, list, .. } => vec![item, list],
        ExprKind::IsNull { arg, .. }
        | ExprKind::Aggregate { arg, .. }
        | ExprKind::Case { arg, .. }
        | ExprKind::Not(arg) => vec![arg],
        ExprKind::Since { since, .. } => vec![since],
        ExprKind::Text(text) => match_children(text),
        ExprKind::Marked(marked) => {
            let marks = marked.marks.iter().flat_map(|(before, behind)| [before, behind]);
            let mut all = match_children(&marked.what);
            all.extend([&marked.text].into_iter().chain(&marked.most).chain(marks));
            all
        }
        ExprKind::Score(score) => score_children(score),
        _ => Vec::new(),
    }
}

fn match_children(text: &TextMatch) -> Vec<&Expr> {
    match &text.mode {
        TextMode::Fuzzy(Some(edits)) => vec![&text.query, edits],
        _ => vec![&text.query],
    }
}

fn score_children(score: &Score) -> Vec<&Expr> {
    match score {
        Score::Bm25 { query, .. } | Score::Nearest { query, .. } => vec![query],
        Score::Rrf { ranks, k } => ranks.iter().flat_map(score_children).chain([k]).collect(),
    }
}

/// The same for changing them.
pub(super) fn children_mut(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        ExprKind::List(items) | ExprKind::And(items) | ExprKind::Or(items) => items.iter_mut().collect(),
        ExprKind::Compare { left, right, .. } | ExprKind::Arith { left, right, .. } => vec![left, right],
        ExprKind::In { item, list, .. } => vec![item, list],
        ExprKind::IsNull { arg, .. }
        | ExprKind::Aggregate { arg, .. }
        | ExprKind::Case { arg, .. }
        | ExprKind::Not(arg) => vec![arg],
        ExprKind::Marked(marked) => vec![&mut marked.text],
        _ => Vec::new(),
    }
}
