//! Assignments: variables, fields, and what local names stand for.

use super::{Kind, Python};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, RefKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Python<'_> {
    pub(super) fn assignment(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (left, right) = (node.child_by_field_id(f.left), node.child_by_field_id(f.right));
        let ty = node.child_by_field_id(f.ty);
        if let Some(ty) = ty {
            self.type_refs(ty, 0);
        }
        if let (Some(left), Some(ty), Some(right)) = (left, ty, right)
            && self.b.text(ty).rsplit('.').next() == Some("TypeAlias")
            && self.kind(left) == Kind::Identifier
        {
            return self.define_alias(node, left, right);
        }
        if let Some(right) = right {
            self.command_of_assignment(left, right);
            let list = self.router_of_assignment(left, right);
            let outer = std::mem::replace(&mut self.list_router, list);
            self.visit_node(right);
            self.list_router = outer;
        }
        let Some(left) = left else { return };
        if let Some(right) = right {
            self.type_variable(left, right);
        }
        let value = match (ty, right) {
            (Some(ty), _) => {
                let ty = self.type_expr(ty, 0);
                self.b.instance(ty)
            }
            (None, Some(right)) => self.expr_of(right, 0),
            (None, None) => self.b.unknown(),
        };
        self.assign(left, node, value);
    }

    /// Gives a target its value: a local, a field, or a module variable.
    fn assign(&mut self, target: Node<'_>, whole: Node<'_>, value: ExprId) {
        match self.kind(target) {
            Kind::Identifier if self.b.in_frame() && !self.in_class_body() => self.bind_target(target, value),
            Kind::Identifier => self.define_variable(target, whole, value),
            Kind::Attribute => self.assign_attribute(target, whole, value),
            Kind::PatternList | Kind::TuplePattern | Kind::ListPattern => {
                let parts = self.parts_of(target, value);
                self.deeper(|walk| {
                    for (part, value) in parts {
                        walk.assign(part, whole, value);
                    }
                });
            }
            Kind::ListSplat => {
                if let Some(inner) = target.named_child(0) {
                    self.deeper(|walk| walk.assign(inner, whole, value));
                }
            }
            _ => self.visit_node(target),
        }
    }

    fn define_variable(&mut self, target: Node<'_>, whole: Node<'_>, value: ExprId) {
        let name = self.b.text(target);
        let path = self.b.qualify(name);
        if self.is_assigned(&path, whole, value) {
            return;
        }
        let kind = match self.b.scope().symbol().map(|index| self.b.file.symbols[index].kind) {
            Some(SymbolKind::Class) => SymbolKind::Field,
            _ if is_constant_name(name) => SymbolKind::Const,
            _ => SymbolKind::Variable,
        };
        let value = if kind == SymbolKind::Field && self.in_enum { self.b.expr(Expr::This) } else { value };
        let def = Def::new(whole, target, kind).ty(Some(value)).exported(!name.starts_with('_'));
        let scope = self.b.define(def.signature_until(None));
        self.mark_undeclared(scope, whole);
        self.mark_stand_in(scope, whole);
        self.assigned.insert(path, scope);
    }

    /// `try: from m import x` and `except ImportError: x = None`, or the other branch of `if TYPE_CHECKING`: the name means
    /// what is imported.
    fn mark_stand_in(&mut self, scope: ScopeId, whole: Node<'_>) {
        let outer = std::iter::successors(whole.parent(), Node::parent)
            .take_while(|node| !matches!(self.kind(*node), Kind::Function | Kind::Class));
        let is_fallback =
            outer.into_iter().any(|node| matches!(node.kind(), "except_clause" | "else_clause"));
        let Some(index) = scope.symbol().filter(|_| is_fallback) else { return };
        let (name, here) = (self.b.file.symbols[index].name, self.b.scope());
        let is_imported =
            self.b.file.imports.iter().any(|import| import.binds == Some(name) && import.scope == here);
        self.b.file.symbols[index].inactive = is_imported;
    }

    /// Tells a field that is only assigned from one whose type is written.
    fn mark_undeclared(&mut self, scope: ScopeId, whole: Node<'_>) {
        if let Some(index) = scope.symbol() {
            let symbol = &mut self.b.file.symbols[index];
            symbol.bodiless =
                symbol.kind == SymbolKind::Field && whole.child_by_field_id(self.t.fields.ty).is_none();
        }
    }

    /// Whether a variable or field is defined already. A value that says more than the first one, which is often
    /// `None`, becomes its own.
    fn is_assigned(&mut self, path: &str, whole: Node<'_>, value: ExprId) -> bool {
        let Some(index) = self.assigned.get(path).and_then(|scope| scope.symbol()) else { return false };
        self.b.file.symbols[index].bodiless &= whole.child_by_field_id(self.t.fields.ty).is_none();
        let is_plain =
            |expr: ExprId| matches!(self.b.file.exprs[expr.0 as usize], Expr::Unknown | Expr::Builtin);
        if self.b.file.symbols[index].ty.is_none_or(is_plain) && !is_plain(value) {
            self.b.file.symbols[index].ty = Some(value);
        }
        true
    }

    /// `self.x = …` in a method defines field `x` of its class, unless `x` is a property, which it then sets; any other
    /// attribute is a use.
    fn assign_attribute(&mut self, target: Node<'_>, whole: Node<'_>, value: ExprId) {
        let f = &self.t.fields;
        let (object, attribute) = (target.child_by_field_id(f.object), target.child_by_field_id(f.attribute));
        let (Some(object), Some(attribute)) = (object, attribute) else { return };
        let base = self.expr_of(object, 0);
        let class = self.enclosing_class();
        if let (Expr::This, Some(class)) = (self.b.file.exprs[base.0 as usize], class) {
            self.b.enter(class);
            let path = self.b.qualify(self.b.text(attribute));
            let is_property = self.properties.contains(&path);
            let fresh = !is_property && !self.is_assigned(&path, whole, value);
            if fresh {
                let def = Def::new(whole, attribute, SymbolKind::Field).ty(Some(value));
                let scope = self.b.define(def.signature_until(None));
                self.mark_undeclared(scope, whole);
                self.assigned.insert(path, scope);
            }
            self.b.leave();
            if fresh {
                // What is inherited under that name is set by it: a property of a superclass, a field that is declared there.
                if self.inherits(class) {
                    self.b.reference(attribute, RefKind::Value, Some(base));
                }
                return;
            }
        }
        self.attribute(target, RefKind::Value);
    }

    /// Whether a class names others that it extends.
    fn inherits(&self, class: ScopeId) -> bool {
        self.b.file.relations.iter().any(|relation| relation.owner == class)
    }

    /// Right in the body of a class, of a local one too, names are fields.
    fn in_class_body(&self) -> bool {
        let scope = self.b.scope().symbol();
        scope.is_some_and(|index| self.b.file.symbols[index].kind == SymbolKind::Class)
    }

    fn enclosing_class(&self) -> Option<ScopeId> {
        let mut scope = self.b.scope();
        while let Some(index) = scope.symbol() {
            let symbol = &self.b.file.symbols[index];
            if symbol.kind == SymbolKind::Class {
                return Some(scope);
            }
            scope = symbol.parent;
        }
        None
    }

    /// Binds the names of a pattern as locals.
    pub(super) fn bind_target(&mut self, target: Node<'_>, value: ExprId) {
        match self.kind(target) {
            Kind::Identifier => {
                let name = self.b.name(target);
                self.b.bind(name, value);
            }
            Kind::Attribute | Kind::Subscript => self.visit_node(target),
            Kind::PatternList | Kind::TuplePattern | Kind::ListPattern => {
                let parts = self.parts_of(target, value);
                self.deeper(|walk| {
                    for (part, value) in parts {
                        walk.bind_target(part, value);
                    }
                });
            }
            _ => {
                let unknown = self.b.unknown();
                self.deeper(|walk| {
                    let mut cursor = target.walk();
                    for part in target.named_children(&mut cursor) {
                        walk.bind_target(part, unknown);
                    }
                });
            }
        }
    }
}

fn is_constant_name(name: &str) -> bool {
    name.bytes().any(|b| b.is_ascii_uppercase()) && !name.bytes().any(|b| b.is_ascii_lowercase())
}
