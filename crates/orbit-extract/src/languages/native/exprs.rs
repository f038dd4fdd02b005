//! Uses: calls, members, qualified names, initialisers, lambdas, loops.

use super::{Kind, Native};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl Native<'_> {
    pub(super) fn call(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let mark = self.b.mark();
        let mut is_named = true;
        if let Some(callee) = node.child_by_field_id(f.function) {
            match self.kind(callee) {
                Kind::Identifier => self.b.plain_reference(callee, RefKind::Call),
                Kind::Field => self.field(callee, RefKind::Call),
                Kind::Qualified => self.qualified(callee, RefKind::Call),
                Kind::TemplateFunction => self.template_use(callee, RefKind::Call, None),
                _ => {
                    self.visit_node(callee);
                    // In `f(1)(2)` the last arguments are not those of `f`.
                    is_named = false;
                }
            }
        }
        if let Some(arguments) = node.child_by_field_id(f.arguments) {
            if self.t.is_cpp && is_named {
                let exprs = self.argument_exprs(arguments);
                self.b.with_args(mark, &exprs);
            }
            self.visit_children_of(arguments);
        }
    }

    fn argument_exprs(&mut self, arguments: Node<'_>) -> Vec<ExprId> {
        let mut cursor = arguments.walk();
        let nodes: Vec<Node<'_>> =
            arguments.named_children(&mut cursor).filter(|it| self.kind(*it) != Kind::Comment).collect();
        nodes.into_iter().map(|argument| self.argument_expr(argument, 0)).collect()
    }

    /// `object.member`, `object->member`: a use of the object, then of the member.
    pub(super) fn field(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        let (object, member) = (node.child_by_field_id(f.argument), node.child_by_field_id(f.field));
        let (Some(object), Some(member)) = (object, member) else { return self.visit_children_of(node) };
        let base = self.expr_of(object, 0);
        self.visit_node(object);
        match self.kind(member) {
            Kind::FieldIdentifier => self.b.reference(member, kind, Some(base)),
            Kind::TemplateMethod => self.template_use(member, kind, Some(base)),
            Kind::DependentName => {
                if let Some(method) = member.named_child(0) {
                    self.template_use(method, kind, Some(base));
                }
            }
            Kind::Qualified => self.qualified(member, kind),
            _ => {}
        }
    }

    /// `a::b::c`: a use of every part. `kind` is that of the last; one that is a type by its place in the
    /// grammar is a type use unless it is called.
    pub(super) fn qualified(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        let (mut at, mut base) = (node, self.global_scope(node));
        loop {
            if let Some(scope) = at.child_by_field_id(f.scope) {
                base = Some(self.qualifier(scope, base, true));
            }
            let Some(name) = at.child_by_field_id(f.name) else { return };
            match self.kind(name) {
                Kind::Qualified => {
                    at = name;
                    continue;
                }
                Kind::TypeIdentifier => self.b.reference(name, as_type(kind), base),
                Kind::TemplateType | Kind::TemplateFunction | Kind::TemplateMethod => {
                    self.template_use(name, kind, base);
                }
                Kind::DependentName => {
                    if let Some(inner) = name.named_child(0) {
                        self.template_use(inner, kind, base);
                    }
                }
                Kind::Identifier | Kind::FieldIdentifier | Kind::OperatorName => {
                    self.b.reference(name, kind, base);
                }
                _ => self.visit_node(name),
            }
            return;
        }
    }

    /// The namespace round all others, when a name starts there: `::name`.
    pub(super) fn global_scope(&mut self, node: Node<'_>) -> Option<ExprId> {
        let is_global = self.kind(node) == Kind::Qualified
            && node.child_by_field_id(self.t.fields.scope).is_none()
            && self.b.text(node).starts_with("::");
        is_global.then(|| {
            let name = self.b.intern("::");
            self.b.expr(Expr::Name(name))
        })
    }

    /// One scope of a qualified name as an expression; with `emits`, also a use of it.
    pub(super) fn qualifier(&mut self, scope: Node<'_>, base: Option<ExprId>, emits: bool) -> ExprId {
        let f = &self.t.fields;
        let name_node = match self.kind(scope) {
            Kind::NamespaceIdentifier | Kind::TypeIdentifier | Kind::Identifier => scope,
            Kind::TemplateType => {
                if emits {
                    self.visit_field(scope, f.arguments);
                }
                scope.child_by_field_id(f.name).unwrap_or(scope)
            }
            _ => {
                if emits {
                    self.visit_node(scope);
                }
                return self.b.unknown();
            }
        };
        let name = self.b.name(name_node);
        if base.is_none() && self.type_parameter(name).is_some() {
            return self.b.unknown();
        }
        if emits {
            self.b.reference(name_node, RefKind::Type, base);
        }
        if let Some(base) = base {
            return self.b.member(base, name);
        }
        let (name, nothing) = (self.b.expr(Expr::Name(name)), self.b.expr(Expr::Nil));
        self.b.expr(Expr::Generic(name, nothing))
    }

    /// The scopes before a name that is defined: `Foo` of `Foo::bar`.
    pub(super) fn scope_uses(&mut self, scopes: &[Node<'_>]) {
        let mut base = None;
        for scope in scopes {
            base = Some(self.qualifier(*scope, base, true));
        }
    }

    /// `name<Args>`: a use of the name and of the arguments.
    pub(super) fn template_use(&mut self, node: Node<'_>, kind: RefKind, base: Option<ExprId>) {
        let f = &self.t.fields;
        if let Some(name) = node.child_by_field_id(f.name) {
            match self.kind(name) {
                Kind::TypeIdentifier if base.is_none() => self.type_name(name, as_type(kind)),
                Kind::TypeIdentifier => self.b.reference(name, as_type(kind), base),
                _ if base.is_some() => self.b.reference(name, kind, base),
                _ if is_cast(self.b.text(name)) => {}
                _ => self.b.plain_reference(name, kind),
            }
        }
        self.visit_field(node, f.arguments);
    }

    /// `new Foo(…)` calls `Foo`.
    pub(super) fn new_expression(&mut self, node: Node<'_>) {
        let ty = node.child_by_field_id(self.t.fields.ty);
        if let Some(ty) = ty {
            self.constructed(ty);
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if Some(child.id()) != ty.map(|ty| ty.id()) {
                self.visit_node(child);
            }
        }
    }

    fn constructed(&mut self, ty: Node<'_>) {
        match self.kind(ty) {
            Kind::TypeIdentifier => self.type_name(ty, RefKind::Call),
            Kind::Qualified => self.qualified(ty, RefKind::Call),
            Kind::TemplateType => self.template_use(ty, RefKind::Call, None),
            _ => self.visit_node(ty),
        }
    }

    /// `(Foo){ .x = 1 }` in C, `Foo{1}` in C++.
    pub(super) fn compound_literal(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(ty) = node.child_by_field_id(f.ty) else { return self.visit_children_of(node) };
        self.constructed(ty);
        let expr = self.type_expr(ty, 0);
        let held = self.b.instance(expr);
        if let Some(value) = node.child_by_field_id(f.value) {
            self.initializer(value, held);
        }
    }

    /// Visits the value of a variable that holds `held`.
    pub(super) fn initializer(&mut self, value: Node<'_>, held: ExprId) {
        match self.kind(value) {
            Kind::InitializerList => self.initializer_list(value, held, 0),
            _ => self.visit_node(value),
        }
    }

    /// `{ .run = f, .sub = { .x = 1 }, [2] = g }`: designators are uses of the type's fields.
    pub(super) fn initializer_list(&mut self, node: Node<'_>, held: ExprId, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return self.visit_children_of(node);
        }
        let f = &self.t.fields;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::InitializerPair => {
                    let inner = self.designators(child, held);
                    match child.child_by_field_id(f.value) {
                        Some(list) if self.kind(list) == Kind::InitializerList => {
                            self.initializer_list(list, inner, depth + 1);
                        }
                        Some(value) => self.visit_node(value),
                        None => {}
                    }
                }
                Kind::InitializerList => {
                    let element = self.element_of(held, true);
                    self.initializer_list(child, element, depth + 1);
                }
                _ => self.visit_node(child),
            }
        }
    }

    fn designators(&mut self, pair: Node<'_>, held: ExprId) -> ExprId {
        let mut base = held;
        let value = pair.child_by_field_id(self.t.fields.value);
        let mut cursor = pair.walk();
        for part in pair.named_children(&mut cursor) {
            match self.kind(part) {
                _ if Some(part.id()) == value.map(|value| value.id()) => {}
                Kind::FieldDesignator | Kind::FieldIdentifier => {
                    let name = part.named_child(0).unwrap_or(part);
                    self.b.reference(name, RefKind::Value, Some(base));
                    let name = self.b.name(name);
                    base = self.b.member(base, name);
                }
                Kind::SubscriptDesignator => {
                    self.visit_children_of(part);
                    base = self.element_of(base, true);
                }
                _ => self.visit_node(part),
            }
        }
        base
    }

    /// `offsetof(struct Foo, member)`
    pub(super) fn offsetof(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (ty, member) = (node.child_by_field_id(f.ty), node.child_by_field_id(f.member));
        let Some(ty) = ty else { return };
        self.visit_node(ty);
        let ty = self.type_expr(ty, 0);
        let base = self.b.instance(ty);
        if let Some(member) = member {
            self.b.reference(member, RefKind::Value, Some(base));
        }
    }

    /// `: member_(x), Base(y)` of a constructor: a field of this class, or a call of a base that is written
    /// in this file.
    pub(super) fn field_initializer(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for (index, child) in node.named_children(&mut cursor).enumerate() {
            match self.kind(child) {
                Kind::FieldIdentifier if index == 0 => {
                    if self.is_base(child) || self.is_own_class(child) {
                        self.b.reference(child, RefKind::Call, None);
                    } else if !self.in_record {
                        // The class is written elsewhere: a field, or a base.
                        self.b.reference(child, RefKind::Value, None);
                    } else {
                        let this = self.b.expr(Expr::This);
                        self.b.reference(child, RefKind::Value, Some(this));
                    }
                }
                Kind::Qualified if index == 0 => self.qualified(child, RefKind::Call),
                Kind::TemplateMethod if index == 0 => {
                    if let Some(name) = child.child_by_field_id(self.t.fields.name) {
                        self.b.reference(name, RefKind::Call, None);
                    }
                    self.visit_field(child, self.t.fields.arguments);
                }
                _ => self.visit_children_of(child),
            }
        }
    }

    /// `: Foo(…)` of another constructor of `Foo`.
    fn is_own_class(&self, name: Node<'_>) -> bool {
        let own = self.b.enclosing().next().map(|symbol| self.b.file.names.get(symbol.name));
        own == Some(self.b.text(name))
    }

    fn is_base(&mut self, name: Node<'_>) -> bool {
        let name = self.b.name(name);
        let exprs = &self.b.file.exprs;
        self.b.file.relations.iter().rev().take(64).any(|relation| {
            let mut to = relation.to;
            while let Expr::Apply(base, _) | Expr::Generic(base, _) = exprs[to.0 as usize] {
                to = base;
            }
            matches!(exprs[to.0 as usize], Expr::Name(base) | Expr::Member(_, base) if base == name)
        })
    }

    pub(super) fn string(&mut self, node: Node<'_>) {
        let text = if self.kind(node) == Kind::RawString {
            let mut cursor = node.walk();
            let content =
                node.named_children(&mut cursor).find(|child| self.kind(*child) == Kind::RawContent);
            content.map_or("", |content| self.b.text(content))
        } else {
            let text = self.b.text(node);
            let text = text.split_once('"').map_or(text, |(_, inner)| inner);
            text.strip_suffix('"').unwrap_or(text)
        };
        self.b.string(node, text);
    }
}

/// The kind of a use whose grammar node says that it is a type.
fn as_type(kind: RefKind) -> RefKind {
    if kind == RefKind::Call { RefKind::Call } else { RefKind::Type }
}

pub(super) fn is_cast(name: &str) -> bool {
    matches!(name, "static_cast" | "dynamic_cast" | "reinterpret_cast" | "const_cast")
}
