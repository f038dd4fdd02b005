//! The parameters of a query, and counts of rows.

use super::Checker;
use super::value::Place;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::literal::Literal;
use crate::query::ast;
use crate::query::typed::{Expr, ExprKind, Param};
use crate::types::{Scalar, Type};

/// The name that the time of the query is passed under.
const NOW: &str = "__nanograph_now";

impl Checker<'_> {
    pub(super) fn declare(&mut self, params: &[ast::Param]) {
        for (at, param) in params.iter().enumerate() {
            let name = &param.name;
            if let Some(first) = params[..at].iter().find(|first| first.name.text == name.text) {
                let found = Diagnostic::error(
                    Code::T22,
                    name.span,
                    format!("the parameter `${name}` is declared twice"),
                );
                self.report(found.also(first.name.span, "first here"));
                continue;
            }
            if name.text == NOW || name.text == "_" {
                self.report(Diagnostic::error(
                    Code::T22,
                    name.span,
                    format!("the parameter name `${name}` is reserved"),
                ));
            }
            if matches!(param.ty.scalar, Scalar::Vector(0)) {
                self.report(Diagnostic::error(Code::T22, name.span, "a Vector has at least one dimension"));
            }
            let default = param.default.as_ref().and_then(|value| {
                let is_constant = matches!(value.kind, ast::ExprKind::Literal(_) | ast::ExprKind::List(_));
                if !is_constant {
                    return self.error(
                        Code::T22,
                        value.span,
                        format!("the default of `${name}` must be a literal"),
                    );
                }
                self.fitting(value, &param.ty, &Place::default_of(&name.text))
            });
            self.params.push(Param { name: name.text.clone(), ty: param.ty.clone(), default });
        }
    }

    /// `skip` and `limit`: a whole number or a required parameter for one.
    pub(super) fn count(&mut self, count: &ast::Expr, word: &str) -> Option<Expr> {
        match &count.kind {
            ast::ExprKind::Literal(value @ Literal::Int(_)) => {
                Some(Expr { kind: ExprKind::Literal(value.clone()), ty: Type::scalar(Scalar::I64) })
            }
            ast::ExprKind::Var(name) => {
                let Some(param) = self.param(name) else {
                    let message = format!("`${name}` is not a parameter of the query");
                    return self.error(Code::T22, count.span, message);
                };
                let ty = param.ty.clone();
                if ty.list || ty.nullable || !ty.scalar.is_integer() {
                    let message = format!("{word} needs a whole number; `${name}` is {ty}");
                    return self.error(Code::T22, count.span, message);
                }
                Some(Expr { kind: ExprKind::Param(name.clone()), ty })
            }
            _ => self.error(Code::T22, count.span, format!("{word} needs a whole number or a parameter")),
        }
    }
}
