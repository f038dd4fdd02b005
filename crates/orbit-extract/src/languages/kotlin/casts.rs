//! Smart casts: where a local has been tested to be of a type, it is of that type.

use super::{Kind, Kotlin};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use tree_sitter::Node;

impl Kotlin<'_> {
    /// The first branch knows what the condition tested.
    pub(super) fn if_expression(&mut self, node: Node<'_>) {
        let condition = node.child_by_field_id(self.t.fields.condition);
        if let Some(condition) = condition {
            self.visit_node(condition);
        }
        let mut is_first = true;
        let mut cursor = node.walk();
        for branch in node.named_children(&mut cursor) {
            if Some(branch.id()) == condition.map(|condition| condition.id()) {
                continue;
            }
            self.b.push_frame();
            if let (true, Some(condition)) = (is_first, condition) {
                self.smart_casts(condition, 0);
            }
            is_first = false;
            self.visit_node(branch);
            self.b.pop_frame();
        }
    }

    /// In `a && b`, `b` knows what `a` tested.
    pub(super) fn binary(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (left, right) = (node.child_by_field_id(f.left), node.child_by_field_id(f.right));
        let (Some(left), Some(right)) = (left, right) else { return self.visit_children_of(node) };
        if let Some(call) = self.generic_call(node) {
            return self.visit_generic_call(call);
        }
        self.visit_node(left);
        if self.operator(node) != "&&" {
            return self.visit_node(right);
        }
        self.b.push_frame();
        self.smart_casts(left, 0);
        self.visit_node(right);
        self.b.pop_frame();
    }

    pub(super) fn operator(&self, node: Node<'_>) -> &str {
        node.child_by_field_id(self.t.fields.operator).map_or("", |operator| self.b.text(operator))
    }

    /// Binds the locals that a condition has tested with `is`.
    fn smart_casts(&mut self, condition: Node<'_>, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        let f = &self.t.fields;
        let (left, right) = (condition.child_by_field_id(f.left), condition.child_by_field_id(f.right));
        match (self.kind(condition), left, right) {
            (Kind::Parenthesized, ..) => {
                if let Some(inner) = condition.named_child(0) {
                    self.smart_casts(inner, depth + 1);
                }
            }
            (Kind::Binary, Some(left), Some(right)) if self.operator(condition) == "&&" => {
                self.smart_casts(left, depth + 1);
                self.smart_casts(right, depth + 1);
            }
            (Kind::Is, Some(left), Some(right)) => {
                let between = self.b.source.get(left.end_byte()..right.start_byte()).unwrap_or("");
                if !between.contains("!is") {
                    self.cast_local(left, right);
                }
            }
            _ => {}
        }
    }

    /// Binds `name` anew with a type, if it is a local.
    fn cast_local(&mut self, name: Node<'_>, ty: Node<'_>) {
        if self.kind(name) != Kind::Identifier {
            return;
        }
        let id = self.name(name);
        if self.b.local(id).is_some() {
            let held = self.instance_of(ty);
            self.b.bind(id, held);
        }
    }

    /// `when (x) { is Foo -> … }`: in that branch `x` is a `Foo`.
    pub(super) fn when(&mut self, node: Node<'_>) {
        self.b.push_frame();
        let mut subject = None;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::WhenSubject => subject = self.when_subject(child),
                Kind::WhenEntry => self.when_entry(child, subject),
                _ => {}
            }
        }
        self.b.pop_frame();
    }

    fn when_entry(&mut self, node: Node<'_>, subject: Option<Node<'_>>) {
        self.b.push_frame();
        let mut cursor = node.walk();
        for (index, child) in node.named_children(&mut cursor).enumerate() {
            self.visit_node(child);
            if index > 0 {
                continue;
            }
            match (self.kind(child), subject) {
                (Kind::TypeTest, Some(subject)) if !self.b.text(child).starts_with('!') => {
                    if let (Some(ty), false) = (self.type_in(child), has_alternatives(node)) {
                        self.cast_local(subject, ty);
                    }
                }
                (_, None) => self.smart_casts(child, 0),
                _ => {}
            }
        }
        self.b.pop_frame();
    }
}

/// Whether an entry has several conditions.
fn has_alternatives(entry: Node<'_>) -> bool {
    entry.named_child_count() > 2
}
