//! Which variables are there, and what they stand for.

use super::Checker;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::schema::catalog::Catalog;
use crate::source::{Name, Span};
use crate::suggest;
use crate::types::{Scalar, Type};
use std::collections::BTreeMap;

/// What a variable stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum VarKind {
    Node,
    Edge,
    Path,
}

#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) kind: VarKind,
    /// The node or edge types it can have, sorted; none for a path.
    pub(super) types: Vec<String>,
    /// Bound in `optional`, so it can be missing.
    pub(super) nullable: bool,
    /// Order of appearance.
    pub(super) number: usize,
    pub(super) span: Span,
}

impl Var {
    /// As it is called in messages: `Person`, `Person or Company`.
    pub(super) fn type_text(&self) -> String {
        match self.kind {
            VarKind::Path => "a path".into(),
            _ => self.types.join(" or "),
        }
    }
}

/// Variables by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) vars: BTreeMap<String, Var>,
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<&Var> {
        self.vars.get(name)
    }

    pub(super) fn bind(&mut self, name: &Name, kind: VarKind, types: Vec<String>) {
        let number = self.vars.len();
        let var = Var { kind, types, nullable: false, number, span: name.span };
        self.vars.insert(name.text.clone(), var);
    }

    /// ``did you mean `$person`?``
    pub(super) fn similar(&self, written: &str, params: &[crate::query::typed::Param]) -> Option<String> {
        let known = self.vars.keys().map(String::as_str).filter(|name| !is_anonymous(name));
        let known = known.chain(params.iter().map(|param| param.name.as_str()));
        suggest::closest(written, known).map(|name| format!("did you mean `${name}`?"))
    }
}

/// Names made for `$_`.
pub(super) fn is_anonymous(name: &str) -> bool {
    name.starts_with("_#")
}

impl Checker<'_> {
    /// A node or edge variable; parameters, paths and unknown names are errors.
    pub(super) fn entity<'s>(&mut self, name: &Name, scope: &'s Scope, code: Code) -> Option<&'s Var> {
        let Some(var) = scope.get(&name.text) else {
            if self.param(&name.text).is_some() {
                return self.error(
                    code,
                    name.span,
                    format!("`${name}` is a parameter and has no properties"),
                );
            }
            let hint = scope.similar(&name.text, &self.params);
            let message = format!("the variable `${name}` is not bound");
            self.report(Diagnostic::error(code, name.span, message).maybe_hint(hint));
            return None;
        };
        if var.kind == VarKind::Path {
            let message = format!("`${name}` is a path and has no properties");
            let hint = format!("`nodes(${name})`, `edges(${name})` and `hops(${name})` look into it");
            return self.error_with_hint(code, name.span, message, hint);
        }
        Some(var)
    }

    /// The type of a property that all types of a variable have.
    pub(super) fn property(
        &mut self,
        var: &Name,
        property: &Name,
        scope: &Scope,
        code: Code,
    ) -> Option<Type> {
        let found = self.entity(var, scope, code)?;
        let (types, nullable) = (found.types.clone(), found.nullable);
        let mut result: Option<Type> = None;
        for name in &types {
            let Some(ty) = property_of(self.catalog, name, &property.text) else {
                let hint = if property.text.starts_with('@') {
                    Some("nodes have `@id` and `@type`, edges also `@src` and `@dst`".to_owned())
                } else {
                    self.catalog.similar_property(name, &property.text)
                };
                let message = format!("type `{name}` has no property `{property}`");
                self.report(Diagnostic::error(code, property.span, message).maybe_hint(hint));
                return None;
            };
            match &mut result {
                Some(known) if known.scalar != ty.scalar || known.list != ty.list => {
                    let message = format!("`{property}` is {known} and {ty} among the types of `${var}`");
                    let hint = "bind the variable to one of the types";
                    return self.error_with_hint(code, property.span, message, hint);
                }
                Some(known) => known.nullable |= ty.nullable,
                None => result = Some(ty),
            }
        }
        match result {
            Some(ty) => {
                let nullable = nullable || ty.nullable;
                Some(ty.with_null(nullable))
            }
            None => self.error(code, var.span, format!("no type has the interface of `${var}`")),
        }
    }
}

/// The type of a property, or of a field that no property hides.
pub(super) fn property_of(catalog: &Catalog, type_name: &str, property: &str) -> Option<Type> {
    match property.strip_prefix('@') {
        None => catalog.property_type(type_name, property),
        Some("id" | "type") => Some(Type::scalar(Scalar::String)),
        Some("src" | "dst") if catalog.edges.contains_key(type_name) => Some(Type::scalar(Scalar::String)),
        Some(_) => None,
    }
}
