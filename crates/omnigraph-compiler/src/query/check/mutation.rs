//! `insert`, `update` and `delete`.

use super::Checker;
use super::compare::is_null;
use super::expr::{boolean, property_expr};
use super::value::{Place, literal_type, now};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::query::ast::{self, Assignment, Insert, Update};
use crate::query::typed::{Expr, ExprKind, Statement, Target};
use crate::schema::catalog::{Body, ENDPOINTS, Property};
use crate::source::{Name, Span};
use crate::suggest;
use crate::types::{Scalar, Type};

impl Checker<'_> {
    pub(super) fn statement(&mut self, statement: &ast::Statement) -> Option<Statement> {
        let target = self.target(statement.type_name())?;
        match statement {
            ast::Statement::Insert(insert) => self.insert(insert, &target),
            ast::Statement::Update(update) => self.update(update, target),
            ast::Statement::Delete(delete) => {
                let filter = self.row_condition(&delete.filter, &target)?;
                Some(Statement::Delete { target, filter })
            }
        }
    }

    fn target(&mut self, name: &Name) -> Option<Target> {
        let catalog = self.catalog;
        if catalog.nodes.contains_key(&name.text) {
            return Some(Target::Node(name.text.clone()));
        }
        if catalog.edges.contains_key(&name.text) {
            return Some(Target::Edge(name.text.clone()));
        }
        let hint = match catalog.interfaces.get(&name.text) {
            Some(interface) => {
                Some(format!("it is an interface; name one of {}", interface.implementors.join(", ")))
            }
            None => {
                let known = catalog.nodes.keys().chain(catalog.edges.keys());
                suggest::did_you_mean(&name.text, known.map(String::as_str))
            }
        };
        let found = Diagnostic::error(Code::T10, name.span, format!("unknown node or edge type `{name}`"));
        self.report(found.maybe_hint(hint));
        None
    }

    fn insert(&mut self, insert: &Insert, target: &Target) -> Option<Statement> {
        let is_edge = matches!(target, Target::Edge(_));
        let once = self.once(&insert.values);
        let (ends, plain): (Vec<&Assignment>, Vec<&Assignment>) = insert
            .values
            .iter()
            .partition(|value| is_edge && matches!(value.property.text.as_str(), "from" | "to"));
        let values: Vec<_> = plain.iter().map(|value| self.assign(value, target)).collect();
        let complete = self.complete(insert, target);
        let type_name = insert.type_name.text.clone();
        let values = values.into_iter().collect::<Option<Vec<_>>>();
        if !is_edge {
            (once && complete).then_some(())?;
            return Some(Statement::InsertNode { type_name, values: values? });
        }
        let mut end = |word: &str| {
            let value = ends.iter().find(|value| value.property.text == word);
            let Some(value) = value else {
                let message = format!("insert of `{type_name}` needs `{word}`");
                let hint = format!("add `{word}: …`, the id of the node the edge {}", reaches(word));
                return self.error_with_hint(Code::T12, insert.type_name.span, message, hint);
            };
            let place = Place::in_mutation(word);
            self.fitting(&value.value, &Type::scalar(Scalar::String), &place)
        };
        let (from, to) = (end("from"), end("to"));
        (once && complete).then_some(())?;
        Some(Statement::InsertEdge { type_name, from: from?, to: to?, values: values? })
    }

    fn once(&mut self, values: &[Assignment]) -> bool {
        let mut good = true;
        for (at, value) in values.iter().enumerate() {
            let name = &value.property;
            if let Some(first) = values[..at].iter().find(|first| first.property.text == name.text) {
                let found = Diagnostic::error(Code::T13, name.span, format!("`{name}` is assigned twice"));
                self.report(found.also(first.property.span, "first here"));
                good = false;
            }
        }
        good
    }

    fn assign(&mut self, value: &Assignment, target: &Target) -> Option<(String, Expr)> {
        let property = self.declared(&value.property, target)?;
        let (name, ty) = (property.name.clone(), property.ty.clone());
        let value = self.fitting(&value.value, &ty, &Place::in_mutation(&name))?;
        Some((name, value))
    }

    fn declared(&mut self, name: &Name, target: &Target) -> Option<&Property> {
        let (Target::Node(type_name) | Target::Edge(type_name)) = target;
        let catalog = self.catalog;
        let found = catalog.body(type_name).and_then(|body| body.property(&name.text));
        if found.is_none() {
            let hint = match (target, name.text.as_str()) {
                (Target::Edge(_), "src") => Some("the ends of an edge are called `from` and `to`".into()),
                (Target::Edge(_), "dst") => Some("the ends of an edge are called `from` and `to`".into()),
                _ => catalog.similar_property(type_name, &name.text),
            };
            let message = format!("type `{type_name}` has no property `{name}`");
            self.report(Diagnostic::error(Code::T11, name.span, message).maybe_hint(hint));
        }
        found
    }

    /// Every property that is required has a value, a default, or a text to embed.
    fn complete(&mut self, insert: &Insert, target: &Target) -> bool {
        let (Target::Node(type_name) | Target::Edge(type_name)) = target;
        let Some(body) = self.catalog.body(type_name) else { return false };
        let given = |name: &str| insert.values.iter().any(|value| value.property.text == name);
        let mut good = true;
        for property in &body.properties {
            let name = &property.name;
            let is_embedded = property.embed.as_ref().is_some_and(|source| given(source));
            if property.ty.nullable || property.default.is_some() || given(name) || is_embedded {
                continue;
            }
            let or_source = property.embed.as_ref().map(|source| format!(" or `{source}`, which it embeds"));
            let message = format!("insert of `{type_name}` needs `{name}`{}", or_source.unwrap_or_default());
            let hint = format!("add `{name}: …`; it is {}", property.ty);
            self.report(Diagnostic::error(Code::T12, insert.type_name.span, message).hint(hint));
            good = false;
        }
        good
    }

    fn update(&mut self, update: &Update, target: Target) -> Option<Statement> {
        let once = self.once(&update.values);
        let values: Vec<_> = update.values.iter().map(|value| self.change(value, &target)).collect();
        let filter = self.row_condition(&update.filter, &target);
        let values = values.into_iter().collect::<Option<Vec<_>>>();
        once.then_some(())?;
        Some(Statement::Update { target, values: values?, filter: filter? })
    }

    fn change(&mut self, value: &Assignment, target: &Target) -> Option<(String, Expr)> {
        let (Target::Node(type_name) | Target::Edge(type_name)) = target;
        let name = value.property.text.as_str();
        let body: Option<&Body> = self.catalog.body(type_name);
        if body.is_some_and(|body| body.key.iter().any(|key| key == name)) {
            let message = format!("cannot update @key property `{name}`");
            let hint = "delete the row and insert another; the key is what it is called";
            return self.error_with_hint(Code::T16, value.property.span, message, hint);
        }
        if matches!(target, Target::Edge(_)) && ENDPOINTS.contains(&name) {
            let message = format!("cannot update `{name}`: an edge is what it joins");
            let hint = "delete the edge and insert another";
            return self.error_with_hint(Code::T16, value.property.span, message, hint);
        }
        self.assign(value, target)
    }

    /// A condition on the row at hand; bare words are its properties.
    fn row_condition(&mut self, expr: &ast::Expr, target: &Target) -> Option<Expr> {
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
    fn row_value(
        &mut self,
        expr: &ast::Expr,
        target: &Target,
        expected: Option<(&Type, &str)>,
    ) -> Option<Expr> {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Ident(name) => self.row_property(&Name { text: name.clone(), span }, target),
            ast::ExprKind::Literal(_)
            | ast::ExprKind::List(_)
            | ast::ExprKind::Var(_)
            | ast::ExprKind::Now => self.row_constant(expr, expected),
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
            ast::ExprKind::Call { .. } | ast::ExprKind::Aggregate { .. } | ast::ExprKind::Exists(_) => {
                let message = "`where` of a mutation compares properties with values";
                self.error(Code::T7, span, message)
            }
        }
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
        let is_plain = !matches!(op, ast::CompareOp::Contains | ast::CompareOp::StartsWith);
        let ty = left_value.ty.clone();
        let expected = (is_plain && !name.is_empty()).then_some((&ty, name));
        let right_value = self.row_value(right, target, expected)?;
        Some((left_value, right_value))
    }

    fn row_property(&mut self, name: &Name, target: &Target) -> Option<Expr> {
        let (Target::Node(type_name) | Target::Edge(type_name)) = target;
        let is_edge = matches!(target, Target::Edge(_));
        let Some(ty) = self.catalog.property_type(type_name, &name.text) else {
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
            && *literal != crate::literal::Literal::Null
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
            let message = format!("`${name}` is no parameter of the query");
            self.report(Diagnostic::error(Code::T14, span, message).maybe_hint(hint));
            return None;
        };
        let ty = param.ty.clone();
        Some(Expr { kind: ExprKind::Param(name.to_owned()), ty })
    }
}

fn reaches(word: &str) -> &'static str {
    if word == "from" { "starts at" } else { "ends at" }
}
