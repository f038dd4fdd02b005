//! Types: what they name, and the references they make.

use super::{Kind, Rust};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, NameId, RefKind};
use tree_sitter::{Node, TreeCursor};

impl<'s> Rust<'s> {
    /// The type a node names. References and owning pointers are what they point to, with a mark; `impl Tr` and
    /// `dyn Tr` are `Tr`.
    pub(super) fn type_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::TypeIdentifier | Kind::Identifier => self.type_named(node),
            Kind::SelfValue => self.b.expr(Expr::This),
            Kind::ScopedType | Kind::ScopedIdentifier => self.path_of(node, depth + 1),
            Kind::GenericType => self.generic_type(node, depth),
            Kind::ReferenceType => {
                let ty = self.type_field(node, f.ty, depth);
                self.borrowed(ty, node)
            }
            Kind::PointerType => self.type_field(node, f.ty, depth),
            Kind::DynamicType | Kind::AbstractType => self.type_field(node, f.trait_name, depth),
            Kind::BoundedType => self.bound_of(node).unwrap_or_else(|| self.b.unknown()),
            Kind::BracketedType => match node.named_child(0) {
                Some(inner) => self.type_expr(inner, depth + 1),
                None => self.b.unknown(),
            },
            Kind::ArrayType => {
                let element = self.type_field(node, f.element, depth);
                let mut list = self.b.expr(Expr::Builtin);
                if node.child_by_field_id(f.length).is_some() {
                    list = self.marked(list, "[_]");
                }
                self.b.expr(Expr::Apply(list, element))
            }
            Kind::PrimitiveType => {
                let name = self.b.name(node);
                self.b.expr(Expr::Primitive(name))
            }
            Kind::UnitType => self.b.expr(Expr::Builtin),
            Kind::TupleType => {
                let mut cursor = node.walk();
                let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                let parts: Vec<ExprId> =
                    parts.into_iter().map(|part| self.type_expr(part, depth + 1)).collect();
                // `(dyn Trait + Send)`
                if let [only] = parts[..]
                    && !self.b.text(node).contains(',')
                {
                    return only;
                }
                let list = self.b.list(&parts);
                self.b.expr(Expr::Tuple(list))
            }
            Kind::QualifiedType => self.qualified_type(node, depth),
            Kind::FunctionType => self.function_type(node, depth),
            _ => self.b.unknown(),
        }
    }

    /// `Fn(A) -> B`, `fn(A) -> B`: what its parameters are, and what calling it gives.
    fn function_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let mut values = Vec::new();
        if let Some(parameters) = node.child_by_field_id(f.parameters) {
            let mut cursor = parameters.walk();
            let types: Vec<Node<'_>> = parameters.named_children(&mut cursor).collect();
            for ty in types {
                // A function pointer may name its parameters.
                let ty =
                    ty.child_by_field_id(f.ty).filter(|_| self.kind(ty) == Kind::Parameter).unwrap_or(ty);
                let ty = self.type_expr(ty, depth + 1);
                values.push(self.b.instance(ty));
            }
        }
        let result = self.type_field(node, f.return_type, depth);
        let result = self.b.instance(result);
        let parameters = self.b.list(&values);
        self.b.expr(Expr::Function(parameters, result))
    }

    /// `<X as Trait>`: what a type has of a trait. Of a type that is left open nothing is known but the trait.
    fn qualified_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let ty = self.type_field(node, f.ty, depth);
        let mut root = ty;
        while let Expr::Member(base, _) = self.b.form(root) {
            root = base;
        }
        match self.b.form(root) {
            Expr::Parameter(..) => self.type_field(node, f.alias, depth),
            _ => ty,
        }
    }

    /// The trait in `<X as Trait>`, which declares what is named behind it.
    pub(super) fn qualifying_trait(&mut self, path: Node<'_>) -> Option<ExprId> {
        let inner = if self.kind(path) == Kind::BracketedType { path.named_child(0)? } else { path };
        let alias = inner.child_by_field_id(self.t.fields.alias);
        let alias = alias.filter(|_| self.kind(inner) == Kind::QualifiedType)?;
        Some(self.type_expr(alias, 0))
    }

    fn type_field(&mut self, node: Node<'_>, field: u16, depth: u32) -> ExprId {
        match node.child_by_field_id(field) {
            Some(child) => self.type_expr(child, depth + 1),
            None => self.b.unknown(),
        }
    }

    fn type_named(&mut self, node: Node<'_>) -> ExprId {
        if self.b.text(node) == "Self" {
            return self.b.expr(Expr::This);
        }
        let name = self.b.name(node);
        match self.type_parameter(name) {
            Some(bound) => bound,
            None => self.b.expr(Expr::Name(name)),
        }
    }

    fn type_parameter(&self, name: NameId) -> Option<ExprId> {
        let mut all = self.outer_bounds.iter().chain(self.type_parameters.iter().rev());
        all.find(|(parameter, _)| *parameter == name).map(|(_, bound)| *bound)
    }

    fn generic_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let Some(base) = node.child_by_field_id(f.ty) else { return self.b.unknown() };
        let name = self.outside_name(self.b.text(base).rsplit("::").next().unwrap_or(""));
        let Some(arguments) = node.child_by_field_id(f.type_arguments) else {
            return self.type_expr(base, depth + 1);
        };
        let is_first = matches!(name, "Result" | "Poll" | "ControlFlow");
        let is_pointer = is_pointer(name) && !self.keeps_pointers;
        let arguments = self.argument_types(arguments, depth);
        let argument = if is_first { arguments.first() } else { arguments.last() };
        let Some(argument) = argument.copied() else { return self.type_expr(base, depth + 1) };
        if is_pointer {
            return self.marked(argument, "box");
        }
        let base = self.type_expr(base, depth + 1);
        self.b.apply(base, &arguments, argument)
    }

    /// What a type is called where it comes from: `use std::result::Result as StdResult`.
    fn outside_name<'n>(&'n self, name: &'n str) -> &'n str {
        let file = &self.b.file;
        let Some(id) = file.names.find(name) else { return name };
        let import = file.imports.iter().find(|import| import.binds == Some(id));
        import.and_then(|import| import.symbol).map_or(name, |symbol| file.names.get(symbol))
    }

    /// The types in a list of type arguments; what an associated type is bound to is one too.
    pub(super) fn argument_types(&mut self, list: Node<'_>, depth: u32) -> Vec<ExprId> {
        let mut cursor = list.walk();
        let nodes: Vec<Node<'_>> = list
            .named_children(&mut cursor)
            .filter(|child| {
                !matches!(
                    self.kind(*child),
                    Kind::Lifetime | Kind::LineComment | Kind::BlockComment | Kind::TraitBounds
                ) && !self.is_bounded(*child)
            })
            .collect();
        let types = nodes.into_iter().map(|node| match self.kind(node) {
            Kind::TypeBinding => self.type_field(node, self.t.fields.ty, depth),
            _ => self.type_expr(node, depth + 1),
        });
        types.collect()
    }

    /// The last name of a type, without arguments: what its impls are called after.
    pub(super) fn type_name(&self, node: Node<'_>) -> &'s str {
        let mut text = self.b.text(node).trim_start_matches(['&', '*', '(']).trim();
        while let Some((word, rest)) = text.split_once(' ')
            && (word.starts_with('\'') || matches!(word, "mut" | "dyn" | "const"))
        {
            text = rest.trim_start();
        }
        let text = text.split(['<', ' ', ')', '+', ';', ',']).next().unwrap_or(text);
        let name = text.rsplit("::").next().unwrap_or(text);
        if name.is_empty() { self.b.text(node) } else { name }
    }

    /// Records the bounds of type parameters and where clauses.
    pub(super) fn type_parameter_refs(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node
            .named_children(&mut cursor)
            .filter(|child| self.kind(*child) == Kind::TypeParameters || child.kind() == "where_clause")
            .collect();
        for part in parts {
            let mut cursor = part.walk();
            let parameters: Vec<Node<'_>> = part.named_children(&mut cursor).collect();
            for parameter in parameters {
                match self.kind(parameter) {
                    Kind::TypeParameter | Kind::WherePredicate | Kind::ConstParameter => {
                        self.visit_field(parameter, self.t.fields.left);
                        self.visit_field(parameter, self.t.fields.bounds);
                        self.visit_field(parameter, self.t.fields.ty);
                        self.visit_field(parameter, self.t.fields.default_type);
                    }
                    _ => {}
                }
            }
        }
    }

    /// `Iterator<Item = T>`: a use of the trait's type, and of what it is bound to.
    pub(super) fn type_binding(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let of =
            node.parent().and_then(|list| list.parent()).and_then(|generic| generic.child_by_field_id(f.ty));
        if let (Some(of), Some(name)) = (of, node.child_by_field_id(f.name)) {
            let base = self.type_expr(of, 0);
            self.b.reference(name, RefKind::Type, Some(base));
        }
        self.visit_field(node, f.ty);
    }

    pub(super) fn type_identifier(&mut self, node: Node<'_>) {
        if self.b.text(node) == "Self" {
            return;
        }
        if self.is_bounded(node) {
            let generic = node.parent().and_then(|list| list.parent());
            if let Some(of) = generic.and_then(|generic| generic.child_by_field_id(self.t.fields.ty)) {
                let base = self.type_expr(of, 0);
                return self.b.reference(node, RefKind::Type, Some(base));
            }
        }
        let name = self.b.name(node);
        if self.type_parameter(name).is_none() {
            self.b.reference(node, self.type_use, None);
        }
    }

    pub(super) fn trait_bounds(&mut self, cursor: &mut TreeCursor<'_>) {
        let outer = std::mem::replace(&mut self.type_use, RefKind::TraitBound);
        self.visit_children(cursor);
        self.type_use = outer;
    }

    /// The arguments of a bound are plain types.
    pub(super) fn type_arguments(&mut self, cursor: &mut TreeCursor<'_>) {
        let outer = std::mem::replace(&mut self.type_use, RefKind::Type);
        self.visit_children(cursor);
        self.type_use = outer;
    }

    /// `Iterator<Item: Bound>`: a name among type arguments that a bound stands behind is the trait's type.
    fn is_bounded(&self, argument: Node<'_>) -> bool {
        let next = argument.next_named_sibling();
        self.kind(argument) == Kind::TypeIdentifier
            && next.is_some_and(|next| self.kind(next) == Kind::TraitBounds)
            && argument.parent().is_some_and(|list| self.kind(list) == Kind::TypeArguments)
    }
}

/// Types of the standard library that are used like what they point to.
fn is_pointer(name: &str) -> bool {
    matches!(
        name,
        "Box"
            | "Future"
            | "BoxFuture"
            | "LocalBoxFuture"
            | "Rc"
            | "Arc"
            | "Pin"
            | "Cow"
            | "MutexGuard"
            | "RwLockReadGuard"
            | "RwLockWriteGuard"
            | "ManuallyDrop"
    )
}
