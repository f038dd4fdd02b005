//! Uses of values: calls, paths, fields, struct literals, strings, and the skeleton of receivers.

use super::{Kind, Rust};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind};
use tree_sitter::{Node, TreeCursor};

impl Rust<'_> {
    pub(super) fn call(&mut self, cursor: &mut TreeCursor<'_>) {
        let node = cursor.node();
        let f = &self.t.fields;
        if let Some(callee) = node.child_by_field_id(f.function) {
            self.callee(callee);
        }
        if let Some(arguments) = node.child_by_field_id(f.arguments) {
            self.visit_children_of(arguments);
        }
    }

    fn callee(&mut self, callee: Node<'_>) {
        match self.kind(callee) {
            Kind::Identifier => self.identifier(callee, RefKind::Call),
            Kind::ScopedIdentifier => self.scoped(callee, RefKind::Call),
            Kind::FieldExpression => self.field_expression(callee, RefKind::Call),
            Kind::GenericFunction => self.generic_function(callee, RefKind::Call),
            _ => self.visit_node(callee),
        }
    }

    pub(super) fn identifier(&mut self, node: Node<'_>, kind: RefKind) {
        if self.b.text(node) != "Self" {
            self.b.plain_reference(node, kind);
        }
    }

    /// `f::<T>()`.
    pub(super) fn generic_function(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        if let Some(function) = node.child_by_field_id(f.function) {
            match self.kind(function) {
                Kind::Identifier => self.identifier(function, kind),
                Kind::ScopedIdentifier => self.scoped(function, kind),
                Kind::FieldExpression => self.field_expression(function, kind),
                _ => self.visit_node(function),
            }
        }
        self.visit_field(node, f.type_arguments);
    }

    pub(super) fn field_expression(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        let (value, field) = (node.child_by_field_id(f.value), node.child_by_field_id(f.field));
        let (Some(value), Some(field)) = (value, field) else { return };
        let base = self.expr_of(value, 0);
        self.visit_node(value);
        if self.kind(field) == Kind::FieldIdentifier {
            self.b.reference(field, kind, Some(base));
        }
    }

    /// `a::b::c`: a use of `c` as `kind`, and of what stands before it.
    pub(super) fn scoped(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        let Some(name) = node.child_by_field_id(f.name) else { return };
        let Some(path) = node.child_by_field_id(f.path) else {
            return self.b.reference(name, kind, None); // `::name`
        };
        match self.kind(path) {
            Kind::Identifier => {
                let is_type = self.b.text(path).starts_with(char::is_uppercase);
                self.identifier(path, if is_type { RefKind::Type } else { RefKind::Value });
            }
            Kind::ScopedIdentifier => {
                let is_type = path
                    .child_by_field_id(f.name)
                    .is_some_and(|last| self.b.text(last).starts_with(char::is_uppercase));
                let kind = if is_type { RefKind::Type } else { RefKind::Value };
                self.deeper(|walk| walk.scoped(path, kind));
            }
            Kind::SelfValue | Kind::Crate | Kind::SuperPath => {}
            _ => self.visit_node(path),
        }
        let base = self.path_of(path, 0);
        self.b.reference(name, kind, Some(base));
    }

    /// A path as written: `crate`, `self` and `super` are names here.
    pub(super) fn path_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::ScopedIdentifier | Kind::ScopedType => {
                let Some(name) = node.child_by_field_id(f.name) else { return self.b.unknown() };
                let name = self.b.name(name);
                match node.child_by_field_id(f.path) {
                    Some(path) => {
                        let base = self.path_of(path, depth + 1);
                        self.b.member(base, name)
                    }
                    None => self.b.expr(Expr::Name(name)),
                }
            }
            Kind::SelfValue | Kind::Crate | Kind::SuperPath => {
                let name = self.b.name(node);
                self.b.expr(Expr::Name(name))
            }
            _ => self.type_expr(node, depth + 1),
        }
    }

    /// What an expression is, as far as its text tells.
    pub(super) fn expr_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::Identifier if self.b.text(node) == "Self" => self.b.expr(Expr::This),
            Kind::Identifier => {
                let name = self.b.name(node);
                self.b.name_expr(name)
            }
            Kind::SelfValue => self.b.expr(Expr::This),
            Kind::ScopedIdentifier => self.path_of(node, depth + 1),
            Kind::GenericFunction => self.expr_field(node, f.function, depth),
            Kind::FieldExpression => {
                let Some(field) = node.child_by_field_id(f.field) else { return self.b.unknown() };
                if self.kind(field) != Kind::FieldIdentifier {
                    return self.b.unknown();
                }
                let base = self.expr_field(node, f.value, depth);
                let name = self.b.name(field);
                self.b.member(base, name)
            }
            Kind::Call => {
                let callee = self.expr_field(node, f.function, depth);
                self.b.call(callee)
            }
            Kind::Try => {
                let inner = self.first_child_expr(node, depth);
                self.b.element(inner)
            }
            Kind::Index => {
                let inner = self.first_child_expr(node, depth);
                self.b.element(inner)
            }
            Kind::Await | Kind::Parenthesized | Kind::Unary => self.first_child_expr(node, depth),
            Kind::Reference => self.expr_field(node, f.value, depth),
            Kind::StructExpression | Kind::Cast => {
                let field = if self.kind(node) == Kind::Cast { f.ty } else { f.name };
                let Some(ty) = node.child_by_field_id(field) else { return self.b.unknown() };
                let ty = self.type_expr(ty, depth + 1);
                self.b.instance(ty)
            }
            Kind::StringLiteral | Kind::RawString | Kind::Integer | Kind::Float | Kind::Bool | Kind::Char => {
                self.b.expr(Expr::Builtin)
            }
            Kind::Array => self.b.expr(Expr::Builtin),
            _ => self.b.unknown(),
        }
    }

    fn expr_field(&mut self, node: Node<'_>, field: u16, depth: u32) -> ExprId {
        match node.child_by_field_id(field) {
            Some(child) => self.expr_of(child, depth + 1),
            None => self.b.unknown(),
        }
    }

    fn first_child_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        match node.named_child(0) {
            Some(child) => self.expr_of(child, depth + 1),
            None => self.b.unknown(),
        }
    }

    /// `Foo { a: 1, b }`: a use of the type, its fields and their values.
    pub(super) fn struct_expression(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name) = node.child_by_field_id(f.name) else { return };
        self.visit_node(name);
        let ty = self.type_expr(name, 0);
        let base = self.b.instance(ty);
        let Some(body) = node.child_by_field_id(f.body) else { return };
        let mut cursor = body.walk();
        for initializer in body.named_children(&mut cursor) {
            match self.kind(initializer) {
                Kind::FieldInitializer => {
                    let field = initializer
                        .child_by_field_id(f.field)
                        .or_else(|| initializer.child_by_field_id(f.name));
                    if let Some(field) = field.filter(|field| self.kind(*field) == Kind::FieldIdentifier) {
                        self.b.reference(field, RefKind::Value, Some(base));
                    }
                    self.visit_field(initializer, f.value);
                }
                Kind::ShorthandField => {
                    if let Some(field) = initializer.named_child(0) {
                        self.b.reference(field, RefKind::Value, Some(base));
                    }
                }
                _ => self.visit_node(initializer),
            }
        }
    }

    pub(super) fn string(&mut self, node: Node<'_>) {
        let text = self.b.text(node).trim_start_matches(['b', 'c', 'r']);
        let inner = text.trim_matches('#').trim_start_matches('"');
        self.b.string(node, inner.strip_suffix('"').unwrap_or(inner));
    }
}
