//! Methods, constructors, fields, parameters, modifiers and annotations.

use super::{Java, Kind};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, RefKind, SymbolKind};
use tree_sitter::Node;

/// What the modifiers of a declaration say.
#[expect(clippy::struct_excessive_bools, reason = "each field is one modifier")]
pub(super) struct Modifiers {
    pub(super) is_private: bool,
    is_static: bool,
    is_final: bool,
    is_test: bool,
    /// Where the declaration starts behind its annotations.
    pub(super) signature_start: usize,
}

impl Java<'_> {
    /// Reads the modifiers of a declaration and records its annotations.
    pub(super) fn modifiers(&mut self, node: Node<'_>) -> Modifiers {
        let mut found = Modifiers {
            is_private: false,
            is_static: false,
            is_final: false,
            is_test: false,
            signature_start: node.start_byte(),
        };
        let Some(modifiers) = self.child_of(node, Kind::Modifiers) else { return found };
        let mut is_leading = true;
        let mut cursor = modifiers.walk();
        for child in modifiers.children(&mut cursor) {
            if matches!(self.kind(child), Kind::MarkerAnnotation | Kind::Annotation) {
                self.annotation(child);
                let name = child.child_by_field_id(self.t.fields.name).map_or("", |name| self.b.text(name));
                found.is_test |= is_test_annotation(name);
                continue;
            }
            if child.is_named() {
                continue; // a comment
            }
            if is_leading {
                found.signature_start = child.start_byte();
                is_leading = false;
            }
            match self.b.text(child) {
                "private" => found.is_private = true,
                "static" => found.is_static = true,
                "final" => found.is_final = true,
                _ => {}
            }
        }
        if is_leading {
            found.signature_start =
                modifiers.next_sibling().map_or(node.start_byte(), |next| next.start_byte());
        }
        found
    }

    /// An annotation calls what it names; its keys are elements of that type.
    pub(super) fn annotation(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name) = node.child_by_field_id(f.name) else { return };
        self.name_refs(name, RefKind::Call);
        let Some(arguments) = node.child_by_field_id(f.arguments) else { return };
        let mut cursor = arguments.walk();
        for argument in arguments.named_children(&mut cursor) {
            if self.kind(argument) != Kind::ElementPair {
                self.visit_node(argument);
                continue;
            }
            if let Some(key) = argument.child_by_field_id(f.key) {
                let ty = self.type_expr(name, 0);
                let base = self.b.instance(ty);
                self.b.reference(key, RefKind::Value, Some(base));
            }
            self.visit_field(argument, f.value);
        }
    }

    /// A method, constructor, compact constructor or annotation element.
    pub(super) fn method(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name_node) = self.name_of(node) else {
            return self.visit_children_of(node);
        };
        let body = node.child_by_field_id(f.body);
        let modifiers = self.modifiers(node);
        let in_type = self
            .b
            .enclosing()
            .next()
            .is_some_and(|symbol| symbol.kind.is_type() || symbol.kind == SymbolKind::Variant);
        let kind = match self.kind(node) {
            Kind::Constructor | Kind::CompactConstructor => SymbolKind::Constructor,
            _ if modifiers.is_test => SymbolKind::Test,
            _ if in_type => SymbolKind::Method,
            _ => SymbolKind::Function,
        };
        let exported = !modifiers.is_private && self.is_open_scope();
        let scope = self.b.define(Def::new(node, name_node, kind).exported(exported));
        self.sign(scope, modifiers.signature_start, body, node);
        self.routes_of_method(node, scope, name_node);
        if let Some(index) = scope.symbol() {
            self.b.file.symbols[index].bodiless = body.is_none();
        }
        self.b.enter(scope);
        self.b.push_frame();
        self.type_parameters(node, scope);
        if let Some(ty) = node.child_by_field_id(f.ty) {
            let returned = self.declared(ty, node);
            if let Some(index) = scope.symbol() {
                self.b.file.symbols[index].ty = Some(returned);
            }
            self.type_refs(ty, RefKind::Type, 0);
        }
        if let Some(parameters) = node.child_by_field_id(f.parameters) {
            self.parameters(parameters);
            let types = self.parameter_types(parameters);
            self.b.set_params(scope, &types);
        } else if self.kind(node) == Kind::CompactConstructor {
            self.bind_components(node);
        }
        if let Some(throws) = self.child_of(node, Kind::Throws) {
            self.type_refs(throws, RefKind::Type, 0);
        }
        self.visit_field(node, f.value);
        if let Some(body) = body {
            self.visit_children_of(body);
        }
        self.b.pop_frame();
        self.b.leave();
    }

    /// A compact constructor has the parameters that its record declares.
    fn bind_components(&mut self, constructor: Node<'_>) {
        let record = constructor.parent().and_then(|body| body.parent());
        let list = record.and_then(|record| record.child_by_field_id(self.t.fields.parameters));
        let Some(list) = list else { return };
        let mut cursor = list.walk();
        for component in list.named_children(&mut cursor) {
            self.bind_parameter(component);
        }
    }

    pub(super) fn parameters(&mut self, list: Node<'_>) {
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            let Some((ty, _)) = self.parameter_parts(parameter) else { continue };
            self.modifiers(parameter);
            if !self.is_var(ty) {
                self.type_refs(ty, RefKind::Type, 0);
            }
            self.bind_parameter(parameter);
        }
    }

    fn parameter_types(&mut self, list: Node<'_>) -> Vec<ExprId> {
        let mut cursor = list.walk();
        let parameters: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        let mut types = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            let Some((ty, declarator)) = self.parameter_parts(parameter) else { continue };
            let mut expr = self.type_expr(ty, 0);
            for _ in 0..self.dimensions(declarator) {
                expr = self.array_of(expr);
            }
            let is_rest = self.kind(parameter) == Kind::SpreadParameter;
            types.push(if is_rest { self.b.expr(Expr::Rest(expr)) } else { expr });
        }
        types
    }

    fn bind_parameter(&mut self, parameter: Node<'_>) {
        let Some((ty, declarator)) = self.parameter_parts(parameter) else { return };
        let Some(name) = declarator.child_by_field_id(self.t.fields.name) else { return };
        let value = self.parameter_value(parameter, ty, declarator);
        let name = self.b.name(name);
        self.b.bind(name, value);
    }

    /// The type of a parameter and the node that has its name.
    pub(super) fn parameter_parts<'t>(&self, parameter: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        match self.kind(parameter) {
            Kind::FormalParameter => Some((parameter.child_by_field_id(self.t.fields.ty)?, parameter)),
            Kind::SpreadParameter => {
                let mut cursor = parameter.walk();
                let ty = parameter.named_children(&mut cursor).find(|child| {
                    !matches!(self.kind(*child), Kind::Modifiers | Kind::LineComment | Kind::BlockComment)
                })?;
                Some((ty, self.child_of(parameter, Kind::Declarator)?))
            }
            _ => None,
        }
    }

    /// A value of the parameter's type; a variable number of them is an array.
    pub(super) fn parameter_value(
        &mut self,
        parameter: Node<'_>,
        ty: Node<'_>,
        declarator: Node<'_>,
    ) -> ExprId {
        if self.is_var(ty) {
            return self.b.unknown();
        }
        if self.kind(parameter) == Kind::SpreadParameter {
            let element = self.type_expr(ty, 0);
            let array = self.array_of(element);
            return self.b.expr(Expr::Instance(array));
        }
        self.declared(ty, declarator)
    }

    /// Fields; those that are `static final`, and all of an interface, are constants.
    pub(super) fn field_declaration(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let modifiers = self.modifiers(node);
        let Some(ty) = node.child_by_field_id(f.ty) else { return };
        self.type_refs(ty, RefKind::Type, 0);
        let is_constant = self.kind(node) == Kind::Constant || (modifiers.is_static && modifiers.is_final);
        let kind = if is_constant { SymbolKind::Const } else { SymbolKind::Field };
        let exported = !modifiers.is_private && self.is_open_scope();
        let mut cursor = node.walk();
        for declarator in node.named_children(&mut cursor) {
            if self.kind(declarator) != Kind::Declarator {
                continue;
            }
            let Some(name) = self.name_of(declarator) else { continue };
            let held = self.declared(ty, declarator);
            let scope = self.b.define(Def::new(node, name, kind).ty(Some(held)).exported(exported));
            let value = declarator.child_by_field_id(f.value);
            let long_value = value.filter(|value| value.start_position().row != value.end_position().row);
            self.sign(scope, modifiers.signature_start, long_value, node);
            if let Some(value) = value {
                self.b.push_frame();
                self.visit_wanted(value, held);
                self.b.pop_frame();
            }
        }
    }
}

fn is_test_annotation(name: &str) -> bool {
    let name = name.rsplit('.').next().unwrap_or(name);
    matches!(name, "Test" | "ParameterizedTest" | "RepeatedTest" | "TestFactory" | "TestTemplate")
}
