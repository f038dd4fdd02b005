//! Uses: calls, selectors, literals, strings, and the skeleton of receivers.

use super::types::{is_predeclared_type, last_named_child};
use super::{Go, Kind};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl Go<'_> {
    pub(super) fn call(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (callee, arguments) = (node.child_by_field_id(f.function), node.child_by_field_id(f.arguments));
        if let Some(callee) = callee {
            self.callee(callee);
        }
        self.visit_field(node, f.type_arguments);
        if let Some(arguments) = arguments {
            let is_route = callee.is_some_and(|callee| self.route_of_call(node, callee, arguments));
            if !is_route {
                self.visit_children_of(arguments);
            }
            if let Some(callee) = callee.filter(|callee| self.kind(*callee) == Kind::Selector) {
                self.add_command(callee, arguments);
            }
        }
    }

    fn callee(&mut self, callee: Node<'_>) {
        match self.kind(callee) {
            Kind::Identifier if is_predeclared_function(self.b.text(callee)) => {}
            Kind::Identifier => self.plain(callee, RefKind::Call),
            Kind::Selector => self.selector(callee, RefKind::Call),
            // `f[T](x)`; an element that is called reads the same.
            Kind::Index => {
                let operand = callee.child_by_field_id(self.t.fields.operand);
                match operand.map(|operand| (operand, self.kind(operand))) {
                    Some((operand, Kind::Identifier)) => self.plain(operand, RefKind::Call),
                    Some((operand, Kind::Selector)) => self.selector(operand, RefKind::Call),
                    Some((operand, _)) => self.visit_node(operand),
                    None => {}
                }
                if let Some(index) = last_named_child(callee) {
                    self.visit_node(index);
                }
            }
            Kind::Parenthesized => self.converted_type(callee),
            _ => self.visit_node(callee),
        }
    }

    /// `(*T)(x)` reads like a call of what `T` points to.
    fn converted_type(&mut self, callee: Node<'_>) {
        let f = &self.t.fields;
        let pointee =
            callee.named_child(0).filter(|inner| self.kind(*inner) == Kind::Unary).and_then(|inner| {
                let operator = inner.child_by_field_id(f.operator)?;
                inner.child_by_field_id(f.operand).filter(|_| self.b.text(operator) == "*")
            });
        match pointee.map(|pointee| (pointee, self.kind(pointee))) {
            Some((pointee, Kind::Identifier)) => self.plain(pointee, RefKind::Type),
            Some((pointee, Kind::Selector)) => self.selector(pointee, RefKind::Type),
            _ => self.visit_children_of(callee),
        }
    }

    /// The type of a conversion. In `*f[T](x)` the star takes what the call gives.
    fn converted_to<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut ty = node.child_by_field_id(self.t.fields.ty)?;
        while self.kind(ty) == Kind::PointerType {
            ty = ty.named_child(0)?;
        }
        Some(ty)
    }

    /// `T(x)`. The grammar also reads a generic call with one argument, `f[T](x)`, as a conversion.
    pub(super) fn conversion(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        match self.converted_to(node) {
            Some(ty) if self.kind(ty) == Kind::GenericType => {
                if let Some(head) = ty.child_by_field_id(f.ty) {
                    match self.kind(head) {
                        Kind::TypeIdentifier => self.plain(head, RefKind::Call),
                        Kind::QualifiedType => self.qualified_type(head, RefKind::Call),
                        _ => self.visit_node(head),
                    }
                }
                self.visit_field(ty, f.type_arguments);
            }
            Some(ty) => self.visit_node(ty),
            None => {}
        }
        self.visit_field(node, f.operand);
    }

    /// `operand.field`: a use of the operand, then of the field.
    pub(super) fn selector(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        let (operand, field) = (node.child_by_field_id(f.operand), node.child_by_field_id(f.field));
        let (Some(operand), Some(field)) = (operand, field) else { return };
        let base = self.expr_of(operand, 0);
        self.visit_node(operand);
        self.b.reference(field, kind, Some(base));
    }

    /// The braces of a composite literal, behind `&` and parentheses.
    pub(super) fn composite_body<'t>(&self, value: Node<'t>) -> Option<Node<'t>> {
        self.composite_of(value)?.child_by_field_id(self.t.fields.body)
    }

    pub(super) fn composite_of<'t>(&self, mut value: Node<'t>) -> Option<Node<'t>> {
        loop {
            value = match self.kind(value) {
                Kind::Composite => return Some(value),
                Kind::Unary => value.child_by_field_id(self.t.fields.operand)?,
                Kind::Parenthesized => value.named_child(0)?,
                _ => return None,
            };
        }
    }

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
            Kind::Selector => {
                let (operand, field) = (node.child_by_field_id(f.operand), node.child_by_field_id(f.field));
                let (Some(operand), Some(field)) = (operand, field) else { return self.b.unknown() };
                let base = self.expr_of(operand, depth + 1);
                let name = self.b.name(field);
                self.b.member(base, name)
            }
            Kind::Call => self.call_expr(node, depth),
            Kind::Composite | Kind::Assertion => self.instance_of(node.child_by_field_id(f.ty), depth),
            Kind::Conversion => match self.converted_to(node) {
                Some(ty) if self.kind(ty) == Kind::GenericType => self.generic_call(node, ty, depth),
                ty => self.instance_of(ty, depth),
            },
            Kind::FuncLiteral => self.function_expr(node, depth),
            Kind::Instantiation => self.instantiation_expr(node, depth),
            Kind::Unary => self.unary_expr(node, depth),
            Kind::Binary => self.binary_expr(node, depth),
            Kind::Parenthesized => match node.named_child(0) {
                Some(inner) => self.expr_of(inner, depth + 1),
                None => self.b.unknown(),
            },
            Kind::Index | Kind::Slice => {
                let Some(operand) = node.child_by_field_id(f.operand) else { return self.b.unknown() };
                let whole = self.expr_of(operand, depth + 1);
                if self.kind(node) == Kind::Slice { whole } else { self.b.element(whole) }
            }
            Kind::String | Kind::RawString | Kind::Int | Kind::Float | Kind::Imaginary | Kind::Rune => {
                self.b.expr(Expr::Builtin)
            }
            Kind::Nil | Kind::True | Kind::False | Kind::Iota => self.b.expr(Expr::Builtin),
            _ => self.b.unknown(),
        }
    }

    pub(super) fn instance_of(&mut self, ty: Option<Node<'_>>, depth: u32) -> ExprId {
        let Some(ty) = ty else { return self.b.unknown() };
        let ty = self.type_expr(ty, depth + 1);
        self.b.instance(ty)
    }

    /// `&x` and `*x` are `x`; `<-ch` is what the channel carries.
    fn unary_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let operator = node.child_by_field_id(f.operator).map_or("", |operator| self.b.text(operator));
        let Some(operand) = node.child_by_field_id(f.operand) else { return self.b.unknown() };
        let inner = self.expr_of(operand, depth + 1);
        match operator {
            "<-" => self.b.element(inner),
            "!" => self.b.expr(Expr::Builtin),
            _ => inner,
        }
    }

    /// Comparisons give a bool, arithmetic what its left side is.
    fn binary_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let operator = node.child_by_field_id(f.operator).map_or("", |operator| self.b.text(operator));
        match (operator, node.child_by_field_id(f.left)) {
            ("==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||", _) => self.b.expr(Expr::Builtin),
            (_, Some(left)) => self.expr_of(left, depth + 1),
            (_, None) => self.b.unknown(),
        }
    }

    pub(super) fn string(&mut self, node: Node<'_>) {
        self.b.string(node, unquoted(self.b.text(node)));
    }
}

/// A literal without its quotes.
pub(super) fn unquoted(text: &str) -> &str {
    text.get(1..text.len().saturating_sub(1)).unwrap_or("")
}

/// Functions of the language that nobody writes anew.
pub(super) fn is_predeclared_function(name: &str) -> bool {
    matches!(name, "append" | "cap" | "len" | "make" | "new" | "panic" | "recover")
        || is_predeclared_type(name)
}
