//! Expressions: what each form is, and of which type.

use super::Checker;
use super::scope::{Scope, VarKind};
use super::value::{literal_type, now};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fit::malformed;
use crate::query::ast::{self, BlockKind, Function};
use crate::query::typed::{Expr, ExprKind};
use crate::source::{Name, Span};
use crate::types::{Scalar, Type};

/// An expression, or a variable that has no value of its own.
pub(super) enum Operand {
    Value(Expr),
    /// A node or an edge; its id is its value.
    Entity(Expr),
    /// A path; the ids of its nodes are its value.
    Path(Expr),
}

impl Operand {
    /// Its value, whatever it is.
    pub(super) fn into_value(self) -> Expr {
        match self {
            Operand::Value(expr) | Operand::Entity(expr) | Operand::Path(expr) => expr,
        }
    }
}

impl Checker<'_> {
    /// Something that is true or false.
    pub(super) fn condition(&mut self, expr: &ast::Expr, scope: &Scope) -> Option<Expr> {
        let found = self.scalar(expr, scope)?;
        if !found.ty.is(&Scalar::Bool) {
            let message = format!("a condition is true or false, not {}", found.ty);
            let hint = "compare the value with something";
            return self.error_with_hint(Code::T7, expr.span, message, hint);
        }
        Some(found)
    }

    /// A value that is not a node, edge or path.
    pub(super) fn scalar(&mut self, expr: &ast::Expr, scope: &Scope) -> Option<Expr> {
        match self.operand(expr, scope)? {
            Operand::Value(found) => Some(found),
            Operand::Entity(_) | Operand::Path(_) => {
                let hint = "name one of its properties";
                self.error_with_hint(Code::T7, expr.span, "a node, edge or path cannot stand here", hint)
            }
        }
    }

    pub(super) fn operand(&mut self, expr: &ast::Expr, scope: &Scope) -> Option<Operand> {
        let span = expr.span;
        let value = match &expr.kind {
            ast::ExprKind::Var(name) => return self.variable(name, span, scope),
            ast::ExprKind::Literal(literal) => {
                if let Some(reason) = malformed(literal) {
                    return self.error(Code::T3, span, reason);
                }
                Expr { kind: ExprKind::Literal(literal.clone()), ty: literal_type(literal) }
            }
            ast::ExprKind::List(items) => self.list(items, span, scope)?,
            ast::ExprKind::Property { var, property } => {
                let ty = self.property(var, property, scope, Code::T6)?;
                let is_edge = scope.get(&var.text).is_some_and(|var| var.kind == VarKind::Edge);
                property_expr(&var.text, &property.text, ty, is_edge)
            }
            ast::ExprKind::Now => now(),
            ast::ExprKind::Ident(name) => return self.unknown(name, span, scope),
            ast::ExprKind::Call { function, args } => self.call(*function, args, span, scope)?,
            ast::ExprKind::Aggregate { function, .. } => return self.not_alone(*function, span),
            ast::ExprKind::Arith { op, left, right } => {
                let (left, right) = (self.scalar(left, scope)?, self.scalar(right, scope)?);
                self.arithmetic(*op, left, right, span)?
            }
            ast::ExprKind::Since { arg, change, since } => self.since(arg, *change, since, scope)?,
            ast::ExprKind::Compare { op, left, right } => self.compare(*op, left, right, scope)?,
            ast::ExprKind::In { item, list, negated } => self.membership(item, list, *negated, scope)?,
            ast::ExprKind::IsNull { arg, negated } => {
                let arg = Box::new(self.operand(arg, scope)?.into_value());
                boolean(ExprKind::IsNull { arg, negated: *negated })
            }
            ast::ExprKind::And(parts) => boolean(ExprKind::And(self.conditions(parts, scope)?)),
            ast::ExprKind::Or(parts) => boolean(ExprKind::Or(self.conditions(parts, scope)?)),
            ast::ExprKind::Not(inner) => boolean(ExprKind::Not(Box::new(self.condition(inner, scope)?))),
            ast::ExprKind::Exists(clauses) => {
                let pattern = self.block(clauses, span, BlockKind::Exists.as_str(), scope)?;
                boolean(ExprKind::Exists(Box::new(pattern)))
            }
            ast::ExprKind::Fold { function, distinct, arg, clauses } => {
                let call = (*function, *distinct, arg.as_deref());
                self.fold(call, clauses, span, scope)?
            }
        };
        Some(Operand::Value(value))
    }

    fn unknown<T>(&mut self, name: &str, span: Span, scope: &Scope) -> Option<T> {
        let hint = match name.strip_prefix('@') {
            Some(_) => Some(format!("say of what: `$p.{name}`")),
            None => scope.get(name).map(|_| format!("write `${name}`")),
        };
        let found = Diagnostic::error(Code::T6, span, format!("unknown name `{name}`"));
        self.report(found.maybe_hint(hint));
        None
    }

    fn not_alone<T>(&mut self, function: ast::Aggregate, span: Span) -> Option<T> {
        let word = function.as_str();
        let hint = match function {
            ast::Aggregate::Count => "to count matches, write `count { … }` with a pattern".to_owned(),
            _ => format!("for the matches of a pattern, write `{word}($x.…) {{ … }}`"),
        };
        self.error_with_hint(Code::T9, span, format!("{word} stands alone in `return` or `order`"), hint)
    }

    fn conditions(&mut self, parts: &[ast::Expr], scope: &Scope) -> Option<Vec<Expr>> {
        let parts: Vec<_> = parts.iter().map(|part| self.condition(part, scope)).collect();
        parts.into_iter().collect()
    }

    fn variable(&mut self, name: &str, span: Span, scope: &Scope) -> Option<Operand> {
        if let Some(param) = self.param(name) {
            let ty = param.ty.clone();
            return Some(Operand::Value(Expr { kind: ExprKind::Param(name.to_owned()), ty }));
        }
        let Some(var) = scope.get(name) else {
            let hint = scope.similar(name, &self.params);
            let found = Diagnostic::error(Code::T6, span, format!("the variable `${name}` is not bound"));
            self.report(found.maybe_hint(hint));
            return None;
        };
        let (var_name, nullable) = (name.to_owned(), var.nullable);
        Some(match var.kind {
            VarKind::Path => {
                let ty = Type::list_of(Scalar::String).with_null(nullable);
                Operand::Path(Expr { kind: ExprKind::PathNodes { var: var_name }, ty })
            }
            VarKind::Node | VarKind::Edge => {
                let ty = Type::scalar(Scalar::String).with_null(nullable);
                Operand::Entity(Expr { kind: ExprKind::Id { var: var_name }, ty })
            }
        })
    }

    fn list(&mut self, items: &[ast::Expr], span: Span, scope: &Scope) -> Option<Expr> {
        let items: Vec<_> = items.iter().map(|item| self.scalar(item, scope)).collect();
        let items = items.into_iter().collect::<Option<Vec<Expr>>>()?;
        let Some(first) = items.first() else {
            return Some(Expr { kind: ExprKind::List(items), ty: Type::list_of(Scalar::String) });
        };
        if items.iter().any(super::compare::is_null) {
            return self.error(Code::T3, span, "null cannot be an element of a list");
        }
        if items.iter().any(|item| item.ty.list) {
            return self.error(Code::T3, span, "lists inside of lists are not supported");
        }
        if items.iter().any(|item| !item.ty.fits(&first.ty)) {
            return self.error(Code::T3, span, "the elements of a list have one type");
        }
        let has_float = items.iter().any(|item| matches!(item.ty.scalar, Scalar::F32 | Scalar::F64));
        let scalar = if has_float { Scalar::F64 } else { first.ty.scalar.clone() };
        Some(Expr { kind: ExprKind::List(items), ty: Type::list_of(scalar) })
    }

    fn call(&mut self, function: Function, args: &[ast::Expr], span: Span, scope: &Scope) -> Option<Expr> {
        match function {
            Function::Search | Function::Fuzzy | Function::MatchText | Function::Prefix => {
                self.text_match(function, args, span, scope)
            }
            Function::Highlight | Function::Snippet => self.marked(function, args, span, scope),
            Function::Bm25 | Function::Nearest | Function::Rrf => self.score(function, args, span, scope),
            Function::Lower | Function::Upper => {
                let args: Vec<_> = args.iter().map(|arg| self.scalar(arg, scope)).collect();
                self.case(function, args.into_iter().collect::<Option<Vec<_>>>()?, span)
            }
            Function::Nodes | Function::Edges | Function::Hops => self.path_part(function, args, span, scope),
        }
    }

    fn path_part(
        &mut self,
        function: Function,
        args: &[ast::Expr],
        span: Span,
        scope: &Scope,
    ) -> Option<Expr> {
        let word = function.as_str();
        if let [ast::Expr { kind: ast::ExprKind::Var(name), .. }] = args
            && let Some(found) = scope.get(name).filter(|var| var.kind == VarKind::Path)
        {
            let (var, ids) = (name.clone(), Type::list_of(Scalar::String));
            let (kind, ty) = match function {
                Function::Nodes => (ExprKind::PathNodes { var }, ids),
                Function::Edges => (ExprKind::PathEdges { var }, ids),
                _ => (ExprKind::PathHops { var }, Type::scalar(Scalar::I64)),
            };
            return Some(Expr { kind, ty: ty.with_null(found.nullable) });
        }
        let hint =
            format!("bind one with a traversal of several hops: `$a $p:knows{{1,3}} $b`, then `{word}($p)`");
        self.error_with_hint(Code::T6, span, format!("{word} needs a path"), hint)
    }

    /// `$var.property` in an argument.
    pub(super) fn as_property(expr: &ast::Expr) -> Option<(&Name, &Name)> {
        match &expr.kind {
            ast::ExprKind::Property { var, property } => Some((var, property)),
            _ => None,
        }
    }
}

/// A property, or one of the columns that every table has: `id`, and on edges the ends.
pub(super) fn property_expr(var: &str, property: &str, ty: Type, is_edge: bool) -> Expr {
    let var = var.to_owned();
    let kind = match property {
        "id" | "@id" => ExprKind::Id { var },
        "@type" => ExprKind::TypeOf { var },
        "from" | "src" | "@src" if is_edge => ExprKind::Src { var },
        "to" | "dst" | "@dst" if is_edge => ExprKind::Dst { var },
        _ => ExprKind::Property { var, property: property.to_owned() },
    };
    Expr { kind, ty }
}

pub(super) fn boolean(kind: ExprKind) -> Expr {
    Expr { kind, ty: Type::scalar(Scalar::Bool) }
}
