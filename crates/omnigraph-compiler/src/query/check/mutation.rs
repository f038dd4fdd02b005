//! `insert`, `update` and `delete`. Their `where` is in [`row`].

mod row;

use super::Checker;
use super::value::Place;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::query::ast::{self, Assignment, Insert, Update};
use crate::query::typed::{Expr, Statement, Target};
use crate::query::vars;
use crate::schema::catalog::{Body, ENDPOINTS, Property};
use crate::source::Name;
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
        let hint = if let Some(interface) = catalog.interfaces.get(&name.text) {
            Some(format!("it is an interface; name one of {}", interface.implementors.join(", ")))
        } else {
            let known = catalog.nodes.keys().chain(catalog.edges.keys());
            suggest::did_you_mean(&name.text, known.map(String::as_str))
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
        let values: Vec<_> = plain.iter().map(|value| self.initial(value, target)).collect();
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

    /// A value of a new row, of which nothing is known but parameters.
    fn initial(&mut self, value: &Assignment, target: &Target) -> Option<(String, Expr)> {
        if is_constant(&value.value.kind) || matches!(value.value.kind, ast::ExprKind::Ident(_)) {
            return self.assign(value, target);
        }
        let (name, found) = self.computed(value, target)?;
        if vars::of_expr(&found).is_empty() {
            return Some((name, found));
        }
        let message = format!("`{name}` is computed of a row that is not there yet");
        self.error_with_hint(Code::T14, value.value.span, message, "an insert computes with parameters only")
    }

    fn assign(&mut self, value: &Assignment, target: &Target) -> Option<(String, Expr)> {
        let property = self.declared(&value.property, target)?;
        let (name, ty) = (property.name.clone(), property.ty.clone());
        let value = self.fitting(&value.value, &ty, &Place::in_mutation(&name))?;
        Some((name, value))
    }

    pub(super) fn declared(&mut self, name: &Name, target: &Target) -> Option<&Property> {
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
        if !is_constant(&value.value.kind) {
            return self.computed(value, target);
        }
        if let ast::ExprKind::Literal(literal) = &value.value.kind {
            self.no_property(literal, value.value.span, target)?;
        }
        self.assign(value, target)
    }

    /// A value that is computed of the row as it was.
    fn computed(&mut self, value: &Assignment, target: &Target) -> Option<(String, Expr)> {
        let property = self.declared(&value.property, target)?;
        let (name, ty) = (property.name.clone(), property.ty.clone());
        let found = self.row_value(&value.value, target, None)?;
        let is_cut = found.ty.scalar.is_numeric() && !found.ty.scalar.is_integer() && ty.scalar.is_integer();
        if !found.ty.fits(&ty) || is_cut {
            let message = format!("`{name}` is {ty}, and this is {}", found.ty);
            return self.error(Code::T7, value.value.span, message);
        }
        Some((name, found))
    }
}

/// Whether a value is the same for all rows, by its form.
fn is_constant(value: &ast::ExprKind) -> bool {
    use ast::ExprKind::{List, Literal, Now, Var};
    matches!(value, Literal(_) | List(_) | Var(_) | Now)
}

fn reaches(word: &str) -> &'static str {
    if word == "from" { "starts at" } else { "ends at" }
}
