//! The skeleton of receivers.

use super::{CSharp, Kind};
use crate::builder::MAX_EXPR_DEPTH;
use crate::{Expr, ExprId};
use tree_sitter::Node;

impl CSharp<'_> {
    /// What an expression is, as far as its text tells.
    pub(super) fn expr_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::Identifier => {
                let name = self.b.name(node);
                self.b.name_expr(name)
            }
            Kind::GenericName | Kind::QualifiedName | Kind::AliasQualifiedName | Kind::PredefinedType => {
                self.type_expr(node, depth + 1)
            }
            Kind::MemberAccess | Kind::ConditionalAccess => self.member_expr(node, depth),
            Kind::Invocation => self.call_expr(node, depth),
            Kind::Creation | Kind::ArrayCreation | Kind::Cast | Kind::Default => {
                self.typed_value(node.child_by_field_id(f.ty), depth)
            }
            Kind::As => self.typed_value(node.child_by_field_id(f.right), depth),
            Kind::ElementAccess => {
                let whole = self.inner_expr(node.child_by_field_id(f.expression), depth);
                self.b.element(whole)
            }
            Kind::Await => {
                let promise = self.inner_expr(node.named_child(0), depth);
                self.b.element(promise)
            }
            Kind::Parenthesized | Kind::Checked | Kind::Postfix | Kind::RefExpression | Kind::With => {
                self.inner_expr(node.named_child(0), depth)
            }
            Kind::Lambda | Kind::AnonymousMethod => self.function_expr(node, depth),
            Kind::Assignment => self.inner_expr(node.child_by_field_id(f.right), depth),
            Kind::Conditional => {
                let sides = (node.child_by_field_id(f.consequence), node.child_by_field_id(f.alternative));
                self.either(sides, depth)
            }
            Kind::Binary => {
                let operator = node.child_by_field_id(f.operator).map_or("", |op| self.b.text(op));
                if operator != "??" {
                    return self.b.unknown();
                }
                self.either((node.child_by_field_id(f.left), node.child_by_field_id(f.right)), depth)
            }
            Kind::String | Kind::VerbatimString | Kind::RawString | Kind::InterpolatedString => {
                self.b.primitive("string")
            }
            Kind::Character => self.b.primitive("char"),
            Kind::Boolean | Kind::Is | Kind::IsPattern => self.b.primitive("bool"),
            Kind::Integer | Kind::Real => self.b.primitive(number_type(self.kind(node), self.b.text(node))),
            Kind::Null | Kind::TypeOf | Kind::SizeOf => self.b.expr(Expr::Builtin),
            _ if node.kind_id() == self.t.this => self.b.expr(Expr::This),
            _ if node.kind_id() == self.t.base => self.b.expr(Expr::Super),
            _ => self.b.unknown(),
        }
    }

    fn inner_expr(&mut self, inner: Option<Node<'_>>, depth: u32) -> ExprId {
        match inner {
            Some(inner) => self.expr_of(inner, depth + 1),
            None => self.b.unknown(),
        }
    }

    fn typed_value(&mut self, ty: Option<Node<'_>>, depth: u32) -> ExprId {
        match ty {
            Some(ty) => {
                let ty = self.type_expr(ty, depth + 1);
                self.b.instance(ty)
            }
            None => self.b.unknown(),
        }
    }

    fn member_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some((object, name)) = self.object_and_name(node) else {
            let whole = self.inner_expr(node.child_by_field_id(self.t.fields.condition), depth);
            return self.b.element(whole);
        };
        let base = self.expr_of(object, depth + 1);
        let name = self.generic_base(name).unwrap_or(name);
        let name = self.b.name(name);
        self.b.member(base, name)
    }

    fn call_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let callee = self.callee_expr(node, depth);
        self.b.call(callee)
    }

    /// What is called, with the type arguments and arguments of the call.
    pub(super) fn callee_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(function) = node.child_by_field_id(self.t.fields.function) else { return self.b.unknown() };
        let callee = match self.kind(function) {
            Kind::Identifier if self.b.text(function) == "nameof" => self.b.expr(Expr::Builtin),
            Kind::GenericName => {
                let name = self.generic_base(function).unwrap_or(function);
                let name = self.b.name(name);
                self.b.name_expr(name)
            }
            _ => self.expr_of(function, depth + 1),
        };
        let written = self.callee_name(node).map(|name| self.type_arguments(name, depth)).unwrap_or_default();
        let callee = self.b.instantiate(callee, &written);
        let arguments = node.child_by_field_id(self.t.fields.arguments);
        let arguments = arguments.map(|list| self.argument_exprs(list, depth + 1)).unwrap_or_default();
        self.b.callee_with(callee, &arguments)
    }

    /// The name of what is called, type arguments included.
    pub(super) fn callee_name<'t>(&self, call: Node<'t>) -> Option<Node<'t>> {
        let function = call.child_by_field_id(self.t.fields.function)?;
        match self.kind(function) {
            Kind::GenericName => Some(function),
            Kind::MemberAccess | Kind::ConditionalAccess => Some(self.object_and_name(function)?.1),
            _ => None,
        }
    }

    /// The side that says more: the first unless it is a literal or unknown.
    fn either(&mut self, sides: (Option<Node<'_>>, Option<Node<'_>>), depth: u32) -> ExprId {
        let first = self.inner_expr(sides.0, depth);
        match self.b.file.exprs[first.0 as usize] {
            Expr::Unknown | Expr::Builtin | Expr::Primitive(_) => self.inner_expr(sides.1, depth),
            _ => first,
        }
    }
}

/// The type of a number, by its suffix.
fn number_type(kind: Kind, text: &str) -> &'static str {
    match text.as_bytes().last() {
        Some(b'l' | b'L') => "long",
        Some(b'f' | b'F') if kind == Kind::Real => "float",
        Some(b'm' | b'M') => "decimal",
        _ if kind == Kind::Real => "double",
        _ => "int",
    }
}
