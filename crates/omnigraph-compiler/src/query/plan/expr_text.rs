//! Checked expressions in words, for `explain`.

use crate::language::Language;
use crate::literal::comma;
use crate::query::typed::{Aggregate, Expr, ExprKind, Marked, Score, TextMatch, TextMode};
use std::collections::BTreeSet;
use std::fmt;

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dotted =
            |var: &str, name: &str| if var.is_empty() { name.to_owned() } else { format!("${var}.{name}") };
        match &self.kind {
            ExprKind::Literal(literal) => write!(f, "{literal}"),
            ExprKind::List(items) => write!(f, "[{}]", comma(items)),
            ExprKind::Param(name) => write!(f, "${name}"),
            ExprKind::Now => f.write_str("now()"),
            ExprKind::Property { var, property } => f.write_str(&dotted(var, property)),
            ExprKind::Id { var } => f.write_str(&dotted(var, "id")),
            ExprKind::TypeOf { var } => f.write_str(&dotted(var, "@type")),
            ExprKind::Src { var } => f.write_str(&dotted(var, "from")),
            ExprKind::Dst { var } => f.write_str(&dotted(var, "to")),
            ExprKind::PathNodes { var } => write!(f, "nodes(${var})"),
            ExprKind::PathEdges { var } => write!(f, "edges(${var})"),
            ExprKind::PathHops { var } => write!(f, "hops(${var})"),
            ExprKind::HasType { var, types } => write!(f, "${var} is {}", types.join(" or ")),
            ExprKind::Since { var, change, since } => write!(f, "${var} {} since {since}", change.as_str()),
            ExprKind::Arith { op, left, right } => {
                write!(f, "{} {} {}", grouped(left), op.as_str(), grouped(right))
            }
            ExprKind::Case { upper, arg } => write!(f, "{}({arg})", if *upper { "upper" } else { "lower" }),
            ExprKind::Compare { op, left, right } => write!(f, "{left} {} {right}", op.as_str()),
            ExprKind::In { item, list, negated } => {
                write!(f, "{item} {}in {list}", if *negated { "not " } else { "" })
            }
            ExprKind::IsNull { arg, negated } => {
                write!(f, "{arg} is {}null", if *negated { "not " } else { "" })
            }
            ExprKind::And(parts) => f.write_str(&joined(parts, " and ")),
            ExprKind::Or(parts) => f.write_str(&joined(parts, " or ")),
            ExprKind::Not(inner) => write!(f, "not {}", grouped(inner)),
            ExprKind::Text(text) => write!(f, "{text}"),
            ExprKind::Marked(marked) => write!(f, "{marked}"),
            ExprKind::Score(score) => write!(f, "{score}"),
            ExprKind::ScoreSlot(at) => write!(f, "score#{at}"),
            ExprKind::Exists(_) => f.write_str("exists { … }"),
            ExprKind::Fold { function, distinct, arg, .. } => {
                write!(f, "{} {{ … }}", fold(*function, *distinct, arg.as_deref()))
            }
            ExprKind::Folded(at) => write!(f, "fold#{at}"),
            ExprKind::Flag(at) => write!(f, "flag#{at}"),
            ExprKind::Aggregate { function, distinct, arg } => f.write_str(&call(*function, *distinct, arg)),
            ExprKind::Slot(at) => write!(f, "#{at}"),
        }
    }
}

/// `count(distinct $x.name)`
pub(super) fn call(function: Aggregate, distinct: bool, arg: &Expr) -> String {
    format!("{}({}{arg})", function.as_str(), if distinct { "distinct " } else { "" })
}

/// `count`, `sum($x.size)`
pub(super) fn fold(function: Aggregate, distinct: bool, arg: Option<&Expr>) -> String {
    arg.map_or_else(|| function.as_str().to_owned(), |arg| call(function, distinct, arg))
}

fn joined(parts: &[Expr], word: &str) -> String {
    parts.iter().map(grouped).collect::<Vec<_>>().join(word)
}

/// In parentheses when it is a list of conditions or computed itself.
pub(super) fn grouped(expr: &Expr) -> String {
    match expr.kind {
        ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Arith { .. } => format!("({expr})"),
        _ => expr.to_string(),
    }
}

impl fmt::Display for TextMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (var, property, query) = (&self.var, &self.property, &self.query);
        match &self.mode {
            TextMode::Words => write!(f, "search(${var}.{property}, {query})"),
            TextMode::Fuzzy(None) => write!(f, "fuzzy(${var}.{property}, {query})"),
            TextMode::Fuzzy(Some(edits)) => write!(f, "fuzzy(${var}.{property}, {query}, {edits})"),
            TextMode::Phrase => write!(f, "match_text(${var}.{property}, {query})"),
            TextMode::Prefix => write!(f, "prefix(${var}.{property}, {query})"),
        }?;
        let languages: BTreeSet<Language> = self.languages.iter().map(|(_, language)| *language).collect();
        if languages.is_empty() { Ok(()) } else { write!(f, " in {}", comma(&languages)) }
    }
}

impl fmt::Display for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}", if self.most.is_some() { "snippet" } else { "highlight" }, self.what)?;
        self.most.iter().try_for_each(|most| write!(f, ", {most}"))?;
        self.marks.iter().try_for_each(|(before, behind)| write!(f, ", {before}, {behind}"))?;
        f.write_str(")")
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Bm25 { var, property, query } => write!(f, "bm25(${var}.{property}, {query})"),
            Score::Nearest { var, property, query, .. } => write!(f, "nearest(${var}.{property}, {query})"),
            Score::Rrf { ranks, k } => write!(f, "rrf({}, {k})", comma(ranks)),
        }
    }
}
