//! Properties of classes and files, their accessors, and type aliases.

use super::{Kind, Kotlin};
use crate::builder::{Def, Walk};
use crate::{ExprId, RefKind, SymbolKind};
use tree_sitter::Node;

/// The parts of `val Foo.name: Type = value`.
struct Parts<'t> {
    variable: Node<'t>,
    name: Option<Node<'t>>,
    ty: Option<Node<'t>>,
    value: Option<Node<'t>>,
    delegate: Option<Node<'t>>,
    getter: Option<Node<'t>>,
    setter: Option<Node<'t>>,
}

impl Kotlin<'_> {
    fn parts<'t>(&self, node: Node<'t>) -> Option<Parts<'t>> {
        let variable =
            self.child_of(node, Kind::Variable).or_else(|| self.child_of(node, Kind::MultiVariable))?;
        let mut parts =
            Parts { variable, name: None, ty: None, value: None, delegate: None, getter: None, setter: None };
        if self.kind(variable) == Kind::Variable {
            parts.name = self.name_in(variable);
            parts.ty = self.type_in(variable);
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.start_byte() <= variable.start_byte() {
                continue;
            }
            match self.kind(child) {
                Kind::PropertyDelegate => parts.delegate = Some(child),
                Kind::Getter => parts.getter = Some(child),
                Kind::Setter => parts.setter = Some(child),
                Kind::TypeConstraints | Kind::LineComment | Kind::BlockComment => {}
                _ => parts.value = Some(child),
            }
        }
        Some(parts)
    }

    /// A property of a class or a variable of the file.
    pub(super) fn property(&mut self, node: Node<'_>) {
        let Some(parts) = self.parts(node) else { return self.visit_children_of(node) };
        let modifiers = self.modifiers(node);
        let Some(name) = parts.name else { return self.file_pattern(node, &parts) };
        let has_receiver = self.type_between(node, 0, parts.variable.start_byte()).is_some();
        let in_type = self.b.enclosing().next().is_some_and(|symbol| symbol.kind != SymbolKind::Module);
        let kind = match modifiers.is_const {
            true => SymbolKind::Const,
            false if in_type || has_receiver || parts.getter.is_some() => SymbolKind::Property,
            false => SymbolKind::Variable,
        };
        let text = self.b.text(name).trim_matches('`');
        let def = Def::new(node, name, kind).exported(self.is_exported(&modifiers));
        let scope = self.b.define_as(def, text, None);
        let end = signature_end(&parts);
        self.b.set_signature(scope, modifiers.signature_start..end.max(modifiers.signature_start));
        self.b.push_frame();
        self.type_parameters(node);
        self.receiver(node, parts.variable.start_byte());
        if let Some(ty) = self.type_between(node, 0, parts.variable.start_byte()) {
            let receiver = self.type_expr(ty, 0);
            self.b.set_receiver(scope, receiver);
        }
        if let Some(ty) = parts.ty {
            self.type_refs(ty, RefKind::Type, 0);
        }
        if let Some(value) = parts.value.or(parts.delegate) {
            self.callback = self.wanted_by(&parts);
            self.in_initializer(value);
            self.callback = None;
        }
        let held = self.held_by(&parts);
        if let Some(index) = scope.symbol() {
            self.b.file.symbols[index].ty = held;
        }
        self.b.enter(scope);
        for accessor in [parts.getter, parts.setter].into_iter().flatten() {
            self.accessor(accessor, held);
        }
        self.b.leave();
        self.b.pop_frame();
    }

    /// The type that is written for a lambda: `val f: T.() -> R = { … }`.
    fn wanted_by(&mut self, parts: &Parts<'_>) -> Option<ExprId> {
        let is_lambda = parts.value.is_some_and(|value| self.kind(value) == Kind::Lambda);
        let ty = parts.ty.filter(|_| is_lambda)?;
        Some(self.type_expr(ty, 0))
    }

    /// What a property holds: its declared type, its value, what its delegate or getter gives.
    fn held_by(&mut self, parts: &Parts<'_>) -> Option<ExprId> {
        if let Some(ty) = parts.ty {
            return Some(self.instance_of(ty));
        }
        if let Some(value) = parts.value {
            return Some(self.expr_of(value, 0));
        }
        if let Some(delegate) = parts.delegate {
            return Some(self.delegated(delegate));
        }
        let getter = parts.getter?;
        match self.type_in(getter) {
            Some(ty) => Some(self.instance_of(ty)),
            None => self.child_of(getter, Kind::FunctionBody).and_then(|body| self.expression_body(body)),
        }
    }

    /// `get() = …`, `set(value) { … }`; `field` is the property's own value.
    fn accessor(&mut self, node: Node<'_>, held: Option<ExprId>) {
        let held = held.unwrap_or_else(|| self.b.unknown());
        self.modifiers(node);
        self.b.push_frame();
        let field = self.b.intern("field");
        self.b.bind(field, held);
        if let Some(ty) = self.type_in(node) {
            self.type_refs(ty, RefKind::Type, 0);
        }
        if let Some(parameter) = self.name_in(node) {
            self.bind(parameter, held);
        }
        let body = self.child_of(node, Kind::FunctionBody);
        self.function_body(body);
        self.b.pop_frame();
    }

    /// `val (a, b) = pair` outside a function: variables of the file.
    fn file_pattern(&mut self, node: Node<'_>, parts: &Parts<'_>) {
        if let Some(value) = parts.value {
            self.in_initializer(value);
        }
        let exported = self.is_open_scope();
        let mut cursor = parts.variable.walk();
        for variable in parts.variable.named_children(&mut cursor) {
            let Some(name) = self.name_in(variable) else { continue };
            let ty = self.type_in(variable);
            if let Some(ty) = ty {
                self.type_refs(ty, RefKind::Type, 0);
            }
            let held = ty.map(|ty| self.instance_of(ty));
            let def = Def::new(node, name, SymbolKind::Variable).ty(held).exported(exported);
            self.b.define(def.signature_until(None));
        }
    }

    /// `val x = …` in a function.
    pub(super) fn local_property(&mut self, node: Node<'_>) {
        let Some(parts) = self.parts(node) else { return self.visit_children_of(node) };
        self.modifiers(node);
        if let Some(ty) = parts.ty {
            self.type_refs(ty, RefKind::Type, 0);
        }
        if let Some(value) = parts.value.or(parts.delegate) {
            self.callback = self.wanted_by(&parts);
            self.visit_node(value);
            self.callback = None;
        }
        let held = self.held_by(&parts);
        let held = held.unwrap_or_else(|| self.b.unknown());
        self.bind_variable(parts.variable, held);
    }

    /// `typealias Name<T> = Type`.
    pub(super) fn type_alias(&mut self, node: Node<'_>) {
        let name_node = node.child_by_field_id(self.t.fields.ty);
        let ty = super::last_named_child(node).filter(|ty| self.is_type(*ty));
        let Some(name_node) = name_node.filter(|name| name.start_byte() < name.end_byte()) else { return };
        let modifiers = self.modifiers(node);
        let name = self.b.text(name_node).trim_matches('`');
        let def = Def::new(node, name_node, SymbolKind::TypeAlias).exported(self.is_exported(&modifiers));
        let scope = self.b.define_as(def, name, None);
        self.sign(scope, modifiers.signature_start, None, node);
        self.b.push_frame();
        self.type_parameters(node);
        if let Some(ty) = ty {
            let aliased = self.type_expr(ty, 0);
            if let Some(index) = scope.symbol() {
                self.b.file.symbols[index].ty = Some(aliased);
            }
            self.type_refs(ty, RefKind::Type, 0);
        }
        self.b.pop_frame();
    }
}

/// Up to the value, with it if it fits on one line.
fn signature_end(parts: &Parts<'_>) -> usize {
    match parts.value.or(parts.delegate) {
        Some(value) if value.start_position().row == value.end_position().row => value.end_byte(),
        Some(value) => value.start_byte(),
        None => parts.variable.end_byte(),
    }
}
