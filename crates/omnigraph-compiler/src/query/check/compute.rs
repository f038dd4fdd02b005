//! Values that are computed: numbers of numbers, texts of texts.

use super::Checker;
use super::compare::is_null;
use crate::code::Code;
use crate::query::ast::{ArithOp, Function};
use crate::query::typed::{Expr, ExprKind};
use crate::source::Span;
use crate::types::{Scalar, Type};

impl Checker<'_> {
    /// `a + b` of two numbers or two texts. Whole numbers give whole numbers, but for `/`.
    pub(super) fn arithmetic(&mut self, op: ArithOp, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let is_number = |expr: &Expr| expr.ty.scalar.is_numeric() && !expr.ty.list && !is_null(expr);
        let is_text = |expr: &Expr| expr.ty.is_text() && !is_null(expr);
        let nullable = left.ty.nullable || right.ty.nullable;
        let ty = if is_number(&left) && is_number(&right) {
            let is_whole = left.ty.scalar.is_integer() && right.ty.scalar.is_integer();
            let divides = matches!(op, ArithOp::Div | ArithOp::Rem);
            let scalar = if is_whole && op != ArithOp::Div { Scalar::I64 } else { Scalar::F64 };
            Type::scalar(scalar).with_null(nullable || divides)
        } else if op == ArithOp::Add && is_text(&left) && is_text(&right) {
            Type::scalar(Scalar::String).with_null(nullable)
        } else {
            let needs = if op == ArithOp::Add { "two numbers or two texts" } else { "two numbers" };
            let shown = |expr: &Expr| if is_null(expr) { "null".to_owned() } else { expr.ty.to_string() };
            let message =
                format!("`{}` needs {needs}, not {} and {}", op.as_str(), shown(&left), shown(&right));
            return self.error(Code::T7, span, message);
        };
        Some(Expr { kind: ExprKind::Arith { op, left: Box::new(left), right: Box::new(right) }, ty })
    }

    /// `lower(text)`, `upper(text)`
    pub(super) fn case(&mut self, function: Function, args: Vec<Expr>, span: Span) -> Option<Expr> {
        match <[Expr; 1]>::try_from(args) {
            Ok([arg]) if arg.ty.is_text() && !is_null(&arg) => {
                let ty = Type::scalar(Scalar::String).with_null(arg.ty.nullable);
                let upper = function == Function::Upper;
                Some(Expr { kind: ExprKind::Case { upper, arg: Box::new(arg) }, ty })
            }
            _ => self.error(Code::T7, span, format!("{} needs one text", function.as_str())),
        }
    }
}
