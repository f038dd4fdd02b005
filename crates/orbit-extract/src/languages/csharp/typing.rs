//! Types: what they name, and the references they hold.

use super::{CSharp, Kind};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, NameId, RefKind};
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
                if let Some(function) =
                    self.delegate_type(node, depth).filter(|_| self.b.text(node) == "Action")
                {
                    return function;
                }
                let name = self.b.name(node);
                self.b.name_expr(name)
            }
            Kind::GenericName => {
                if let Some(function) = self.delegate_type(node, depth) {
                    return function;
                }
                let name = self.type_name(node);
                let base = self.b.name_expr(name);
                self.apply_arguments(node, base, depth)
            }
            Kind::QualifiedName => {
                let (qualifier, name) = (node.child_by_field_id(f.qualifier), self.name_of(node));
                let (Some(qualifier), Some(name)) = (qualifier, name) else { return self.b.unknown() };
                let qualifier = self.type_expr(qualifier, depth + 1);
                let base = self.type_name(name);
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
            Kind::PredefinedType if matches!(self.b.text(node), "object" | "dynamic") => {
                self.b.expr(Expr::Builtin)
            }
            Kind::PredefinedType if self.b.text(node) == "void" => self.b.expr(Expr::Nil),
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

    /// The name that a type is looked up by: `Foo` and `Foo<T>` are two types, told apart by the number of their type
    /// parameters, which .NET writes behind a backtick.
    fn type_name(&mut self, name: Node<'_>) -> NameId {
        let list = self.child_of(name, Kind::TypeArguments);
        let (Some(base), Some(list)) = (self.generic_base(name), list) else { return self.b.name(name) };
        let mut cursor = list.walk();
        let commas = list.children(&mut cursor).filter(|child| child.kind() == ",").count();
        let text = format!("{}`{}", self.b.text(base), commas + 1);
        self.b.intern(&text)
    }

    /// The type arguments written behind a name.
    pub(super) fn type_arguments(&mut self, name: Node<'_>, depth: u32) -> Vec<ExprId> {
        let list = self.generic_base(name).and_then(|_| self.child_of(name, Kind::TypeArguments));
        let Some(list) = list else { return Vec::new() };
        let mut cursor = list.walk();
        let arguments: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        arguments.into_iter().map(|argument| self.type_expr(argument, depth + 1)).collect()
    }

    fn apply_arguments(&mut self, name: Node<'_>, base: ExprId, depth: u32) -> ExprId {
        let arguments = self.type_arguments(name, depth);
        match arguments.last() {
            Some(last) => self.b.apply(base, &arguments, *last),
            None => base,
        }
    }

    /// `Func<A, R>`, `Action<A>`, `Predicate<A>`: the delegates that methods take their callbacks as. The tree of one,
    /// `Expression<Func<A, R>>`, is written as the same callback.
    fn delegate_type(&mut self, node: Node<'_>, depth: u32) -> Option<ExprId> {
        let name = self.generic_base(node).unwrap_or(node);
        if self.b.text(name) == "Expression" {
            let arguments = self.child_of(node, Kind::TypeArguments)?;
            let only = arguments.named_child(0).filter(|_| arguments.named_child_count() == 1)?;
            return self.delegate_type(only, depth + 1);
        }
        if !matches!(self.b.text(name), "Func" | "Action" | "Predicate") {
            return None;
        }
        let name = self.b.name(name);
        if self.b.local(name).is_some() {
            return None;
        }
        let mut params = self.type_arguments(node, depth);
        let result = match self.b.text(self.generic_base(node).unwrap_or(node)) {
            "Func" => params.pop()?,
            "Predicate" => self.b.primitive("bool"),
            _ => self.b.expr(Expr::Nil),
        };
        let params: Vec<ExprId> = params.into_iter().map(|ty| self.b.instance(ty)).collect();
        let (params, result) = (self.b.list(&params), self.b.instance(result));
        Some(self.b.expr(Expr::Function(params, result)))
    }

    /// A value of the type that `ty` names; unknown for `var`.
    pub(super) fn instance_of(&mut self, ty: Node<'_>) -> ExprId {
        let ty = self.type_expr(ty, 0);
        self.b.instance(ty)
    }

    pub(super) fn instance_or_unknown(&mut self, ty: Option<Node<'_>>) -> ExprId {
        match ty {
            Some(ty) => self.instance_of(ty),
            None => self.b.unknown(),
        }
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
                    let name = self.type_name(node);
                    self.b.reference_to(base, name, kind, None);
                }
                self.argument_refs(node, depth);
            }
            Kind::QualifiedName => {
                let (qualifier, name) = (node.child_by_field_id(f.qualifier), self.name_of(node));
                let (Some(qualifier), Some(name)) = (qualifier, name) else { return };
                self.type_refs(qualifier, RefKind::Value, depth + 1);
                let base = self.type_expr(qualifier, 0);
                let sought = self.type_name(name);
                self.b.reference_to(self.generic_base(name).unwrap_or(name), sought, kind, Some(base));
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

    pub(super) fn argument_refs(&mut self, name: Node<'_>, depth: u32) {
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
