//! Types as expressions.

use super::{DocId, Kind, Script};
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
            Kind::FunctionType => self.function_type(node, depth + 1),
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
                let name = self.imported_name(node).unwrap_or_else(|| self.b.name(node));
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
            Kind::UnionType => self.union_type(node, depth),
            Kind::IntersectionType => self.intersection_type(node, depth),
            Kind::ConditionalType => self.conditional_type(node, depth),
            Kind::FunctionType => self.function_type(node, depth),
            Kind::TupleType => {
                let mut cursor = node.walk();
                let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                let parts: Vec<ExprId> = parts.into_iter().map(|part| self.tuple_part(part, depth)).collect();
                let list = self.b.list(&parts);
                self.b.expr(Expr::Tuple(list))
            }
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
            Kind::TypeQuery => self.type_query(node, depth),
            Kind::ThisType => self.b.expr(Expr::This),
            Kind::ObjectType if self.aliases == 0 => self.object_type(node, depth),
            _ => self.b.unknown(),
        }
    }

    /// `typeof x`, as a type.
    fn type_query(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(named) = node.named_child(0) else { return self.b.unknown() };
        let named = self.expr_of(named, depth + 1);
        self.b.expr(Expr::Class(named))
    }

    /// `A extends B ? X : Y` is `X` or `Y`; in `X` a parameter `A` is known to be a `B`.
    fn conditional_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let sides = (node.child_by_field_id(f.consequence), node.child_by_field_id(f.alternative));
        let (Some(then), Some(otherwise)) = sides else { return self.b.unknown() };
        let types = self.types.len();
        if let (Some(checked), Some(bound)) =
            (node.child_by_field_id(f.left), node.child_by_field_id(f.right))
        {
            let (checked, bound) = (self.only_part(checked), self.only_part(bound));
            if self.kind(checked) == Kind::TypeIdentifier {
                let bound = self.type_expr(bound, depth + 1);
                let name = self.b.name(checked);
                self.types.push((name, bound));
            }
        }
        let then = self.type_expr(then, depth + 1);
        self.types.truncate(types);
        let otherwise = self.type_expr(otherwise, depth + 1);
        self.one_of(&[then, otherwise])
    }

    /// The type in a tuple of one: `[T] extends [U]` asks what `T extends U` does.
    fn only_part<'t>(&self, node: Node<'t>) -> Node<'t> {
        match (self.kind(node), node.named_child_count(), node.named_child(0)) {
            (Kind::TupleType, 1, Some(part)) => part,
            _ => node,
        }
    }

    fn tuple_part(&mut self, part: Node<'_>, depth: u32) -> ExprId {
        match part.child_by_field_id(self.t.fields.ty) {
            // `[name: Type]`.
            Some(ty) => self.type_expr(ty, depth + 1),
            None => self.type_expr(part, depth + 1),
        }
    }

    /// A function type, or a call signature: what it takes and gives.
    pub(super) fn function_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let types = self.types.len();
        if let Some(parameters) = node.child_by_field_id(f.type_parameters) {
            self.bind_type_parameters(parameters);
        }
        let params = self.declared_parameters(node, None, depth + 1);
        let result = match node.child_by_field_id(f.return_type) {
            Some(returned) => self.value_of_type(returned, depth + 1),
            None => self.b.unknown(),
        };
        self.types.truncate(types);
        let params = self.b.list(&params);
        self.b.expr(Expr::Function(params, result))
    }

    /// What the parameters of a function are declared or documented to be, `this` aside.
    pub(super) fn declared_parameters(
        &mut self,
        node: Node<'_>,
        doc: Option<DocId>,
        depth: u32,
    ) -> Vec<ExprId> {
        let f = &self.t.fields;
        let Some(list) = node.child_by_field_id(f.parameters) else { return Vec::new() };
        let mut cursor = list.walk();
        let mut types = Vec::new();
        let mut at = 0;
        for parameter in list.named_children(&mut cursor) {
            let pattern = parameter.child_by_field_id(f.pattern).unwrap_or(parameter);
            if matches!(self.kind(parameter), Kind::Comment) || self.kind(pattern) == Kind::This {
                continue;
            }
            let value = match parameter.child_by_field_id(f.ty) {
                Some(ty) => self.value_of_type(ty, depth + 1),
                None => self.documented_parameter(doc, parameter, at).unwrap_or_else(|| self.b.unknown()),
            };
            at += 1;
            let is_optional =
                matches!(self.kind(parameter), Kind::OptionalParameter | Kind::AssignmentPattern)
                    || parameter.child_by_field_id(f.value).is_some();
            types.push(match self.kind(pattern) {
                Kind::RestPattern => self.b.expr(Expr::Rest(value)),
                _ if is_optional => self.b.expr(Expr::Defaulted(value)),
                _ => value,
            });
        }
        types
    }

    /// `this & X`.
    fn starts_with_this(&self, node: Node<'_>) -> bool {
        node.named_child(0).is_some_and(|first| self.kind(first) == Kind::ThisType)
    }

    /// The parts of a union that a repository may define.
    fn union_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut parts = Vec::new();
        let mut open = vec![node];
        while let Some(next) = open.pop() {
            let mut cursor = next.walk();
            for part in next.named_children(&mut cursor) {
                match self.kind(part) {
                    Kind::UnionType => open.push(part),
                    Kind::Comment => {}
                    _ => parts.push(self.type_expr(part, depth + 1)),
                }
            }
        }
        self.one_of(&parts)
    }

    /// One of several types: of those that a repository may define, if there are any.
    fn one_of(&mut self, parts: &[ExprId]) -> ExprId {
        let mut known: Vec<ExprId> = Vec::new();
        for part in parts {
            let is_known = !matches!(
                self.b.file.exprs[part.0 as usize],
                Expr::Builtin | Expr::Unknown | Expr::Primitive(_)
            );
            if is_known && !known.contains(part) {
                known.push(*part);
            }
        }
        // Which of several a value is, is told by members that only some of them have: a type with a name stands for all.
        let is_shape = |part: &ExprId| matches!(self.b.file.exprs[part.0 as usize], Expr::Shape(_));
        if !known.iter().all(is_shape) {
            known.retain(|part| !is_shape(part));
        }
        match known.as_slice() {
            [] => parts.first().copied().unwrap_or_else(|| self.b.unknown()),
            [only] => *only,
            _ => {
                let list = self.b.list(&known);
                self.b.expr(Expr::Union(list))
            }
        }
    }

    /// The parts of an intersection that a repository may define, else whatever there is.
    fn intersection_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut cursor = node.walk();
        let mut known = Vec::new();
        let mut found = None;
        for part in node.named_children(&mut cursor) {
            if self.kind(part) == Kind::Comment {
                continue;
            }
            let part = self.type_expr(part, depth + 1);
            match self.b.file.exprs[part.0 as usize] {
                Expr::Builtin => found = found.or(Some(part)),
                Expr::Unknown => found = Some(part),
                _ => known.push(part),
            }
        }
        match known.as_slice() {
            [] => found.unwrap_or_else(|| self.b.unknown()),
            [only] => *only,
            _ => {
                let list = self.b.list(&known);
                self.b.expr(Expr::Intersection(list))
            }
        }
    }

    fn generic_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let (name, arguments) = (node.child_by_field_id(f.name), node.child_by_field_id(f.type_arguments));
        let (Some(name), Some(arguments)) = (name, arguments) else { return self.b.unknown() };
        self.applied_type(name, arguments, depth)
    }

    /// A generic type, or the class of a `new` expression, with its arguments.
    pub(super) fn applied_type(&mut self, name: Node<'_>, arguments: Node<'_>, depth: u32) -> ExprId {
        match self.b.text(name) {
            "Readonly" | "Partial" | "Required" | "NonNullable" | "Pick" | "Omit" | "Exclude" | "Extract"
            | "NoInfer" => match arguments.named_child(0) {
                Some(argument) => self.type_expr(argument, depth + 1),
                None => self.b.unknown(),
            },
            "Map" | "ReadonlyMap" | "WeakMap" if arguments.named_child_count() == 2 => {
                self.map_type(arguments, depth)
            }
            "ReturnType" | "InstanceType" | "Awaited" => match arguments.named_child(0) {
                Some(argument) => self.derived_type(self.b.text(name), argument, depth),
                None => self.b.unknown(),
            },
            "Parameters" | "ConstructorParameters" => self.b.unknown(),
            _ => {
                let base = match self.kind(name) {
                    Kind::TypeIdentifier | Kind::NestedType => self.type_expr(name, depth + 1),
                    _ => self.expr_of(name, depth + 1),
                };
                let arguments = self.type_arguments(arguments, depth);
                match arguments.last() {
                    Some(element) => self.b.apply(base, &arguments, *element),
                    None => base,
                }
            }
        }
    }

    /// What a function gives, what a class makes, what a promise holds.
    fn derived_type(&mut self, what: &str, argument: Node<'_>, depth: u32) -> ExprId {
        let value = self.value_of_type(argument, depth + 1);
        match what {
            "ReturnType" => self.b.call(value),
            "Awaited" => self.b.element(value),
            _ if self.kind(argument) == Kind::TypeQuery => value,
            _ => self.b.call(value),
        }
    }

    /// The types in a list of type arguments.
    pub(super) fn type_arguments(&mut self, list: Node<'_>, depth: u32) -> Vec<ExprId> {
        let mut cursor = list.walk();
        let arguments: Vec<Node<'_>> =
            list.named_children(&mut cursor).filter(|child| self.kind(*child) != Kind::Comment).collect();
        arguments.into_iter().map(|argument| self.type_expr(argument, depth + 1)).collect()
    }

    /// A map holds pairs: that is what going through it yields.
    fn map_type(&mut self, arguments: Node<'_>, depth: u32) -> ExprId {
        let (Some(key), Some(value)) = (arguments.named_child(0), arguments.named_child(1)) else {
            return self.b.unknown();
        };
        let pair = [self.type_expr(key, depth + 1), self.type_expr(value, depth + 1)];
        let list = self.b.list(&pair);
        let (builtin, element) = (self.b.expr(Expr::Builtin), self.b.expr(Expr::Tuple(list)));
        self.b.apply(builtin, &pair, element)
    }
}
