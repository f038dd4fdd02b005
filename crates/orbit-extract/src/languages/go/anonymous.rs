//! Structs and interfaces without a name: their members hang under what holds the value, `run.tests.want` for
//! `tests := []struct{ want int }{…}` in `run`.

use super::types::last_named_child;
use super::{Go, Kind};
use crate::builder::{MAX_EXPR_DEPTH, Walk, span};
use crate::{Expr, ExprId, NameId};
use tree_sitter::Node;

impl Go<'_> {
    /// The members of a struct or interface that is written in place.
    pub(super) fn anonymous(&mut self, node: Node<'_>) {
        let path = self.path_of(node);
        let prefix = self.b.file.names.get(path).to_owned();
        let scope = self.b.scope();
        self.b.enter_as(scope, prefix);
        self.deeper(|walk| match walk.kind(node) {
            Kind::StructType => walk.fields(node, None),
            _ => walk.interface(node, None),
        });
        self.b.leave();
    }

    /// A struct or interface that is written in place, as a type: where its members are, and what it embeds.
    pub(super) fn anonymous_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let is_struct = self.kind(node) == Kind::StructType;
        let list = if is_struct { node.named_child(0) } else { Some(node) };
        let Some(list) = list.filter(|list| list.named_child_count() > 0) else {
            // Nothing is known of a value of `any`, all of one of `struct{}`.
            return if is_struct { self.b.expr(Expr::Builtin) } else { self.b.unknown() };
        };
        let path = self.path_of(node);
        let mut parts = vec![self.b.expr(Expr::Object(path))];
        let mut cursor = list.walk();
        let members: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        for member in members {
            let embedded = match self.kind(member) {
                Kind::FieldDeclaration => {
                    let ty = member.child_by_field_id(self.t.fields.ty);
                    ty.filter(|ty| member.named_child(0).is_some_and(|first| first.id() == ty.id()))
                }
                Kind::TypeElem => self.embedded_interface(member),
                _ => None,
            };
            if let Some(embedded) = embedded {
                let ty = self.type_expr(embedded, depth + 1);
                parts.push(self.b.instance(ty));
            }
        }
        let parts = self.b.list(&parts);
        self.b.expr(Expr::Shape(parts))
    }

    /// Takes a path below the current scope that anonymous types would hang their members under.
    pub(super) fn hold_path(&mut self, part: &str) {
        let path = self.b.qualify(part);
        let path = self.b.intern(&path);
        self.held_paths.insert(path);
    }

    /// The path that the members of an anonymous type hang under: that of what holds it, with a number where
    /// something of that name was there before.
    fn path_of(&mut self, node: Node<'_>) -> NameId {
        if let Some(known) = self.anonymous_paths.get(&node.id()) {
            return *known;
        }
        let holder = self.holder_of(node);
        let whole = self.b.qualify(&holder);
        let mut path = self.b.intern(&whole);
        let mut number = 1;
        while !self.held_paths.insert(path) {
            number += 1;
            path = self.b.intern(&format!("{whole}{number}"));
        }
        self.anonymous_paths.insert(node.id(), path);
        path
    }

    /// What holds a value of an anonymous type: the field, variable, parameter or function round it.
    fn holder_of(&self, node: Node<'_>) -> String {
        let f = &self.t.fields;
        let mut parameter = None;
        let mut at = node;
        while let Some(outer) = at.parent() {
            let holder = match self.kind(outer) {
                Kind::FieldDeclaration
                | Kind::VarSpec
                | Kind::ConstSpec
                | Kind::TypeSpec
                | Kind::TypeAlias
                | Kind::Parameter
                | Kind::VariadicParameter
                | Kind::MethodElem => outer.child_by_field_id(f.name),
                Kind::Function | Kind::Method => {
                    let inner = parameter.map(|parameter: Node<'_>| self.b.text(parameter));
                    return self.signature_path(outer, inner);
                }
                Kind::ShortVar => outer.child_by_field_id(f.left).and_then(|left| left.named_child(0)),
                Kind::RangeClause => outer.child_by_field_id(f.left).and_then(last_named_child),
                Kind::TypeParameter => {
                    parameter = outer.child_by_field_id(f.name);
                    None
                }
                Kind::Block => break,
                _ => None,
            };
            if let Some(holder) = holder {
                return self.b.text(holder).to_owned();
            }
            at = outer;
        }
        "struct".to_owned()
    }

    /// The path of what the signature of a function holds, below the current scope: that of the function itself once
    /// it is entered.
    fn signature_path(&self, function: Node<'_>, inner: Option<&str>) -> String {
        let is_entered = self.b.enclosing().next().is_some_and(|symbol| symbol.span == span(function));
        let name = function.child_by_field_id(self.t.fields.name).filter(|_| !is_entered);
        let receiver = function.child_by_field_id(self.t.fields.receiver).filter(|_| !is_entered);
        let receiver = receiver.and_then(|receiver| self.receiver_type(receiver));
        let nodes = [receiver, name].into_iter().flatten().map(|node| self.b.text(node));
        let parts: Vec<&str> = nodes.chain(inner).collect();
        if parts.is_empty() { "struct".to_owned() } else { parts.join(".") }
    }
}
