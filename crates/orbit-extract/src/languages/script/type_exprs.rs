//! Types as expressions.

use super::{Kind, Script};
use crate::builder::MAX_EXPR_DEPTH;
use crate::{Expr, ExprId};
use tree_sitter::Node;

impl Script<'_> {
    /// A value of the type that an annotation names. `typeof x` is `x`, `Foo['bar']` is that member.
    pub(super) fn value_of_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        match self.kind(node) {
            Kind::TypeAnnotation | Kind::ParenthesizedType | Kind::ReadonlyType => {
                match node.named_child(0) {
                    Some(inner) => self.value_of_type(inner, depth + 1),
                    None => self.b.unknown(),
                }
            }
            Kind::TypePredicateAnnotation | Kind::AssertsAnnotation => self.b.expr(Expr::Builtin),
            Kind::TypeQuery => match node.named_child(0) {
                Some(inner) => self.expr_of(inner, depth + 1),
                None => self.b.unknown(),
            },
            Kind::LookupType => {
                let (Some(object), Some(index)) = (node.named_child(0), node.named_child(1)) else {
                    return self.b.unknown();
                };
                let key = index.named_child(0).and_then(|literal| self.literal(literal));
                let Some(key) = key else { return self.b.unknown() };
                let (base, key) = (self.value_of_type(object, depth + 1), self.b.intern(key));
                self.b.member(base, key)
            }
            Kind::ThisType => self.b.expr(Expr::This),
            Kind::FunctionType => match node.child_by_field_id(self.t.fields.return_type) {
                Some(returned) => {
                    let value = self.value_of_type(returned, depth + 1);
                    self.b.expr(Expr::Returns(value))
                }
                None => self.b.unknown(),
            },
            Kind::ConditionalType => self.agreed(node, depth, Self::value_of_type),
            Kind::IntersectionType if self.starts_with_this(node) => self.b.expr(Expr::This),
            _ => {
                let ty = self.type_expr(node, depth + 1);
                self.b.instance(ty)
            }
        }
    }

    /// The type a node names. `X | null` is `X`, `Readonly<X>` is `X`, `X[]` a collection of `X`.
    pub(super) fn type_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        match self.kind(node) {
            Kind::TypeIdentifier => {
                let name = self.b.name(node);
                match self.types.iter().rev().find(|(parameter, _)| *parameter == name) {
                    Some((_, bound)) => *bound,
                    None => self.b.expr(Expr::Name(name)),
                }
            }
            Kind::NestedType => {
                let f = &self.t.fields;
                let (module, name) = (node.child_by_field_id(f.module), node.child_by_field_id(f.name));
                let (Some(module), Some(name)) = (module, name) else { return self.b.unknown() };
                let (base, name) = (self.expr_of(module, depth + 1), self.b.name(name));
                self.b.expr(Expr::Member(base, name))
            }
            Kind::GenericType => self.generic_type(node, depth),
            Kind::ArrayType => match node.named_child(0) {
                Some(element) => {
                    let element = self.type_expr(element, depth + 1);
                    let builtin = self.b.expr(Expr::Builtin);
                    if element == builtin { builtin } else { self.b.expr(Expr::Apply(builtin, element)) }
                }
                None => self.b.unknown(),
            },
            Kind::UnionType => self.only_known(node, depth),
            Kind::IntersectionType => self.first_known(node, depth),
            Kind::TypeAnnotation | Kind::ParenthesizedType | Kind::ReadonlyType | Kind::OptionalType => {
                match node.named_child(0) {
                    Some(inner) => self.type_expr(inner, depth + 1),
                    None => self.b.unknown(),
                }
            }
            Kind::PredefinedType if matches!(self.b.text(node), "any" | "unknown" | "object") => {
                self.b.unknown()
            }
            Kind::PredefinedType | Kind::LiteralType | Kind::TemplateType | Kind::KeyofType => {
                self.b.expr(Expr::Builtin)
            }
            Kind::ThisType => self.b.expr(Expr::This),
            _ => self.b.unknown(),
        }
    }

    /// `A extends B ? X : Y` is known when `X` and `Y` are the same.
    fn agreed(
        &mut self,
        node: Node<'_>,
        depth: u32,
        read: impl Fn(&mut Self, Node<'_>, u32) -> ExprId,
    ) -> ExprId {
        let f = &self.t.fields;
        let sides = (node.child_by_field_id(f.consequence), node.child_by_field_id(f.alternative));
        let (Some(then), Some(otherwise)) = sides else { return self.b.unknown() };
        let (then, otherwise) = (read(self, then, depth + 1), read(self, otherwise, depth + 1));
        if then == otherwise { then } else { self.b.unknown() }
    }

    /// `this & X`.
    fn starts_with_this(&self, node: Node<'_>) -> bool {
        node.named_child(0).is_some_and(|first| self.kind(first) == Kind::ThisType)
    }

    /// The one part of a union that a repository may define; of several, which one a value is nobody knows.
    fn only_known(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut parts = Vec::new();
        let mut open = vec![node];
        while let Some(next) = open.pop() {
            let mut cursor = next.walk();
            for part in next.named_children(&mut cursor) {
                match self.kind(part) {
                    Kind::UnionType => open.push(part),
                    _ => parts.push(self.type_expr(part, depth + 1)),
                }
            }
        }
        let is_known = |part: &ExprId| {
            !matches!(self.b.file.exprs[part.0 as usize], Expr::Builtin | Expr::Unknown | Expr::Primitive(_))
        };
        let mut known = parts.iter().copied().filter(is_known);
        let first = known.next();
        match first {
            Some(first) if known.all(|part| part == first) => first,
            Some(_) => self.b.unknown(),
            None => parts.first().copied().unwrap_or_else(|| self.b.unknown()),
        }
    }

    /// The first part of an intersection that a repository may define, else whatever there is.
    fn first_known(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut cursor = node.walk();
        let mut found = None;
        for part in node.named_children(&mut cursor) {
            let part = self.type_expr(part, depth + 1);
            match self.b.file.exprs[part.0 as usize] {
                Expr::Builtin => found = found.or(Some(part)),
                Expr::Unknown => found = Some(part),
                _ => return part,
            }
        }
        found.unwrap_or_else(|| self.b.unknown())
    }

    fn generic_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let (name, arguments) = (node.child_by_field_id(f.name), node.child_by_field_id(f.type_arguments));
        let (Some(name), Some(arguments)) = (name, arguments) else { return self.b.unknown() };
        match self.b.text(name) {
            "Readonly" | "Partial" | "Required" | "NonNullable" | "Pick" | "Omit" | "Exclude" | "Extract"
            | "NoInfer" => match arguments.named_child(0) {
                Some(argument) => self.type_expr(argument, depth + 1),
                None => self.b.unknown(),
            },
            "ReturnType" | "Parameters" | "InstanceType" | "ConstructorParameters" | "Awaited" => {
                self.b.unknown()
            }
            _ => {
                let count = arguments.named_child_count();
                let base = self.type_expr(name, depth + 1);
                match count.checked_sub(1).and_then(|last| arguments.named_child(last as u32)) {
                    Some(argument) => {
                        let argument = self.type_expr(argument, depth + 1);
                        self.b.expr(Expr::Apply(base, argument))
                    }
                    None => base,
                }
            }
        }
    }
}
