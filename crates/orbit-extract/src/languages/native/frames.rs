//! What opens a frame of locals: blocks, loops, handlers, lambdas.

use super::{Kind, Native};
use crate::builder::Walk;
use tree_sitter::{Node, TreeCursor};

impl Native<'_> {
    pub(super) fn block(&mut self, node: Node<'_>) {
        let owner = self.macro_body.take_if(|(id, _)| *id == node.id()).map(|(_, scope)| scope);
        if let Some(owner) = owner {
            self.b.enter(owner);
        }
        self.b.push_frame();
        self.blocks += 1;
        self.visit_children_of(node);
        self.blocks -= 1;
        self.b.pop_frame();
        if owner.is_some() {
            self.b.leave();
        }
    }

    /// A statement whose head may declare names for its body.
    pub(super) fn framed(&mut self, cursor: &mut TreeCursor<'_>) {
        self.b.push_frame();
        self.blocks += 1;
        self.visit_children(cursor);
        self.blocks -= 1;
        self.b.pop_frame();
    }

    /// `for (auto& x : items) …`
    pub(super) fn for_range(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.b.push_frame();
        self.blocks += 1;
        let (ty, right) = (node.child_by_field_id(f.ty), node.child_by_field_id(f.right));
        let (declarator, body) = (node.child_by_field_id(f.declarator), node.child_by_field_id(f.body));
        let handled = [ty, right, declarator, body].map(|node| node.map(|node| node.id()));
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if !handled.contains(&Some(child.id())) {
                self.visit_node(child); // `for (init; x : items)`
            }
        }
        for child in [ty, right].into_iter().flatten() {
            self.visit_node(child);
        }
        let value = match (ty, right) {
            (Some(ty), Some(right)) if self.is_auto(ty) => {
                let whole = self.expr_of(right, 0);
                match self.pointed(whole) {
                    Some(pointed) => pointed,
                    None => self.b.element(whole),
                }
            }
            (Some(ty), _) => {
                let ty = self.type_expr(ty, 0);
                let declared = declarator.and_then(|declarator| self.declared(declarator));
                let ty = self.pointer_to(ty, declared.map_or(0, |declared| declared.indirections), false);
                self.b.instance(ty)
            }
            _ => self.b.unknown(),
        };
        if let Some(declared) = declarator.and_then(|declarator| self.declared(declarator)) {
            self.bind_names(declared.name, value);
        }
        if let Some(body) = body {
            self.visit_node(body);
        }
        self.blocks -= 1;
        self.b.pop_frame();
    }

    pub(super) fn catch(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.b.push_frame();
        if let Some(parameters) = node.child_by_field_id(f.parameters) {
            self.parameters(parameters);
        }
        self.visit_field(node, f.body);
        self.b.pop_frame();
    }

    pub(super) fn lambda(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.b.push_frame();
        self.blocks += 1;
        let outer = self.type_parameters.len();
        if let Some(captures) = node.child_by_field_id(f.captures) {
            self.captures(captures);
        }
        if let Some(parameters) = node.child_by_field_id(f.template_parameters) {
            let _ = self.template_parameters(parameters);
        }
        if let Some(head) = node.child_by_field_id(f.declarator) {
            self.function_head(head);
        }
        self.visit_field(node, f.body);
        self.type_parameters.truncate(outer);
        self.blocks -= 1;
        self.b.pop_frame();
    }

    fn captures(&mut self, captures: Node<'_>) {
        let f = &self.t.fields;
        let mut cursor = captures.walk();
        for capture in captures.named_children(&mut cursor) {
            if self.kind(capture) != Kind::CaptureInitializer {
                self.visit_node(capture);
                continue;
            }
            let (left, right) = (capture.child_by_field_id(f.left), capture.child_by_field_id(f.right));
            let (Some(left), Some(right)) = (left, right) else { continue };
            self.visit_node(right);
            let value = self.expr_of(right, 0);
            self.bind_names(left, value);
        }
    }
}
