//! Types: what they name, and the references they hold.

use super::{Kind, Kotlin, last_named_child};
use crate::builder::MAX_EXPR_DEPTH;
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl Kotlin<'_> {
    /// The type that a type node names. A type parameter is its bound; `T?` is `T`.
    pub(super) fn type_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        match self.kind(node) {
            Kind::UserType => self.user_type(node, depth),
            Kind::NullableType | Kind::NonNullableType | Kind::ParenthesizedType | Kind::TypeProjection => {
                let mut cursor = node.walk();
                let inner = node.named_children(&mut cursor).find(|child| self.is_type(*child));
                match inner {
                    Some(inner) => self.type_expr(inner, depth + 1),
                    None => self.b.unknown(),
                }
            }
            Kind::FunctionType => self.function_type(node, depth),
            _ => self.b.unknown(),
        }
    }

    /// `(A) -> R`, `T.(A) -> R`: the receiver is a parameter that the lambda does not name.
    fn function_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(list) = self.child_of(node, Kind::FunctionTypeParameters) else { return self.b.unknown() };
        let mut params = Vec::new();
        if let Some(receiver) = self.type_between(node, 0, list.start_byte()) {
            let receiver = self.type_expr(receiver, depth + 1);
            params.push(self.b.expr(Expr::Defaulted(receiver)));
        }
        let mut cursor = list.walk();
        let written: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        for parameter in written {
            let ty = if self.kind(parameter) == Kind::Parameter {
                self.type_in(parameter)
            } else {
                Some(parameter)
            };
            if let Some(ty) = ty.filter(|ty| self.is_type(*ty)) {
                params.push(self.type_expr(ty, depth + 1));
            }
        }
        let result = match self.type_between(node, list.end_byte(), usize::MAX) {
            Some(result) => self.type_expr(result, depth + 1),
            None => self.b.unknown(),
        };
        let (params, result) = (self.b.list(&params), self.b.instance(result));
        self.b.expr(Expr::Function(params, result))
    }

    pub(super) fn type_or_unknown(&mut self, ty: Option<Node<'_>>) -> ExprId {
        match ty {
            Some(ty) => self.type_expr(ty, 0),
            None => self.b.unknown(),
        }
    }

    /// `a.b.Foo<X, Y>`.
    fn user_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut found: Option<ExprId> = None;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match (self.kind(child), found) {
                (Kind::Identifier, None) => {
                    let name = self.name(child);
                    let is_builtin = is_builtin(self.b.text(child)) && self.b.local(name).is_none();
                    let expr = if is_builtin {
                        self.b.primitive(self.b.text(child))
                    } else {
                        self.b.name_expr(name)
                    };
                    found = Some(expr);
                }
                (Kind::Identifier, Some(scope)) => {
                    let name = self.name(child);
                    found = Some(self.b.member(scope, name));
                }
                (Kind::TypeArguments, Some(base)) => {
                    if let Some(argument) = last_named_child(child) {
                        let argument = self.type_expr(argument, depth + 1);
                        found = Some(self.b.expr(Expr::Apply(base, argument)));
                    }
                }
                _ => {}
            }
        }
        found.unwrap_or_else(|| self.b.unknown())
    }

    pub(super) fn is_type(&self, node: Node<'_>) -> bool {
        matches!(
            self.kind(node),
            Kind::UserType
                | Kind::NullableType
                | Kind::NonNullableType
                | Kind::ParenthesizedType
                | Kind::FunctionType
        )
    }

    /// The first type among the children that starts in `from..to`.
    pub(super) fn type_between<'t>(&self, node: Node<'t>, from: usize, to: usize) -> Option<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor)
            .find(|child| self.is_type(*child) && child.start_byte() >= from && child.start_byte() < to)
    }

    /// The type among the children.
    pub(super) fn type_in<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        self.type_between(node, 0, usize::MAX)
    }

    pub(super) fn array_of(&mut self, element: ExprId) -> ExprId {
        let array = self.b.expr(Expr::Builtin);
        self.b.expr(Expr::Apply(array, element))
    }

    /// A value of the type that `ty` names.
    pub(super) fn instance_of(&mut self, ty: Node<'_>) -> ExprId {
        let ty = self.type_expr(ty, 0);
        self.b.instance(ty)
    }

    /// Records the names a type uses: the type itself as `kind`, its arguments as types.
    pub(super) fn type_refs(&mut self, node: Node<'_>, kind: RefKind, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        match self.kind(node) {
            Kind::UserType => self.user_type_refs(node, kind, depth),
            Kind::TypeArguments | Kind::FunctionType => self.inner_refs(node, RefKind::Type, depth),
            Kind::Parameter => {
                if let Some(ty) = self.type_in(node) {
                    self.type_refs(ty, RefKind::Type, depth + 1);
                }
            }
            Kind::Annotation => self.annotation(node),
            _ => self.inner_refs(node, kind, depth),
        }
    }

    fn inner_refs(&mut self, node: Node<'_>, kind: RefKind, depth: u32) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.type_refs(child, kind, depth + 1);
        }
    }

    /// Package parts are not references: nothing defines a package.
    fn user_type_refs(&mut self, node: Node<'_>, kind: RefKind, depth: u32) {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        let last = parts.iter().rposition(|part| self.kind(*part) == Kind::Identifier);
        let mut base: Option<ExprId> = None;
        for (index, part) in parts.iter().enumerate() {
            if self.kind(*part) != Kind::Identifier {
                self.type_refs(*part, RefKind::Type, depth + 1);
                continue;
            }
            let is_last = Some(index) == last;
            let used = if is_last { kind } else { RefKind::Type };
            let name = self.name(*part);
            if is_last || self.b.text(*part).starts_with(char::is_uppercase) {
                match base {
                    Some(base) => self.reference(*part, used, Some(base)),
                    None => self.plain_reference(*part, used),
                }
            }
            base = Some(match base {
                Some(base) => self.b.member(base, name),
                None => self.b.name_expr(name),
            });
        }
    }

    /// Binds type parameters to their bounds, as locals of the open frame, and records the bounds.
    pub(super) fn type_parameters(&mut self, node: Node<'_>) {
        let Some(list) = self.child_of(node, Kind::TypeParameters) else { return };
        let unknown = self.b.unknown();
        let mut cursor = list.walk();
        let parameters: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        for parameter in &parameters {
            if let Some(name) = self.child_of(*parameter, Kind::Identifier) {
                self.bind(name, unknown);
            }
        }
        for parameter in parameters {
            self.type_bound(parameter);
        }
        let Some(constraints) = self.child_of(node, Kind::TypeConstraints) else { return };
        let mut cursor = constraints.walk();
        for constraint in constraints.named_children(&mut cursor) {
            self.type_bound(constraint);
        }
    }

    /// `T : Foo` in the list or behind `where`.
    fn type_bound(&mut self, node: Node<'_>) {
        let (name, ty) = (self.child_of(node, Kind::Identifier), self.type_in(node));
        let (Some(name), Some(ty)) = (name, ty) else { return };
        self.type_refs(ty, RefKind::TraitBound, 0);
        let (name, bound, unknown) = (self.name(name), self.type_expr(ty, 0), self.b.unknown());
        if self.b.local(name) == Some(unknown) {
            self.b.bind(name, bound); // the first bound counts
        }
    }
}

/// Types that every file knows and no repository defines.
fn is_builtin(name: &str) -> bool {
    matches!(
        name,
        "Int"
            | "Long"
            | "Short"
            | "Byte"
            | "Double"
            | "Float"
            | "Boolean"
            | "Char"
            | "String"
            | "Unit"
            | "Nothing"
            | "UInt"
            | "ULong"
            | "UByte"
            | "UShort"
    )
}
