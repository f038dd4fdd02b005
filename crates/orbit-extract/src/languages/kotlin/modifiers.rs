//! Modifiers, annotations and signatures.

use super::{Kind, Kotlin};
use crate::builder::Walk;
use crate::{RefKind, ScopeId};
use tree_sitter::Node;

/// What the modifiers of a declaration say.
#[expect(clippy::struct_excessive_bools, reason = "each field is one modifier")]
pub(super) struct Modifiers {
    is_hidden: bool,
    pub(super) is_const: bool,
    pub(super) is_enum: bool,
    pub(super) is_test: bool,
    /// Where the declaration starts behind its annotations.
    pub(super) signature_start: usize,
}

impl Kotlin<'_> {
    /// Reads the modifiers of a declaration and records its annotations.
    pub(super) fn modifiers(&mut self, node: Node<'_>) -> Modifiers {
        let mut found = Modifiers {
            is_hidden: false,
            is_const: false,
            is_enum: false,
            is_test: false,
            signature_start: node.start_byte(),
        };
        let Some(modifiers) = self.child_of(node, Kind::Modifiers) else { return found };
        let mut is_leading = true;
        let mut cursor = modifiers.walk();
        for child in modifiers.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Annotation => {
                    self.annotation(child);
                    found.is_test |= is_test_annotation(self.b.text(child));
                    continue;
                }
                Kind::LineComment | Kind::BlockComment => continue,
                _ => {}
            }
            if is_leading {
                found.signature_start = child.start_byte();
                is_leading = false;
            }
            match self.b.text(child) {
                "private" | "internal" => found.is_hidden = true,
                "const" => found.is_const = true,
                "enum" => found.is_enum = true,
                _ => {}
            }
        }
        if is_leading {
            found.signature_start =
                modifiers.next_sibling().map_or(node.start_byte(), |next| next.start_byte());
        }
        found
    }

    /// `@Foo`, `@Foo(…)`, `@[Foo Bar(…)]`, `@file:Foo`: a call of what it names.
    pub(super) fn annotation(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::ConstructorInvocation => self.constructor_invocation(child),
                Kind::UserType => self.type_refs(child, RefKind::Call, 0),
                _ => {}
            }
        }
    }

    /// `Foo(…)` in an annotation.
    pub(super) fn constructor_invocation(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::ValueArguments => self.visit_children_of(child),
                _ => self.type_refs(child, RefKind::Call, 0),
            }
        }
    }

    /// Whether a declaration made here can be seen outside the file.
    pub(super) fn is_exported(&self, modifiers: &Modifiers) -> bool {
        !modifiers.is_hidden && self.is_open_scope()
    }

    pub(super) fn is_open_scope(&self) -> bool {
        !self.in_body && self.b.enclosing().next().is_none_or(|symbol| symbol.exported)
    }

    /// The signature runs from behind the annotations to the body, or to the end of `node`.
    pub(super) fn sign(&mut self, scope: ScopeId, start: usize, body: Option<Node<'_>>, node: Node<'_>) {
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        self.b.set_signature(scope, start..end.max(start));
    }
}

fn is_test_annotation(text: &str) -> bool {
    let name = text.trim_start_matches('@').split('(').next().unwrap_or(text);
    let name = name.rsplit(['.', ':']).next().unwrap_or(name).trim();
    matches!(name, "Test" | "ParameterizedTest" | "RepeatedTest" | "TestFactory" | "TestTemplate")
}
