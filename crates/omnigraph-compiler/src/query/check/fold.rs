//! `count { … }`, `sum($x.size) { … }`: what is computed over the matches of a pattern inside of an expression.

use super::Checker;
use super::output::has_score;
use super::scope::Scope;
use crate::code::Code;
use crate::query::ast::{self, Aggregate, Clause};
use crate::query::typed::{Expr, ExprKind};
use crate::query::vars;
use crate::source::Span;
use crate::types::{Scalar, Type};

impl Checker<'_> {
    /// `call` is the function, whether equal values count once, and of what.
    pub(super) fn fold(
        &mut self,
        (function, distinct, arg): (Aggregate, bool, Option<&ast::Expr>),
        clauses: &[Clause],
        span: Span,
        outside: &Scope,
    ) -> Option<Expr> {
        let mut inside = outside.clone();
        let mut pattern = self.scoped(clauses, span, function.as_str(), &mut inside)?;
        let mut ty = Type::scalar(Scalar::I64);
        let mut value = None;
        if let Some(arg) = arg {
            let call = self.aggregate(function, distinct, arg, span, &inside)?;
            let ExprKind::Aggregate { arg, .. } = call.kind else { return None };
            if has_score(&arg) {
                let message = format!("scores cannot be used inside of {}", function.as_str());
                return self.error(Code::T9, span, message);
            }
            let used = vars::of_expr(&arg).into_iter();
            let used = used.filter(|name| outside.get(name).is_some() && !pattern.outer.contains(name));
            let used: Vec<String> = used.collect();
            pattern.outer.extend(used);
            ty = call.ty;
            value = Some(arg);
        }
        // A sum of nothing is 0, so that nodes without matches are below every bound.
        let is_total = matches!(function, Aggregate::Count | Aggregate::Sum);
        let ty = if is_total { ty.with_null(false) } else { ty };
        Some(Expr { kind: ExprKind::Fold { function, distinct, arg: value, pattern: Box::new(pattern) }, ty })
    }
}
