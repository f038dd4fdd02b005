//! Values that go into a property or are compared with one: literals, parameters, `now()`.

use super::Checker;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fit::{misfit, rewrite_hint};
use crate::literal::Literal;
use crate::query::ast;
use crate::query::typed::{Expr, ExprKind};
use crate::source::Span;
use crate::types::{Scalar, Type};
use std::fmt;

/// What a value is for, in words and in codes.
pub(super) struct Place {
    name: String,
    /// Of a literal that does not fit.
    literal: Code,
    /// Of a parameter that does not fit.
    other: Code,
    /// Of a variable that is not a parameter.
    unknown: Code,
}

impl Place {
    pub(super) fn property(name: &str) -> Place {
        Place { name: name.to_owned(), literal: Code::T3, other: Code::T7, unknown: Code::T6 }
    }

    pub(super) fn in_mutation(name: &str) -> Place {
        Place { unknown: Code::T14, ..Place::property(name) }
    }

    pub(super) fn default_of(param: &str) -> Place {
        Place { name: format!("${param}"), literal: Code::T22, other: Code::T22, unknown: Code::T22 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Checker<'_> {
    /// A constant of the expected type.
    pub(super) fn fitting(&mut self, value: &ast::Expr, expected: &Type, place: &Place) -> Option<Expr> {
        match &value.kind {
            ast::ExprKind::Literal(literal) => self.fitting_literal(literal, value.span, expected, place),
            ast::ExprKind::List(items) => self.fitting_list(items, value.span, expected, place),
            ast::ExprKind::Now => {
                if !expected.is(&Scalar::DateTime) {
                    let message = format!("`{place}` is {expected}, and now() is DateTime");
                    return self.error(place.other, value.span, message);
                }
                Some(now())
            }
            ast::ExprKind::Var(name) => {
                let Some(param) = self.param(name) else {
                    let hint = format!("declare it: `${name}: {}`", expected.element());
                    let message = format!("`${name}` is not a parameter of the query");
                    return self.error_with_hint(place.unknown, value.span, message, hint);
                };
                let ty = param.ty.clone();
                let is_blob = expected.is(&Scalar::Blob) && ty.is(&Scalar::String);
                if !ty.fits(expected) && !is_blob {
                    let message = format!("`{place}` is {expected}, and `${name}` is {ty}");
                    return self.error(place.other, value.span, message);
                }
                Some(Expr { kind: ExprKind::Param(name.clone()), ty })
            }
            _ => {
                let hint = "a value is a literal, a parameter or now()";
                self.error_with_hint(place.other, value.span, format!("no value for `{place}`"), hint)
            }
        }
    }

    fn fitting_literal(
        &mut self,
        literal: &Literal,
        span: Span,
        expected: &Type,
        place: &Place,
    ) -> Option<Expr> {
        if let Some(reason) = misfit(literal, expected) {
            let message = format!("{literal} is not a valid value of `{place}`: {reason}");
            let found = Diagnostic::error(place.literal, span, message);
            self.report(found.maybe_hint(rewrite_hint(literal, expected)));
            return None;
        }
        Some(Expr { kind: ExprKind::Literal(literal.clone()), ty: expected.clone() })
    }

    /// A list, or the numbers of a vector.
    fn fitting_list(
        &mut self,
        items: &[ast::Expr],
        span: Span,
        expected: &Type,
        place: &Place,
    ) -> Option<Expr> {
        let element = match (&expected.scalar, expected.list) {
            (Scalar::Vector(dimension), false) => {
                if items.len() != *dimension as usize {
                    let message =
                        format!("`{place}` is {expected}, and the list has {} numbers", items.len());
                    return self.error(place.literal, span, message);
                }
                Type::scalar(Scalar::F32)
            }
            (_, true) => expected.element(),
            _ => {
                let message = format!("`{place}` is {expected}, not a list");
                return self.error(place.literal, span, message);
            }
        };
        let items: Vec<_> = items.iter().map(|item| self.fitting(item, &element, place)).collect();
        let items = items.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Expr { kind: ExprKind::List(items), ty: expected.clone() })
    }
}

pub(super) fn now() -> Expr {
    Expr { kind: ExprKind::Now, ty: Type::scalar(Scalar::DateTime) }
}

/// The type that a literal has by itself.
pub(super) fn literal_type(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::scalar(Scalar::String).with_null(true),
        Literal::Bool(_) => Type::scalar(Scalar::Bool),
        Literal::Int(value) if *value > i128::from(i64::MAX) => Type::scalar(Scalar::U64),
        Literal::Int(_) => Type::scalar(Scalar::I64),
        Literal::Float(_) => Type::scalar(Scalar::F64),
        Literal::String(_) => Type::scalar(Scalar::String),
        Literal::Date(_) => Type::scalar(Scalar::Date),
        Literal::DateTime(_) => Type::scalar(Scalar::DateTime),
    }
}
