//! `use` trees and `extern crate`.

use super::{Kind, Rust};
use crate::builder::{Import, MAX_EXPR_DEPTH};
use crate::{ImportKind, RefKind};
use tree_sitter::Node;

impl Rust<'_> {
    pub(super) fn use_declaration(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let reexport = node.named_children(&mut cursor).any(|child| self.kind(child) == Kind::Visibility);
        if let Some(argument) = node.child_by_field_id(self.t.fields.argument) {
            self.use_tree(argument, String::new(), reexport, 0);
        }
    }

    /// One branch of a use tree behind `prefix`.
    fn use_tree(&mut self, node: Node<'_>, prefix: String, reexport: bool, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::UseList => {
                let mut cursor = node.walk();
                for branch in node.named_children(&mut cursor) {
                    self.use_tree(branch, prefix.clone(), reexport, depth + 1);
                }
            }
            Kind::ScopedUseList => {
                let path = node.child_by_field_id(f.path).map_or("", |path| self.b.text(path));
                if let Some(path) = node.child_by_field_id(f.path) {
                    self.use_qualifier(path, &prefix);
                }
                if let Some(list) = node.child_by_field_id(f.list) {
                    self.use_tree(list, join(&prefix, path), reexport, depth + 1);
                }
            }
            Kind::UseWildcard => {
                let path = node.named_child(0).map_or("", |path| self.b.text(path));
                let module = join(&prefix, path);
                if let Some(path) = node.named_child(0) {
                    self.use_qualifier(path, &prefix);
                }
                let kind = ImportKind::Glob;
                self.b.import(Import {
                    kind,
                    module: &module,
                    symbol: None,
                    binds: None,
                    reexport,
                    at: node,
                });
            }
            Kind::UseAs => {
                let (path, alias) = (node.child_by_field_id(f.path), node.child_by_field_id(f.alias));
                if let (Some(path), Some(alias)) = (path, alias) {
                    let alias = self.b.text(alias);
                    self.use_leaf(path, &prefix, Some(alias).filter(|alias| *alias != "_"), reexport);
                }
            }
            Kind::LineComment | Kind::BlockComment => {}
            _ => {
                let text = self.b.text(node);
                let last = text.rsplit("::").next().unwrap_or(text);
                let binds =
                    if last == "self" { prefix.rsplit("::").next().unwrap_or("") } else { last }.to_owned();
                self.use_leaf(node, &prefix, Some(&binds), reexport);
            }
        }
    }

    /// `use a::Kind::*`, `use Kind::{A, B}`: the enum that its variants are taken from is used too.
    fn use_qualifier(&mut self, path: Node<'_>, prefix: &str) {
        let last = path.child_by_field_id(self.t.fields.name).unwrap_or(path);
        if !self.b.text(last).starts_with(char::is_uppercase) {
            return;
        }
        let whole = join(prefix, self.b.text(path));
        let base = whole.rsplit_once("::").map(|(before, _)| self.b.path_expr(before, "::"));
        self.b.reference(last, RefKind::Use, base);
    }

    /// `prefix::path`, bound to a name.
    fn use_leaf(&mut self, path: Node<'_>, prefix: &str, binds: Option<&str>, reexport: bool) {
        let whole = join(prefix, self.b.text(path));
        let whole = whole.strip_suffix("::self").unwrap_or(&whole);
        let at = path.child_by_field_id(self.t.fields.name).unwrap_or(path);
        if let Some(qualifier) = path.child_by_field_id(self.t.fields.path) {
            self.use_qualifier(qualifier, prefix);
        }
        let row = match whole.rsplit_once("::") {
            Some((module, symbol)) => {
                Import { kind: ImportKind::Symbol, module, symbol: Some(symbol), binds, reexport, at }
            }
            None => Import { kind: ImportKind::Module, module: whole, symbol: None, binds, reexport, at },
        };
        self.b.import(row);
    }

    pub(super) fn extern_crate(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name) = node.child_by_field_id(f.name) else { return };
        let module = self.b.text(name);
        let binds = node.child_by_field_id(f.alias).map_or(module, |alias| self.b.text(alias));
        let kind = ImportKind::Module;
        let mut cursor = node.walk();
        let reexport = node.named_children(&mut cursor).any(|child| self.kind(child) == Kind::Visibility);
        self.b.import(Import { kind, module, symbol: None, binds: Some(binds), reexport, at: name });
    }
}

fn join(prefix: &str, path: &str) -> String {
    let path: String = path.split_whitespace().collect();
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => path,
        (_, true) => prefix.to_owned(),
        _ => format!("{prefix}::{path}"),
    }
}
