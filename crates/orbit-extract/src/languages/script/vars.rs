//! Variables, fields, properties, and object literals.

use super::{Kind, NextFunction, ObjectPlace, Outer, Script};
use crate::builder::{Def, MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind, ScopeId, SymbolKind};
use tree_sitter::Node;

/// What the names of one declaration share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'t> {
    pub(super) whole: Node<'t>,
    pub(super) kind: SymbolKind,
    pub(super) exported: bool,
}

impl Script<'_> {
    pub(super) fn variables(&mut self, node: Node<'_>, outer: Outer<'_>) {
        let keyword = node.child_by_field_id(self.t.fields.kind).map_or("", |kind| self.b.text(kind));
        let kind = if keyword == "const" { SymbolKind::Const } else { SymbolKind::Variable };
        let mut cursor = node.walk();
        let declarators: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| self.kind(*child) == Kind::Declarator).collect();
        let is_single = declarators.len() == 1;
        for declarator in declarators {
            let whole = if is_single { outer.whole } else { declarator };
            self.declarator(declarator, Shared { whole, kind, exported: outer.exported });
        }
    }

    fn declarator(&mut self, node: Node<'_>, shared: Shared<'_>) {
        let f = &self.t.fields;
        let (name, ty) = (node.child_by_field_id(f.name), node.child_by_field_id(f.ty));
        let value = node.child_by_field_id(f.value);
        let Some(name) = name else { return self.visit_children_of(node) };
        let (value, is_exported) = match value.map(|value| self.assigned_exports(value)) {
            Some((inner, true)) => (Some(inner), true),
            _ => (value, false),
        };
        if is_exported && self.kind(name) == Kind::Identifier {
            self.export_variable(name);
        }
        if let Some(value) = value
            && self.require_declarator(name, value, shared)
        {
            return self.hold_command(name, value);
        }
        let function_or_class = value
            .map(|value| self.unwrapped(value))
            .filter(|value| self.is_function(*value) || self.kind(*value) == Kind::ClassExpression);
        let documented = if ty.is_none() { self.documented_value(shared.whole) } else { None };
        match self.kind(name) {
            Kind::Identifier if !self.b.in_frame() || function_or_class.is_some() => {
                let outer = Outer { whole: shared.whole, exported: shared.exported };
                self.define_member(outer, name, ty, value, shared.kind);
            }
            Kind::Identifier => self.local(name, ty, value, documented),
            _ => {
                if let Some(ty) = ty {
                    self.visit_node(ty);
                }
                if let Some(value) = value {
                    let expected = ty.map(|ty| self.value_of_type(ty, 0)).or(documented);
                    self.visit_expected(value, expected, None);
                }
                let bound = documented.unwrap_or_else(|| self.declared_value(ty, value));
                self.bind_pattern(name, bound, self.unless_local(shared), 0);
            }
        }
        if let Some(value) = value {
            self.hold_command(name, value);
            self.hold_prototype(name, value);
        }
    }

    /// Names of a block are locals, whatever their declaration says.
    pub(super) fn unless_local<'t>(&self, shared: Shared<'t>) -> Option<Shared<'t>> {
        (!self.b.in_frame()).then_some(shared)
    }

    /// A local variable; its name means itself in its own initialiser already.
    fn local(
        &mut self,
        name: Node<'_>,
        ty: Option<Node<'_>>,
        value: Option<Node<'_>>,
        documented: Option<ExprId>,
    ) {
        let (own, unknown) = (self.b.name(name), self.b.unknown());
        self.b.bind(own, unknown);
        if value.is_some_and(|value| self.object_of(value).is_some()) {
            let path = self.b.qualify(self.b.text(name));
            let path = self.b.intern(&path);
            let object = self.b.expr(Expr::Object(path));
            self.b.bind(own, object);
        }
        if ty.is_none() && value.is_none() && documented.is_none() {
            self.undecided.insert(own);
        } else {
            self.undecided.remove(&own);
        }
        if let Some(ty) = ty {
            self.visit_node(ty);
        }
        let expected = ty.map(|ty| self.value_of_type(ty, 0)).or(documented);
        let mut object = None;
        if let Some(value) = value {
            if self.object_of(value).is_some() {
                let path = self.b.qualify(self.b.text(name));
                let place = ObjectPlace { expected, path: Some(self.b.intern(&path)) };
                object = place.path;
                self.b.enter_as(self.b.scope(), path);
                self.visit_value(value, false, place);
                self.b.leave();
            } else {
                self.visit_expected(value, expected, None);
            }
        }
        let bound = match (object, ty, documented) {
            (_, None, Some(documented)) => documented,
            (Some(path), None, None) => match value.and_then(|value| self.object_of(value)) {
                Some(object) => self.object_shape(object, path),
                None => self.b.expr(Expr::Object(path)),
            },
            _ => self.declared_value(ty, value),
        };
        let name = self.b.name(name);
        self.b.bind(name, bound);
    }

    fn declared_value(&mut self, ty: Option<Node<'_>>, value: Option<Node<'_>>) -> ExprId {
        match (ty, value) {
            (Some(ty), _) => self.value_of_type(ty, 0),
            (None, Some(value)) => self.expr_of(value, 0),
            (None, None) => self.b.unknown(),
        }
    }

    /// What an initialiser says of a symbol; an object literal's members say it themselves.
    pub(super) fn initialiser(&mut self, value: Node<'_>) -> Option<ExprId> {
        if self.object_of(value).is_some() { None } else { Some(self.expr_of(value, 0)) }
    }

    pub(super) fn is_function(&self, node: Node<'_>) -> bool {
        matches!(self.kind(node), Kind::Arrow | Kind::FunctionExpression | Kind::GeneratorExpression)
    }

    /// Without parentheses, `as`, `satisfies`, `!`, `Object.freeze(…)`.
    pub(super) fn unwrapped<'t>(&self, mut node: Node<'t>) -> Node<'t> {
        for _ in 0..MAX_EXPR_DEPTH {
            node = match self.kind(node) {
                Kind::Call if let Some(inner) = self.frozen(node) => inner,
                Kind::Parenthesized | Kind::As | Kind::Satisfies | Kind::NonNull => {
                    let Some(inner) = node.named_child(0) else { return node };
                    inner
                }
                _ => return node,
            };
        }
        node
    }

    /// The object literal that a call hands on: `Object.freeze({…})`.
    pub(super) fn frozen<'t>(&self, call: Node<'t>) -> Option<Node<'t>> {
        let f = &self.t.fields;
        let callee = call.child_by_field_id(f.function).filter(|_| self.kind(call) == Kind::Call)?;
        let is_frozen =
            matches!(self.b.text(callee), "Object.freeze" | "Object.seal" | "Object.preventExtensions");
        let given = call.child_by_field_id(f.arguments).filter(|_| is_frozen)?.named_child(0)?;
        (self.kind(given) == Kind::Object).then_some(given)
    }

    /// The object literal that an expression is.
    pub(super) fn object_of<'t>(&self, value: Node<'t>) -> Option<Node<'t>> {
        Some(self.unwrapped(value)).filter(|value| self.kind(*value) == Kind::Object)
    }

    /// Visits a value; `is_named` says that a symbol holds it if it is an object literal.
    pub(super) fn visit_value(&mut self, value: Node<'_>, is_named: bool, place: ObjectPlace) {
        match self.kind(value) {
            Kind::Object => self.object_members(value, is_named, place),
            Kind::As | Kind::Satisfies => self.visit_cast(value, is_named, place),
            Kind::Call if let Some(object) = self.frozen(value) => {
                self.visit_field(value, self.t.fields.function);
                self.object_members(object, is_named, place);
            }
            Kind::Parenthesized | Kind::NonNull => {
                let mut cursor = value.walk();
                for child in value.named_children(&mut cursor) {
                    self.visit_value(child, is_named, place);
                }
            }
            _ => self.visit_expected(value, place.expected, place.path),
        }
    }

    /// A value with a name: function, class, object or any other.
    pub(super) fn define_value(
        &mut self,
        outer: Outer<'_>,
        name: Node<'_>,
        value: Node<'_>,
        kind: SymbolKind,
    ) {
        self.define_member(outer, name, None, Some(value), kind);
    }

    /// A variable, field or property: a function or method when it holds one, a class likewise.
    pub(super) fn define_member(
        &mut self,
        outer: Outer<'_>,
        name_node: Node<'_>,
        ty: Option<Node<'_>>,
        value: Option<Node<'_>>,
        kind: SymbolKind,
    ) {
        let name = self.property_name(name_node);
        let expected = self.next.expected;
        let inner = value.map(|value| self.unwrapped(value));
        if let Some(class) = inner.filter(|inner| self.kind(*inner) == Kind::ClassExpression) {
            return self.class(class, outer, Some(name));
        }
        if let Some(function) = inner.filter(|inner| self.is_function(*inner)) {
            return self.define_function(outer, (name_node, name), ty, function, kind);
        }
        self.next = NextFunction::default();
        let documented = if ty.is_none() { self.documented_value(outer.whole) } else { None };
        let known = match (ty, value) {
            (Some(ty), _) => self.declared_type(ty),
            (None, Some(value)) if documented.is_none() => self.initialiser(value),
            _ => documented,
        };
        let def = Def::new(outer.whole, name_node, kind)
            .signature_until(value.and_then(|value| self.object_of(value)))
            .ty(known)
            .exported(outer.exported);
        let scope = self.define(def, name);
        if let Some(value) = value.filter(|_| name == "command" && outer.exported) {
            self.command_module(outer.whole, value);
        }
        self.b.enter(scope);
        if let Some(ty) = ty {
            self.member_type(ty, 0);
        }
        if let Some(value) = value {
            let is_named = !self.b.in_frame();
            let expected = ty.map(|ty| self.value_of_type(ty, 0)).or(documented).or(expected);
            let path = scope.symbol().map(|index| self.b.file.symbols[index].local);
            self.visit_value(value, is_named, ObjectPlace { expected, path });
            self.hold_given(scope, value);
        }
        self.b.leave();
    }

    /// What a function gives that is called where it is written is known only when it has been read.
    pub(super) fn hold_given(&mut self, scope: ScopeId, value: Node<'_>) {
        if self.kind(value) != Kind::Call || self.called_in_place(value).is_none() {
            return;
        }
        let given = self.expr_of(value, 0);
        if let Some(index) = scope.symbol().filter(|_| given != self.b.unknown()) {
            self.b.file.symbols[index].ty = Some(given);
        }
    }

    /// A variable, field or property that holds a function.
    fn define_function(
        &mut self,
        outer: Outer<'_>,
        (name_node, name): (Node<'_>, &str),
        ty: Option<Node<'_>>,
        function: Node<'_>,
        kind: SymbolKind,
    ) {
        let body_field = self.t.fields.body;
        let kind = match kind {
            SymbolKind::Const | SymbolKind::Variable => SymbolKind::Function,
            _ => SymbolKind::Method,
        };
        let doc = self.doc_of(outer.whole);
        let returns = self.return_value(function).or_else(|| self.documented_result(doc));
        let def = Def::new(outer.whole, name_node, kind)
            .signature_until(function.child_by_field_id(body_field))
            .ty(returns)
            .exported(outer.exported);
        let scope = self.define(def, name);
        if kind == SymbolKind::Function {
            self.shadow(name);
        }
        if let Some(ty) = ty {
            let next = std::mem::take(&mut self.next);
            self.b.enter(scope);
            self.visit_node(ty);
            self.b.leave();
            self.next = next;
            self.next.expected = Some(self.value_of_type(ty, 0));
        }
        let documented = self.documented_value(outer.whole);
        self.next.expected = documented.or(self.next.expected);
        self.next.doc = doc;
        self.callable_in(function, scope);
    }

    /// What an annotation says of a symbol; the members of an object type say it themselves.
    pub(super) fn declared_type(&mut self, ty: Node<'_>) -> Option<ExprId> {
        let mut inner = ty;
        while matches!(self.kind(inner), Kind::TypeAnnotation | Kind::ParenthesizedType | Kind::ReadonlyType)
        {
            let Some(child) = inner.named_child(0) else { break };
            inner = child;
        }
        if self.kind(inner) == Kind::ObjectType { None } else { Some(self.value_of_type(ty, 0)) }
    }

    // ── object literals ─────────────────────────────────────────────────────────────────────────────

    /// Reads an object literal. One that a symbol holds has its properties as symbols; of any other only
    /// the functions are.
    pub(super) fn object_members(&mut self, object: Node<'_>, is_named: bool, place: ObjectPlace) {
        let outer = std::mem::replace(&mut self.is_named_object, is_named);
        let outer_place = std::mem::replace(&mut self.object, place);
        self.visit_children_of(object);
        self.object = outer_place;
        self.is_named_object = outer;
    }

    /// `{ name }`: a use of the name, and a property of the object's symbol.
    pub(super) fn shorthand(&mut self, node: Node<'_>) {
        if self.is_named_object && !self.b.in_frame() {
            let name = self.b.name(node);
            let value = self.b.name_expr(name);
            self.b.define(Def::new(node, node, SymbolKind::Property).ty(Some(value)).exported(true));
        }
        self.plain(node, RefKind::Value);
    }

    /// `{ key: value }`.
    pub(super) fn pair(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (Some(key), Some(value)) = (node.child_by_field_id(f.key), node.child_by_field_id(f.value))
        else {
            return self.visit_children_of(node);
        };
        if self.kind(key) == Kind::ComputedName {
            self.visit_children_of(key);
        }
        let inner = self.unwrapped(value);
        let is_named = self.is_named_object;
        let exported = self.is_visible_member(false);
        let outer = Outer { whole: node, exported };
        let expected = self.expected_key(key);
        if is_named || self.is_function(inner) {
            self.next_member(expected);
            self.define_member(outer, key, None, Some(value), SymbolKind::Property);
            self.next = NextFunction::default();
        } else if self.kind(inner) == Kind::Object {
            let path = self.b.qualify(self.property_name(key));
            let place = ObjectPlace { expected, path: self.object.path.map(|_| self.b.intern(&path)) };
            self.b.enter_as(self.b.scope(), path);
            self.visit_value(value, false, place);
            self.b.leave();
        } else {
            self.visit_expected(value, expected, None);
        }
    }
}
