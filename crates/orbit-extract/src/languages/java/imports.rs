//! The package clause, imports and module descriptors.

use super::{Java, Kind};
use crate::builder::{Def, Import, MAX_EXPR_DEPTH};
use crate::{ImportKind, RefKind, SymbolKind};
use std::borrow::Cow;
use tree_sitter::Node;

impl<'s> Java<'s> {
    pub(super) fn package(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Identifier | Kind::ScopedIdentifier => {
                    let name = self.dotted(child);
                    self.b.file.package = Some(self.b.intern(&name));
                }
                Kind::MarkerAnnotation | Kind::Annotation => self.annotation(child),
                _ => {}
            }
        }
    }

    /// `import a.b.C;`, `import a.b.*;` and the same with `static`, where `a.b.C` is the class of a member.
    pub(super) fn import(&mut self, node: Node<'_>) {
        let is_glob = self.child_of(node, Kind::Asterisk).is_some();
        let path =
            self.child_of(node, Kind::ScopedIdentifier).or_else(|| self.child_of(node, Kind::Identifier));
        let Some(path) = path else { return };
        let name = self.dotted(path);
        self.import_qualifiers(path, is_glob, 0);
        if is_glob {
            let kind = ImportKind::Glob;
            self.b.import(Import {
                kind,
                module: &name,
                symbol: None,
                binds: None,
                reexport: false,
                at: path,
            });
            return;
        }
        let (module, symbol) = name.rsplit_once('.').unwrap_or(("", &name));
        let at = path.child_by_field_id(self.t.fields.name).unwrap_or(path);
        let kind = ImportKind::Symbol;
        self.b.import(Import {
            kind,
            module,
            symbol: Some(symbol),
            binds: Some(symbol),
            reexport: false,
            at,
        });
    }

    /// `import a.Outer.Inner;`: the types on the way are used too. Packages are written in lower case.
    fn import_qualifiers(&mut self, path: Node<'_>, is_whole: bool, depth: u32) {
        let (scope, name) = (path.child_by_field_name("scope"), path.child_by_field_id(self.t.fields.name));
        let last = name.unwrap_or(path);
        if depth > MAX_EXPR_DEPTH || is_whole && !self.b.text(last).starts_with(char::is_uppercase) {
            return;
        }
        if let Some(scope) = scope {
            self.import_qualifiers(scope, true, depth + 1);
        }
        if let (true, Some(scope)) = (is_whole, scope) {
            let (module, symbol) = (self.dotted(scope), self.b.text(last));
            let kind = ImportKind::Symbol;
            let (symbol, binds, reexport) = (Some(symbol), None, false);
            self.b.import(Import { kind, module: &module, symbol, binds, reexport, at: last });
        }
    }

    /// `module a.b { uses S; provides S with P; }`: a module symbol that uses types.
    pub(super) fn module(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name_node) = node.child_by_field_id(f.name) else { return };
        let body = node.child_by_field_id(f.body);
        let name = self.dotted(name_node);
        let def = Def::new(node, name_node, SymbolKind::Module).signature_until(body).exported(true);
        let scope = self.b.define_as(def, &name, None);
        let Some(body) = body else { return };
        self.b.enter(scope);
        let mut cursor = body.walk();
        for directive in body.named_children(&mut cursor) {
            if !matches!(self.kind(directive), Kind::UsesDirective | Kind::ProvidesDirective) {
                continue;
            }
            let mut inner = directive.walk();
            for name in directive.named_children(&mut inner) {
                if matches!(self.kind(name), Kind::Identifier | Kind::ScopedIdentifier) {
                    self.name_refs(name, RefKind::Type);
                }
            }
        }
        self.b.leave();
    }

    /// The text of a dotted name without the white space it may hold.
    fn dotted(&self, node: Node<'_>) -> Cow<'s, str> {
        let text = self.b.text(node);
        if text.contains(char::is_whitespace) {
            Cow::Owned(text.split_whitespace().collect())
        } else {
            Cow::Borrowed(text)
        }
    }
}
