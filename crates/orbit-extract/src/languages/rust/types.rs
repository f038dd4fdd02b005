//! Types: what they name, and the references they make.

use super::{Kind, Rust};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind};
use tree_sitter::{Node, TreeCursor};

impl<'s> Rust<'s> {
    /// The type a node names. References and owning pointers are what they point to; `impl Tr` and
    /// `dyn Tr` are `Tr`; a type parameter is its first bound.
    pub(super) fn type_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::TypeIdentifier | Kind::Identifier => self.type_named(node),
            Kind::SelfValue => self.b.expr(Expr::This),
            Kind::ScopedType | Kind::ScopedIdentifier => self.path_of(node, depth + 1),
            Kind::GenericType => self.generic_type(node, depth),
            Kind::ReferenceType | Kind::PointerType => self.type_field(node, f.ty, depth),
            Kind::DynamicType | Kind::AbstractType => self.type_field(node, f.trait_name, depth),
            Kind::BoundedType | Kind::BracketedType => match node.named_child(0) {
                Some(inner) => self.type_expr(inner, depth + 1),
                None => self.b.unknown(),
            },
            Kind::ArrayType => {
                let element = self.type_field(node, f.element, depth);
                let array = self.b.expr(Expr::Builtin);
                self.b.expr(Expr::Apply(array, element))
            }
            Kind::PrimitiveType | Kind::UnitType => self.b.expr(Expr::Builtin),
            Kind::TupleType => {
                let mut cursor = node.walk();
                let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                let parts: Vec<ExprId> =
                    parts.into_iter().map(|part| self.type_expr(part, depth + 1)).collect();
                let list = self.b.list(&parts);
                self.b.expr(Expr::Tuple(list))
            }
            Kind::QualifiedType => self.type_field(node, f.ty, depth),
            _ => self.b.unknown(),
        }
    }

    fn type_field(&mut self, node: Node<'_>, field: u16, depth: u32) -> ExprId {
        match node.child_by_field_id(field) {
            Some(child) => self.type_expr(child, depth + 1),
            None => self.b.unknown(),
        }
    }

    fn type_named(&mut self, node: Node<'_>) -> ExprId {
        if self.b.text(node) == "Self" {
            return self.b.expr(Expr::This);
        }
        let name = self.b.name(node);
        match self.type_parameter(name) {
            Some(bound) => bound,
            None => self.b.expr(Expr::Name(name)),
        }
    }

    fn type_parameter(&self, name: crate::NameId) -> Option<ExprId> {
        self.type_parameters.iter().rev().find(|(parameter, _)| *parameter == name).map(|(_, bound)| *bound)
    }

    fn generic_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let Some(base) = node.child_by_field_id(f.ty) else { return self.b.unknown() };
        let name = self.b.text(base).rsplit("::").next().unwrap_or("");
        let Some(arguments) = node.child_by_field_id(f.type_arguments) else {
            return self.type_expr(base, depth + 1);
        };
        let mut cursor = arguments.walk();
        let arguments: Vec<Node<'_>> = arguments
            .named_children(&mut cursor)
            .filter(|child| self.kind(*child) != Kind::Lifetime)
            .collect();
        let argument = if matches!(name, "Result" | "Poll" | "ControlFlow") {
            arguments.first()
        } else {
            arguments.last()
        };
        let Some(argument) = argument else { return self.type_expr(base, depth + 1) };
        let argument = if self.kind(*argument) == Kind::TypeBinding {
            self.type_field(*argument, f.ty, depth)
        } else {
            self.type_expr(*argument, depth + 1)
        };
        if matches!(
            name,
            "Box"
                | "Future"
                | "BoxFuture"
                | "LocalBoxFuture"
                | "Rc"
                | "Arc"
                | "Pin"
                | "Cow"
                | "MutexGuard"
                | "RwLockReadGuard"
                | "RwLockWriteGuard"
                | "ManuallyDrop"
        ) {
            return argument;
        }
        let base = self.type_expr(base, depth + 1);
        self.b.expr(Expr::Apply(base, argument))
    }

    /// The last name of a type, without arguments: what its impls are called after.
    pub(super) fn type_name(&self, node: Node<'_>) -> &'s str {
        let text = self.b.text(node).trim_start_matches(['&', '*', '(']).trim();
        let text = text.strip_prefix("mut ").or_else(|| text.strip_prefix("dyn ")).unwrap_or(text);
        let text = text.split(['<', ' ', ')', '+', ';', ',']).next().unwrap_or(text);
        let name = text.rsplit("::").next().unwrap_or(text);
        if name.is_empty() { self.b.text(node) } else { name }
    }

    /// Brings an item's type parameters into scope; returns the mark to truncate to.
    pub(super) fn open_type_parameters(&mut self, node: Node<'_>) -> usize {
        let mark = self.type_parameters.len();
        let Some(parameters) = node.child_by_field_id(self.t.fields.type_parameters) else { return mark };
        let mut cursor = parameters.walk();
        for parameter in parameters.named_children(&mut cursor) {
            if !matches!(self.kind(parameter), Kind::TypeParameter | Kind::ConstParameter) {
                continue;
            }
            let Some(name) = parameter.child_by_field_id(self.t.fields.name) else { continue };
            let name = self.b.name(name);
            let bound =
                parameter.child_by_field_id(self.t.fields.bounds).and_then(|bounds| self.first_bound(bounds));
            let bound = bound.unwrap_or_else(|| self.b.unknown());
            self.type_parameters.push((name, bound));
        }
        self.where_bounds(node, mark);
        mark
    }

    /// `where T: Bound` gives a parameter without a bound of its own one.
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
            let (Some(left), Some(bounds)) = (left, bounds) else { continue };
            let name = self.b.name(left);
            let Some(bound) = self.first_bound(bounds) else { continue };
            let unknown = self.b.unknown();
            let slot = self.type_parameters[mark..]
                .iter_mut()
                .find(|(parameter, old)| *parameter == name && *old == unknown);
            if let Some((_, slot)) = slot {
                *slot = bound;
            }
        }
    }

    pub(super) fn first_bound(&mut self, bounds: Node<'_>) -> Option<ExprId> {
        let mut cursor = bounds.walk();
        let bound = bounds.named_children(&mut cursor).find(|child| {
            matches!(self.kind(*child), Kind::TypeIdentifier | Kind::ScopedType | Kind::GenericType)
        })?;
        Some(self.type_expr(bound, 0))
    }

    /// Records the bounds of type parameters and where clauses.
    pub(super) fn type_parameter_refs(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node
            .named_children(&mut cursor)
            .filter(|child| self.kind(*child) == Kind::TypeParameters || child.kind() == "where_clause")
            .collect();
        for part in parts {
            let mut cursor = part.walk();
            let parameters: Vec<Node<'_>> = part.named_children(&mut cursor).collect();
            for parameter in parameters {
                match self.kind(parameter) {
                    Kind::TypeParameter | Kind::WherePredicate | Kind::ConstParameter => {
                        self.visit_field(parameter, self.t.fields.left);
                        self.visit_field(parameter, self.t.fields.bounds);
                        self.visit_field(parameter, self.t.fields.ty);
                    }
                    _ => {}
                }
            }
        }
    }

    pub(super) fn type_identifier(&mut self, node: Node<'_>) {
        if self.b.text(node) == "Self" {
            return;
        }
        let name = self.b.name(node);
        if self.type_parameter(name).is_none() {
            self.b.reference(node, self.type_use, None);
        }
    }

    pub(super) fn trait_bounds(&mut self, cursor: &mut TreeCursor<'_>) {
        let outer = std::mem::replace(&mut self.type_use, RefKind::TraitBound);
        self.visit_children(cursor);
        self.type_use = outer;
    }

    /// The arguments of a bound are plain types.
    pub(super) fn type_arguments(&mut self, cursor: &mut TreeCursor<'_>) {
        let outer = std::mem::replace(&mut self.type_use, RefKind::Type);
        self.visit_children(cursor);
        self.type_use = outer;
    }
}
