//! `where` and computed values of a mutation: about the row at hand, whose properties are bare words.

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::literal::Literal;
use crate::query::ast;
use crate::query::check::Checker;
use crate::query::check::compare::is_null;
use crate::query::check::expr::{boolean, property_expr};
use crate::query::check::scope::property_of;
use crate::query::check::value::{Place, literal_type, now};
use crate::query::typed::{Expr, ExprKind, Target};
use crate::source::{Name, Span};
use crate::suggest;
use crate::types::{Scalar, Type};

impl Checker<'_> {
    /// A condition on the row at hand; bare words are its properties.
    pub(super) fn row_condition(&mut self, expr: &ast::Expr, target: &Target) -> Option<Expr> {
        let found = self.row_value(expr, target, None)?;
        if !found.ty.is(&Scalar::Bool) {
            return self.error(
                Code::T7,
                expr.span,
                format!("a condition is true or false, not {}", found.ty),
            );
        }
        Some(found)
    }

    /// `expected` is the type on the other side of a comparison, for literals.
    pub(super) fn row_value(
        &mut self,
        expr: &ast::Expr,
        target: &Target,
        expected: Option<(&Type, &str)>,
    ) -> Option<Expr> {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Ident(name) => self.row_property(&Name { text: name.clone(), span }, target),
            ast::ExprKind::Literal(literal) => {
                self.no_property(literal, span, target)?;
                self.row_constant(expr, expected)
            }
            ast::ExprKind::List(_) | ast::ExprKind::Var(_) | ast::ExprKind::Now => {
                self.row_constant(expr, expected)
            }
            ast::ExprKind::Arith { op, left, right } => {
                let left = self.row_value(left, target, None)?;
                let right = self.row_value(right, target, None)?;
                self.arithmetic(*op, left, right, span)
            }
            ast::ExprKind::Call { function, args } if function.is_case() => {
                let args: Vec<_> = args.iter().map(|arg| self.row_value(arg, target, None)).collect();
                self.case(*function, args.into_iter().collect::<Option<Vec<_>>>()?, span)
            }
            ast::ExprKind::Compare { op, left, right } => {
                let (l, r) = self.row_sides(left, right, target, *op)?;
                self.compare_values(*op, l, r, span)
            }
            ast::ExprKind::In { item, list, negated } => {
                let item = self.row_value(item, target, None)?;
                let list = self.row_value(list, target, None)?;
                self.membership_of(item, list, *negated, span)
            }
            ast::ExprKind::IsNull { arg, negated } => {
                let arg = Box::new(self.row_value(arg, target, None)?);
                Some(boolean(ExprKind::IsNull { arg, negated: *negated }))
            }
            ast::ExprKind::And(parts) => Some(boolean(ExprKind::And(self.row_conditions(parts, target)?))),
            ast::ExprKind::Or(parts) => Some(boolean(ExprKind::Or(self.row_conditions(parts, target)?))),
            ast::ExprKind::Not(inner) => {
                Some(boolean(ExprKind::Not(Box::new(self.row_condition(inner, target)?))))
            }
            ast::ExprKind::Property { property, .. } => {
                let hint = format!("name the property of the row: `{property}`");
                self.error_with_hint(Code::T14, span, "a mutation has no variables but its parameters", hint)
            }
            ast::ExprKind::Call { .. }
            | ast::ExprKind::Aggregate { .. }
            | ast::ExprKind::Fold { .. }
            | ast::ExprKind::Since { .. }
            | ast::ExprKind::Exists(_) => {
                let message = "a mutation can use the row at hand and its parameters, nothing else";
                self.error(Code::T7, span, message)
            }
        }
    }

    /// A word that is a value cannot be told from a property of that name, and the one that is not meant may hold for
    /// every row.
    pub(super) fn no_property(&mut self, literal: &Literal, span: Span, target: &Target) -> Option<()> {
        let word = match literal {
            Literal::Bool(true) => "true",
            Literal::Bool(false) => "false",
            Literal::Null => "null",
            _ => return Some(()),
        };
        let (Target::Node(type_name) | Target::Edge(type_name)) = target;
        if self.catalog.body(type_name).is_none_or(|body| body.property(word).is_none()) {
            return Some(());
        }
        let message = format!("`{word}` is a value here, and `{type_name}` has a property of that name");
        let hint = "pass the value as a parameter; the property needs another name to be used in a mutation";
        self.error_with_hint(Code::T7, span, message, hint)
    }

    fn row_conditions(&mut self, parts: &[ast::Expr], target: &Target) -> Option<Vec<Expr>> {
        let parts: Vec<_> = parts.iter().map(|part| self.row_condition(part, target)).collect();
        parts.into_iter().collect()
    }

    /// Both sides of a comparison; a literal is checked against the property on the other side.
    fn row_sides(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        target: &Target,
        op: ast::CompareOp,
    ) -> Option<(Expr, Expr)> {
        let left_value = self.row_value(left, target, None)?;
        let name = match &left.kind {
            ast::ExprKind::Ident(name) => name.as_str(),
            _ => "",
        };
        let is_plain =
            !matches!(op, ast::CompareOp::Contains | ast::CompareOp::StartsWith | ast::CompareOp::EndsWith);
        let ty = left_value.ty.clone();
        let expected = (is_plain && !name.is_empty()).then_some((&ty, name));
        let right_value = self.row_value(right, target, expected)?;
        Some((left_value, right_value))
    }

    fn row_property(&mut self, name: &Name, target: &Target) -> Option<Expr> {
        let (Target::Node(type_name) | Target::Edge(type_name)) = target;
        let is_edge = matches!(target, Target::Edge(_));
        let known = property_of(self.catalog, type_name, &name.text).filter(|_| name.text != "@type");
        let Some(ty) = known else {
            self.declared(name, target)?;
            return None;
        };
        if ty.scalar == Scalar::Blob {
            let message = format!("the blob property `{name}` cannot be used in `where`");
            return self.error(Code::T11, name.span, message);
        }
        Some(property_expr("", &name.text, ty, is_edge))
    }

    fn row_constant(&mut self, expr: &ast::Expr, expected: Option<(&Type, &str)>) -> Option<Expr> {
        if let (Some((ty, name)), ast::ExprKind::Literal(literal)) = (expected, &expr.kind)
            && !ty.list
            && *literal != Literal::Null
        {
            let is_number = literal_type(literal).scalar.is_numeric() && ty.scalar.is_numeric();
            if !is_number {
                return self.fitting(expr, ty, &Place::in_mutation(name));
            }
        }
        match &expr.kind {
            ast::ExprKind::Var(name) => self.row_param(name, expr.span),
            ast::ExprKind::Now => Some(now()),
            ast::ExprKind::List(items) => {
                let items: Vec<_> = items.iter().map(|item| self.row_constant(item, None)).collect();
                let items = items.into_iter().collect::<Option<Vec<_>>>()?;
                let scalar = items.iter().find(|item| !is_null(item)).map(|item| item.ty.scalar.clone());
                let scalar = scalar.unwrap_or(Scalar::String);
                let odd = items.iter().any(|item| !item.ty.fits(&Type::scalar(scalar.clone())));
                if odd {
                    return self.error(Code::T3, expr.span, "the elements of a list have one type");
                }
                Some(Expr { kind: ExprKind::List(items), ty: Type::list_of(scalar) })
            }
            ast::ExprKind::Literal(literal) => {
                if let Some(reason) = crate::fit::malformed(literal) {
                    return self.error(Code::T3, expr.span, reason);
                }
                Some(Expr { kind: ExprKind::Literal(literal.clone()), ty: literal_type(literal) })
            }
            _ => self.error(Code::T7, expr.span, "a literal or a parameter is needed here"),
        }
    }

    fn row_param(&mut self, name: &str, span: Span) -> Option<Expr> {
        let Some(param) = self.param(name) else {
            let hint = suggest::closest(name, self.params.iter().map(|param| param.name.as_str()));
            let hint = hint.map(|name| format!("did you mean `${name}`?"));
            let message = format!("`${name}` is not a parameter of the query");
            self.report(Diagnostic::error(Code::T14, span, message).maybe_hint(hint));
            return None;
        };
        let ty = param.ty.clone();
        Some(Expr { kind: ExprKind::Param(name.to_owned()), ty })
    }
}
