//! Patterns, loops, `catch`: what is bound and what is known of it.

use super::vars::Shared;
use super::{Kind, Script};
use crate::builder::{Def, MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl Script<'_> {
    /// Gives the names of a pattern their values: as locals, or as symbols when `shared` says of what kind.
    pub(super) fn bind_pattern(
        &mut self,
        pattern: Node<'_>,
        value: ExprId,
        shared: Option<Shared<'_>>,
        depth: u32,
    ) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        let f = &self.t.fields;
        match self.kind(pattern) {
            Kind::Identifier | Kind::ShorthandPattern => self.bind_name(pattern, value, shared),
            Kind::ObjectPattern => self.bind_object(pattern, value, shared, depth),
            Kind::ArrayPattern => {
                let mut cursor = pattern.walk();
                let mut at = 0;
                for part in pattern.children(&mut cursor) {
                    if part.is_named() && self.kind(part) != Kind::Comment {
                        let element = self.b.position(value, at);
                        self.bind_pattern(part, element, shared, depth + 1);
                    } else if self.b.text(part) == "," {
                        at += 1;
                    }
                }
            }
            Kind::AssignmentPattern | Kind::ObjectAssignmentPattern => {
                let (left, right) = (pattern.child_by_field_id(f.left), pattern.child_by_field_id(f.right));
                let mut value = value;
                if let Some(right) = right {
                    self.visit_node(right);
                    if value == self.b.unknown() {
                        value = self.expr_of(right, 0);
                    }
                }
                if let Some(left) = left {
                    self.bind_pattern(left, value, shared, depth + 1);
                }
            }
            Kind::RestPattern => {
                let unknown = self.b.unknown();
                if let Some(inner) = pattern.named_child(0) {
                    let value = if depth == 0 { value } else { unknown };
                    self.bind_pattern(inner, value, shared, depth + 1);
                }
            }
            Kind::Comment | Kind::This | Kind::Undefined => {}
            _ => self.visit_node(pattern),
        }
    }

    fn bind_object(&mut self, pattern: Node<'_>, value: ExprId, shared: Option<Shared<'_>>, depth: u32) {
        let f = &self.t.fields;
        let mut cursor = pattern.walk();
        for part in pattern.named_children(&mut cursor) {
            match self.kind(part) {
                Kind::PairPattern => {
                    let (key, target) = (part.child_by_field_id(f.key), part.child_by_field_id(f.value));
                    let (Some(key), Some(target)) = (key, target) else { continue };
                    let member = if self.kind(key) == Kind::ComputedName {
                        self.visit_children_of(key);
                        self.b.unknown()
                    } else {
                        let name = self.b.intern(self.property_name(key));
                        if self.kind(key) != Kind::String {
                            self.taken_member(key, value);
                        }
                        self.b.member(value, name)
                    };
                    self.bind_pattern(target, member, shared, depth + 1);
                }
                Kind::ShorthandPattern | Kind::ObjectAssignmentPattern => {
                    let name = part.child_by_field_id(f.left).unwrap_or(part);
                    self.taken_member(name, value);
                    let name = self.b.name(name);
                    let member = self.b.member(value, name);
                    self.bind_pattern(part, member, shared, depth + 1);
                }
                _ => self.bind_pattern(part, value, shared, depth + 1),
            }
        }
    }

    /// The key of a pattern is a use of that member of the value.
    fn taken_member(&mut self, key: Node<'_>, value: ExprId) {
        if !matches!(self.b.file.exprs[value.0 as usize], Expr::Unknown | Expr::Builtin) {
            self.b.reference(key, RefKind::Value, Some(value));
        }
    }

    fn bind_name(&mut self, node: Node<'_>, value: ExprId, shared: Option<Shared<'_>>) {
        if let Some(Shared { whole, kind, exported }) = shared {
            let def = Def::new(whole, node, kind).signature_until(None).ty(Some(value));
            self.define(def.exported(exported), self.b.text(node));
        } else {
            let name = self.b.name(node);
            self.b.bind(name, value);
        }
    }

    // ── loops and catch ─────────────────────────────────────────────────────────────────────────────

    /// `for (const x of xs)`, `for (const key in object)`.
    pub(super) fn for_in(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (left, right) = (node.child_by_field_id(f.left), node.child_by_field_id(f.right));
        self.b.push_frame();
        if let Some(right) = right {
            self.visit_node(right);
        }
        if let (Some(left), Some(right)) = (left, right) {
            let is_of = node.child_by_field_id(f.operator).is_some_and(|token| self.b.text(token) == "of");
            let value = if is_of {
                let whole = self.expr_of(right, 0);
                self.b.element(whole)
            } else {
                self.b.expr(Expr::Builtin)
            };
            if node.child_by_field_id(f.kind).is_some() {
                self.bind_pattern(left, value, None, 0);
            } else {
                self.visit_node(left);
            }
        }
        self.visit_field(node, f.body);
        self.b.pop_frame();
    }

    pub(super) fn catch(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.b.push_frame();
        self.visit_field(node, f.ty);
        if let Some(parameter) = node.child_by_field_id(f.parameter) {
            let unknown = self.b.unknown();
            self.bind_pattern(parameter, unknown, None, 0);
        }
        self.visit_field(node, f.body);
        self.b.pop_frame();
    }
}
