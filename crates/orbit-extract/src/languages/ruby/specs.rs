//! Tests of `RSpec`: groups, examples, and the helpers that groups define.

use super::{Kind, Ruby};
use crate::builder::{Def, Walk};
use crate::{RefKind, SymbolKind};
use tree_sitter::Node;

impl Ruby<'_> {
    /// `describe "title" do … end` and the like: a test that encloses its block.
    pub(super) fn test_block(
        &mut self,
        node: Node<'_>,
        method: &str,
        arguments: Option<Node<'_>>,
        block: Node<'_>,
    ) -> bool {
        let is_group = matches!(
            method,
            "describe"
                | "context"
                | "feature"
                | "xdescribe"
                | "fdescribe"
                | "xcontext"
                | "fcontext"
                | "shared_examples"
                | "shared_context"
                | "shared_examples_for"
        );
        let is_example =
            matches!(method, "it" | "specify" | "example" | "scenario" | "xit" | "fit" | "pending")
                || (self.is_test_file && matches!(method, "test" | "should"));
        if !is_group && !is_example {
            return false;
        }
        let Some(first) = arguments.and_then(|arguments| arguments.named_child(0)) else { return false };
        let title = match self.kind(first) {
            Kind::String => self.literal_name(first),
            Kind::Constant | Kind::ScopeResolution if is_group => Some(self.b.text(first)),
            _ => None,
        };
        let Some(title) = title else { return false };
        let mut def = Def::new(node, first, SymbolKind::Test);
        def.signature_end = Some(block.start_byte());
        let scope = self.b.define_as(def, title, None);
        if let Some(method) = node.child_by_field_id(self.t.fields.method)
            && node.child_by_field_id(self.t.fields.receiver).is_none()
        {
            self.b.reference(method, RefKind::Call, None);
        }
        if let Some(arguments) = arguments {
            self.visit_children_of(arguments);
        }
        let outer = (self.described, self.subject);
        if let Kind::Constant | Kind::ScopeResolution = self.kind(first) {
            let described = self.expr_of(first, 0);
            (self.described, self.subject) = (Some(described), Some(self.b.instance(described)));
        }
        self.b.enter(scope);
        self.scoped_block(block);
        self.b.leave();
        (self.described, self.subject) = outer;
        true
    }

    /// `let(:name) { … }`, `subject { … }`: a method of the group that gives what its block does.
    pub(super) fn helper(
        &mut self,
        node: Node<'_>,
        method: &str,
        arguments: Option<Node<'_>>,
        block: Node<'_>,
    ) -> bool {
        let in_group = self.b.enclosing().next().is_some_and(|symbol| symbol.kind == SymbolKind::Test);
        if !in_group || !matches!(method, "let" | "let!" | "subject" | "subject!") {
            return false;
        }
        let named = arguments.and_then(|arguments| arguments.named_child(0));
        let name_node = match (named, node.child_by_field_id(self.t.fields.method)) {
            (Some(named), _) => named,
            (None, Some(name)) if method.starts_with("subject") => name,
            _ => return false,
        };
        let Some(name) = self.literal_name(name_node) else { return false };
        let name = name.trim_end_matches('!');
        if method.starts_with("subject") {
            self.subject = None;
        }
        let mut def = Def::new(node, name_node, SymbolKind::Method);
        def.signature_end = Some(block.start_byte());
        let scope = self.b.define_as(def, name, None);
        self.b.enter(scope);
        self.b.push_frame();
        self.scoped_block(block);
        let value = self.value_of_body(block.child_by_field_id(self.t.fields.body));
        self.b.pop_frame();
        self.b.leave();
        self.give(scope, value);
        true
    }

    /// `described_class`: what the group is about.
    pub(super) fn is_described_class(&self, node: Node<'_>) -> bool {
        self.described.is_some()
            && self.kind(node) == Kind::Identifier
            && self.b.text(node) == "described_class"
    }

    pub(super) fn is_rspec(&self, receiver: Option<Node<'_>>) -> bool {
        receiver
            .is_some_and(|receiver| self.kind(receiver) == Kind::Constant && self.b.text(receiver) == "RSpec")
    }
}
