//! ES module imports and exports.

use super::commands::Library;
use super::{Kind, ObjectPlace, Outer, Script};
use crate::builder::{Def, Import, Walk};
use crate::{ImportKind, NameId, SymbolKind};
use hashbrown::HashSet;
use tree_sitter::{Node, Tree};

impl<'s> Script<'s> {
    pub(super) fn import(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let clause = node
            .named_children(&mut cursor)
            .find(|child| matches!(self.kind(*child), Kind::ImportClause | Kind::ImportRequire));
        match clause {
            Some(clause) if self.kind(clause) == Kind::ImportRequire => {
                let name = clause.named_child(0).map(|name| self.b.text(name));
                let source = clause.child_by_field_id(self.t.fields.source);
                if let Some(module) = source.and_then(|source| self.literal(source)) {
                    self.modules.extend(name.map(|name| (name, module)));
                    self.import_row(ImportKind::Module, module, None, name, clause);
                }
            }
            Some(clause) => {
                let Some(module) = self.source_of(node) else { return };
                self.import_clause(clause, module);
            }
            None => {
                let source = node.child_by_field_id(self.t.fields.source);
                if let Some((at, module)) = source.and_then(|at| Some((at, self.literal(at)?))) {
                    self.import_row(ImportKind::File, module, None, None, at);
                }
            }
        }
    }

    fn source_of(&self, node: Node<'_>) -> Option<&'s str> {
        self.literal(node.child_by_field_id(self.t.fields.source)?)
    }

    fn import_clause(&mut self, clause: Node<'_>, module: &'s str) {
        let mut cursor = clause.walk();
        for child in clause.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Identifier => {
                    let name = self.b.text(child);
                    self.import_row(ImportKind::Symbol, module, Some("default"), Some(name), child);
                }
                Kind::NamespaceImport => {
                    let name = child.named_child(0).unwrap_or(child);
                    let binds = self.b.text(name);
                    self.modules.insert(binds, module);
                    self.import_row(ImportKind::Module, module, None, Some(binds), name);
                }
                Kind::NamedImports => {
                    let mut cursor = child.walk();
                    for specifier in child.named_children(&mut cursor) {
                        if let Some((at, name, binds)) = self.specifier(specifier) {
                            self.import_row(ImportKind::Symbol, module, Some(name), Some(binds), at);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The node, name and alias of `a as b`.
    fn specifier<'t>(&self, node: Node<'t>) -> Option<(Node<'t>, &'s str, &'s str)> {
        if !matches!(self.kind(node), Kind::ImportSpecifier | Kind::ExportSpecifier) {
            return None;
        }
        let at = node.child_by_field_id(self.t.fields.name).unwrap_or(node);
        let name = if self.kind(at) == Kind::String {
            self.property_name(at)
        } else {
            // `default` is a keyword and no field in one of the grammars.
            self.b.text(at).split_whitespace().next().unwrap_or("")
        };
        let alias = node.child_by_field_id(self.t.fields.alias).map(|alias| self.property_name(alias));
        Some((at, name, alias.unwrap_or(name)))
    }

    pub(super) fn import_row(
        &mut self,
        kind: ImportKind,
        module: &str,
        symbol: Option<&str>,
        binds: Option<&str>,
        at: Node<'_>,
    ) {
        if let Some(library) = Library::of_module(module) {
            self.library = Some(library);
        }
        if super::routes::brings_routers(module) {
            self.made_routers.get_or_insert_default();
        }
        self.b.import(Import { kind, module, symbol, binds, reexport: false, at });
        if let Some(binds) = binds {
            self.shadow(binds);
        }
    }

    pub(super) fn reexport(
        &mut self,
        kind: ImportKind,
        module: &str,
        names: (Option<&str>, Option<&str>),
        at: Node<'_>,
    ) {
        self.b.import(Import { kind, module, symbol: names.0, binds: names.1, reexport: true, at });
    }

    /// A name of this file that others import as `binds`.
    pub(super) fn export_name(&mut self, name: &str, binds: &str, at: Node<'_>) {
        self.reexport(ImportKind::Symbol, "", (Some(name), Some(binds)), at);
    }

    // ── export ──────────────────────────────────────────────────────────────────────────────────────

    pub(super) fn export(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        for decorator in children.iter().filter(|child| self.t.kinds.of(**child) == Kind::Decorator) {
            self.visit_node(*decorator);
        }
        let is_default = children.iter().any(|child| !child.is_named() && self.b.text(*child) == "default");
        if let Some(source) = node.child_by_field_id(f.source) {
            self.export_from(node, source);
        } else if let Some(declaration) = node.child_by_field_id(f.declaration) {
            self.declare(declaration, Outer { whole: node, exported: true });
            let name = declaration.child_by_field_id(f.name).filter(|_| is_default);
            if let Some(name) = name {
                self.export_name(self.b.text(name), "default", name);
            }
        } else if let Some(value) = node.child_by_field_id(f.value) {
            self.export_default(node, value);
        } else if let Some(clause) = children.iter().find(|child| self.kind(**child) == Kind::ExportClause) {
            let mut cursor = clause.walk();
            for specifier in clause.named_children(&mut cursor) {
                if let Some((at, name, binds)) = self.specifier(specifier) {
                    self.export_name(name, binds, at);
                }
            }
        } else if children.iter().any(|child| !child.is_named() && self.b.text(*child) == "=") {
            let value = children.iter().find(|child| child.is_named() && self.kind(**child) != Kind::Comment);
            if let Some(value) = value {
                self.export_whole(node, *value);
            }
        }
    }

    fn export_from(&mut self, node: Node<'_>, source: Node<'_>) {
        let Some(module) = self.literal(source) else { return };
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::ExportClause => {
                    let mut cursor = child.walk();
                    for specifier in child.named_children(&mut cursor) {
                        if let Some((at, name, binds)) = self.specifier(specifier) {
                            self.reexport(ImportKind::Symbol, module, (Some(name), Some(binds)), at);
                        }
                    }
                    return;
                }
                Kind::NamespaceExport => {
                    let name = child.named_child(0).unwrap_or(child);
                    let binds = self.property_name(name);
                    return self.reexport(ImportKind::Module, module, (None, Some(binds)), name);
                }
                _ => {}
            }
        }
        self.reexport(ImportKind::Glob, module, (None, None), source);
    }

    /// `export default value`, `export = value`, `module.exports = value`.
    pub(super) fn export_default(&mut self, whole: Node<'_>, value: Node<'_>) {
        let outer = Outer { whole, exported: true };
        match self.kind(value) {
            Kind::Identifier => self.export_name(self.b.text(value), "default", value),
            Kind::FunctionExpression
            | Kind::GeneratorExpression
            | Kind::Arrow
            | Kind::Function
            | Kind::GeneratorDeclaration => {
                self.function(value, outer, Some("default"));
                self.export_own_name(value);
            }
            Kind::ClassExpression | Kind::Class => {
                self.class(value, outer, Some("default"));
                self.export_own_name(value);
            }
            _ => {
                let ty = self.initialiser(value);
                let def =
                    Def::new(whole, whole, SymbolKind::Const).signature_until(self.object_of(value)).ty(ty);
                let scope = self.define(def.exported(true), "default");
                self.b.enter(scope);
                let path = scope.symbol().map(|index| self.b.file.symbols[index].local);
                self.visit_value(value, true, ObjectPlace { expected: None, path });
                self.hold_given(scope, value);
                self.b.leave();
            }
        }
    }

    fn export_own_name(&mut self, value: Node<'_>) {
        if let Some(name) = value.child_by_field_id(self.t.fields.name) {
            self.export_name(self.b.text(name), "default", name);
        }
    }

    /// The names of a declaration file that neither imports nor exports are visible everywhere.
    pub(super) fn finish_declarations(&mut self, trees: &[Tree]) {
        let is_module = |tree: &Tree| {
            let mut cursor = tree.walk();
            let mut is_there = cursor.goto_first_child();
            while is_there && !matches!(self.kind(cursor.node()), Kind::Import | Kind::Export) {
                is_there = cursor.goto_next_sibling();
            }
            is_there
        };
        if let Some(first) = trees.first().filter(|_| !trees.iter().any(is_module)) {
            self.everywhere(first.root_node());
        }
    }

    /// Whether a path names something of this file, defined before, that is more than a type: a namespace, function, class.
    pub(super) fn names_value(&self, path: Node<'_>) -> bool {
        let Some(local) = self.b.file.names.find(self.b.text(path)) else { return false };
        let of_path = self.b.file.symbols.iter().filter(|symbol| symbol.local == local);
        of_path
            .into_iter()
            .any(|symbol| !matches!(symbol.kind, SymbolKind::Interface | SymbolKind::TypeAlias))
    }

    /// The parts of `B.C` and the module that the file imports as `B`.
    pub(super) fn member_of_module<'t>(&self, value: Node<'t>) -> Option<(Node<'t>, Node<'t>, &'s str)> {
        let (object, property) = (value.named_child(0)?, value.named_child(1)?);
        (self.kind(object) == Kind::Identifier).then_some(())?;
        let module = self.modules.get(self.b.text(object))?;
        Some((object, property, *module))
    }

    /// Marks what `export { a }` and its like name, and hides members of what is not exported.
    pub(super) fn finish_exports(&mut self) {
        let file = &mut self.b.file;
        let exported: HashSet<NameId> = file
            .imports
            .iter()
            .filter(|import| import.reexport && file.names.get(import.module).is_empty())
            .filter_map(|import| import.symbol)
            .collect();
        for index in 0..file.symbols.len() {
            let symbol = &file.symbols[index];
            let is_exported = match symbol.parent.symbol() {
                Some(parent) => symbol.exported && file.symbols[parent].exported,
                None => symbol.exported || exported.contains(&symbol.name) && !is_member(symbol.kind),
            };
            file.symbols[index].exported = is_exported;
        }
    }
}

fn is_member(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Method | SymbolKind::Property | SymbolKind::Field | SymbolKind::Test)
}
