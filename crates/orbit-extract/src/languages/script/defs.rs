//! Functions and their parameters.

use super::{DocId, Kind, NextFunction, Outer, Returned, Returns, Script};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, NameId, ScopeId, SymbolKind};
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
        let doc = self.doc_of(outer.whole);
        let ty = self.return_value(node).or_else(|| self.documented_result(doc));
        let body = node.child_by_field_id(self.t.fields.body);
        let def = Def::new(outer.whole, name_node.unwrap_or(node), SymbolKind::Function)
            .signature_until(body)
            .ty(ty)
            .exported(outer.exported);
        let scope = self.define(def, name);
        self.shadow(name);
        self.next.doc = doc;
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
        let name = self.b.intern(name);
        self.hide(scope, name);
        match self.hidden(name) {
            Some(own) => {
                self.closures.insert(own, scope);
            }
            None if self.b.scope() == ScopeId::FILE => {
                self.top_level.insert(name, scope);
            }
            None => {}
        }
        if let Some(index) = scope.symbol()
            && self.b.file.symbols[index].kind == SymbolKind::Function
        {
            self.functions.insert(self.b.file.symbols[index].local, index as u32);
        }
        scope
    }

    /// The parameters and body of a function whose symbol is `scope`. Without a declared type, what an
    /// arrow function with an expression for a body gives is known from that expression.
    pub(super) fn callable_in(&mut self, node: Node<'_>, scope: ScopeId) {
        self.signature(node, scope);
        self.next.path = scope.symbol().map(|index| self.b.file.symbols[index].local);
        if self.next.this.is_none() {
            self.next.this = Some(self.own_this(scope));
        }
        self.b.enter(scope);
        let expected = self.next.expected.take();
        let value = self.callable(node, expected);
        self.b.leave();
        if let (Some(value), Some(index)) = (value, scope.symbol()) {
            let symbol = &mut self.b.file.symbols[index];
            if symbol.ty.is_none() {
                symbol.ty = Some(value);
            }
        }
    }

    /// Gives a function's symbol the declared types of its parameters, if there are any.
    fn signature(&mut self, node: Node<'_>, scope: ScopeId) {
        let types = self.types.len();
        if let Some(parameters) = node.child_by_field_id(self.t.fields.type_parameters) {
            self.declare_type_parameters(parameters, scope);
        }
        let doc = self.next.doc;
        self.declare_templates(doc, scope);
        let params = self.declared_parameters(node, doc, 0);
        self.types.truncate(types);
        let unknown = self.b.unknown();
        // Overloads are told apart by how many there are.
        let is_overload = node.child_by_field_id(self.t.fields.body).is_none() && !params.is_empty();
        if is_overload || params.iter().any(|param| *param != unknown) {
            self.b.set_params(scope, &params);
        }
    }

    /// What `this` is in a function with a symbol: the class it belongs to, else what it is a member of, else what
    /// it makes when it is called with `new`.
    fn own_this(&mut self, scope: ScopeId) -> ExprId {
        let Some(symbol) = scope.symbol().map(|index| &self.b.file.symbols[index]) else {
            return self.b.unknown();
        };
        let (kind, path, parent) = (symbol.kind, symbol.local, symbol.parent);
        let owner = parent.symbol().map(|index| &self.b.file.symbols[index]);
        if owner.is_some_and(|owner| matches!(owner.kind, SymbolKind::Class | SymbolKind::Interface)) {
            return self.b.expr(Expr::This);
        }
        match (kind, self.b.file.names.get(path).rsplit_once('.')) {
            (SymbolKind::Function, _) => self.this_below(path),
            (_, Some((owner, _))) => {
                let owner = owner.to_owned();
                let owner = self.b.intern(&owner);
                self.this_below(owner)
            }
            _ => self.b.unknown(),
        }
    }

    /// A function's parameters and body in a frame of their own; what it is expected to be says what parameters
    /// without a type are. Returns the value of an expression body.
    pub(super) fn callable(&mut self, node: Node<'_>, expected: Option<ExprId>) -> Option<ExprId> {
        let f = &self.t.fields;
        let types = self.types.len();
        let NextFunction { this, path, doc, object_path, .. } = std::mem::take(&mut self.next);
        let has_this = !matches!(self.kind(node), Kind::Arrow);
        if has_this {
            let this = this.unwrap_or_else(|| self.b.unknown());
            self.this.push(this);
        }
        self.b.push_frame();
        if let Some(parameters) = node.child_by_field_id(f.type_parameters) {
            self.type_parameters(parameters);
        }
        self.bind_documented_templates(doc);
        if let Some(parameter) = node.child_by_field_id(f.parameter) {
            let value = self.documented_parameter(doc, parameter, 0);
            let value = value.unwrap_or_else(|| self.received(expected, 0));
            self.bind_pattern(parameter, value, None, 0);
        }
        if let Some(parameters) = node.child_by_field_id(f.parameters) {
            self.parameters(parameters, expected, doc);
        }
        self.visit_field(node, f.return_type);
        self.visit_field(node, f.ty);
        let result = self.expected_result(node, expected, doc);
        let value = node
            .child_by_field_id(f.body)
            .and_then(|body| self.body(node, body, (path, object_path), result));
        self.b.pop_frame();
        if has_this {
            self.this.pop();
        }
        self.types.truncate(types);
        value
    }

    /// What a function is to return: by its declared type, by its comment, else by what it is expected to be.
    fn expected_result(
        &mut self,
        node: Node<'_>,
        expected: Option<ExprId>,
        doc: Option<DocId>,
    ) -> Option<ExprId> {
        let declared = node.child_by_field_id(self.t.fields.return_type);
        let result = match declared.map(|ty| self.value_of_type(ty, 0)) {
            Some(declared) => Some(declared),
            None => self.documented_result(doc).or_else(|| expected.map(|function| self.b.call(function))),
        };
        match result {
            Some(promised) if self.is_deferred(node) => Some(self.b.element(promised)),
            result => result,
        }
    }

    /// The body of a function; what calling the function gives, as far as the body tells.
    fn body(
        &mut self,
        node: Node<'_>,
        body: Node<'_>,
        (path, object_path): (Option<NameId>, Option<NameId>),
        expected: Option<ExprId>,
    ) -> Option<ExprId> {
        let is_named = path.is_some();
        let path = path.or(object_path);
        if self.kind(body) == Kind::Block {
            self.returned.push(Returns { agreed: Returned::Nothing, expected, path });
            self.hoist(body, is_named);
            self.visit_children_of(body);
            return match self.returned.pop().map(|returns| returns.agreed) {
                Some(Returned::Value(value)) => self.given(node, value),
                _ => None,
            };
        }
        self.visit_expected(body, expected, path);
        let value = match (path, self.object_of(body)) {
            (Some(path), Some(object)) => self.object_shape(object, path),
            _ => self.expr_of(body, 0),
        };
        let says = !matches!(self.b.file.exprs[value.0 as usize], Expr::Unknown | Expr::Builtin);
        if says { self.given(node, value) } else { None }
    }

    /// What calling a function gives that returns a value.
    fn given(&mut self, node: Node<'_>, value: ExprId) -> Option<ExprId> {
        match (self.is_deferred(node), self.is_async(node)) {
            (false, _) => Some(value),
            (true, true) => self.promised(value),
            (true, false) => None,
        }
    }

    /// What a function gets as the parameter at a place, from what it is expected to be.
    fn received(&mut self, expected: Option<ExprId>, at: usize) -> ExprId {
        match expected {
            Some(expected) => self.b.receives(expected, at),
            None => self.b.unknown(),
        }
    }

    /// Whether calling a function gives a promise or a generator instead of what it returns.
    fn is_deferred(&self, node: Node<'_>) -> bool {
        self.is_async(node) || self.is_generator(node)
    }

    /// Whether calling a function gives a promise of what it returns.
    fn is_async(&self, node: Node<'_>) -> bool {
        self.has_mark(node, "async") && !self.is_generator(node)
    }

    fn is_generator(&self, node: Node<'_>) -> bool {
        self.has_mark(node, "*")
            || matches!(self.kind(node), Kind::GeneratorDeclaration | Kind::GeneratorExpression)
    }

    fn has_mark(&self, node: Node<'_>, mark: &str) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor).take(3).any(|token| !token.is_named() && self.b.text(token) == mark)
    }

    /// `return x`: all that a function returns, apart from nothing at all, must be the same to be known.
    pub(super) fn return_statement(&mut self, node: Node<'_>) {
        let Some(value) = node.named_child(0) else { return };
        let returns = self.returned.last().copied();
        let path = returns.and_then(|returns| returns.path);
        self.visit_expected(value, returns.and_then(|returns| returns.expected), path);
        let known = match (path, self.object_of(value)) {
            (Some(path), Some(object)) => self.object_shape(object, path),
            _ => self.expr_of(value, 0),
        };
        let kind = self.b.file.exprs[known.0 as usize];
        let agreed = self.returned.last().map(|returns| returns.agreed);
        let shared = match agreed {
            // Objects that differ in what they hold still have the same functions.
            Some(Returned::Value(before)) if before != known => {
                let path =
                    self.path_of_object(before).filter(|path| self.path_of_object(known) == Some(*path));
                path.map(|path| self.b.expr(Expr::Object(path)))
            }
            _ => None,
        };
        if let Some(Returns { agreed, .. }) = self.returned.last_mut() {
            *agreed = match (*agreed, kind) {
                (before, Expr::Builtin) => before,
                (_, Expr::Unknown) => Returned::Several,
                (Returned::Nothing, _) => Returned::Value(known),
                (Returned::Value(before), _) if before == known => *agreed,
                _ => shared.map_or(Returned::Several, Returned::Value),
            };
        }
    }

    /// A function that nothing names but perhaps itself.
    pub(super) fn anonymous(&mut self, node: Node<'_>, expected: Option<ExprId>) {
        match node.child_by_field_id(self.t.fields.name) {
            Some(name) if self.kind(node) != Kind::Arrow => {
                let body = node.child_by_field_id(self.t.fields.body);
                let doc = self.doc_of(node);
                let ty = self.return_value(node).or_else(|| self.documented_result(doc));
                let def = Def::new(node, name, SymbolKind::Function).signature_until(body).ty(ty);
                let scope = self.b.define(def);
                let this = Some(self.b.unknown());
                self.next = NextFunction { expected, this, doc, ..NextFunction::default() };
                self.callable_in(node, scope);
            }
            _ => {
                self.next.doc = self.doc_of(node);
                if let Some(value) = self.callable(node, expected) {
                    self.given.insert(node.id(), value);
                }
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

    fn parameters(&mut self, list: Node<'_>, expected: Option<ExprId>, doc: Option<DocId>) {
        let f = &self.t.fields;
        let mut cursor = list.walk();
        let mut at = 0;
        for parameter in list.named_children(&mut cursor) {
            let received = self.received(expected, at);
            match self.kind(parameter) {
                Kind::Comment => {
                    self.doc_comment(parameter);
                    continue;
                }
                Kind::RequiredParameter | Kind::OptionalParameter => {
                    let value = self.typed_parameter(parameter, received);
                    match parameter.child_by_field_id(f.pattern) {
                        Some(pattern) if self.kind(pattern) == Kind::This => {
                            self.this.pop();
                            self.this.push(value);
                            continue;
                        }
                        Some(pattern) => self.bind_pattern(pattern, value, None, 0),
                        None => {}
                    }
                }
                _ => {
                    let value = self.documented_parameter(doc, parameter, at).unwrap_or(received);
                    self.bind_pattern(parameter, value, None, 0);
                    self.bind_documented_keys(doc, parameter, at);
                }
            }
            at += 1;
        }
    }

    fn typed_parameter(&mut self, parameter: Node<'_>, received: ExprId) -> ExprId {
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
        let value = match (ty, default) {
            (Some(ty), _) => self.value_of_type(ty, 0),
            (None, Some(default)) if received == self.b.unknown() => self.expr_of(default, 0),
            (None, _) => received,
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
