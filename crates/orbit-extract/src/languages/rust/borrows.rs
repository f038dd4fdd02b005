//! How values are borrowed and laid out, which decides between `impl`s for a type and for references to it.
//!
//! A type or value stays what it is and carries marks, outermost first: `&`, `&mut`, `box` for an owning pointer, `*`
//! for what a value leads to, `[_]` for an array, `[..]` for a part of a list, `vec` for a vector, `?` for what a
//! pattern may have borrowed.

use super::{Kind, Rust};
use crate::{Expr, ExprId, ScopeId};
use tree_sitter::Node;

impl Rust<'_> {
    pub(super) fn marked(&mut self, expr: ExprId, mark: &str) -> ExprId {
        let is_plain = self.b.mark_of(expr).is_none();
        match self.b.form(expr) {
            Expr::Unknown | Expr::Returns(_) | Expr::Function(..) | Expr::Nil => return expr,
            // How a number is borrowed tells nothing.
            Expr::Builtin if is_plain && !mark.starts_with(['[', 'v']) => return expr,
            _ => {}
        }
        let mark = self.b.primitive(mark);
        self.b.expr(Expr::Generic(expr, mark))
    }

    /// `&x`, `&mut T`: a type or value that is borrowed as the node says.
    pub(super) fn borrowed(&mut self, expr: ExprId, node: Node<'_>) -> ExprId {
        self.marked(expr, if is_mutable(node) { "&mut" } else { "&" })
    }

    /// `vec![x, y]`, by the array that is written.
    pub(super) fn vector_of(&mut self, array: ExprId) -> ExprId {
        let list = self.b.mark_of(array).map_or(array, |(list, _)| list);
        self.marked(list, "vec")
    }

    /// `*x`.
    pub(super) fn pointed_to(&mut self, expr: ExprId) -> ExprId {
        match self.b.mark_of(expr) {
            Some((inner, mark)) if self.b.is_named(mark, &["&", "&mut", "box"]) => inner,
            _ => self.marked(expr, "*"),
        }
    }

    /// `self`, borrowed as the method says that it stands in.
    pub(super) fn self_value(&mut self) -> ExprId {
        let this = self.b.expr(Expr::This);
        match self.self_mark {
            Some(mark) => self.marked(this, mark),
            None => this,
        }
    }

    /// Notes how a function takes `self`, for its body and for its callers; returns what it was before.
    pub(super) fn open_self(
        &mut self,
        function: ScopeId,
        parameters: Option<Node<'_>>,
    ) -> Option<&'static str> {
        let this = parameters.and_then(|parameters| {
            let mut cursor = parameters.walk();
            parameters.named_children(&mut cursor).find(|parameter| self.is_self(*parameter))
        });
        let mark = this.and_then(|this| self.mark_of_self(this));
        let outer = std::mem::replace(&mut self.self_mark, mark);
        if this.is_some() {
            let this = self.self_value();
            self.b.put_receiver(function, this);
        }
        outer
    }

    /// `self`, `&mut self`, `self: Box<Self>`.
    fn is_self(&self, parameter: Node<'_>) -> bool {
        let pattern = parameter.child_by_field_id(self.t.fields.pattern);
        self.kind(parameter) == Kind::SelfParameter
            || pattern.is_some_and(|pattern| self.kind(pattern) == Kind::SelfValue)
    }

    fn mark_of_self(&self, parameter: Node<'_>) -> Option<&'static str> {
        let ty = parameter.child_by_field_id(self.t.fields.ty).unwrap_or(parameter);
        match self.kind(ty) {
            Kind::GenericType => Some("box"),
            _ if self.b.text(ty).starts_with('&') => Some(if is_mutable(ty) { "&mut" } else { "&" }),
            _ => None,
        }
    }

    /// `*x`, `&x`; `-x` and `!x` are of the type of `x`.
    pub(super) fn prefixed_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if self.kind(node) == Kind::Reference {
            let value = self.expr_field(node, self.t.fields.value, depth);
            return self.borrowed(value, node);
        }
        let value = self.first_child_expr(node, depth);
        if self.b.text(node).starts_with('*') { self.pointed_to(value) } else { value }
    }

    /// `list[2]`, `list[1..]`.
    pub(super) fn index_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let whole = self.first_child_expr(node, depth);
        let is_part = node.named_child(1).is_some_and(|index| self.kind(index) == Kind::Range);
        match self.b.form(whole) {
            // A part of a text is one.
            text @ Expr::Primitive(_) if is_part => return self.b.expr(text),
            Expr::Builtin if is_part && self.b.mark_of(whole).is_some() => {
                let list = self.b.expr(Expr::Builtin);
                return self.marked(list, "[..]");
            }
            _ => {}
        }
        let element = self.b.element(whole);
        if !is_part {
            return element;
        }
        let list = self.holder_of(element);
        self.marked(list, "[..]")
    }
}

/// Whether a reference or the parameter `self` is written with `mut`.
fn is_mutable(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == "mutable_specifier")
}
