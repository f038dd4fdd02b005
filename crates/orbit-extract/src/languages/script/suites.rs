//! Tests: `describe("title", fn)`, `test.only("title", fn)`, `it.each(table)("title", fn)`.

use super::{Kind, Script};
use crate::SymbolKind;
use crate::builder::{Def, MAX_EXPR_DEPTH, Walk};
use tree_sitter::Node;

impl Script<'_> {
    /// Reads the arguments of a test call under a symbol named by its title; says whether it was one.
    pub(super) fn suite(&mut self, node: Node<'_>, callee: Node<'_>, arguments: Node<'_>) -> bool {
        if !self.is_suite(callee) {
            return false;
        }
        let Some(title_node) = arguments.named_child(0) else { return false };
        let Some(title) = self.literal(title_node).filter(|title| !title.is_empty()) else { return false };
        let mut cursor = arguments.walk();
        if !arguments.named_children(&mut cursor).skip(1).any(|argument| self.is_function(argument)) {
            return false;
        }
        let scope = self.b.define_as(Def::new(node, title_node, SymbolKind::Test), title, None);
        self.b.enter(scope);
        self.visit_children_of(arguments);
        self.b.leave();
        true
    }

    /// The function behind `.only`, `.skip`, `.each(…)` and their like.
    fn is_suite(&self, mut callee: Node<'_>) -> bool {
        let f = &self.t.fields;
        for _ in 0..MAX_EXPR_DEPTH {
            let next = match self.kind(callee) {
                Kind::Identifier => return is_suite_name(self.b.text(callee)),
                Kind::Member => callee
                    .child_by_field_id(f.property)
                    .filter(|property| is_modifier(self.b.text(*property)))
                    .and_then(|_| callee.child_by_field_id(f.object)),
                Kind::Call => {
                    callee.child_by_field_id(f.function).filter(|inner| self.kind(*inner) == Kind::Member)
                }
                _ => None,
            };
            match next {
                Some(next) => callee = next,
                None => return false,
            }
        }
        false
    }
}

fn is_suite_name(name: &str) -> bool {
    matches!(
        name,
        "test" | "it" | "describe" | "suite" | "bench" | "fit" | "xit" | "xtest" | "fdescribe" | "xdescribe"
    )
}

fn is_modifier(name: &str) -> bool {
    matches!(
        name,
        "only"
            | "skip"
            | "each"
            | "for"
            | "concurrent"
            | "sequential"
            | "serial"
            | "parallel"
            | "fails"
            | "failing"
            | "runIf"
            | "skipIf"
            | "describe"
            | "shuffle"
            | "todo"
    )
}
