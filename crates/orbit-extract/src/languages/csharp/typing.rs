//! Types: what they name, and the references they hold.

use super::{CSharp, Kind};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl CSharp<'_> {
    /// The type that a type node names. A type parameter is its constraint; `T?`, `T*` and `ref T` are `T`.
    pub(super) fn type_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::Identifier => {
                let name = self.b.name(node);
                self.b.name_expr(name)
            }
            Kind::GenericName => {
                let base = self.generic_base(node);
                let name = base.map(|base| self.b.name(base));
                let Some(name) = name else { return self.b.unknown() };
                let base = self.b.name_expr(name);
                self.apply_arguments(node, base, depth)
            }
            Kind::QualifiedName => {
                let (qualifier, name) = (node.child_by_field_id(f.qualifier), self.name_of(node));
                let (Some(qualifier), Some(name)) = (qualifier, name) else { return self.b.unknown() };
                let qualifier = self.type_expr(qualifier, depth + 1);
                let base = self.generic_base(name).unwrap_or(name);
                let base = self.b.name(base);
                let member = self.b.member(qualifier, base);
                self.apply_arguments(name, member, depth)
            }
            Kind::AliasQualifiedName => match self.name_of(node) {
                Some(name) => self.type_expr(name, depth + 1),
                None => self.b.unknown(),
            },
            Kind::ArrayType => {
                let element = node.child_by_field_id(f.ty).map(|element| self.type_expr(element, depth + 1));
                let element = element.unwrap_or_else(|| self.b.unknown());
                self.array_of(element)
            }
            Kind::NullableType | Kind::PointerType | Kind::RefType | Kind::ScopedType => {
                match node.child_by_field_id(f.ty) {
                    Some(inner) => self.type_expr(inner, depth + 1),
                    None => self.b.unknown(),
                }
            }
            Kind::PredefinedType if matches!(self.b.text(node), "object" | "dynamic" | "void") => {
                self.b.expr(Expr::Builtin)
            }
            Kind::PredefinedType => self.b.primitive(self.b.text(node)),
            _ => self.b.unknown(),
        }
    }

    pub(super) fn array_of(&mut self, element: ExprId) -> ExprId {
        let array = self.b.expr(Expr::Builtin);
        self.b.expr(Expr::Apply(array, element))
    }

    /// The identifier of `Name<…>`; `None` for other nodes.
    pub(super) fn generic_base<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        if self.kind(node) == Kind::GenericName { self.child_of(node, Kind::Identifier) } else { None }
    }

    fn apply_arguments(&mut self, name: Node<'_>, base: ExprId, depth: u32) -> ExprId {
        if self.kind(name) != Kind::GenericName {
            return base;
        }
        let argument = self.child_of(name, Kind::TypeArguments).and_then(last_named_child);
        match argument {
            Some(argument) => {
                let argument = self.type_expr(argument, depth + 1);
                self.b.expr(Expr::Apply(base, argument))
            }
            None => base,
        }
    }

    /// A value of the type that `ty` names; unknown for `var`.
    pub(super) fn instance_of(&mut self, ty: Node<'_>) -> ExprId {
        let ty = self.type_expr(ty, 0);
        self.b.instance(ty)
    }

    /// Records the names a type uses: the type itself as `kind`, its arguments as types.
    pub(super) fn type_refs(&mut self, node: Node<'_>, kind: RefKind, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::Identifier => self.b.plain_reference(node, kind),
            Kind::GenericName => {
                if let Some(base) = self.generic_base(node) {
                    self.b.plain_reference(base, kind);
                }
                self.argument_refs(node, depth);
            }
            Kind::QualifiedName => {
                let (qualifier, name) = (node.child_by_field_id(f.qualifier), self.name_of(node));
                let (Some(qualifier), Some(name)) = (qualifier, name) else { return };
                self.type_refs(qualifier, RefKind::Value, depth + 1);
                let base = self.type_expr(qualifier, 0);
                self.b.reference(self.generic_base(name).unwrap_or(name), kind, Some(base));
                self.argument_refs(name, depth);
            }
            Kind::AliasQualifiedName => {
                if let Some(name) = self.name_of(node) {
                    self.type_refs(name, kind, depth + 1);
                }
            }
            Kind::TupleElement => {
                if let Some(ty) = node.child_by_field_id(f.ty) {
                    self.type_refs(ty, kind, depth + 1);
                }
            }
            Kind::RankSpecifier => self.visit_children_of(node),
            Kind::AttributeList => self.visit_node(node),
            _ => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.type_refs(child, kind, depth + 1);
                }
            }
        }
    }

    fn argument_refs(&mut self, name: Node<'_>, depth: u32) {
        if self.kind(name) != Kind::GenericName {
            return;
        }
        if let Some(arguments) = self.child_of(name, Kind::TypeArguments) {
            self.type_refs(arguments, RefKind::Type, depth + 1);
        }
    }

    /// A cast, a test, `typeof`, `new T[n]`: operands are visited, the type is used as a type.
    pub(super) fn typed_expression(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let ty = match self.kind(node) {
            Kind::As | Kind::Is => node.child_by_field_id(f.right),
            _ => node.child_by_field_id(f.ty),
        };
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if Some(child.id()) == ty.map(|ty| ty.id()) {
                self.type_refs(child, RefKind::Type, 0);
            } else {
                self.visit_node(child);
            }
        }
    }
}

pub(super) fn last_named_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(node.named_child_count().checked_sub(1)? as u32)
}
