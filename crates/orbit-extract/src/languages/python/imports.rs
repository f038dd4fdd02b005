//! `import` and `from … import`. Every import of a Python module can be imported from it again.

use super::{Kind, Python};
use crate::ImportKind;
use crate::builder::Import;
use tree_sitter::Node;

impl<'s> Python<'s> {
    /// `import a.b`, `import a.b as c`.
    pub(super) fn import(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for name in node.named_children(&mut cursor) {
            let (path, alias) = self.aliased(name);
            let module = self.b.text(path);
            // `import a.b` binds `a`, and `a.b` is then reached as an attribute.
            let (module, binds) = match alias {
                Some(alias) => (module, alias),
                None => (module, module.split('.').next().unwrap_or(module)),
            };
            let kind = ImportKind::Module;
            self.b.import(Import {
                kind,
                module,
                symbol: None,
                binds: Some(binds),
                reexport: true,
                at: path,
            });
        }
    }

    /// `from m import x as y`, `from . import z`, `from m import *`.
    pub(super) fn import_from(&mut self, node: Node<'_>) {
        let Some(module_node) = node.child_by_field_id(self.t.fields.module_name) else { return };
        let module: String = self.b.text(module_node).split_whitespace().collect();
        let mut cursor = node.walk();
        let rest: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| child.id() != module_node.id()).collect();
        for child in rest {
            let (kind, at, symbol, binds) = match self.kind(child) {
                Kind::Wildcard => (ImportKind::Glob, child, None, None),
                Kind::DottedName | Kind::AliasedImport => {
                    let (path, alias) = self.aliased(child);
                    let symbol = self.b.text(path);
                    (ImportKind::Symbol, path, Some(symbol), Some(alias.unwrap_or(symbol)))
                }
                _ => continue,
            };
            self.b.import(Import { kind, module: &module, symbol, binds, reexport: true, at });
        }
    }

    fn aliased<'t>(&self, node: Node<'t>) -> (Node<'t>, Option<&'s str>) {
        if self.kind(node) != Kind::AliasedImport {
            return (node, None);
        }
        let name = node.child_by_field_id(self.t.fields.name).unwrap_or(node);
        (name, node.child_by_field_id(self.t.fields.alias).map(|alias| self.b.text(alias)))
    }
}
