//! Type parameters and what their bounds say.

use super::{Kind, Rust};
use crate::builder::MAX_EXPR_DEPTH;
use crate::{Expr, ExprId, NameId, ScopeId};
use tree_sitter::Node;

impl Rust<'_> {
    /// Brings an item's type parameters into scope; returns the mark to truncate to.
    pub(super) fn open_type_parameters(&mut self, node: Node<'_>) -> usize {
        let mark = self.type_parameters.len();
        let Some(list) = node.child_by_field_id(self.t.fields.type_parameters) else {
            self.where_bounds(node, mark);
            return mark;
        };
        let mut cursor = list.walk();
        let parameters: Vec<Node<'_>> = list
            .named_children(&mut cursor)
            .filter(|child| matches!(self.kind(*child), Kind::TypeParameter | Kind::ConstParameter))
            .collect();
        let unknown = self.b.unknown();
        for parameter in &parameters {
            if let Some(name) = parameter.child_by_field_id(self.t.fields.name) {
                let name = self.b.name(name);
                let open = self.b.parameter(name, unknown);
                self.type_parameters.push((name, open));
            }
        }
        for parameter in parameters {
            let f = &self.t.fields;
            if let (Some(name), Some(bounds)) =
                (parameter.child_by_field_id(f.name), parameter.child_by_field_id(f.bounds))
            {
                self.bound_parameter(name, bounds, mark);
            }
        }
        self.where_bounds(node, mark);
        self.default_types(list, mark);
        mark
    }

    /// A parameter without a bound stands for its default where nothing else is given.
    fn default_types(&mut self, list: Node<'_>, mark: usize) {
        let f = &self.t.fields;
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            let (name, default) =
                (parameter.child_by_field_id(f.name), parameter.child_by_field_id(f.default_type));
            let (Some(name), Some(default)) = (name, default) else { continue };
            let name = self.b.name(name);
            let unknown = self.b.unknown();
            let open = self.b.parameter(name, unknown);
            let is_it = |(parameter, known): &(NameId, ExprId)| *parameter == name && *known == open;
            if let Some(at) = self.type_parameters[mark..].iter().position(is_it) {
                let default = self.type_expr(default, 0);
                self.type_parameters[mark + at].1 = self.b.parameter(name, default);
            }
        }
    }

    fn where_bounds(&mut self, node: Node<'_>, mark: usize) {
        let mut cursor = node.walk();
        let clause = node.named_children(&mut cursor).find(|child| child.kind() == "where_clause");
        let Some(clause) = clause else { return };
        let mut cursor = clause.walk();
        for predicate in clause.named_children(&mut cursor) {
            if self.kind(predicate) != Kind::WherePredicate {
                continue;
            }
            let f = &self.t.fields;
            let (left, bounds) = (predicate.child_by_field_id(f.left), predicate.child_by_field_id(f.bounds));
            if let (Some(left), Some(bounds)) = (left, bounds) {
                self.bound_parameter(left, bounds, mark);
            }
        }
    }

    /// `T: Bound` gives a parameter its bound, unless it has one.
    fn bound_parameter(&mut self, name: Node<'_>, bounds: Node<'_>, mark: usize) {
        let name = self.b.name(name);
        let unknown = self.b.unknown();
        let open = self.b.parameter(name, unknown);
        let is_it = |(parameter, known): &(NameId, ExprId)| *parameter == name && *known == open;
        let at = self.type_parameters[mark..].iter().position(is_it);
        let is_outer = self.type_parameters[..mark].iter().any(is_it);
        if at.is_none() && !is_outer {
            return;
        }
        if let Some(bound) = self.bound_of(bounds) {
            let bounded = self.b.parameter(name, bound);
            match at {
                Some(at) => self.type_parameters[mark + at].1 = bounded,
                None => self.outer_bounds.push((name, bounded)),
            }
        }
    }

    /// Gives a symbol the type parameters that were opened for it.
    pub(super) fn keep_type_parameters(&mut self, scope: ScopeId, mark: usize) {
        let parameters: Vec<ExprId> = self.type_parameters[mark..].iter().map(|(_, it)| *it).collect();
        self.b.set_type_params(scope, &parameters);
    }

    /// What a list of bounds says, but for how a value may be copied, sent or shown.
    pub(super) fn bound_of(&mut self, bounds: Node<'_>) -> Option<ExprId> {
        let mut telling = Vec::new();
        self.telling_bounds(bounds, &mut telling, 0);
        let types: Vec<ExprId> = telling.into_iter().map(|bound| self.type_expr(bound, 0)).collect();
        match types.as_slice() {
            [] => None,
            [only] => Some(*only),
            several => {
                let list = self.b.list(several);
                Some(self.b.expr(Expr::Intersection(list)))
            }
        }
    }

    fn telling_bounds<'t>(&self, bounds: Node<'t>, found: &mut Vec<Node<'t>>, depth: u32) {
        let mut cursor = bounds.walk();
        for bound in bounds.named_children(&mut cursor) {
            match self.kind(bound) {
                Kind::TypeIdentifier | Kind::ScopedType | Kind::GenericType
                    if is_marker(self.b.text(bound).rsplit("::").next().unwrap_or_default()) => {}
                Kind::TypeIdentifier
                | Kind::ScopedType
                | Kind::GenericType
                | Kind::FunctionType
                | Kind::DynamicType
                | Kind::AbstractType => found.push(bound),
                // `dyn Trait + Send + Sync` is `(dyn Trait + Send) + Sync`.
                Kind::BoundedType if depth < MAX_EXPR_DEPTH => self.telling_bounds(bound, found, depth + 1),
                _ => {}
            }
        }
    }
}

/// Traits of the standard library whose methods are of no interest here.
fn is_marker(name: &str) -> bool {
    matches!(
        name,
        "Send"
            | "Sync"
            | "Unpin"
            | "Sized"
            | "Copy"
            | "Clone"
            | "Debug"
            | "Display"
            | "Default"
            | "PartialEq"
            | "Eq"
            | "PartialOrd"
            | "Ord"
            | "Hash"
            | "UnwindSafe"
            | "RefUnwindSafe"
    )
}
