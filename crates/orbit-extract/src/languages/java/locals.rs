//! What binds local variables: declarations, loops, resources, catch clauses, patterns.

use super::typing::last_named_child;
use super::{Java, Kind};
use crate::builder::Walk;
use crate::{ExprId, RefKind};
use tree_sitter::{Node, TreeCursor};

impl Java<'_> {
    /// `Foo a = x, b[] = y;`, `var c = z;`.
    pub(super) fn local_variable(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.modifiers(node);
        let Some(ty) = node.child_by_field_id(f.ty) else { return };
        let is_var = self.is_var(ty);
        if !is_var {
            self.type_refs(ty, RefKind::Type, 0);
        }
        let mut cursor = node.walk();
        for declarator in node.named_children(&mut cursor) {
            if self.kind(declarator) != Kind::Declarator {
                continue;
            }
            let value = declarator.child_by_field_id(f.value);
            match value {
                Some(value) if !is_var => {
                    let wanted = self.declared(ty, declarator);
                    self.visit_wanted(value, wanted);
                }
                Some(value) => self.visit_node(value),
                None => {}
            }
            self.bind_declared(ty, declarator, value);
        }
    }

    /// Binds the name of `declarator` to a value of type `ty`, or to `value` when the type is `var`.
    fn bind_declared(&mut self, ty: Node<'_>, declarator: Node<'_>, value: Option<Node<'_>>) {
        let Some(name) = declarator.child_by_field_id(self.t.fields.name) else { return };
        let held = match value {
            _ if !self.is_var(ty) => self.declared(ty, declarator),
            Some(value) => self.expr_of(value, 0),
            None => self.b.unknown(),
        };
        self.bind(name, held);
    }

    pub(super) fn bind(&mut self, name: Node<'_>, held: ExprId) {
        let name = self.b.name(name);
        self.b.bind(name, held);
    }

    /// `for (Foo x : xs)`; a `var` is an element of what is iterated.
    pub(super) fn enhanced_for(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (Some(ty), Some(value)) = (node.child_by_field_id(f.ty), node.child_by_field_id(f.value)) else {
            return self.visit_children_of(node);
        };
        self.modifiers(node);
        let held = if self.is_var(ty) {
            let whole = self.expr_of(value, 0);
            self.b.element(whole)
        } else {
            self.type_refs(ty, RefKind::Type, 0);
            self.declared(ty, node)
        };
        self.visit_node(value);
        self.b.push_frame();
        if let Some(name) = node.child_by_field_id(f.name) {
            self.bind(name, held);
        }
        self.visit_field(node, f.body);
        self.b.pop_frame();
    }

    /// `try (Foo f = open())`, or a variable that exists already.
    pub(super) fn resource(&mut self, node: Node<'_>, cursor: &mut TreeCursor<'_>) {
        let f = &self.t.fields;
        let Some(ty) = node.child_by_field_id(f.ty) else { return self.visit_children(cursor) };
        self.modifiers(node);
        if !self.is_var(ty) {
            self.type_refs(ty, RefKind::Type, 0);
        }
        let value = node.child_by_field_id(f.value);
        if let Some(value) = value {
            self.visit_node(value);
        }
        self.bind_declared(ty, node, value);
    }

    /// `catch (A | B e)`: `e` counts as an `A`.
    pub(super) fn catch_parameter(&mut self, node: Node<'_>) {
        self.modifiers(node);
        let held = match self.child_of(node, Kind::CatchType) {
            Some(types) => {
                self.type_refs(types, RefKind::Type, 0);
                let first = types.named_child(0).map(|first| self.type_expr(first, 0));
                let ty = first.unwrap_or_else(|| self.b.unknown());
                self.b.instance(ty)
            }
            None => self.b.unknown(),
        };
        if let Some(name) = node.child_by_field_id(self.t.fields.name) {
            self.bind(name, held);
        }
    }

    /// `name: statement`; the label is not a reference.
    pub(super) fn labeled(&mut self, node: Node<'_>) {
        if let Some(statement) = last_named_child(node) {
            self.visit_node(statement);
        }
    }

    /// `x instanceof Foo f`: `f` is known from here to the end of the block.
    pub(super) fn instance_of(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.visit_field(node, f.left);
        match node.child_by_field_id(f.right) {
            Some(ty) => {
                self.type_refs(ty, RefKind::Type, 0);
                if let Some(name) = node.child_by_field_id(f.name) {
                    let held = self.declared(ty, node);
                    self.bind(name, held);
                }
            }
            None => {
                if let Some(pattern) = self.child_of(node, Kind::RecordPattern) {
                    self.record_pattern(pattern);
                }
            }
        }
    }

    /// `Foo f` as a pattern of a `case` or a component of a record pattern.
    pub(super) fn typed_pattern(&mut self, node: Node<'_>) {
        let (Some(ty), Some(name)) = (node.named_child(0), last_named_child(node)) else { return };
        if ty.id() == name.id() {
            return;
        }
        let held = if self.is_var(ty) {
            self.b.unknown()
        } else {
            self.type_refs(ty, RefKind::Type, 0);
            let ty = self.type_expr(ty, 0);
            self.b.instance(ty)
        };
        self.bind(name, held);
    }

    /// `Point(int x, Line(var a, var b))`.
    pub(super) fn record_pattern(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Identifier => self.b.reference(child, RefKind::Type, None),
                _ => self.visit_node(child),
            }
        }
    }
}
