//! The package header and imports.

use super::{Kind, Kotlin, last_named_child};
use crate::ImportKind;
use crate::builder::Import;
use tree_sitter::Node;

impl Kotlin<'_> {
    pub(super) fn package(&mut self, node: Node<'_>) {
        if let Some(path) = self.child_of(node, Kind::QualifiedIdentifier) {
            let name = self.dotted(path);
            self.b.file.package = Some(self.b.intern(&name));
        }
    }

    /// `import a.b.C`, `import a.b.C as D`, `import a.b.*`.
    pub(super) fn import(&mut self, node: Node<'_>) {
        let Some(path) = self.child_of(node, Kind::QualifiedIdentifier) else { return };
        let name = self.dotted(path);
        let rest = self.b.source.get(path.end_byte()..node.end_byte()).unwrap_or("");
        if rest.trim_start().starts_with('.') {
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
        let alias = self.child_of(node, Kind::Identifier).map(|alias| self.b.text(alias).trim_matches('`'));
        let binds = Some(alias.unwrap_or(symbol));
        let at = last_named_child(path).unwrap_or(path);
        let kind = ImportKind::Symbol;
        self.b.import(Import { kind, module, symbol: Some(symbol), binds, reexport: false, at });
    }

    /// The text of a dotted name without white space and back quotes.
    fn dotted(&self, node: Node<'_>) -> String {
        self.b.text(node).chars().filter(|c| !c.is_whitespace() && *c != '`').collect()
    }
}
