//! Uses: calls, creations, members, strings.

use super::typing::last_named_child;
use super::{CSharp, Kind};
use crate::builder::Walk;
use crate::{ExprId, RefKind};
use tree_sitter::Node;

impl CSharp<'_> {
    pub(super) fn invocation(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let mark = self.b.mark();
        if let Some(callee) = node.child_by_field_id(f.function) {
            match self.kind(callee) {
                Kind::Identifier if self.b.text(callee) == "nameof" => {}
                // A method: type parameters that can be inferred are left out, so their number says nothing.
                Kind::GenericName => {
                    if let Some(name) = self.generic_base(callee) {
                        self.b.plain_reference(name, RefKind::Call);
                    }
                    self.argument_refs(callee, 0);
                }
                Kind::Identifier | Kind::QualifiedName | Kind::AliasQualifiedName => {
                    self.type_refs(callee, RefKind::Call, 0);
                }
                Kind::MemberAccess | Kind::ConditionalAccess => self.member_access(callee, RefKind::Call),
                _ => self.visit_node(callee),
            }
        }
        if let Some(arguments) = node.child_by_field_id(f.arguments) {
            let exprs = self.argument_exprs(arguments, 0);
            let types = self.callee_name(node).map(|name| self.type_arguments(name, 0)).unwrap_or_default();
            self.b.with_type_args(mark, &types, &exprs);
            let (routes, mark) = (self.routes_of_call(node), self.b.mark());
            self.visit_arguments(arguments, |walk| walk.callee_expr(node, 0));
            self.registered(&routes, mark, arguments);
        }
    }

    /// Visits the arguments of a call; an anonymous function gets what the callee wants at its place.
    fn visit_arguments(&mut self, arguments: Node<'_>, mut expr_of_callee: impl FnMut(&mut Self) -> ExprId) {
        let mut callee = None;
        let mut cursor = arguments.walk();
        let all: Vec<Node<'_>> = arguments
            .named_children(&mut cursor)
            .filter(|child| self.kind(*child) == Kind::Argument)
            .collect();
        for (place, argument) in all.into_iter().enumerate() {
            let is_named = argument.child_by_field_id(self.t.fields.name).is_some();
            let value = last_named_child(argument).filter(|_| !is_named);
            if value.is_some_and(|value| matches!(self.kind(value), Kind::Lambda | Kind::AnonymousMethod)) {
                let callee = *callee.get_or_insert_with(|| expr_of_callee(self));
                self.callback = Some(self.b.expects(callee, place));
            }
            self.visit_node(argument);
            self.callback = None;
        }
    }

    /// What is known of each argument; of named ones only that they are there.
    pub(super) fn argument_exprs(&mut self, arguments: Node<'_>, depth: u32) -> Vec<ExprId> {
        let mut cursor = arguments.walk();
        let nodes: Vec<Node<'_>> = arguments
            .named_children(&mut cursor)
            .filter(|child| self.kind(*child) == Kind::Argument)
            .collect();
        let mut exprs = Vec::with_capacity(nodes.len());
        for argument in nodes {
            let is_named = argument.child_by_field_id(self.t.fields.name).is_some();
            let value = last_named_child(argument).filter(|_| !is_named);
            exprs.push(match value {
                Some(value) => self.expr_of(value, depth),
                None => self.b.unknown(),
            });
        }
        exprs
    }

    /// `object.Name<T>`, `object?.Name`: a use of the object, then of the member.
    pub(super) fn member_access(&mut self, node: Node<'_>, kind: RefKind) {
        let Some((object, name)) = self.object_and_name(node) else {
            return self.visit_children_of(node);
        };
        match self.kind(object) {
            Kind::QualifiedName | Kind::AliasQualifiedName => self.type_refs(object, RefKind::Value, 0),
            _ => self.visit_node(object),
        }
        let base = self.expr_of(object, 0);
        self.b.reference(self.generic_base(name).unwrap_or(name), kind, Some(base));
        if let Some(arguments) = self.generic_arguments(name) {
            self.type_refs(arguments, RefKind::Type, 0);
        }
    }

    fn generic_arguments<'t>(&self, name: Node<'t>) -> Option<Node<'t>> {
        if self.kind(name) == Kind::GenericName { self.child_of(name, Kind::TypeArguments) } else { None }
    }

    /// The two sides of a member access; `None` for `object?[index]`.
    pub(super) fn object_and_name<'t>(&self, node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        let f = &self.t.fields;
        if self.kind(node) == Kind::ConditionalAccess {
            let binding = self.child_of(node, Kind::MemberBinding)?;
            return Some((node.child_by_field_id(f.condition)?, self.name_of(binding)?));
        }
        Some((node.child_by_field_id(f.expression)?, self.name_of(node)?))
    }

    /// An argument's name is the callee's business.
    pub(super) fn argument(&mut self, node: Node<'_>) {
        let name = node.child_by_field_id(self.t.fields.name).map(|name| name.id());
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if Some(child.id()) != name {
                self.visit_node(child);
            }
        }
    }

    /// `new Foo<Bar>(…) { Baz = … }`.
    pub(super) fn creation(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let ty = node.child_by_field_id(f.ty);
        if let Some(ty) = ty {
            self.type_refs(ty, RefKind::Call, 0);
        }
        let Some(ty) = ty else { return self.visit_children_of(node) };
        let made = self.instance_of(ty);
        if let Some(arguments) = node.child_by_field_id(f.arguments) {
            self.visit_arguments(arguments, |walk| {
                let exprs = walk.argument_exprs(arguments, 0);
                walk.b.callee_with(made, &exprs)
            });
        }
        if let Some(initializer) = node.child_by_field_id(f.initializer) {
            self.object_initializer(initializer, made, 0);
        }
    }

    /// `{ Member = value }`: members of what is made; anything else is an element, which its `Add` takes.
    fn object_initializer(&mut self, node: Node<'_>, made: ExprId, depth: u32) {
        if depth > crate::builder::MAX_EXPR_DEPTH {
            return;
        }
        let f = &self.t.fields;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let left = child.child_by_field_id(f.left).filter(|left| self.kind(*left) == Kind::Identifier);
            let (Kind::Assignment, Some(left)) = (self.kind(child), left) else {
                if matches!(self.kind(child), Kind::Lambda | Kind::AnonymousMethod) {
                    self.callback = Some(self.added_to(made, child));
                }
                self.visit_node(child);
                self.callback = None;
                continue;
            };
            self.b.reference(left, RefKind::Value, Some(made));
            match child.child_by_field_id(f.right) {
                Some(right) if self.kind(right) == Kind::Initializer => {
                    let name = self.b.name(left);
                    let member = self.b.member(made, name);
                    self.object_initializer(right, member, depth + 1);
                }
                Some(right) => self.visit_node(right),
                None => {}
            }
        }
    }

    /// What the `Add` of a collection wants where an element of it is written.
    fn added_to(&mut self, collection: ExprId, element: Node<'_>) -> ExprId {
        let element = self.expr_of(element, 0);
        let add = self.b.intern("Add");
        let add = self.b.member(collection, add);
        let callee = self.b.callee_with(add, &[element]);
        self.b.expects(callee, 0)
    }

    /// `new { Name = value, other.Name }`: the names are nobody's.
    pub(super) fn anonymous_creation(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        for (index, child) in children.iter().enumerate() {
            let is_name = children.get(index + 1).is_some_and(|next| self.b.text(*next) == "=");
            if child.is_named() && !is_name {
                self.visit_node(*child);
            }
        }
    }

    /// `x with { Name = value }`.
    pub(super) fn with(&mut self, node: Node<'_>) {
        let Some(object) = node.named_child(0) else { return };
        self.visit_node(object);
        let base = self.expr_of(object, 0);
        let mut cursor = node.walk();
        for part in node.named_children(&mut cursor) {
            if self.kind(part) != Kind::WithInitializer {
                continue;
            }
            if let Some(name) = part.named_child(0) {
                self.b.reference(name, RefKind::Value, Some(base));
            }
            if let Some(value) = last_named_child(part) {
                self.visit_node(value);
            }
        }
    }

    /// `"…"`, `@"…"`, `"""…"""`, `$"…{x}…"`.
    pub(super) fn string(&mut self, node: Node<'_>) {
        let text = self.b.text(node).trim_start_matches(['$', '@']);
        let text = text.trim_end_matches("u8").trim_end_matches("U8");
        let quotes =
            if text.starts_with("\"\"\"") { text.len() - text.trim_start_matches('"').len() } else { 1 };
        let value = text.get(quotes..text.len().saturating_sub(quotes)).unwrap_or("");
        self.b.string(node, if quotes > 1 { value.trim() } else { value });
    }
}
