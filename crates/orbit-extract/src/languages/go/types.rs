//! Type declarations with their fields and methods, type parameters, and types as expressions.

use super::defs::is_exported;
use super::{Go, Kind};
use crate::builder::{Def, MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, NameId, RefKind, RelationKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Go<'_> {
    pub(super) fn type_declaration(&mut self, node: Node<'_>) {
        let grouped = node.child(1).is_some_and(|child| !child.is_named());
        let mut cursor = node.walk();
        for spec in node.named_children(&mut cursor) {
            if matches!(self.kind(spec), Kind::TypeSpec | Kind::TypeAlias) {
                self.type_spec(spec, if grouped { spec } else { node });
            }
        }
    }

    fn type_spec(&mut self, spec: Node<'_>, whole: Node<'_>) {
        let f = &self.t.fields;
        let (name_node, ty) = (spec.child_by_field_id(f.name), spec.child_by_field_id(f.ty));
        let (Some(name_node), Some(ty)) = (name_node, ty) else { return self.visit_children_of(spec) };
        let (kind, body) = match self.kind(ty) {
            Kind::StructType => (SymbolKind::Struct, ty.named_child(0)),
            Kind::InterfaceType => (SymbolKind::Interface, ty.child(1)),
            _ => (SymbolKind::TypeAlias, None),
        };
        self.b.push_frame();
        let parameters = spec.child_by_field_id(f.type_parameters);
        if let Some(parameters) = parameters {
            self.bind_type_parameters(parameters);
        }
        let aliased = (kind == SymbolKind::TypeAlias).then(|| self.type_expr(ty, 0));
        let name = self.b.text(name_node);
        let is_file_level = self.b.scope() == ScopeId::FILE;
        if !is_file_level {
            self.hold_path(name);
        }
        let def = Def::new(whole, name_node, kind)
            .signature_until(body)
            .ty(aliased)
            .exported(is_exported(name) && is_file_level);
        let scope = self.b.define(def);
        let own = self.b.name(name_node);
        if is_file_level {
            self.types.insert(own, scope);
        }
        let numbered = self.lookup_name(scope).filter(|_| !is_file_level);
        self.b.enter(scope);
        if let Some(parameters) = parameters {
            self.type_parameters(parameters);
        }
        match kind {
            SymbolKind::Struct => self.fields(ty, Some((scope, own))),
            SymbolKind::Interface => self.interface(ty, Some((scope, own))),
            _ => self.visit_node(ty),
        }
        self.b.leave();
        self.b.pop_frame();
        if let Some(numbered) = numbered {
            let numbered = self.b.expr(Expr::Name(numbered));
            self.b.bind(own, numbered);
        }
    }

    /// The fields of a struct; `owner` is `None` for a struct written in place.
    pub(super) fn fields(&mut self, struct_type: Node<'_>, owner: Option<(ScopeId, NameId)>) {
        let Some(list) = struct_type.named_child(0) else { return };
        if let Some((_, name)) = owner {
            let name = self.b.file.names.get(name).to_owned();
            self.settings.open(&name, Some(String::new()));
        }
        let mut cursor = list.walk();
        for field in list.named_children(&mut cursor) {
            match self.kind(field) {
                Kind::FieldDeclaration => self.field_declaration(field, owner),
                _ => self.visit_node(field),
            }
        }
    }

    fn field_declaration(&mut self, field: Node<'_>, owner: Option<(ScopeId, NameId)>) {
        let Some(ty) = field.child_by_field_id(self.t.fields.ty) else {
            return self.visit_children_of(field);
        };
        let type_expr = self.type_expr(ty, 0);
        let value = self.b.instance(type_expr);
        let mut cursor = field.walk();
        let names: Vec<Node<'_>> =
            field.named_children(&mut cursor).take_while(|child| child.id() != ty.id()).collect();
        let mut first = None;
        for name_node in names {
            if self.kind(name_node) == Kind::Comment {
                continue;
            }
            let scope = self.field(field, name_node, value);
            first.get_or_insert(scope);
        }
        if let (None, Some((owner, own))) = (first, owner) {
            self.embedded(field, ty, owner, own);
        } else if first.is_none() {
            self.embedded_field(field, ty);
            self.visit_node(ty);
        }
        if let Some(scope) = first {
            self.b.enter(scope);
            self.visit_node(ty);
            self.b.leave();
        }
        if let Some(tag) = last_named_child(field).filter(|tag| tag.id() != ty.id()) {
            self.settings_field(field, ty, tag);
            self.visit_node(tag);
        }
    }

    fn field(&mut self, field: Node<'_>, name_node: Node<'_>, value: ExprId) -> ScopeId {
        let exported = is_exported(self.b.text(name_node));
        let def = Def::new(field, name_node, SymbolKind::Field)
            .signature_until(None)
            .ty(Some(value))
            .exported(exported);
        self.b.define(def)
    }

    /// `*Base`, `pkg.Base`: a field of the type's name whose members are the struct's own.
    fn embedded(&mut self, field: Node<'_>, ty: Node<'_>, owner: ScopeId, own: NameId) {
        let to = self.embedded_field(field, ty);
        let own = self.b.expr(Expr::Name(own));
        self.b.relation(RelationKind::Extends, owner, own, to, ty);
        self.visit_node(ty);
    }

    fn embedded_field(&mut self, field: Node<'_>, ty: Node<'_>) -> ExprId {
        let to = self.type_expr(ty, 0);
        let value = self.b.instance(to);
        if let Some(name_node) = self.type_head(ty) {
            self.field(field, name_node, value);
        }
        to
    }

    /// The identifier that names a type: `Base` in `pkg.Base[T]`.
    pub(super) fn type_head<'t>(&self, mut ty: Node<'t>) -> Option<Node<'t>> {
        loop {
            ty = match self.kind(ty) {
                Kind::TypeIdentifier => return Some(ty),
                Kind::QualifiedType => ty.child_by_field_id(self.t.fields.name)?,
                Kind::GenericType => ty.child_by_field_id(self.t.fields.ty)?,
                Kind::PointerType | Kind::ParenthesizedType => ty.named_child(0)?,
                _ => return None,
            };
        }
    }

    /// The methods of an interface; `owner` is `None` for one written in place.
    pub(super) fn interface(&mut self, ty: Node<'_>, owner: Option<(ScopeId, NameId)>) {
        let mut cursor = ty.walk();
        for element in ty.named_children(&mut cursor) {
            match self.kind(element) {
                Kind::MethodElem => self.interface_method(element),
                Kind::TypeElem => {
                    if let (Some((owner, own)), Some(embedded)) = (owner, self.embedded_interface(element)) {
                        let to = self.type_expr(embedded, 0);
                        if !matches!(self.b.file.exprs[to.0 as usize], Expr::Builtin | Expr::Unknown) {
                            let own = self.b.expr(Expr::Name(own));
                            self.b.relation(RelationKind::Extends, owner, own, to, embedded);
                        }
                    }
                    self.visit_node(element);
                }
                _ => {}
            }
        }
    }

    /// The type that an element of an interface embeds; a union embeds none.
    pub(super) fn embedded_interface<'t>(&self, element: Node<'t>) -> Option<Node<'t>> {
        let embedded = (element.named_child_count() == 1).then(|| element.named_child(0)).flatten();
        embedded.filter(|embedded| self.type_head(*embedded).is_some())
    }

    fn interface_method(&mut self, node: Node<'_>) {
        let Some(name_node) = node.child_by_field_id(self.t.fields.name) else { return };
        let ty = self.result_type(node);
        let exported = is_exported(self.b.text(name_node));
        let def =
            Def::new(node, name_node, SymbolKind::Method).signature_until(None).ty(ty).exported(exported);
        let scope = self.b.define(def);
        self.b.enter(scope);
        self.func_literal(node);
        self.b.leave();
    }

    // ── uses of types ───────────────────────────────────────────────────────────────────────────────

    /// A type by its plain name. The predeclared ones belong to no repository.
    pub(super) fn type_name(&mut self, node: Node<'_>, kind: RefKind) {
        if !is_predeclared_type(self.b.text(node)) {
            self.plain(node, kind);
        }
    }

    /// `pkg.Type`.
    pub(super) fn qualified_type(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        let (Some(package), Some(name)) = (node.child_by_field_id(f.package), node.child_by_field_id(f.name))
        else {
            return;
        };
        let base = self.b.name(package);
        let base = self.b.name_expr(base);
        self.plain(package, RefKind::Value);
        self.b.reference(name, kind, Some(base));
    }

    /// The type a node names; pointers are what they point to.
    pub(super) fn type_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::TypeIdentifier => self.named_type(node),
            Kind::QualifiedType => {
                let (package, name) = (node.child_by_field_id(f.package), node.child_by_field_id(f.name));
                let (Some(package), Some(name)) = (package, name) else { return self.b.unknown() };
                let (package, name) = (self.b.name(package), self.b.name(name));
                let base = self.b.expr(Expr::Name(package));
                self.b.expr(Expr::Member(base, name))
            }
            Kind::GenericType => {
                let base = node.child_by_field_id(f.ty).map(|base| self.type_expr(base, depth + 1));
                let arguments = node.child_by_field_id(f.type_arguments);
                let arguments = arguments.map(|list| self.type_list(list, depth)).unwrap_or_default();
                match (base, arguments.last()) {
                    (Some(base), Some(last)) => self.b.apply(base, &arguments, *last),
                    _ => self.b.unknown(),
                }
            }
            // A union has the methods of none of its parts.
            Kind::TypeElem | Kind::TypeConstraint if node.named_child_count() > 1 => self.b.unknown(),
            Kind::PointerType
            | Kind::ParenthesizedType
            | Kind::NegatedType
            | Kind::TypeElem
            | Kind::TypeConstraint => match node.named_child(0) {
                Some(inner) => self.type_expr(inner, depth + 1),
                None => self.b.unknown(),
            },
            Kind::SliceType | Kind::ArrayType | Kind::ImplicitArrayType => {
                let Some(element) = node.child_by_field_id(f.element) else { return self.b.unknown() };
                let element = self.type_expr(element, depth + 1);
                self.slice_of(element)
            }
            Kind::MapType => {
                let (key, value) = (node.child_by_field_id(f.key), node.child_by_field_id(f.value));
                let (Some(key), Some(value)) = (key, value) else { return self.b.unknown() };
                let (key, value) = (self.type_expr(key, depth + 1), self.type_expr(value, depth + 1));
                self.keyed(key, value)
            }
            Kind::ChannelType => {
                let Some(value) = node.child_by_field_id(f.value) else { return self.b.unknown() };
                let value = self.type_expr(value, depth + 1);
                let builtin = self.b.expr(Expr::Builtin);
                if value == builtin { builtin } else { self.b.expr(Expr::Apply(builtin, value)) }
            }
            Kind::FunctionType => self.function_expr(node, depth),
            Kind::StructType | Kind::InterfaceType => self.anonymous_type(node, depth),
            _ => self.b.unknown(),
        }
    }

    /// The types of a list of type arguments.
    pub(super) fn type_list(&mut self, list: Node<'_>, depth: u32) -> Vec<ExprId> {
        let mut cursor = list.walk();
        let types: Vec<Node<'_>> =
            list.named_children(&mut cursor).filter(|ty| self.kind(*ty) != Kind::Comment).collect();
        types.into_iter().map(|ty| self.type_expr(ty, depth + 1)).collect()
    }

    pub(super) fn named_type(&mut self, node: Node<'_>) -> ExprId {
        let text = self.b.text(node);
        if matches!(text, "any" | "comparable") {
            return self.b.unknown();
        }
        if is_predeclared_type(text) {
            return self.b.expr(Expr::Builtin);
        }
        let name = self.b.name(node);
        // Of what is bound in a function, only type parameters are types.
        let is_parameter =
            |value: &ExprId| matches!(self.b.file.exprs[value.0 as usize], Expr::Parameter(..));
        if let Some(parameter) = self.b.local(name).filter(is_parameter) {
            return parameter;
        }
        let name = self.numbered(name).unwrap_or(name);
        self.b.expr(Expr::Name(name))
    }

    /// A slice or array: what it holds is kept under numbers.
    pub(super) fn slice_of(&mut self, element: ExprId) -> ExprId {
        let builtin = self.b.expr(Expr::Builtin);
        self.keyed(builtin, element)
    }

    /// What keeps `value` under `key`. A channel has no keys.
    fn keyed(&mut self, key: ExprId, value: ExprId) -> ExprId {
        let builtin = self.b.expr(Expr::Builtin);
        if key == builtin && value == builtin { builtin } else { self.b.apply(builtin, &[key, value], value) }
    }
}

pub(super) fn is_predeclared_type(name: &str) -> bool {
    matches!(
        name,
        "any"
            | "bool"
            | "byte"
            | "comparable"
            | "complex64"
            | "complex128"
            | "error"
            | "float32"
            | "float64"
            | "int"
            | "int8"
            | "int16"
            | "int32"
            | "int64"
            | "rune"
            | "string"
            | "uint"
            | "uint8"
            | "uint16"
            | "uint32"
            | "uint64"
            | "uintptr"
    )
}

pub(super) fn last_named_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(node.named_child_count().checked_sub(1)? as u32)
}
