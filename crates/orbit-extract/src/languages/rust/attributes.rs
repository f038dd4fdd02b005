//! Attributes: what they say of the item behind them, and the macros they name.

use super::{Kind, Rust};
use crate::builder::{Def, line, span};
use crate::{Expr, ExprId, RawRelation, RefKind, RelationKind, ScopeId, Span, SymbolKind};
use tree_sitter::Node;

impl Rust<'_> {
    /// Keeps the attribute for the item behind it, and records the macros it names.
    pub(super) fn attribute_item(&mut self, node: Node<'_>) {
        let text = self.b.text(node);
        self.attributes.push(text);
        let Some(attribute) = node.named_child(0) else { return };
        let Some(path) = attribute.named_child(0) else { return };
        let name = self.b.text(path);
        if name == "derive" {
            if let Some(arguments) = attribute.child_by_field_id(self.t.fields.arguments) {
                self.derives(arguments);
            }
        } else if matches!(name, "project" | "project_ref") {
            self.projection(attribute.child_by_field_id(self.t.fields.value));
        } else if !is_builtin_attribute(name) {
            if name.rsplit("::").next() == Some("pin_project")
                && let Some(arguments) = attribute.child_by_field_id(self.t.fields.arguments)
            {
                self.named_projections(arguments);
            }
            match self.kind(path) {
                Kind::ScopedIdentifier => self.scoped(path, RefKind::Macro),
                _ => self.b.reference(path, RefKind::Macro, None),
            }
        }
    }

    /// `#[pin_project(project = Name)]`.
    fn named_projections(&mut self, arguments: Node<'_>) {
        let mut cursor = arguments.walk();
        let tokens: Vec<Node<'_>> = arguments.children(&mut cursor).collect();
        for words in tokens.windows(3) {
            if matches!(self.b.text(words[0]), "project" | "project_ref") && words[1].kind() == "=" {
                self.projection(Some(words[2]));
            }
        }
    }

    /// `#[project = Name]`: a type with the variants and fields of the one behind it, which `project` gives.
    fn projection(&mut self, name: Option<Node<'_>>) {
        if let Some(name) = name.filter(|name| self.kind(*name) == Kind::Identifier) {
            let scope = self.b.define(Def::new(name, name, SymbolKind::TypeAlias));
            self.projections.push(scope);
        }
    }

    pub(super) fn projections_of(&mut self, name: Node<'_>) {
        let name = self.b.name(name);
        let ty = self.b.expr(Expr::Name(name));
        for scope in std::mem::take(&mut self.projections) {
            if let Some(index) = scope.symbol() {
                self.b.file.symbols[index].ty = Some(ty);
            }
        }
    }

    fn derives(&mut self, arguments: Node<'_>) {
        let mut cursor = arguments.walk();
        for child in arguments.named_children(&mut cursor) {
            if self.kind(child) == Kind::Identifier {
                self.b.reference(child, RefKind::Macro, None);
                // The last name of a path; a derive macro is called like the trait that it implements.
                let name = self.b.name(child);
                let is_path = child.next_sibling().is_some_and(|next| next.kind() == "::");
                if !is_path && !is_library_derive(self.b.file.names.get(name)) {
                    let name = self.b.expr(Expr::Name(name));
                    self.derived.push(Derived { name, span: span(child), line: line(child) });
                }
            }
        }
    }

    /// A type has the traits that are derived for it.
    pub(super) fn derived_traits(&mut self, owner: ScopeId, name: Node<'_>) {
        let name = self.b.name(name);
        let from = self.b.expr(Expr::Name(name));
        let (kind, scope) = (RelationKind::Impl, self.b.scope());
        for Derived { name: to, span, line } in std::mem::take(&mut self.derived) {
            self.b.file.relations.push(RawRelation { from, to, kind, span, line, scope, owner });
        }
    }
}

/// A trait in the list of a `#[derive(…)]`.
pub(super) struct Derived {
    name: ExprId,
    span: Span,
    line: u32,
}

/// What the standard library derives.
fn is_library_derive(name: &str) -> bool {
    matches!(
        name,
        "Clone" | "Copy" | "Debug" | "Default" | "Eq" | "Hash" | "Ord" | "PartialEq" | "PartialOrd"
    )
}

pub(super) fn is_test_attribute(attribute: &str) -> bool {
    let inner = attribute.trim_start_matches("#[").trim_end_matches(']');
    let path = inner.split('(').next().unwrap_or(inner).trim();
    matches!(
        path.rsplit("::").next(),
        Some("test" | "rstest" | "test_case" | "bench" | "proptest" | "quickcheck" | "wasm_bindgen_test")
    )
}

/// `#[proc_macro]`, `#[proc_macro_attribute]`: others know the function as a macro of its name.
pub(super) fn makes_macro(attribute: &str) -> bool {
    let inner = attribute.trim_start_matches("#[").trim_end_matches(']').trim();
    matches!(inner, "proc_macro" | "proc_macro_attribute")
}

pub(super) fn path_attribute(attribute: &str) -> Option<&str> {
    let value =
        attribute.strip_prefix("#[")?.trim_start().strip_prefix("path")?.trim_start().strip_prefix('=')?;
    value.trim().strip_prefix('"')?.split('"').next()
}

fn is_builtin_attribute(name: &str) -> bool {
    const BUILTIN: [&str; 34] = [
        "allow",
        "arg",
        "bench",
        "cfg",
        "cfg_attr",
        "clap",
        "cold",
        "command",
        "default",
        "deny",
        "deprecated",
        "doc",
        "error",
        "expect",
        "export_name",
        "feature",
        "forbid",
        "global_allocator",
        "ignore",
        "inline",
        "link",
        "link_name",
        "macro_export",
        "macro_use",
        "must_use",
        "no_mangle",
        "non_exhaustive",
        "path",
        "repr",
        "rustfmt",
        "serde",
        "should_panic",
        "test",
        "warn",
    ];
    BUILTIN.binary_search(&name).is_ok()
}
