//! `#include`, `using`, namespace aliases.

use super::{Kind, Native};
use crate::builder::{Import, Walk};
use crate::{ImportKind, SymbolKind};
use tree_sitter::Node;

impl Native<'_> {
    /// `#include "x.h"` is `x.h`, `#include <x>` is `<x>`.
    pub(super) fn include(&mut self, node: Node<'_>) {
        let Some(path) = node.child_by_field_id(self.t.fields.path) else { return };
        let text = self.b.text(path);
        let module = match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            Some(module) => module,
            None if text.starts_with('<') => text,
            None => return self.visit_node(path), // `#include MACRO`
        };
        self.file_import(ImportKind::File, module, path);
    }

    fn file_import(&mut self, kind: ImportKind, module: &str, at: Node<'_>) {
        let reexport = kind == ImportKind::Glob && self.in_namespace();
        self.b.import(Import { kind, module, symbol: None, binds: None, reexport, at });
    }

    /// What a namespace uses can be named through it.
    fn in_namespace(&self) -> bool {
        self.b.enclosing().next().is_some_and(|symbol| symbol.kind == SymbolKind::Module)
    }

    /// `using namespace N;`, `using N::f;`
    pub(super) fn using(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let mut is_namespace = false;
        let mut target = None;
        for child in node.children(&mut cursor) {
            if child.is_named() {
                target = Some(child);
            } else {
                is_namespace |= self.b.text(child) == "namespace";
            }
        }
        let Some(target) = target else { return };
        if is_namespace {
            let module: String = self.b.text(target).split_whitespace().collect();
            return self.file_import(ImportKind::Glob, &module, target);
        }
        if self.kind(target) != Kind::Qualified {
            return;
        }
        let own = self.own_name(target);
        self.scope_uses(&own.scopes);
        let module = own.scopes.iter().map(|scope| self.scope_text(*scope)).collect::<Vec<_>>().join("::");
        let is_global = self.b.text(target).starts_with("::");
        let module = if is_global { format!("::{module}") } else { module };
        let name = self.leaf_text(own.leaf);
        self.b.import(Import {
            kind: ImportKind::Symbol,
            module: &module,
            symbol: Some(&name),
            binds: Some(&name),
            reexport: self.in_namespace(),
            at: own.leaf,
        });
    }

    /// `namespace A = B::C;`
    pub(super) fn namespace_alias(&mut self, node: Node<'_>) {
        let Some(name) = node.child_by_field_id(self.t.fields.name) else { return };
        let mut cursor = node.walk();
        let target = node.named_children(&mut cursor).filter(|child| child.id() != name.id()).last();
        let Some(target) = target else { return };
        let module: String = self.b.text(target).split_whitespace().collect();
        self.b.import(Import {
            kind: ImportKind::Module,
            module: &module,
            symbol: None,
            binds: Some(self.b.text(name)),
            reexport: self.in_namespace(),
            at: target,
        });
    }
}
