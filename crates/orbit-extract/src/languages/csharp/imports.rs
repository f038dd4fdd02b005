//! `using` directives and namespaces.

use super::{CSharp, Kind};
use crate::builder::{Def, Import, Walk, end_line};
use crate::{ImportKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl CSharp<'_> {
    /// `using N;`, `using static N.T;`, `using X = N.T;`; `global using` counts for other files too.
    pub(super) fn using(&mut self, node: Node<'_>) {
        let reexport = self.b.text(node).starts_with("global");
        let alias = node.child_by_field_id(self.t.fields.name);
        let mut cursor = node.walk();
        let target = node.named_children(&mut cursor).find(|child| {
            Some(child.id()) != alias.map(|alias| alias.id()) && self.kind(*child) != Kind::Comment
        });
        let Some(target) = target else { return };
        let Some(alias) = alias else {
            let module = self.dotted(target);
            let kind = ImportKind::Glob;
            self.b.import(Import { kind, module: &module, symbol: None, binds: None, reexport, at: target });
            return;
        };
        let (qualifier, last) = match self.kind(target) {
            Kind::QualifiedName | Kind::AliasQualifiedName => {
                (target.child_by_field_id(self.t.fields.qualifier), self.name_of(target))
            }
            Kind::Identifier | Kind::GenericName => (None, Some(target)),
            _ => return,
        };
        let Some(last) = last else { return };
        let last = self.child_of(last, Kind::Identifier).unwrap_or(last);
        let module = qualifier.map_or_else(String::new, |qualifier| self.dotted(qualifier));
        let (symbol, binds) = (Some(self.b.text(last)), Some(self.b.text(alias)));
        let kind = ImportKind::Symbol;
        self.b.import(Import { kind, module: &module, symbol, binds, reexport, at: last });
    }

    pub(super) fn namespace(&mut self, node: Node<'_>) {
        let body = node.child_by_field_id(self.t.fields.body);
        let Some(scope) = self.define_namespace(node, body) else {
            return self.visit_children_of(node);
        };
        self.b.enter(scope);
        if let Some(body) = body {
            self.visit_children_of(body);
        }
        self.b.leave();
    }

    /// `namespace A.B;` encloses the rest of the file.
    pub(super) fn file_namespace(&mut self, node: Node<'_>) {
        let Some(scope) = self.define_namespace(node, None) else { return };
        if let Some(symbol) = scope.symbol().map(|index| &mut self.b.file.symbols[index]) {
            let root = node.parent().unwrap_or(node);
            symbol.span.end = root.end_byte() as u32;
            symbol.end_line = end_line(root);
        }
        self.b.enter(scope);
    }

    fn define_namespace(&mut self, node: Node<'_>, body: Option<Node<'_>>) -> Option<ScopeId> {
        let name_node = self.name_of(node)?;
        let name = self.dotted(name_node);
        let end = body.map_or(name_node.end_byte(), |body| body.start_byte());
        let mut def = Def::new(node, name_node, SymbolKind::Module).exported(true);
        def.signature_end = Some(end);
        Some(self.b.define_as(def, &name, None))
    }

    /// The text of a dotted name without white space and without `global::`.
    fn dotted(&self, node: Node<'_>) -> String {
        let text: String = self.b.text(node).split_whitespace().collect();
        text.strip_prefix("global::").unwrap_or(&text).replace("::", ".")
    }
}
