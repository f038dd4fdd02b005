//! The clauses of `match` and of blocks. Their order does not matter: types first, then edges, then conditions.

use super::Checker;
use super::expr::property_expr;
use super::scope::{Scope, Var, VarKind};
use super::value::Place;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::literal::Literal;
use crate::query::ast::{Binding, Block, BlockKind, Clause, Traversal};
use crate::query::parse::as_filter;
use crate::query::typed::{CompareOp, EdgeStep, Expr, ExprKind, NodeVar, Pattern};
use crate::source::Span;
use crate::suggest;
use crate::types::{Scalar, Type};

impl Checker<'_> {
    /// Checks the clauses and leaves what they bind in `scope`.
    pub(super) fn pattern(&mut self, clauses: &[Clause], scope: &mut Scope) -> Option<Pattern> {
        let outside = scope.clone();
        let mut good = true;
        for clause in clauses {
            if let Clause::Binding(binding) = clause {
                good &= self.bind(binding, scope).is_some();
            }
        }
        let mut pattern = Pattern { filters: narrowed(scope, &outside), ..Pattern::default() };
        let mut late: Vec<crate::query::ast::Expr> = Vec::new();
        for clause in clauses {
            if let Clause::Traversal(traversal) = clause {
                match self.as_condition(traversal) {
                    Some(filter) => late.push(filter),
                    None => good &= self.step(traversal, scope, &mut pattern.edges),
                }
            }
        }
        for clause in clauses {
            match clause {
                Clause::Binding(binding) => good &= self.props(binding, scope, &mut pattern.filters),
                Clause::Block(block) if block.kind == BlockKind::Optional => {
                    good &= self.optional(block, scope, &mut pattern);
                }
                _ => {}
            }
        }
        let filters = clauses.iter().filter_map(|clause| match clause {
            Clause::Filter(filter) => Some(filter),
            _ => None,
        });
        for filter in filters.chain(&late) {
            match self.condition(filter, scope) {
                Some(filter) => pattern.filters.push(filter),
                None => good = false,
            }
        }
        for clause in clauses {
            if let Clause::Block(block) = clause
                && block.kind != BlockKind::Optional
            {
                let inner = self.block(&block.clauses, block.span, block.kind.as_str(), scope);
                match inner {
                    Some(inner) => pattern.blocks.push((block.kind, inner)),
                    None => good = false,
                }
            }
        }
        finish(&mut pattern, scope, &outside);
        for clause in clauses {
            if let Clause::Binding(Binding { var, .. }) = clause
                && outside.get(&var.text).is_some()
                && !pattern.outer.contains(&var.text)
            {
                pattern.outer.push(var.text.clone());
            }
        }
        good.then_some(pattern)
    }

    fn step(&mut self, traversal: &Traversal, scope: &mut Scope, edges: &mut Vec<EdgeStep>) -> bool {
        let step = self.traversal(traversal, scope);
        let good = step.is_some();
        edges.extend(step);
        good
    }

    /// `$a in $b` where no edge is called `in`.
    fn as_condition(&self, traversal: &Traversal) -> Option<crate::query::ast::Expr> {
        let filter = as_filter(traversal)?;
        let is_edge = traversal.edges.iter().any(|edge| self.catalog.edge(&edge.text).is_some());
        (!is_edge).then_some(filter)
    }

    fn bind(&mut self, binding: &Binding, scope: &mut Scope) -> Option<()> {
        let types = self.binding_types(binding)?;
        if let Some(known) = scope.vars.get_mut(&binding.var.text) {
            let both: Vec<String> =
                known.types.iter().filter(|known| types.contains(known)).cloned().collect();
            if known.kind == VarKind::Node && !both.is_empty() {
                known.types = both;
                return Some(());
            }
            let (before, span) = (known.type_text(), known.span);
            let message =
                format!("`${}` is {before} already and cannot be `{}`", binding.var, binding.type_name);
            let found = Diagnostic::error(Code::T5, binding.type_name.span, message);
            self.report(found.also(span, "bound here"));
            return None;
        }
        if binding.var.text == "_" {
            let message = "`$_` cannot be declared";
            return self.error_with_hint(Code::T5, binding.var.span, message, "give the variable a name");
        }
        scope.bind(&binding.var, VarKind::Node, types);
        Some(())
    }

    fn binding_types(&mut self, binding: &Binding) -> Option<Vec<String>> {
        let name = &binding.type_name;
        if self.catalog.nodes.contains_key(&name.text) {
            return Some(vec![name.text.clone()]);
        }
        if let Some(interface) = self.catalog.interfaces.get(&name.text) {
            return Some(interface.implementors.clone());
        }
        let catalog = self.catalog;
        let known = catalog.nodes.keys().chain(catalog.interfaces.keys()).map(String::as_str);
        let hint = if catalog.edges.contains_key(&name.text) {
            Some("it is an edge; bind it in a traversal, such as `$a $e:edge $b`".into())
        } else {
            suggest::did_you_mean(&name.text, known)
        };
        self.report(
            Diagnostic::error(Code::T1, name.span, format!("unknown node type `{name}`")).maybe_hint(hint),
        );
        None
    }

    /// `{ name: $n }` as filters: equality, membership for lists, `is null` for null.
    fn props(&mut self, binding: &Binding, scope: &Scope, filters: &mut Vec<Expr>) -> bool {
        let mut good = true;
        if scope.get(&binding.var.text).is_none() {
            return false;
        }
        for prop in &binding.props {
            let Some(ty) = self.property(&binding.var, &prop.property, scope, Code::T2) else {
                good = false;
                continue;
            };
            if matches!(ty.scalar, Scalar::Blob | Scalar::Vector(_)) {
                let message = format!("`{}` is {ty} and cannot be matched", prop.property);
                self.report(Diagnostic::error(Code::T3, prop.value.span, message));
                good = false;
                continue;
            }
            let left = property_expr(&binding.var.text, &prop.property.text, ty.clone(), false);
            let place = Place::property(&prop.property.text);
            match self.prop_value(&prop.value, &ty, &place, scope) {
                Some(value) => filters.push(equals(left, value)),
                None => good = false,
            }
        }
        good
    }

    fn prop_value(
        &mut self,
        value: &crate::query::ast::Expr,
        ty: &Type,
        place: &Place,
        scope: &Scope,
    ) -> Option<Expr> {
        use crate::query::ast::ExprKind as Ast;
        if ty.list && matches!(value.kind, Ast::List(_)) {
            let message = format!("`{place}` is {ty}; lists cannot be compared as a whole");
            return self.error_with_hint(
                Code::T3,
                value.span,
                message,
                "write one value to ask for a member",
            );
        }
        let expected = if ty.list { ty.element() } else { ty.clone() };
        match &value.kind {
            Ast::Literal(Literal::Null) => self.fitting(value, &ty.clone().with_null(true), place),
            // a number that no row can have is not an error, there is just no such row
            Ast::Literal(Literal::Int(_) | Literal::Float(_)) if expected.scalar.is_numeric() => {
                self.scalar(value, scope)
            }
            Ast::Literal(_) | Ast::List(_) | Ast::Var(_) | Ast::Now | Ast::Ident(_) => {
                self.fitting(value, &expected.with_null(true), place)
            }
            _ => {
                let found = self.scalar(value, scope)?;
                self.comparable(&found, &expected, value.span)?;
                Some(found)
            }
        }
    }

    fn optional(&mut self, block: &Block, scope: &mut Scope, pattern: &mut Pattern) -> bool {
        let mut inner = scope.clone();
        let Some(checked) = self.scoped(&block.clauses, block.span, block.kind.as_str(), &mut inner) else {
            return false;
        };
        for (name, var) in inner.vars {
            scope.vars.entry(name).or_insert(Var { nullable: true, ..var });
        }
        pattern.blocks.push((BlockKind::Optional, checked));
        true
    }

    /// `not { … }` and `exists { … }`: what they bind stays inside.
    pub(super) fn block(
        &mut self,
        clauses: &[Clause],
        span: Span,
        word: &str,
        scope: &Scope,
    ) -> Option<Pattern> {
        self.scoped(clauses, span, word, &mut scope.clone())
    }

    pub(super) fn scoped(
        &mut self,
        clauses: &[Clause],
        span: Span,
        word: &str,
        scope: &mut Scope,
    ) -> Option<Pattern> {
        let pattern = self.pattern(clauses, scope)?;
        if pattern.outer.is_empty() {
            let message = format!("the {word} block uses no variable from outside");
            let hint = "a block says something about a variable of the pattern around it";
            return self.error_with_hint(Code::T9, span, message, hint);
        }
        if pattern.filters.iter().any(super::output::has_score) {
            let message = format!("scores cannot be used inside of {word}");
            return self.error(Code::T9, span, message);
        }
        Some(pattern)
    }
}

fn equals(left: Expr, value: Expr) -> Expr {
    let ty = Type::scalar(Scalar::Bool);
    let is_list = left.ty.list;
    let (left, right) = (Box::new(left), Box::new(value));
    let kind = match right.kind {
        ExprKind::Literal(Literal::Null) => ExprKind::IsNull { arg: left, negated: false },
        _ if is_list => ExprKind::Compare { op: CompareOp::Contains, left, right },
        _ => ExprKind::Compare { op: CompareOp::Eq, left, right },
    };
    Expr { kind, ty }
}

/// A block that binds a variable from outside again asks for its type.
fn narrowed(scope: &Scope, outside: &Scope) -> Vec<Expr> {
    let mut filters = Vec::new();
    for (name, var) in &outside.vars {
        if let Some(now) = scope.get(name).filter(|now| now.types != var.types) {
            let kind = ExprKind::HasType { var: name.clone(), types: now.types.clone() };
            filters.push(Expr { kind, ty: Type::scalar(Scalar::Bool) });
        }
    }
    filters
}

/// Which node variables are its own, and which come from outside.
fn finish(pattern: &mut Pattern, scope: &Scope, outside: &Scope) {
    let mut own: Vec<(&String, &Var)> = scope
        .vars
        .iter()
        .filter(|(name, var)| !outside.vars.contains_key(*name) && var.kind == VarKind::Node && !var.nullable)
        .collect();
    own.sort_by_key(|(_, var)| var.number);
    pattern.nodes =
        own.into_iter().map(|(name, var)| NodeVar { name: name.clone(), types: var.types.clone() }).collect();
    let mut used: Vec<String> = crate::query::vars::of_pattern(pattern).into_iter().collect();
    used.retain(|name| outside.vars.contains_key(name));
    pattern.outer = used;
}
