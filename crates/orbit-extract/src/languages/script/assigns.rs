//! Assignments that define: `module.exports`, `exports.x`, `this.x`, `Foo.prototype.x`, `Foo.x`.

use super::{Kind, NextFunction, Outer, Script};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, RefKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Script<'_> {
    pub(super) fn assignment(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (left, right) = (node.child_by_field_id(f.left), node.child_by_field_id(f.right));
        let (Some(left), Some(right)) = (left, right) else { return self.visit_children_of(node) };
        let has_defined = match self.kind(left) {
            Kind::Member => self.assign_member(node, left, right),
            Kind::Identifier => self.assign_name(node, left, right),
            _ => false,
        };
        if !has_defined {
            self.visit_node(left);
            let expected = self.expr_of(left, 0);
            self.visit_expected(right, Some(expected), None);
            self.hold_assigned(left, right);
            self.hold_member(left, right);
        }
        if self.kind(left) == Kind::Member {
            self.inherit_assigned(left, right);
        }
        if self.library.is_some() {
            self.hold_command(left, right);
        }
    }

    /// What a variable holds that was declared without a value: from here to the end of the block, what is assigned.
    fn hold_assigned(&mut self, left: Node<'_>, right: Node<'_>) {
        let name = self.b.name(left);
        if self.kind(left) == Kind::Identifier && self.undecided.contains(&name) && self.is_local(name) {
            let value = self.expr_of(right, 0);
            self.b.bind(name, value);
        }
    }

    /// `Foo = class {…}`, `run = () => …`: what a variable declared earlier holds is named by it.
    fn assign_name(&mut self, node: Node<'_>, left: Node<'_>, right: Node<'_>) -> bool {
        let value = self.unwrapped(right);
        if self.kind(value) != Kind::ClassExpression && !self.is_function(value) {
            return false;
        }
        let name = self.b.name(left);
        let is_variable = !self.is_local(name) && self.top_level.contains_key(&name);
        if is_variable && self.is_function(value) {
            return false;
        }
        self.define_value(Outer { whole: node, exported: false }, left, right, SymbolKind::Variable);
        true
    }

    /// Says whether the assignment defined something, and has been read with it.
    fn assign_member(&mut self, node: Node<'_>, left: Node<'_>, right: Node<'_>) -> bool {
        let f = &self.t.fields;
        let (object, property) = (left.child_by_field_id(f.object), left.child_by_field_id(f.property));
        let (Some(object), Some(property)) = (object, property) else { return false };
        match (self.kind(object), self.b.text(object)) {
            (Kind::Identifier, "module") if self.b.text(property) == "exports" => {
                self.module_exports(node, right);
                true
            }
            (Kind::Identifier, "exports") | (Kind::Member, "module.exports") => {
                self.export_member(node, property, right);
                true
            }
            (Kind::This, _) => self.assign_field(node, property, right),
            (Kind::Identifier | Kind::Member, _) => self.assign_owned(node, object, property, right),
            _ => false,
        }
    }

    /// `this.x = …` in a class, or in a function that is used as one, defines field `x` the first time.
    fn assign_field(&mut self, node: Node<'_>, property: Node<'_>, right: Node<'_>) -> bool {
        if self.is_typed() {
            return false;
        }
        let Some(class) = self.enclosing_class() else { return false };
        let name = self.b.name(property);
        if !self.assigned.insert((class, name)) {
            return false;
        }
        let exported = self.kind(property) != Kind::PrivateName;
        if self.is_function(self.unwrapped(right)) {
            self.b.enter(class);
            self.define_value(Outer { whole: node, exported }, property, right, SymbolKind::Property);
            self.b.leave();
            return true;
        }
        let value = self.documented_value(node).or_else(|| self.initialiser(right));
        self.visit_node(right);
        self.b.enter(class);
        let def = Def::new(node, property, SymbolKind::Field).signature_until(None).ty(value);
        self.b.define(def.exported(exported));
        self.b.leave();
        true
    }

    fn enclosing_class(&self) -> Option<ScopeId> {
        let mut scope = self.b.scope();
        while let Some(index) = scope.symbol() {
            let symbol = &self.b.file.symbols[index];
            let is_constructor_function = symbol.kind == SymbolKind::Function
                && self.b.file.names.get(symbol.name).starts_with(char::is_uppercase);
            if symbol.kind == SymbolKind::Class || is_constructor_function {
                return Some(scope);
            }
            scope = symbol.parent;
        }
        None
    }

    /// `Foo.x = …` for a `Foo` of this file, outside of functions; for any other owner, or inside, only
    /// what is a function: `ns.deep.handler = () => …`.
    fn assign_owned(
        &mut self,
        node: Node<'_>,
        object: Node<'_>,
        property: Node<'_>,
        right: Node<'_>,
    ) -> bool {
        // What is set on the prototype belongs to the function itself.
        let owner = self.b.text(object);
        let owner = owner.strip_suffix(".prototype").unwrap_or(owner);
        let symbol = self.owner_called(owner);
        let is_function = self.is_function(self.unwrapped(right));
        match symbol {
            Some(symbol) if self.b.text(property) == "prototype" && self.kind(right) == Kind::Object => {
                self.visit_node(object);
                self.members_of(symbol, right);
                true
            }
            Some(symbol) if is_function || !self.b.in_frame() => {
                self.define_in(symbol, node, property, right)
            }
            None if is_function && is_dotted_name(owner) => {
                let expected = self.assigned_member(object, property);
                let path = self.b.qualify(owner);
                self.b.enter_as(self.b.scope(), path);
                let outer = Outer { whole: node, exported: false };
                self.next.expected = expected;
                self.define_value(outer, property, right, SymbolKind::Property);
                self.next = NextFunction::default();
                self.b.leave();
                true
            }
            _ => false,
        }
    }

    /// What holds a function may be of a type that has the member: the member is used then, and expected. An object
    /// literal gets it only now.
    fn assigned_member(&mut self, object: Node<'_>, property: Node<'_>) -> Option<ExprId> {
        let base = self.expr_of(object, 0);
        self.visit_node(object);
        let is_unknown = matches!(self.b.file.exprs[base.0 as usize], Expr::Unknown | Expr::Builtin);
        if is_unknown || self.path_of_object(base).is_some() {
            return None;
        }
        self.b.reference(property, RefKind::Value, Some(base));
        let member = self.b.name(property);
        Some(self.b.member(base, member))
    }

    fn define_in(&mut self, scope: ScopeId, node: Node<'_>, property: Node<'_>, right: Node<'_>) -> bool {
        let name = self.b.name(property);
        if !self.assigned.insert((scope, name)) {
            return false;
        }
        if let Some(object) = node.child_by_field_id(self.t.fields.left).and_then(|left| left.named_child(0))
        {
            self.visit_node(object);
        }
        self.b.enter(scope);
        self.define_value(Outer { whole: node, exported: true }, property, right, SymbolKind::Property);
        self.b.leave();
        true
    }
}

fn is_dotted_name(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.'))
        && !text.starts_with("this")
}
