//! Uses: calls, members, JSX, strings, and the skeleton of receivers.

use super::commonjs::required_name;
use super::{Kind, Script, unquoted};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, ImportKind, RefKind, ScopeId};
use tree_sitter::Node;

/// How deep a call may stand in an expression to be read with its arguments.
const MAX_ARGUMENT_DEPTH: u32 = 8;

/// How many elements of a list are looked at to tell what it holds.
const MAX_ELEMENTS: usize = 16;

impl Script<'_> {
    /// A call, and what the place where it stands expects of its result.
    pub(super) fn call(&mut self, node: Node<'_>, expected: Option<ExprId>) {
        let f = &self.t.fields;
        if let Some((at, module)) = self.required(node) {
            let name = required_name(module);
            self.import_row(ImportKind::Module, module, None, Some(&name), at);
            // What it loads may be asked for from outside of the function that it stands in.
            if let Some(import) = self.b.file.imports.last_mut() {
                import.scope = ScopeId::FILE;
            }
            return;
        }
        let (callee, arguments) = (node.child_by_field_id(f.function), node.child_by_field_id(f.arguments));
        if let Some(callee) = callee {
            self.callee(callee);
        }
        self.visit_field(node, f.type_arguments);
        if self.library.is_some() {
            self.command_of_call(node);
        }
        let (Some(callee), Some(arguments)) = (callee, arguments) else { return };
        if self.kind(arguments) != Kind::Arguments {
            return self.visit_node(arguments);
        }
        if self.suite(node, callee, arguments) || self.defined_property(node, callee, arguments) {
            return;
        }
        self.inherit_called(callee, arguments);
        let callee = match (self.kind(callee), callee.named_child(0)) {
            (Kind::Await, Some(inner)) => inner,
            _ => callee,
        };
        let mut function = self.expr_of(callee, 0);
        if let Some(types) = node.child_by_field_id(f.type_arguments) {
            let types = self.type_arguments(types, 0);
            function = self.b.instantiate(function, &types);
        }
        let (routes, mark) = (self.routes_of_call(node), self.b.mark());
        self.visit_arguments(function, arguments, expected);
        self.registered(&routes, mark, arguments);
    }

    fn callee(&mut self, callee: Node<'_>) {
        match self.kind(callee) {
            Kind::Identifier => self.plain(callee, RefKind::Call),
            Kind::Member => self.member(callee, RefKind::Call),
            Kind::NonNull | Kind::Instantiation | Kind::Await => {
                let mut cursor = callee.walk();
                for child in callee.named_children(&mut cursor) {
                    match self.kind(child) {
                        Kind::Identifier => self.plain(child, RefKind::Call),
                        Kind::Member => self.member(child, RefKind::Call),
                        _ => self.visit_node(child),
                    }
                }
            }
            _ => self.visit_node(callee),
        }
    }

    /// `new Foo(…)` calls what it names.
    pub(super) fn new_expression(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        if let Some(constructor) = node.child_by_field_id(f.constructor) {
            self.callee(constructor);
        }
        self.visit_field(node, f.type_arguments);
        if self.library.is_some() {
            self.command_of_call(node);
        }
        if let Some(arguments) = node.child_by_field_id(f.arguments) {
            let made = self.expr_of(node, 0);
            self.visit_arguments(made, arguments, None);
        }
    }

    /// `object.property`: a use of the object, then of the property.
    pub(super) fn member(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        let (object, property) = (node.child_by_field_id(f.object), node.child_by_field_id(f.property));
        let (Some(object), Some(property)) = (object, property) else { return };
        if let Some((value, namespace)) = self.misread_cast(object) {
            self.visit_node(value);
            let base = self.type_expr(namespace, 0);
            match self.kind(namespace) {
                Kind::NestedType => self.nested_type(namespace, RefKind::Value),
                _ => self.plain(namespace, RefKind::Value),
            }
            return self.b.reference(property, RefKind::Type, Some(base));
        }
        if crate::reads::read_member(self.b.text(object)) {
            self.b.config_read(property, self.b.text(property));
        }
        let base = self.expr_of(object, 0);
        self.visit_node(object);
        // `import('m').Foo` is how a type of another module is written in place.
        let is_type = kind == RefKind::Value && self.required(object).is_some();
        self.b.reference(property, if is_type { RefKind::Type } else { kind }, Some(base));
    }

    /// The value and the namespace of `x as a.b.C`, which the grammar takes for `(x as a.b).C`.
    fn misread_cast<'t>(&self, object: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        let is_cast = matches!(self.kind(object), Kind::As | Kind::Satisfies);
        let (value, ty) = (object.named_child(0)?, object.named_child(1)?);
        let is_path = matches!(self.kind(ty), Kind::TypeIdentifier | Kind::NestedType);
        (is_cast && is_path).then_some((value, ty))
    }

    /// `<Foo a={b}>` calls `Foo`; names in lower case are elements of the platform.
    pub(super) fn jsx(&mut self, node: Node<'_>) {
        let name = node.child_by_field_id(self.t.fields.name);
        match name.map(|name| (name, self.kind(name))) {
            Some((name, Kind::Member)) => self.member(name, RefKind::Call),
            Some((name, Kind::Identifier)) if !self.b.text(name).starts_with(char::is_lowercase) => {
                self.plain(name, RefKind::Call);
            }
            _ => {}
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor).filter(|child| Some(child.id()) != name.map(|n| n.id()))
        {
            self.visit_node(child);
        }
    }

    /// `</Foo>` names what `<Foo>` calls.
    pub(super) fn jsx_closing(&mut self, node: Node<'_>) {
        let Some(name) = node.child_by_field_id(self.t.fields.name) else { return };
        match self.kind(name) {
            Kind::Member => self.member(name, RefKind::Value),
            Kind::Identifier if !self.b.text(name).starts_with(char::is_lowercase) => {
                self.plain(name, RefKind::Value);
            }
            _ => {}
        }
    }

    pub(super) fn string(&mut self, node: Node<'_>) {
        let value = unquoted(self.b.text(node));
        if !matches!(value, "use strict" | "use client" | "use server") {
            self.b.string(node, value);
        }
        if self.kind(node) == Kind::Template {
            self.visit_children_of(node);
        }
    }

    /// What an expression is, as far as its text tells.
    pub(super) fn expr_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::Identifier | Kind::ShorthandProperty | Kind::TypeIdentifier => {
                let name = self.imported_name(node).unwrap_or_else(|| self.b.name(node));
                self.b.name_expr(name)
            }
            Kind::Member | Kind::NestedIdentifier => self.member_expr(node, depth),
            Kind::Call => self.call_expr(node, depth),
            Kind::New => match node.child_by_field_id(f.constructor) {
                Some(constructor) => {
                    let ty = match node.child_by_field_id(f.type_arguments) {
                        Some(arguments) => self.applied_type(constructor, arguments, depth),
                        None => self.expr_of(constructor, depth + 1),
                    };
                    self.b.instance(ty)
                }
                None => self.b.unknown(),
            },
            Kind::Subscript => self.subscript_expr(node, depth),
            Kind::Await => match node.named_child(0) {
                Some(inner) => {
                    let whole = self.expr_of(inner, depth + 1);
                    self.b.element(whole)
                }
                None => self.b.unknown(),
            },
            Kind::Parenthesized if let Some(value) = self.documented_value(node) => value,
            Kind::Parenthesized | Kind::NonNull | Kind::Satisfies | Kind::Instantiation => {
                match node.named_child(0) {
                    Some(inner) => self.expr_of(inner, depth + 1),
                    None => self.b.unknown(),
                }
            }
            Kind::As | Kind::TypeAssertion => self.cast_expr(node, depth),
            Kind::Ternary => self.either(
                node.child_by_field_id(f.consequence),
                node.child_by_field_id(f.alternative),
                depth,
            ),
            Kind::Binary => self.binary_expr(node, depth),
            Kind::Assignment => match node.child_by_field_id(f.right) {
                Some(right) => self.expr_of(right, depth + 1),
                None => self.b.unknown(),
            },
            Kind::This => match self.this.last() {
                Some(this) => *this,
                None => self.b.expr(Expr::This),
            },
            Kind::Super => self.b.expr(Expr::Super),
            Kind::String | Kind::Template | Kind::Number | Kind::Regex | Kind::True | Kind::False => {
                self.b.expr(Expr::Builtin)
            }
            Kind::Array if depth < MAX_ARGUMENT_DEPTH => self.array_expr(node, depth),
            Kind::Null | Kind::Undefined | Kind::Array | Kind::Update | Kind::Unary => {
                self.b.expr(Expr::Builtin)
            }
            _ => self.b.unknown(),
        }
    }

    fn member_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let (object, property) = (node.child_by_field_id(f.object), node.child_by_field_id(f.property));
        let (Some(object), Some(property)) = (object, property) else { return self.b.unknown() };
        let name = self.b.name(property);
        if let Some((_, namespace)) = self.misread_cast(object) {
            let base = self.type_expr(namespace, depth + 1);
            let ty = self.b.member(base, name);
            return self.b.instance(ty);
        }
        if self.b.text(node) == "module.exports" {
            let own = self.b.intern("module.exports");
            return self.b.expr(Expr::Name(own));
        }
        let base = self.expr_of(object, depth + 1);
        // `Foo.prototype` has what every `new Foo()` has.
        if self.b.text(property) == "prototype" { self.b.instance(base) } else { self.b.member(base, name) }
    }

    /// What a call gives. `await f<T>()` is a call of `await f` to the grammar.
    fn call_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(callee) = node.child_by_field_id(self.t.fields.function) else { return self.b.unknown() };
        if let Some((_, module)) = self.required(node) {
            let name = required_name(module);
            let name = self.b.intern(&name);
            return self.b.expr(Expr::Name(name));
        }
        if self.kind(callee) == Kind::ImportKeyword {
            return self.b.unknown();
        }
        if let Some(function) = self.called_in_place(node) {
            return self.given.get(&function.id()).copied().unwrap_or_else(|| self.b.unknown());
        }
        let awaited = callee.named_child(0).filter(|_| self.kind(callee) == Kind::Await);
        let mut function = self.expr_of(awaited.unwrap_or(callee), depth + 1);
        if let Some(types) = node.child_by_field_id(self.t.fields.type_arguments) {
            let types = self.type_arguments(types, depth);
            function = self.b.instantiate(function, &types);
        }
        let arguments = node.child_by_field_id(self.t.fields.arguments);
        let result = match arguments.filter(|arguments| self.kind(*arguments) == Kind::Arguments) {
            // Arguments within arguments within arguments say little of what the outermost call gives.
            Some(arguments) if depth < MAX_ARGUMENT_DEPTH => {
                let function = self.with_arguments(function, arguments, depth);
                self.b.call(function)
            }
            _ => self.b.call(function),
        };
        if awaited.is_some() { self.b.element(result) } else { result }
    }

    /// The function without a name that a call calls where it is written: `(() => {…})()`.
    pub(super) fn called_in_place<'t>(&self, call: Node<'t>) -> Option<Node<'t>> {
        let callee = self.unwrapped(call.child_by_field_id(self.t.fields.function)?);
        self.is_function(callee).then_some(callee)
    }

    /// A list by what it holds, where all of that is known.
    fn array_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let builtin = self.b.expr(Expr::Builtin);
        let mut cursor = node.walk();
        let elements: Vec<Node<'_>> = node
            .named_children(&mut cursor)
            .filter(|element| self.kind(*element) != Kind::Comment)
            .take(MAX_ELEMENTS + 1)
            .collect();
        if elements.len() > MAX_ELEMENTS {
            return builtin;
        }
        let mut held = Vec::with_capacity(elements.len());
        for element in elements {
            let value = match (self.kind(element), element.named_child(0)) {
                (Kind::Spread, Some(whole)) => {
                    let whole = self.expr_of(whole, depth + 1);
                    self.b.element(whole)
                }
                _ => self.expr_of(element, depth + 1),
            };
            if value == self.b.unknown() {
                return builtin;
            }
            held.push(value);
        }
        if held.iter().all(|value| *value == builtin) {
            return builtin;
        }
        let list = self.b.list(&held);
        self.b.expr(Expr::Holds(list))
    }

    /// A callee with its arguments.
    pub(super) fn with_arguments(&mut self, callee: ExprId, arguments: Node<'_>, depth: u32) -> ExprId {
        let mut cursor = arguments.walk();
        let nodes: Vec<Node<'_>> =
            arguments.named_children(&mut cursor).filter(|arg| self.kind(*arg) != Kind::Comment).collect();
        let args: Vec<ExprId> = nodes.into_iter().map(|arg| self.expr_of(arg, depth + 1)).collect();
        if args.is_empty() { callee } else { self.b.callee_with(callee, &args) }
    }

    /// `a['b']` is `a.b`; any other index takes an element.
    fn subscript_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let Some(object) = node.child_by_field_id(f.object) else { return self.b.unknown() };
        let whole = self.expr_of(object, depth + 1);
        match node.child_by_field_id(f.index).and_then(|index| self.literal(index)) {
            Some(key) => {
                let key = self.b.intern(key);
                self.b.member(whole, key)
            }
            None => self.b.element(whole),
        }
    }

    /// `x as Foo`, `<Foo>x`; `x as const` is `x`.
    fn cast_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let (first, second) = (node.named_child(0), node.named_child(1));
        match (self.kind(node), first, second) {
            (Kind::As, Some(_), Some(ty)) => self.value_of_type(ty, depth + 1),
            (Kind::As, Some(value), None) => self.expr_of(value, depth + 1),
            (Kind::TypeAssertion, Some(arguments), _) => match arguments.named_child(0) {
                Some(ty) => self.value_of_type(ty, depth + 1),
                None => self.b.unknown(),
            },
            _ => self.b.unknown(),
        }
    }

    fn binary_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let operator = node.child_by_field_id(f.operator).map_or("", |operator| self.b.text(operator));
        let (left, right) = (node.child_by_field_id(f.left), node.child_by_field_id(f.right));
        match operator {
            "||" | "??" => self.either(left, right, depth),
            "&&" => self.either(right, None, depth),
            _ => self.b.expr(Expr::Builtin),
        }
    }

    /// The first of two expressions that is known.
    fn either(&mut self, first: Option<Node<'_>>, second: Option<Node<'_>>, depth: u32) -> ExprId {
        let Some(first) = first else { return self.b.unknown() };
        let value = self.expr_of(first, depth + 1);
        match (self.b.file.exprs[value.0 as usize], second) {
            (Expr::Unknown | Expr::Builtin, Some(second)) => self.expr_of(second, depth + 1),
            _ => value,
        }
    }
}
