//! Object types and object literals that no symbol holds: what their members are.

use super::{Kind, Script};
use crate::builder::MAX_EXPR_DEPTH;
use crate::{Expr, ExprId, NameId};
use tree_sitter::Node;

/// How many members of an object are looked at.
const MAX_MEMBERS: usize = 48;

impl Script<'_> {
    /// `{ a: A; b(): B }` as a type.
    pub(super) fn object_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        let mut cursor = node.walk();
        let members: Vec<Node<'_>> = node.named_children(&mut cursor).take(MAX_MEMBERS).collect();
        let mut keyed = Vec::new();
        for member in members {
            let Some(name) = member.child_by_field_id(f.name) else { continue };
            let value = match (self.kind(member), member.child_by_field_id(f.ty)) {
                (Kind::PropertySignature, Some(ty)) => self.value_of_type(ty, depth + 1),
                (Kind::MethodSignature, _) => self.function_type(member, depth + 1),
                _ => continue,
            };
            self.keep_member(name, value, &mut keyed);
        }
        self.shape(None, keyed)
    }

    /// What an object literal holds besides the functions that hang under its path.
    pub(super) fn object_shape(&mut self, object: Node<'_>, path: NameId) -> ExprId {
        let f = &self.t.fields;
        let mut cursor = object.walk();
        let members: Vec<Node<'_>> = object.named_children(&mut cursor).take(MAX_MEMBERS).collect();
        let mut keyed = Vec::new();
        for member in members {
            match (self.kind(member), member.child_by_field_id(f.key), member.child_by_field_id(f.value)) {
                (Kind::ShorthandProperty, ..) => {
                    let value = self.expr_of(member, 0);
                    self.keep_member(member, value, &mut keyed);
                }
                (Kind::Pair, Some(key), Some(value)) if !self.is_function(self.unwrapped(value)) => {
                    let value = self.expr_of(value, 0);
                    self.keep_member(key, value, &mut keyed);
                }
                _ => {}
            }
        }
        self.shape(Some(path), keyed)
    }

    fn keep_member(&mut self, name: Node<'_>, value: ExprId, keyed: &mut Vec<ExprId>) {
        let says = !matches!(self.b.file.exprs[value.0 as usize], Expr::Unknown | Expr::Builtin);
        if says && self.kind(name) != Kind::ComputedName {
            let name = self.b.intern(self.property_name(name));
            keyed.push(self.b.expr(Expr::Keyed(name, value)));
        }
    }

    fn shape(&mut self, path: Option<NameId>, mut members: Vec<ExprId>) -> ExprId {
        let object = path.map(|path| self.b.expr(Expr::Object(path)));
        match (members.is_empty(), object) {
            (true, Some(object)) => object,
            (true, None) => self.b.unknown(),
            (false, object) => {
                members.splice(0..0, object);
                let list = self.b.list(&members);
                self.b.expr(Expr::Shape(list))
            }
        }
    }

    /// An object with one more member; nothing when that says nothing of what it holds.
    pub(super) fn with_member(&mut self, object: ExprId, key: Node<'_>, value: ExprId) -> Option<ExprId> {
        let mut keyed = Vec::new();
        self.keep_member(key, value, &mut keyed);
        let added = keyed.pop()?;
        let expr = |id: ExprId| self.b.file.exprs[id.0 as usize];
        let mut members = Vec::new();
        match expr(object) {
            Expr::Shape(mut rest) => {
                while let Expr::List(first, next) = expr(rest) {
                    members.push(first);
                    rest = next;
                }
            }
            _ => members.push(object),
        }
        members.push(added);
        (members.len() <= MAX_MEMBERS).then(|| self.shape(None, members))
    }

    /// The path that the functions of an object literal hang under.
    pub(super) fn path_of_object(&self, value: ExprId) -> Option<NameId> {
        let expr = |id: ExprId| self.b.file.exprs[id.0 as usize];
        match expr(value) {
            Expr::Object(path) => Some(path),
            Expr::Shape(list) => match expr(list) {
                Expr::List(first, _) => self.path_of_object(first),
                _ => None,
            },
            _ => None,
        }
    }

    /// What calling an `async` function gives whose body gives a value that is not a promise itself.
    pub(super) fn promised(&mut self, value: ExprId) -> Option<ExprId> {
        let held = match self.b.file.exprs[value.0 as usize] {
            Expr::Instance(_) | Expr::Shape(_) | Expr::Element(_) | Expr::This => value,
            Expr::Object(_) => {
                let list = self.b.list(&[value]);
                self.b.expr(Expr::Shape(list))
            }
            _ => return None,
        };
        let list = self.b.list(&[held]);
        Some(self.b.expr(Expr::Holds(list)))
    }
}
