//! Functions, constructors, initialisers and their parameters.

use super::{Kind, Kotlin, last_named_child};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, RefKind, SymbolKind};
use tree_sitter::Node;

impl Kotlin<'_> {
    pub(super) fn function(&mut self, node: Node<'_>) {
        let name_node = node.child_by_field_id(self.t.fields.name);
        let Some(name_node) = name_node.filter(|name| name.start_byte() < name.end_byte()) else {
            return self.visit_children_of(node);
        };
        let modifiers = self.modifiers(node);
        let body = self.child_of(node, Kind::FunctionBody);
        let in_type = self
            .b
            .enclosing()
            .next()
            .is_some_and(|symbol| symbol.kind.is_type() || symbol.kind == SymbolKind::Variant);
        let kind = match modifiers.is_test {
            true => SymbolKind::Test,
            false if in_type && !self.in_body => SymbolKind::Method,
            false => SymbolKind::Function,
        };
        let name = self.b.text(name_node).trim_matches('`');
        let def = Def::new(node, name_node, kind).exported(self.is_exported(&modifiers));
        let scope = self.b.define_as(def, name, None);
        self.sign(scope, modifiers.signature_start, body, node);
        self.b.enter(scope);
        self.b.push_frame();
        self.type_parameters(node);
        self.receiver(node, name_node.start_byte());
        if let Some(ty) = self.type_between(node, 0, name_node.start_byte()) {
            let receiver = self.type_expr(ty, 0);
            self.b.set_receiver(scope, receiver);
        }
        if let Some(parameters) = self.child_of(node, Kind::Parameters) {
            self.parameters(parameters);
            let types = self.parameter_types(parameters);
            self.b.set_params(scope, &types);
        }
        let returned = self.type_between(node, name_node.end_byte(), usize::MAX);
        if let Some(ty) = returned {
            self.type_refs(ty, RefKind::Type, 0);
        }
        let ty = if let Some(ty) = returned {
            self.instance_of(ty)
        } else {
            let given = body.and_then(|body| self.expression_body(body));
            given.unwrap_or_else(|| self.b.expr(Expr::Builtin))
        };
        if let Some(index) = scope.symbol() {
            self.b.file.symbols[index].ty = Some(ty);
        }
        self.function_body(body);
        self.b.pop_frame();
        self.b.leave();
    }

    /// The receiver of an extension, written before the name: `this` is a value of it.
    pub(super) fn receiver(&mut self, node: Node<'_>, name: usize) {
        let Some(ty) = self.type_between(node, 0, name) else { return };
        self.type_refs(ty, RefKind::Type, 0);
        let held = self.instance_of(ty);
        let this = self.b.intern("this");
        self.b.bind(this, held);
    }

    /// What `fun f() = expression` gives.
    pub(super) fn expression_body(&mut self, body: Node<'_>) -> Option<ExprId> {
        let inner = last_named_child(body)?;
        (self.kind(inner) != Kind::Block).then(|| self.expr_of(inner, 0))
    }

    pub(super) fn function_body(&mut self, body: Option<Node<'_>>) {
        let outer = std::mem::replace(&mut self.in_body, true);
        if let Some(body) = body {
            self.visit_children_of(body);
        }
        self.in_body = outer;
    }

    /// Binds parameters; default values stand between them.
    pub(super) fn parameters(&mut self, list: Node<'_>) {
        let mut is_vararg = false;
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::ParameterModifiers => {
                    is_vararg = self.b.text(child).contains("vararg");
                    self.visit_children_of(child);
                }
                Kind::Parameter => {
                    self.parameter(child, is_vararg);
                    is_vararg = false;
                }
                _ => self.in_initializer(child),
            }
        }
    }

    /// The types of parameters; what stands behind one and is not a parameter is its default value.
    fn parameter_types(&mut self, list: Node<'_>) -> Vec<ExprId> {
        let mut types: Vec<ExprId> = Vec::new();
        let mut is_vararg = false;
        let mut cursor = list.walk();
        let children: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        for child in children {
            match self.kind(child) {
                Kind::ParameterModifiers => is_vararg = self.b.text(child).contains("vararg"),
                Kind::Parameter => {
                    let ty = self.type_in(child);
                    let ty = self.type_or_unknown(ty);
                    types.push(if is_vararg { self.b.expr(Expr::Rest(ty)) } else { ty });
                    is_vararg = false;
                }
                Kind::LineComment | Kind::BlockComment => {}
                _ => {
                    if let Some(last) = types.pop() {
                        types.push(self.b.expr(Expr::Defaulted(last)));
                    }
                }
            }
        }
        types
    }

    fn parameter(&mut self, node: Node<'_>, is_vararg: bool) {
        let ty = self.type_in(node);
        if let Some(ty) = ty {
            self.type_refs(ty, RefKind::Type, 0);
        }
        let mut held = self.type_or_unknown(ty);
        if is_vararg {
            held = self.array_of(held);
        }
        let held = self.b.instance(held);
        if let Some(name) = self.child_of(node, Kind::Identifier) {
            self.bind(name, held);
        }
    }

    /// `constructor(…) : this(…) { … }`.
    pub(super) fn secondary_constructor(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let keyword = node.children(&mut cursor).find(|child| child.kind_id() == self.t.constructor);
        let Some(keyword) = keyword else { return self.visit_children_of(node) };
        let modifiers = self.modifiers(node);
        let body = self.child_of(node, Kind::Block);
        let def = Def::new(node, keyword, SymbolKind::Constructor).exported(self.is_exported(&modifiers));
        let scope = self.b.define(def);
        self.sign(scope, modifiers.signature_start, body, node);
        self.b.enter(scope);
        self.b.push_frame();
        if let Some(parameters) = self.child_of(node, Kind::Parameters) {
            self.parameters(parameters);
        }
        let outer = std::mem::replace(&mut self.in_body, true);
        if let Some(delegation) = self.child_of(node, Kind::ConstructorDelegation) {
            self.constructor_delegation(delegation);
        }
        if let Some(body) = body {
            self.visit_children_of(body);
        }
        self.in_body = outer;
        self.b.pop_frame();
        self.b.leave();
    }

    /// `this(…)`, `super(…)` behind the colon.
    fn constructor_delegation(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            let base = match child.kind_id() {
                id if id == self.t.this => Expr::This,
                id if id == self.t.super_ => Expr::Super,
                _ => {
                    self.visit_node(child);
                    continue;
                }
            };
            let base = self.b.expr(base);
            self.b.reference(child, RefKind::Call, Some(base));
        }
    }

    /// `init { … }`.
    pub(super) fn initializer(&mut self, node: Node<'_>) {
        let outer = std::mem::replace(&mut self.in_body, true);
        self.visit_children_of(node);
        self.in_body = outer;
    }

    /// `fun Foo.(x: Bar): Baz { … }` as an expression.
    pub(super) fn anonymous_function(&mut self, node: Node<'_>) {
        self.b.push_frame();
        let parameters = self.child_of(node, Kind::Parameters);
        let start = parameters.map_or(usize::MAX, |parameters| parameters.start_byte());
        self.receiver(node, start);
        if let Some(parameters) = parameters {
            self.parameters(parameters);
        }
        if let Some(ty) = self.type_between(node, start, usize::MAX) {
            self.type_refs(ty, RefKind::Type, 0);
        }
        let body = self.child_of(node, Kind::FunctionBody);
        self.function_body(body);
        self.b.pop_frame();
    }
}
