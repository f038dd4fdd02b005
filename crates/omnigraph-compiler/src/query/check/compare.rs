//! Comparisons and membership.

use super::Checker;
use super::expr::{Operand, boolean};
use super::scope::Scope;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fit::rewrite_hint;
use crate::literal::Literal;
use crate::query::ast::{self, CompareOp};
use crate::query::typed::{Expr, ExprKind};
use crate::source::Span;
use crate::types::{Scalar, Type};

impl Checker<'_> {
    pub(super) fn compare(
        &mut self,
        op: CompareOp,
        left: &ast::Expr,
        right: &ast::Expr,
        scope: &Scope,
    ) -> Option<Expr> {
        let span = left.span.to(right.span);
        let (l, r) = (self.operand(left, scope), self.operand(right, scope));
        match (l?, r?) {
            (Operand::Value(l), Operand::Value(r)) => self.compare_values(op, l, r, span),
            (Operand::Entity(l), Operand::Entity(r)) if matches!(op, CompareOp::Eq | CompareOp::Ne) => {
                Some(comparison(op, l, r))
            }
            _ => {
                let message = "comparisons need values on both sides";
                let hint = "name a property; nodes can only be compared with nodes, by `=` and `!=`";
                self.error_with_hint(Code::T7, span, message, hint)
            }
        }
    }

    pub(super) fn compare_values(
        &mut self,
        op: CompareOp,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Option<Expr> {
        if is_null(&left) || is_null(&right) {
            let hint = if op == CompareOp::Ne { "write `is not null`" } else { "write `is null`" };
            return self.error_with_hint(Code::T7, span, "a comparison with null is never true", hint);
        }
        match op {
            CompareOp::Contains => self.contains(&left, &right, span)?,
            CompareOp::StartsWith | CompareOp::EndsWith => {
                if !left.ty.is_text() || !right.ty.is_text() {
                    let message =
                        format!("{} needs two texts, not {} and {}", op.as_str(), left.ty, right.ty);
                    return self.error(Code::T7, span, message);
                }
            }
            _ => {
                self.plain(&left.ty, span)?;
                self.comparable(&right, &left.ty, span)?;
            }
        }
        Some(comparison(op, left, right))
    }

    fn contains(&mut self, left: &Expr, right: &Expr, span: Span) -> Option<()> {
        if left.ty.list {
            return self.comparable(right, &left.ty.element(), span);
        }
        if left.ty.is_text() && right.ty.is_text() {
            return Some(());
        }
        let message = format!("contains needs a list or two texts, not {} and {}", left.ty, right.ty);
        self.error(Code::T7, span, message)
    }

    pub(super) fn membership(
        &mut self,
        item: &ast::Expr,
        list: &ast::Expr,
        negated: bool,
        scope: &Scope,
    ) -> Option<Expr> {
        let span = item.span.to(list.span);
        let item = self.scalar(item, scope)?;
        let list = self.scalar(list, scope)?;
        self.membership_of(item, list, negated, span)
    }

    pub(super) fn membership_of(
        &mut self,
        item: Expr,
        list: Expr,
        negated: bool,
        span: Span,
    ) -> Option<Expr> {
        if !list.ty.list {
            let message = format!("`in` needs a list on its right, not {}", list.ty);
            return self.error(Code::T7, span, message);
        }
        let is_empty = matches!(&list.kind, ExprKind::List(items) if items.is_empty());
        if !is_empty {
            self.comparable(&item, &list.ty.element(), span)?;
        }
        Some(boolean(ExprKind::In { item: Box::new(item), list: Box::new(list), negated }))
    }

    /// A value that can be compared with one of the type.
    pub(super) fn comparable(&mut self, value: &Expr, other: &Type, span: Span) -> Option<()> {
        self.plain(&value.ty, span)?;
        if value.ty.fits(other) {
            return Some(());
        }
        let hint = match &value.kind {
            ExprKind::Literal(literal) => rewrite_hint(literal, other),
            _ => None,
        };
        let message = format!("cannot compare {other} with {}", value.ty);
        self.report(Diagnostic::error(Code::T7, span, message).maybe_hint(hint));
        None
    }

    /// No list, vector or blob.
    fn plain(&mut self, ty: &Type, span: Span) -> Option<()> {
        if ty.list {
            let hint = "use `contains` or `in` to ask for a member";
            return self.error_with_hint(Code::T7, span, "lists cannot be compared", hint);
        }
        match ty.scalar {
            Scalar::Vector(_) => {
                let hint = "use nearest to find similar ones";
                self.error_with_hint(Code::T7, span, "vectors cannot be compared", hint)
            }
            Scalar::Blob => self.error(Code::T7, span, "blobs cannot be compared"),
            _ => Some(()),
        }
    }
}

fn comparison(op: CompareOp, left: Expr, right: Expr) -> Expr {
    boolean(ExprKind::Compare { op, left: Box::new(left), right: Box::new(right) })
}

pub(super) fn is_null(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(Literal::Null))
}
