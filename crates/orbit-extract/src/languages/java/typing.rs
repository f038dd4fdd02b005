//! Types: what they name, and the references they hold.

use super::{Java, Kind};
use crate::builder::MAX_EXPR_DEPTH;
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl Java<'_> {
    /// The type that a type node names. A type parameter is its bound, a wildcard too.
    pub(super) fn type_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        match self.kind(node) {
            Kind::TypeIdentifier | Kind::Identifier => {
                let name = self.b.name(node);
                self.b.name_expr(name)
            }
            Kind::ScopedType | Kind::ScopedIdentifier => {
                let (Some(scope), Some(last)) = (node.named_child(0), last_named_child(node)) else {
                    return self.b.unknown();
                };
                let scope = self.type_expr(scope, depth + 1);
                let name = self.b.name(last);
                self.b.member(scope, name)
            }
            Kind::GenericType => {
                let Some(base) = node.named_child(0) else { return self.b.unknown() };
                let base = self.type_expr(base, depth + 1);
                let Some(list) = last_named_child(node) else { return base };
                let arguments = self.type_arguments(list, depth);
                match arguments.last() {
                    Some(argument) => self.b.apply(base, &arguments, *argument),
                    None => base,
                }
            }
            Kind::ArrayType => {
                let element = match node.child_by_field_id(self.t.fields.element) {
                    Some(element) => self.type_expr(element, depth + 1),
                    None => self.b.unknown(),
                };
                let mut array = element;
                for _ in 0..self.dimensions(node).max(1) {
                    array = self.array_of(array);
                }
                array
            }
            Kind::AnnotatedType | Kind::Wildcard => match last_named_child(node) {
                Some(inner) => self.type_expr(inner, depth + 1),
                None => self.b.unknown(),
            },
            Kind::IntegralType | Kind::FloatingType | Kind::BooleanType => {
                self.b.primitive(self.b.text(node))
            }
            Kind::VoidType => self.b.expr(Expr::Builtin),
            _ => self.b.unknown(),
        }
    }

    /// The types in a list of type arguments.
    pub(super) fn type_arguments(&mut self, list: Node<'_>, depth: u32) -> Vec<ExprId> {
        let mut cursor = list.walk();
        let arguments: Vec<Node<'_>> = list
            .named_children(&mut cursor)
            .filter(|child| !matches!(self.kind(*child), Kind::LineComment | Kind::BlockComment))
            .collect();
        arguments.into_iter().map(|argument| self.type_expr(argument, depth + 1)).collect()
    }

    pub(super) fn array_of(&mut self, element: ExprId) -> ExprId {
        let array = self.b.expr(Expr::Builtin);
        self.b.expr(Expr::Apply(array, element))
    }

    /// A value of a declared type; `declarator` may add dimensions to it.
    pub(super) fn declared(&mut self, ty: Node<'_>, declarator: Node<'_>) -> ExprId {
        let mut expr = self.type_expr(ty, 0);
        for _ in 0..self.dimensions(declarator) {
            expr = self.array_of(expr);
        }
        self.b.instance(expr)
    }

    /// How many pairs of brackets a node has: `[][]`, `[3][]`.
    pub(super) fn dimensions(&self, node: Node<'_>) -> usize {
        let mut cursor = node.walk();
        node.named_children(&mut cursor)
            .map(|child| match self.kind(child) {
                Kind::Dimensions => self.b.text(child).matches('[').count(),
                Kind::DimensionsExpr => 1,
                _ => 0,
            })
            .sum()
    }

    /// `var`: the type is that of the initialiser.
    pub(super) fn is_var(&self, ty: Node<'_>) -> bool {
        self.kind(ty) == Kind::TypeIdentifier && self.b.text(ty) == "var"
    }

    /// Records the names a type uses: the type itself as `kind`, its arguments as types.
    pub(super) fn type_refs(&mut self, node: Node<'_>, kind: RefKind, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        match self.kind(node) {
            Kind::TypeIdentifier => self.b.plain_reference(node, kind),
            Kind::ScopedType => self.scoped_refs(node, kind, depth),
            Kind::GenericType => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    let kind = if self.kind(child) == Kind::TypeArguments { RefKind::Type } else { kind };
                    self.type_refs(child, kind, depth + 1);
                }
            }
            Kind::MarkerAnnotation | Kind::Annotation => self.annotation(node),
            _ => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.type_refs(child, kind, depth + 1);
                }
            }
        }
    }

    /// `Outer.Inner`, `a.b.Outer.Inner`, `Outer<T>.Inner`: the last part as `kind`.
    fn scoped_refs(&mut self, node: Node<'_>, kind: RefKind, depth: u32) {
        let (Some(scope), Some(last)) = (node.named_child(0), last_named_child(node)) else { return };
        self.qualifier_refs(scope, depth + 1);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if matches!(self.kind(child), Kind::MarkerAnnotation | Kind::Annotation) {
                self.annotation(child);
            }
        }
        let base = self.type_expr(scope, 0);
        self.b.reference(last, kind, Some(base));
    }

    /// What stands before the dot. Package parts are not references: nothing defines a package.
    fn qualifier_refs(&mut self, node: Node<'_>, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        match self.kind(node) {
            Kind::ScopedType | Kind::ScopedIdentifier => {
                let last = last_named_child(node).map_or("", |last| self.b.text(last));
                if is_type_name(last) {
                    self.scoped_refs(node, RefKind::Type, depth);
                }
            }
            Kind::TypeIdentifier | Kind::Identifier => {
                if is_type_name(self.b.text(node)) {
                    self.b.plain_reference(node, RefKind::Type);
                }
            }
            _ => self.type_refs(node, RefKind::Type, depth),
        }
    }

    /// Records a dotted name that is not a type node: an annotation, a service of a module.
    pub(super) fn name_refs(&mut self, node: Node<'_>, kind: RefKind) {
        match self.kind(node) {
            Kind::ScopedIdentifier => self.scoped_refs(node, kind, 0),
            _ => self.b.plain_reference(node, kind),
        }
    }
}

pub(super) fn last_named_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(node.named_child_count().checked_sub(1)? as u32)
}

/// By convention packages are written in lower case and types are not.
fn is_type_name(text: &str) -> bool {
    text.starts_with(char::is_uppercase)
}
