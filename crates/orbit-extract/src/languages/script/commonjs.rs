//! `require`, `import()`, and what CommonJS modules export.

use super::vars::Shared;
use super::{Kind, NextFunction, ObjectPlace, Outer, Script};
use crate::builder::Walk;
use crate::{ImportKind, ScopeId, SymbolKind};
use tree_sitter::Node;

/// What a module exports as a whole is handed on under this name, as TypeScript calls it.
const WHOLE: &str = "export=";

impl<'s> Script<'s> {
    /// `module.exports = value`, `export = value`: the module itself is that value.
    pub(super) fn export_whole(&mut self, whole: Node<'_>, value: Node<'_>) {
        self.export_default(whole, value);
        let name = match self.kind(value) {
            Kind::Identifier => Some(value),
            _ => value.child_by_field_id(self.t.fields.name),
        };
        self.export_name(name.map_or("default", |name| self.b.text(name)), WHOLE, value);
    }

    /// `var app = exports = module.exports = {}`: the value, and whether it is what the module exports.
    pub(super) fn assigned_exports<'t>(&self, value: Node<'t>) -> (Node<'t>, bool) {
        let f = &self.t.fields;
        let (mut value, mut is_exported) = (value, false);
        while self.kind(value) == Kind::Assignment {
            let (Some(left), Some(right)) =
                (value.child_by_field_id(f.left), value.child_by_field_id(f.right))
            else {
                break;
            };
            is_exported |= self.b.text(left) == "module.exports";
            value = right;
        }
        (value, is_exported)
    }

    /// A variable of this file is what the module exports.
    pub(super) fn export_variable(&mut self, name: Node<'_>) {
        for binds in ["default", WHOLE] {
            self.export_name(self.b.text(name), binds, name);
        }
    }

    // ── require and import() ────────────────────────────────────────────────────────────────────────

    /// The module of `require('m')` or `import('m')`.
    pub(super) fn required<'t>(&self, node: Node<'t>) -> Option<(Node<'t>, &'s str)> {
        if self.kind(node) != Kind::Call {
            return None;
        }
        let callee = node.child_by_field_id(self.t.fields.function)?;
        let is_loader = match self.kind(callee) {
            Kind::ImportKeyword => true,
            Kind::Identifier => self.b.text(callee) == "require",
            _ => false,
        };
        if !is_loader {
            return None;
        }
        let at = node.child_by_field_id(self.t.fields.arguments)?.named_child(0)?;
        Some((at, self.literal(at)?))
    }

    /// `const x = require('m')`, `const { a, b: c } = await import('m')`, `const x = require('m').y`:
    /// says whether the declarator was one.
    pub(super) fn require_declarator(&mut self, name: Node<'_>, value: Node<'_>, shared: Shared<'_>) -> bool {
        let mut value = self.unwrapped(value);
        if self.kind(value) == Kind::Await {
            value = value.named_child(0).map_or(value, |inner| self.unwrapped(inner));
        }
        let mut property = None;
        if self.kind(value) == Kind::Member {
            let f = &self.t.fields;
            property = value.child_by_field_id(f.property).map(|property| self.b.text(property));
            let Some(object) = value.child_by_field_id(f.object) else { return false };
            value = self.unwrapped(object);
        }
        let Some((_, module)) = self.required(value) else { return false };
        match (self.kind(name), property) {
            (Kind::Identifier, None) => {
                self.import_row(ImportKind::Module, module, None, Some(self.b.text(name)), name);
            }
            (Kind::Identifier, Some(property)) => {
                let binds = self.b.text(name);
                self.import_row(ImportKind::Symbol, module, Some(property), Some(binds), name);
            }
            (Kind::ObjectPattern, None) => self.require_pattern(name, (module, ""), shared),
            // What a package has under a name is as little of this file as the package.
            (Kind::ObjectPattern, Some(property)) if !module.starts_with(['.', '/', '#', '~']) => {
                self.require_pattern(name, (module, property), shared);
            }
            _ => return false,
        }
        true
    }

    /// The names that a pattern takes out of a module, or out of what it has under a name.
    fn require_pattern(
        &mut self,
        pattern: Node<'_>,
        (module, below): (&'s str, &'s str),
        shared: Shared<'_>,
    ) {
        let f = &self.t.fields;
        let unknown = self.b.unknown();
        let mut cursor = pattern.walk();
        for part in pattern.named_children(&mut cursor) {
            let (name, target) = match self.kind(part) {
                Kind::PairPattern => (part.child_by_field_id(f.key), part.child_by_field_id(f.value)),
                Kind::ObjectAssignmentPattern => {
                    self.visit_field(part, f.right);
                    (part.child_by_field_id(f.left), part.child_by_field_id(f.left))
                }
                _ => (Some(part), Some(part)),
            };
            let (Some(name), Some(target)) = (name, target) else { continue };
            match self.kind(target) {
                Kind::Identifier | Kind::ShorthandPattern => {
                    let (symbol, binds) = (self.property_name(name), self.b.text(target));
                    let path = if below.is_empty() { symbol.to_owned() } else { format!("{below}.{symbol}") };
                    self.import_row(ImportKind::Symbol, module, Some(&path), Some(binds), name);
                }
                _ => self.bind_pattern(target, unknown, self.unless_local(shared), 0),
            }
        }
    }

    // ── CommonJS exports ────────────────────────────────────────────────────────────────────────────

    /// `module.exports = value`.
    pub(super) fn module_exports(&mut self, node: Node<'_>, value: Node<'_>) {
        if let Some((at, module)) = self.required(value) {
            return self.reexport(ImportKind::Glob, module, (None, None), at);
        }
        let (value, _) = self.assigned_exports(value);
        if self.kind(value) != Kind::Object {
            return self.export_whole(node, value);
        }
        let expected = self.documented_value(node);
        let outer = std::mem::replace(&mut self.object, ObjectPlace { expected, path: None });
        self.exported_members(value);
        self.object = outer;
    }

    /// The members of the object literal that a module exports.
    pub(super) fn exported_members(&mut self, value: Node<'_>) {
        let f = &self.t.fields;
        let mut cursor = value.walk();
        for member in value.named_children(&mut cursor) {
            match self.kind(member) {
                Kind::ShorthandProperty => {
                    let name = self.b.text(member);
                    self.export_name(name, name, member);
                }
                Kind::Pair => {
                    let (key, value) = (member.child_by_field_id(f.key), member.child_by_field_id(f.value));
                    if let (Some(key), Some(value)) = (key, value) {
                        self.next.expected = self.expected_key(key);
                        self.export_member(member, key, value);
                        self.next = NextFunction::default();
                    }
                }
                Kind::Method => {
                    let name = member.child_by_field_id(f.name);
                    let expected = name.and_then(|name| self.expected_key(name));
                    self.next.expected = expected;
                    let index = self.b.file.symbols.len();
                    self.function(member, Outer { whole: member, exported: true }, None);
                    // No plain name means it, unlike a function of the file.
                    let is_accessor = name.is_some_and(|name| self.is_accessor(member, name));
                    if let Some(symbol) = self.b.file.symbols.get_mut(index) {
                        symbol.kind = if is_accessor { SymbolKind::Property } else { SymbolKind::Method };
                    }
                }
                Kind::Comment => self.doc_comment(member),
                Kind::Spread => self.exported_spread(member),
                _ => {}
            }
        }
    }

    /// `module.exports = { ...require('m'), ...loaded }`: all that other modules export.
    fn exported_spread(&mut self, spread: Node<'_>) {
        let Some(inner) = spread.named_child(0) else { return };
        if let Some((at, module)) = self.required(inner) {
            return self.reexport(ImportKind::Glob, module, (None, None), at);
        }
        self.visit_children_of(spread);
        let (name, names) = (self.b.text(inner), &self.b.file.names);
        let loaded = self.b.file.imports.iter().find(|import| {
            let binds = import.binds.map(|binds| names.get(binds));
            import.kind == ImportKind::Module && binds == Some(name) && import.scope == ScopeId::FILE
        });
        if let Some(module) = loaded.map(|import| names.get(import.module).to_owned()) {
            self.reexport(ImportKind::Glob, &module, (None, None), inner);
        }
    }

    /// `exports.key = value`, or a pair of `module.exports = {…}`.
    pub(super) fn export_member(&mut self, whole: Node<'_>, key: Node<'_>, value: Node<'_>) {
        let name = self.property_name(key);
        match self.kind(value) {
            Kind::Identifier => self.export_name(self.b.text(value), name, value),
            // What compilers write first: `exports.a = exports.b = void 0`.
            Kind::Unary | Kind::Undefined => {}
            _ if name == "__esModule" => {}
            Kind::Assignment => self.visit_node(value),
            _ => {
                let outer = Outer { whole, exported: true };
                self.define_value(outer, key, value, SymbolKind::Const);
            }
        }
    }
}

/// The name that a module loaded in the middle of an expression goes by.
pub(super) fn required_name(module: &str) -> String {
    format!("require({module})")
}
