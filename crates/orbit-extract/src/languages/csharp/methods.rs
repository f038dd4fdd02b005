//! Methods, constructors, operators, local functions and their parameters.

use super::typing::last_named_child;
use super::{CSharp, Kind};
use crate::builder::{Def, Walk};
use crate::{Expr, RefKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl CSharp<'_> {
    pub(super) fn method(&mut self, node: Node<'_>, kind: Kind) {
        let f = &self.t.fields;
        let name_node = match kind {
            Kind::Operator => node.child_by_field_id(f.operator),
            Kind::Conversion => node.child_by_field_id(f.ty),
            _ => self.name_of(node),
        };
        let Some(name_node) = name_node else { return self.visit_children_of(node) };
        let body = node.child_by_field_id(f.body);
        let header = self.header(node);
        let in_type = self.b.enclosing().next().is_some_and(|symbol| symbol.kind.is_type());
        let symbol_kind = match kind {
            Kind::Constructor => SymbolKind::Constructor,
            _ if header.is_test => SymbolKind::Test,
            _ if in_type => SymbolKind::Method,
            _ => SymbolKind::Function,
        };
        let exported = kind != Kind::LocalFunction && self.is_exported(&header);
        let def = Def::new(node, name_node, symbol_kind).exported(exported);
        let scope = self.define_method(def, kind);
        self.sign(scope, header.signature_start, body, node);
        self.routes_of_method(node, scope, name_node);
        self.b.enter(scope);
        self.b.push_frame();
        self.type_parameters(node, scope);
        let returns = node.child_by_field_id(f.returns).or_else(|| node.child_by_field_id(f.ty));
        if let Some(returns) = returns {
            let ty = self.instance_of(returns);
            if let Some(index) = scope.symbol() {
                self.b.file.symbols[index].ty = Some(ty);
            }
            self.type_refs(returns, RefKind::Type, 0);
        }
        self.method_header(node);
        if let Some(list) = self.child_of(node, Kind::ParameterList) {
            self.keep_parameters(scope, list);
        }
        if let Some(body) = body {
            self.visit_children_of(body);
        }
        self.b.pop_frame();
        self.b.leave();
    }

    fn define_method(&mut self, def: Def<'_>, kind: Kind) -> ScopeId {
        let text = self.b.text(def.name_node);
        match kind {
            Kind::Operator | Kind::Conversion => {
                let name = format!("operator {text}");
                self.b.define_as(def, &name, None)
            }
            Kind::Destructor => {
                let name = format!("~{text}");
                self.b.define_as(def, &name, None)
            }
            _ => self.b.define(def),
        }
    }

    /// What stands between the return type and the body.
    fn method_header(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::ExplicitInterface => self.type_refs(child, RefKind::Type, 0),
                Kind::TypeParameters => self.type_parameter_attributes(child),
                Kind::ParameterList => self.parameters(child),
                Kind::Constraints => self.constraint_refs(child),
                Kind::ConstructorInitializer => self.constructor_initializer(child),
                _ => {}
            }
        }
    }

    /// `: base(…)`, `: this(…)`.
    fn constructor_initializer(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            let base = match child.kind_id() {
                id if id == self.t.this => Expr::This,
                id if id == self.t.base => Expr::Super,
                _ if self.kind(child) == Kind::Arguments => {
                    self.visit_children_of(child);
                    continue;
                }
                _ => continue,
            };
            let base = self.b.expr(base);
            self.b.reference(child, RefKind::Call, Some(base));
        }
    }

    /// Binds parameters. A `params` array has no node of its own: its type and name stand in the list.
    pub(super) fn parameters(&mut self, list: Node<'_>) {
        let f = &self.t.fields;
        let mut cursor = list.walk();
        if !cursor.goto_first_child() {
            return;
        }
        let mut held = self.b.unknown();
        loop {
            let child = cursor.node();
            let field = cursor.field_id().map(std::num::NonZeroU16::get);
            if self.kind(child) == Kind::Parameter {
                self.parameter(child);
            } else if field == Some(f.ty) {
                self.type_refs(child, RefKind::Type, 0);
                held = self.instance_of(child);
            } else if field == Some(f.name) {
                let name = self.b.name(child);
                self.b.bind(name, held);
            } else if self.kind(child) == Kind::AttributeList {
                self.visit_children_of(child);
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }

    /// Keeps the types of the parameters; `this Foo x` makes an extension of `Foo`.
    fn keep_parameters(&mut self, scope: ScopeId, list: Node<'_>) {
        let f = &self.t.fields;
        let mut types = Vec::new();
        for parameter in self.parameter_nodes(list) {
            let ty = parameter.child_by_field_id(f.ty);
            let ty = match ty {
                Some(ty) => self.type_expr(ty, 0),
                None => self.b.unknown(),
            };
            let text = self.b.text(parameter);
            if text.starts_with("this ") {
                self.b.set_receiver(scope, ty);
                continue;
            }
            types.push(if text.contains('=') { self.b.expr(Expr::Defaulted(ty)) } else { ty });
        }
        if let Some(array) = list.child_by_field_id(f.ty) {
            let element = array.child_by_field_id(f.ty).unwrap_or(array);
            let element = self.type_expr(element, 0);
            types.push(self.b.expr(Expr::Rest(element)));
        }
        self.b.set_params(scope, &types);
    }

    fn parameter(&mut self, node: Node<'_>) {
        self.header(node);
        let ty = node.child_by_field_id(self.t.fields.ty);
        if let Some(ty) = ty {
            self.type_refs(ty, RefKind::Type, 0);
        }
        self.default_value(node);
        let held = self.instance_or_unknown(ty);
        if let Some(name) = self.name_of(node) {
            let name = self.b.name(name);
            self.b.bind(name, held);
        }
    }

    /// `= …` behind a parameter's name.
    pub(super) fn default_value(&mut self, parameter: Node<'_>) {
        let (Some(name), Some(last)) = (self.name_of(parameter), last_named_child(parameter)) else { return };
        if last.start_byte() > name.start_byte() {
            self.visit_node(last);
        }
    }
}
