//! Functions and their parameters.

use super::declarators::Declared;
use super::variables::Storage;
use super::{Kind, Native};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Native<'_> {
    /// `whole` includes the template head.
    pub(super) fn function(&mut self, node: Node<'_>, whole: Node<'_>) {
        let declarator = node.child_by_field_id(self.t.fields.declarator);
        let declared = declarator.and_then(|declarator| self.declared(declarator));
        let (Some(declarator), Some(declared)) = (declarator, declared) else {
            return self.visit_children_of(node);
        };
        let Some(function) = declared.function.filter(|_| !is_statement(self.b.text(declared.name))) else {
            return self.visit_children_of(node);
        };
        if self.is_macro_call(node, declared) {
            return self.macro_function(node, declared.name, function);
        }
        self.callable(node, whole, declarator, declared, function);
    }

    /// A function definition or prototype.
    pub(super) fn callable(
        &mut self,
        node: Node<'_>,
        whole: Node<'_>,
        declarator: Node<'_>,
        declared: Declared<'_>,
        function: Node<'_>,
    ) {
        let f = &self.t.fields;
        let own = self.own_name(declared.name);
        self.scope_uses(&own.scopes);
        let name = self.leaf_text(own.leaf);
        let kind = self.callable_kind(node, &own.scopes, &name);
        let result = self.result_type(node, function, own.leaf, declared.indirections);
        let body = node.child_by_field_id(f.body);
        let in_class = self.in_class();
        let is_static = self.specifiers(node).storage == Storage::Static && !in_class;
        let mut def = Def::new(whole, own.leaf, kind).ty(result).exported(self.is_exported(is_static));
        def.signature_end = Some(self.signature_end(node, whole, body));
        let path = self.joined(&own.scopes, &name);
        // The result type stands before the name says whose member it is.
        let is_outside = !own.scopes.is_empty();
        if is_outside {
            self.visit_field(node, f.ty);
        }
        let scope = if self.is_friend(node) && in_class {
            self.define_friend(def, &name)
        } else {
            self.b.define_as(def, &name, Some(&path))
        };
        self.mark_bodiless(scope, node, body);
        self.set_own_template(scope, whole, &own.scopes);

        self.b.enter(scope);
        self.b.push_frame();
        self.blocks += 1;
        if !is_outside {
            self.visit_field(node, f.ty);
        }
        self.visit_field(own.leaf, f.ty); // `operator Foo()`
        self.declarator_uses(declarator, Some(function));
        self.function_head(function);
        if self.t.is_cpp {
            self.keep_parameters(scope, function);
            self.mark_const_member(scope, function);
        }
        self.visit_behind_head(node, declarator, body);
        if let Some(body) = body {
            if self.kind(body) == Kind::Compound {
                self.returned(scope, node, body);
                self.visit_children_of(body);
            } else {
                self.visit_node(body);
            }
        }
        self.blocks -= 1;
        self.b.pop_frame();
        self.b.leave();
    }

    /// `template <class T> T Box<T>::get()`: the parameters are those of the class.
    fn set_own_template(&mut self, scope: ScopeId, whole: Node<'_>, scopes: &[Node<'_>]) {
        if scopes.last().is_none_or(|scope| self.kind(*scope) != Kind::TemplateType) {
            self.set_template(scope, whole);
        }
    }

    fn is_friend(&self, node: Node<'_>) -> bool {
        node.parent().is_some_and(|parent| self.kind(parent) == Kind::Friend)
    }

    /// A function that a class declares as its friend is one of the namespace round the class.
    fn define_friend(&mut self, def: Def<'_>, name: &str) -> ScopeId {
        let mut outer = self.b.scope();
        while let Some(index) = outer.symbol().filter(|index| self.b.file.symbols[*index].kind.is_type()) {
            outer = self.b.file.symbols[index].parent;
        }
        self.b.enter(outer);
        let prefix = self.b.path_here().to_owned();
        self.b.leave();
        let class = self.b.scope();
        self.b.enter_as(class, prefix);
        let scope = self.b.define_as(def, name, None);
        self.b.leave();
        scope
    }

    /// A prototype has no body; `= default` and `= delete` stand for one.
    fn mark_bodiless(&mut self, scope: ScopeId, node: Node<'_>, body: Option<Node<'_>>) {
        let is_bodiless =
            body.is_none() && matches!(self.kind(node), Kind::Declaration | Kind::FieldDeclaration);
        if let Some(symbol) = scope.symbol().map(|index| &mut self.b.file.symbols[index]) {
            symbol.bodiless = is_bodiless;
            symbol.signature = symbol.signature.as_deref().map(super::macro_text::balanced);
        }
    }

    fn callable_kind(&mut self, node: Node<'_>, scopes: &[Node<'_>], name: &str) -> SymbolKind {
        if let Some(scope) = scopes.last() {
            let scope = self.scope_text(*scope);
            if scope == name {
                return SymbolKind::Constructor;
            }
            let scope = self.b.intern(scope);
            return if self.namespaces.contains(&scope) { SymbolKind::Function } else { SymbolKind::Method };
        }
        let is_friend = self.is_friend(node);
        match self.b.enclosing().next() {
            Some(symbol) if self.in_class() && !is_friend => {
                if self.b.file.names.get(symbol.name) == name {
                    SymbolKind::Constructor
                } else {
                    SymbolKind::Method
                }
            }
            _ => SymbolKind::Function,
        }
    }

    /// The declared result, `auto f() -> T` and `operator T()` included.
    fn result_type(
        &mut self,
        node: Node<'_>,
        function: Node<'_>,
        leaf: Node<'_>,
        indirections: usize,
    ) -> Option<ExprId> {
        let mut cursor = function.walk();
        let trailing =
            function.named_children(&mut cursor).find(|child| self.kind(*child) == Kind::TrailingReturn);
        let ty = trailing
            .and_then(|trailing| trailing.named_child(0))
            .or_else(|| leaf.child_by_field_id(self.t.fields.ty))
            .or_else(|| node.child_by_field_id(self.t.fields.ty))?;
        if self.is_auto(ty) {
            return None; // told by the body
        }
        let is_const = trailing.is_none() && self.specifiers(node).is_const;
        let ty = self.type_expr(ty, 0);
        let ty = if trailing.is_none() { self.pointer_to(ty, indirections, is_const) } else { ty };
        let ty = if is_const { self.const_type(ty) } else { ty };
        Some(self.b.instance(ty))
    }

    /// What a function gives whose body is one `return`, where `auto` leaves that to the body.
    fn returned(&mut self, scope: ScopeId, node: Node<'_>, body: Node<'_>) {
        if !node.child_by_field_id(self.t.fields.ty).is_some_and(|ty| self.is_auto(ty)) {
            return;
        }
        let Some(index) = scope.symbol().filter(|index| self.b.file.symbols[*index].ty.is_none()) else {
            return;
        };
        let mut cursor = body.walk();
        let mut statements =
            body.named_children(&mut cursor).filter(|child| self.kind(*child) != Kind::Comment);
        let (first, second) = (statements.next(), statements.next());
        let value = first
            .filter(|first| second.is_none() && self.kind(*first) == Kind::Return)
            .and_then(|first| first.named_child(0));
        if let Some(value) = value {
            let given = self.expr_of(value, 0);
            let is_known = !matches!(self.b.file.exprs[given.0 as usize], Expr::Unknown);
            self.b.file.symbols[index].ty = is_known.then_some(given);
        }
    }

    /// Where the signature ends: at the body, at the constructor's initialisers, or before the semicolon.
    fn signature_end(&self, node: Node<'_>, whole: Node<'_>, body: Option<Node<'_>>) -> usize {
        let Some(body) = body else { return self.before_semicolon(whole) };
        let mut cursor = node.walk();
        let initializers =
            node.named_children(&mut cursor).find(|child| self.kind(*child) == Kind::FieldInitializerList);
        initializers.unwrap_or(body).start_byte()
    }

    pub(super) fn before_semicolon(&self, node: Node<'_>) -> usize {
        let text = self.b.text(node);
        node.start_byte() + text.trim_end().trim_end_matches(';').len()
    }

    /// Parameters, bound as locals, and what stands behind them: `noexcept(…)`, `-> T`, `requires …`.
    pub(super) fn function_head(&mut self, function: Node<'_>) {
        let f = &self.t.fields;
        let mut cursor = function.walk();
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            match cursor.field_id().map(std::num::NonZeroU16::get) {
                Some(field) if field == f.declarator => {}
                Some(field) if field == f.parameters => self.parameters(cursor.node()),
                _ => self.visit(&mut cursor),
            }
            if !cursor.goto_next_sibling() {
                return;
            }
        }
    }

    pub(super) fn parameters(&mut self, list: Node<'_>) {
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            match self.kind(parameter) {
                Kind::Parameter | Kind::OptionalParameter | Kind::VariadicParameter => {
                    self.parameter(parameter, true);
                }
                Kind::Identifier => {
                    let (name, unknown) = (self.b.name(parameter), self.b.unknown());
                    self.b.bind(name, unknown);
                }
                _ => {}
            }
        }
    }

    /// Keeps the types of a function's parameters: C++ tells overloads apart by them.
    fn keep_parameters(&mut self, scope: ScopeId, function: Node<'_>) {
        let f = &self.t.fields;
        let Some(list) = function.child_by_field_id(f.parameters) else { return };
        let constraint = self.constraint(scope);
        let mut types = Vec::new();
        let mut cursor = list.walk();
        let parameters: Vec<Node<'_>> = list.children(&mut cursor).collect();
        for parameter in parameters {
            let ty = self.parameter_type(parameter, constraint);
            match self.kind(parameter) {
                // `(void)` takes nothing.
                Kind::Parameter if self.b.text(parameter) == "void" => {}
                Kind::Parameter => types.push(ty),
                Kind::OptionalParameter => types.push(self.b.expr(Expr::Defaulted(ty))),
                Kind::VariadicParameter => types.push(self.b.expr(Expr::Rest(ty))),
                _ if self.b.text(parameter) == "..." => {
                    let anything = self.b.expr(Expr::Builtin);
                    types.push(self.b.expr(Expr::Rest(anything)));
                }
                _ => {}
            }
        }
        self.b.set_params(scope, &types);
    }

    /// `T f() const`: the object it is called on stays as it is.
    fn mark_const_member(&mut self, scope: ScopeId, function: Node<'_>) {
        if self.has_const(function) {
            let mark = self.b.expr(Expr::Builtin);
            self.b.set_receiver(scope, mark);
        }
    }

    /// Built-in types with their pointers; a type parameter only where nothing else decides what it may be.
    fn parameter_type(&mut self, parameter: Node<'_>, constraint: Option<&'static str>) -> ExprId {
        let f = &self.t.fields;
        let Some(ty) = parameter.child_by_field_id(f.ty) else { return self.b.unknown() };
        let declarator = parameter.child_by_field_id(f.declarator);
        let declared = declarator.and_then(|declarator| self.declared(declarator));
        let is_function = declared.is_some_and(|it| it.is_function_pointer || it.function.is_some())
            || declarator.is_some_and(|it| self.kind(it) == Kind::AbstractFunction);
        if is_function {
            return self.b.unknown();
        }
        let indirections = match (declared, declarator) {
            (Some(declared), _) => declared.indirections,
            (None, Some(declarator)) => self.indirections(declarator),
            (None, None) => 0,
        };
        let ty = self.type_expr(ty, 0);
        let is_open = matches!(self.b.file.exprs[ty.0 as usize], Expr::Parameter(..));
        match constraint {
            Some(constraint) if is_open => {
                let unknown = self.b.unknown();
                self.marked(unknown, constraint)
            }
            _ if is_open && indirections > 0 => self.b.unknown(),
            _ => {
                let ty = self.pointer_to(ty, indirections, self.specifiers(parameter).is_const);
                let is_moved = !is_open && declarator.is_some_and(|it| self.b.text(it).starts_with("&&"));
                let is_class =
                    !matches!(self.b.file.exprs[ty.0 as usize], Expr::Primitive(_) | Expr::Unknown);
                if is_moved && is_class { self.marked(ty, "&&") } else { ty }
            }
        }
    }

    /// Whether more than its parameters decides what a template takes, and if so, whether that speaks of numbers and
    /// the like or of classes alone.
    fn constraint(&self, scope: ScopeId) -> Option<&'static str> {
        let symbol = scope.symbol().map(|index| &self.b.file.symbols[index]);
        let signature = symbol.and_then(|symbol| symbol.signature.as_deref()).unwrap_or("");
        let says = |words: &[&str]| words.iter().any(|word| signature.contains(word));
        let is_constrained = signature.starts_with("template")
            && says(&["enable_if", "ENABLE_IF", "requires", "REQUIRES", "decltype"]);
        let of_builtin =
            ["integ", "arithmetic", "float", "signed", "same", "enum", "pointer", "char", "bool"];
        is_constrained.then(|| if says(&of_builtin) { "builtin" } else { "class" })
    }

    /// `binds` is false for parameters that no body can use: those of a function pointer, say.
    pub(super) fn parameter(&mut self, node: Node<'_>, binds: bool) {
        let f = &self.t.fields;
        let ty = node.child_by_field_id(f.ty);
        if let Some(ty) = ty {
            self.visit_node(ty);
        }
        self.visit_field(node, f.default_value);
        let Some(declarator) = node.child_by_field_id(f.declarator) else { return };
        let Some(declared) = self.declared(declarator) else { return self.visit_node(declarator) };
        self.declarator_uses(declarator, None);
        if binds {
            let is_const = ty.is_some() && self.specifiers(node).is_const;
            let ty = self.optional_type(ty);
            let value = self.declared_value(&declared, ty, is_const);
            self.bind_names(declared.name, value);
        }
    }

    pub(super) fn optional_type(&mut self, ty: Option<Node<'_>>) -> ExprId {
        match ty {
            Some(ty) => self.type_expr(ty, 0),
            None => self.b.unknown(),
        }
    }

    /// The children of a function between its head and its body: initialisers, declarations in the old
    /// style, a `requires` clause.
    fn visit_behind_head(&mut self, node: Node<'_>, declarator: Node<'_>, body: Option<Node<'_>>) {
        let Some(body) = body else { return };
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.start_byte() >= declarator.end_byte() && child.id() != body.id() {
                self.visit_node(child);
            }
        }
    }

    pub(super) fn bind_names(&mut self, name: Node<'_>, value: ExprId) {
        if self.kind(name) == Kind::StructuredBinding {
            let unknown = self.b.unknown();
            let mut cursor = name.walk();
            for part in name.named_children(&mut cursor) {
                let part = self.b.name(part);
                self.b.bind(part, unknown);
            }
        } else {
            let name = self.b.name(name);
            self.b.bind(name, value);
        }
    }

    pub(super) fn is_exported(&self, is_static: bool) -> bool {
        (!is_static || self.is_header) && self.unnamed == 0 && !(self.is_private && self.in_class())
    }

    /// What is declared now is a member of a record.
    pub(super) fn in_class(&self) -> bool {
        self.in_record && self.blocks == 0
    }

    /// `a::B::name`, without template arguments.
    pub(super) fn joined(&self, scopes: &[Node<'_>], name: &str) -> String {
        let mut path = String::new();
        for scope in scopes {
            path.push_str(self.scope_text(*scope));
            path.push_str("::");
        }
        path.push_str(name);
        path
    }
}

/// A statement that recovery took for a function: `else if (x) { … }` behind a directive.
fn is_statement(name: &str) -> bool {
    matches!(name, "if" | "for" | "while" | "switch" | "return" | "else" | "do" | "catch" | "sizeof")
}
