//! Functions and their parameters.

use super::{Kind, Outer, Returned, Script};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Script<'_> {
    /// A function with a name of its own, or the given one.
    pub(super) fn function(&mut self, node: Node<'_>, outer: Outer<'_>, default_name: Option<&str>) {
        let name_node = node.child_by_field_id(self.t.fields.name);
        let name = match (name_node, default_name) {
            (Some(name), _) => self.property_name(name),
            (None, Some(_)) => "",
            (None, None) => return self.visit_children_of(node),
        };
        let name = if name.is_empty() { default_name.unwrap_or("") } else { name };
        let ty = self.return_value(node);
        let body = node.child_by_field_id(self.t.fields.body);
        let def = Def::new(outer.whole, name_node.unwrap_or(node), SymbolKind::Function)
            .signature_until(body)
            .ty(ty)
            .exported(outer.exported);
        let scope = self.define(def, name);
        self.shadow(name);
        self.callable_in(node, scope);
    }

    /// Records a definition; one at file level is known by its name from now on.
    pub(super) fn define(&mut self, def: Def<'_>, name: &str) -> ScopeId {
        let scope = self.b.define_as(def, name, None);
        if let Some(signature) =
            scope.symbol().and_then(|index| self.b.file.symbols[index].signature.as_mut())
            && let Some(trimmed) = signature.strip_suffix(';')
        {
            *signature = trimmed.into();
        }
        if self.b.scope() == ScopeId::FILE {
            let name = self.b.intern(name);
            self.top_level.insert(name, scope);
        }
        scope
    }

    /// The parameters and body of a function whose symbol is `scope`. Without a declared type, what an
    /// arrow function with an expression for a body gives is known from that expression.
    pub(super) fn callable_in(&mut self, node: Node<'_>, scope: ScopeId) {
        self.b.enter(scope);
        let value = self.callable(node, None);
        self.b.leave();
        if let (Some(value), Some(index)) = (value, scope.symbol()) {
            let symbol = &mut self.b.file.symbols[index];
            if symbol.ty.is_none() {
                symbol.ty = Some(value);
            }
        }
    }

    /// A function's parameters and body in a frame of their own; `first` is what the first parameter is
    /// known to be. Returns the value of an expression body.
    pub(super) fn callable(&mut self, node: Node<'_>, first: Option<ExprId>) -> Option<ExprId> {
        let f = &self.t.fields;
        let types = self.types.len();
        self.b.push_frame();
        if let Some(parameters) = node.child_by_field_id(f.type_parameters) {
            self.type_parameters(parameters);
        }
        if let Some(parameter) = node.child_by_field_id(f.parameter) {
            let value = first.unwrap_or_else(|| self.b.unknown());
            self.bind_pattern(parameter, value, None, 0);
        }
        if let Some(parameters) = node.child_by_field_id(f.parameters) {
            self.parameters(parameters, first);
        }
        self.visit_field(node, f.return_type);
        self.visit_field(node, f.ty);
        let mut value = None;
        if let Some(body) = node.child_by_field_id(f.body) {
            if self.kind(body) == Kind::Block {
                self.returned.push(Returned::Nothing);
                self.visit_children_of(body);
                value = match self.returned.pop() {
                    Some(Returned::Value(value)) if !self.is_deferred(node) => Some(value),
                    _ => None,
                };
            } else {
                self.visit_node(body);
                value = self.expression_body(node, body);
            }
        }
        self.b.pop_frame();
        self.types.truncate(types);
        value
    }

    /// Whether calling a function gives a promise or a generator instead of what it returns.
    fn is_deferred(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor)
            .take(3)
            .any(|token| !token.is_named() && matches!(self.b.text(token), "async" | "*"))
            || matches!(self.kind(node), Kind::GeneratorDeclaration | Kind::GeneratorExpression)
    }

    /// `return x`: all that a function returns, apart from nothing at all, must be the same to be known.
    pub(super) fn return_statement(&mut self, node: Node<'_>) {
        self.visit_children_of(node);
        let Some(value) = node.named_child(0) else { return };
        let known = self.expr_of(value, 0);
        let kind = self.b.file.exprs[known.0 as usize];
        if let Some(returned) = self.returned.last_mut() {
            *returned = match (*returned, kind) {
                (before, Expr::Builtin) => before,
                (_, Expr::Unknown) => Returned::Several,
                (Returned::Nothing, _) => Returned::Value(known),
                (Returned::Value(before), _) if before == known => *returned,
                _ => Returned::Several,
            };
        }
    }

    fn expression_body(&mut self, node: Node<'_>, body: Node<'_>) -> Option<ExprId> {
        if self.is_deferred(node) {
            return None;
        }
        let value = self.expr_of(body, 0);
        (!matches!(self.b.file.exprs[value.0 as usize], Expr::Unknown | Expr::Builtin)).then_some(value)
    }

    /// A function that nothing names but perhaps itself.
    pub(super) fn anonymous(&mut self, node: Node<'_>, first: Option<ExprId>) {
        match node.child_by_field_id(self.t.fields.name) {
            Some(name) if self.kind(node) != Kind::Arrow => {
                let body = node.child_by_field_id(self.t.fields.body);
                let ty = self.return_value(node);
                let def = Def::new(node, name, SymbolKind::Function).signature_until(body).ty(ty);
                let scope = self.b.define(def);
                self.callable_in(node, scope);
            }
            _ => {
                self.callable(node, first);
            }
        }
    }

    /// What calling the function gives, from its declared type.
    pub(super) fn return_value(&mut self, node: Node<'_>) -> Option<ExprId> {
        let annotation = node.child_by_field_id(self.t.fields.return_type)?;
        let types = self.types.len();
        if let Some(parameters) = node.child_by_field_id(self.t.fields.type_parameters) {
            self.bind_type_parameters(parameters);
        }
        let value = self.value_of_type(annotation, 0);
        self.types.truncate(types);
        Some(value)
    }

    fn parameters(&mut self, list: Node<'_>, mut first: Option<ExprId>) {
        let f = &self.t.fields;
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            match self.kind(parameter) {
                Kind::Comment => continue,
                Kind::RequiredParameter | Kind::OptionalParameter => {
                    let value = self.typed_parameter(parameter, first);
                    if let Some(pattern) = parameter.child_by_field_id(f.pattern) {
                        self.bind_pattern(pattern, value, None, 0);
                    }
                }
                _ => {
                    let value = first.unwrap_or_else(|| self.b.unknown());
                    self.bind_pattern(parameter, value, None, 0);
                }
            }
            first = None;
        }
    }

    fn typed_parameter(&mut self, parameter: Node<'_>, first: Option<ExprId>) -> ExprId {
        let f = &self.t.fields;
        let (ty, default) = (parameter.child_by_field_id(f.ty), parameter.child_by_field_id(f.value));
        let mut is_property = false;
        let mut modifiers = parameter.walk();
        for child in parameter.children(&mut modifiers) {
            match self.kind(child) {
                Kind::Decorator => self.visit_node(child),
                Kind::Accessibility => is_property = true,
                _ if !child.is_named() && self.b.text(child) == "readonly" => is_property = true,
                _ => {}
            }
        }
        if let Some(ty) = ty {
            self.visit_node(ty);
        }
        if let Some(default) = default {
            self.visit_node(default);
        }
        let value = match (ty, first, default) {
            (Some(ty), ..) => self.value_of_type(ty, 0),
            (None, Some(first), _) => first,
            (None, None, Some(default)) => self.expr_of(default, 0),
            (None, None, None) => self.b.unknown(),
        };
        if is_property {
            self.parameter_property(parameter, value);
        }
        value
    }

    /// `constructor(private db: Db)` declares the field `db`.
    fn parameter_property(&mut self, parameter: Node<'_>, value: ExprId) {
        let Some(name) = parameter.child_by_field_id(self.t.fields.pattern) else { return };
        let Some(constructor) = self.b.scope().symbol() else { return };
        let class = self.b.file.symbols[constructor].parent;
        let exported = !self.is_private(parameter, name);
        self.b.enter(class);
        let def = Def::new(parameter, name, SymbolKind::Field).signature_until(None).ty(Some(value));
        self.b.define(def.exported(exported));
        self.b.leave();
    }
}
