//! Interfaces, enums, aliases, namespaces, type parameters, and uses of types.

use super::{Kind, Outer, Script};
use crate::builder::{Def, Import, MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, ImportKind, RefKind, RelationKind, ScopeId, SymbolKind};
use tree_sitter::{Node, TreeCursor};

impl Script<'_> {
    pub(super) fn interface(&mut self, node: Node<'_>, outer: Outer<'_>) {
        let f = &self.t.fields;
        let Some(name_node) = node.child_by_field_id(f.name) else { return self.visit_children_of(node) };
        let body = node.child_by_field_id(f.body);
        let def = Def::new(outer.whole, name_node, SymbolKind::Interface)
            .signature_until(body)
            .exported(outer.exported);
        let scope = self.define(def, self.b.text(name_node));
        let types = self.types.len();
        self.b.enter(scope);
        if let Some(parameters) = node.child_by_field_id(f.type_parameters) {
            self.declare_type_parameters(parameters, scope);
            self.type_parameters(parameters);
        }
        self.b.leave();
        let own = self.b.name(name_node);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if self.kind(child) == Kind::ExtendsTypeClause {
                self.supertypes(child, RelationKind::Extends, scope, own);
            }
        }
        self.b.enter(scope);
        if let Some(body) = body {
            self.type_members(body, true);
            self.call_signatures(body, scope);
        }
        self.b.leave();
        self.types.truncate(types);
    }

    /// Gives a type that can be called what its call signatures take and give.
    fn call_signatures(&mut self, body: Node<'_>, scope: ScopeId) {
        let mut cursor = body.walk();
        let signatures: Vec<Node<'_>> = body
            .named_children(&mut cursor)
            .filter(|child| self.kind(*child) == Kind::CallSignature)
            .collect();
        let signatures: Vec<ExprId> =
            signatures.into_iter().map(|signature| self.function_type(signature, 0)).collect();
        let ty = match signatures.as_slice() {
            [] => return,
            [only] => *only,
            several => {
                let list = self.b.list(several);
                self.b.expr(Expr::Union(list))
            }
        };
        if let Some(index) = scope.symbol() {
            self.b.file.symbols[index].ty = Some(ty);
        }
    }

    pub(super) fn type_alias(&mut self, node: Node<'_>, outer: Outer<'_>) {
        let f = &self.t.fields;
        let (name_node, value) = (node.child_by_field_id(f.name), node.child_by_field_id(f.value));
        let (Some(name_node), Some(value)) = (name_node, value) else { return self.visit_children_of(node) };
        let types = self.types.len();
        let parameters = node.child_by_field_id(f.type_parameters);
        if let Some(parameters) = parameters {
            self.bind_type_parameters(parameters);
        }
        let is_object = self.kind(value) == Kind::ObjectType;
        self.aliases += 1;
        let aliased = (!is_object).then(|| self.type_expr(value, 0));
        self.aliases -= 1;
        let def = Def::new(outer.whole, name_node, SymbolKind::TypeAlias)
            .signature_until(is_object.then_some(value))
            .ty(aliased)
            .exported(outer.exported);
        let scope = self.define(def, self.b.text(name_node));
        self.b.enter(scope);
        if let Some(parameters) = parameters {
            self.declare_type_parameters(parameters, scope);
            self.type_parameters(parameters);
        }
        self.member_type(value, 0);
        if is_object {
            self.call_signatures(value, scope);
        }
        self.b.leave();
        self.types.truncate(types);
    }

    pub(super) fn enumeration(&mut self, node: Node<'_>, outer: Outer<'_>) {
        let f = &self.t.fields;
        let (name_node, body) = (node.child_by_field_id(f.name), node.child_by_field_id(f.body));
        let (Some(name_node), Some(body)) = (name_node, body) else { return self.visit_children_of(node) };
        let def = Def::new(outer.whole, name_node, SymbolKind::Enum)
            .signature_until(Some(body))
            .exported(outer.exported);
        let scope = self.define(def, self.b.text(name_node));
        self.b.enter(scope);
        let mut cursor = body.walk();
        for variant in body.named_children(&mut cursor) {
            if self.kind(variant) == Kind::Comment {
                continue;
            }
            let name_node = variant.child_by_field_id(f.name).unwrap_or(variant);
            let def = Def::new(variant, name_node, SymbolKind::Variant).signature_until(None).exported(true);
            let name = self.property_name(name_node);
            let scope = self.b.define_as(def, name, None);
            self.b.enter(scope);
            self.visit_field(variant, f.value);
            self.b.leave();
        }
        self.b.leave();
    }

    /// `namespace A.B {…}`, `declare module 'm' {…}`.
    pub(super) fn namespace(&mut self, node: Node<'_>, outer: Outer<'_>) {
        let f = &self.t.fields;
        let Some(name_node) = node.child_by_field_id(f.name) else { return self.visit_children_of(node) };
        let body = node.child_by_field_id(f.body);
        let def = Def::new(outer.whole, name_node, SymbolKind::Module)
            .signature_until(body)
            .exported(outer.exported);
        let scope = self.define(def, self.property_name(name_node));
        if let Some(body) = body {
            self.b.enter(scope);
            if let Some(module) = self.literal(name_node) {
                // What is declared here is added to that module, whose own names are in scope.
                self.reads_all(module, false, name_node);
            }
            self.visit_children_of(body);
            self.b.leave();
        }
    }

    /// `declare …`, `declare global {…}`.
    pub(super) fn ambient(&mut self, node: Node<'_>, outer: Outer<'_>) {
        let was_ambient = std::mem::replace(&mut self.is_ambient, true);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Block => self.global(node, child),
                _ if self.declare(child, Outer { whole: outer.whole, exported: true }) => {}
                _ => self.visit_node(child),
            }
        }
        self.is_ambient = was_ambient;
    }

    /// `declare global {…}`: what is declared in it is visible everywhere.
    fn global(&mut self, node: Node<'_>, block: Node<'_>) {
        let def = Def::new(node, node, SymbolKind::Module).signature_until(Some(block)).exported(true);
        let scope = self.define(def, "global");
        self.b.enter(scope);
        self.everywhere(block);
        self.visit_children_of(block);
        self.b.leave();
    }

    /// Marks the present scope as one whose names are visible everywhere: it hands all of them on to nobody in
    /// particular.
    pub(super) fn everywhere(&mut self, at: Node<'_>) {
        self.reads_all("", true, at);
    }

    fn reads_all(&mut self, module: &str, reexport: bool, at: Node<'_>) {
        let kind = ImportKind::Glob;
        self.b.import(Import { kind, module, symbol: None, binds: None, reexport, at });
    }

    /// `import A = B.C`: another name for a namespace, type or value. Where `B` is a module that the file imports, it is an import
    /// of `C` from there like any other.
    pub(super) fn import_alias(&mut self, node: Node<'_>, outer: Outer<'_>) {
        let (Some(name_node), Some(value)) = (node.named_child(0), node.named_child(1)) else { return };
        if let Some((object, property, module)) = self.member_of_module(value) {
            self.visit_node(object);
            let (symbol, binds) = (Some(self.b.text(property)), Some(self.b.text(name_node)));
            if outer.exported {
                self.reexport(ImportKind::Symbol, module, (symbol, binds), property);
            } else {
                self.import_row(ImportKind::Symbol, module, symbol, binds, property);
            }
            return;
        }
        let ty = self.expr_of(value, 0);
        let kind = if self.names_value(value) { SymbolKind::Const } else { SymbolKind::TypeAlias };
        let def = Def::new(outer.whole, name_node, kind)
            .signature_until(None)
            .ty(Some(ty))
            .exported(outer.exported);
        let scope = self.define(def, self.b.text(name_node));
        self.b.enter(scope);
        self.visit_node(value);
        self.b.leave();
    }

    // ── members of object types ─────────────────────────────────────────────────────────────────────

    /// Reads an object type; `is_named` says that its members are symbols.
    fn type_members(&mut self, body: Node<'_>, is_named: bool) {
        let outer = std::mem::replace(&mut self.is_named_type, is_named);
        self.visit_children_of(body);
        self.is_named_type = outer;
    }

    /// The type of a symbol: members of an object type written there are the symbol's own.
    pub(super) fn member_type(&mut self, node: Node<'_>, depth: u32) {
        match self.kind(node) {
            _ if depth > MAX_EXPR_DEPTH => self.visit_node(node),
            Kind::ObjectType => self.type_members(node, !self.b.in_frame()),
            Kind::TypeAnnotation
            | Kind::UnionType
            | Kind::IntersectionType
            | Kind::ParenthesizedType
            | Kind::ReadonlyType
            | Kind::ArrayType => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.member_type(child, depth + 1);
                }
            }
            _ => self.visit_node(node),
        }
    }

    fn property_signature(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (name_node, ty) = (node.child_by_field_id(f.name), node.child_by_field_id(f.ty));
        if let Some(name) = name_node.filter(|name| self.kind(*name) == Kind::ComputedName) {
            self.visit_children_of(name);
        }
        let Some(name_node) = name_node.filter(|_| self.is_named_type) else {
            return self.visit_field(node, f.ty);
        };
        let value = ty.and_then(|ty| self.declared_type(ty));
        let name = self.property_name(name_node);
        let def = Def::new(node, name_node, SymbolKind::Property).signature_until(None).ty(value);
        let scope = self.b.define_as(def.exported(true), name, None);
        if let Some(ty) = ty {
            self.b.enter(scope);
            self.member_type(ty, 0);
            self.b.leave();
        }
    }

    // ── uses of types ───────────────────────────────────────────────────────────────────────────────

    /// Nodes that stand only in types, and everything of no interest of its own.
    pub(super) fn visit_type(&mut self, cursor: &mut TreeCursor<'_>) {
        let node = cursor.node();
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::TypeIdentifier => self.type_name(node, RefKind::Type),
            Kind::NestedType => self.nested_type(node, RefKind::Type),
            Kind::PropertySignature => self.property_signature(node),
            Kind::FunctionType | Kind::ConstructorType | Kind::CallSignature | Kind::ConstructSignature => {
                let outer = std::mem::replace(&mut self.is_named_type, false);
                self.callable(node, None);
                self.is_named_type = outer;
            }
            Kind::ObjectType => self.type_members(node, false),
            Kind::RequiredParameter | Kind::OptionalParameter => self.visit_field(node, f.ty),
            Kind::IndexSignature => {
                let types = self.types.len();
                let mut children = node.walk();
                for child in node.named_children(&mut children) {
                    match self.kind(child) {
                        Kind::MappedType => self.visit_node(child),
                        Kind::Identifier => {}
                        _ => self.member_type(child, MAX_EXPR_DEPTH + 1),
                    }
                }
                self.types.truncate(types);
            }
            Kind::MappedType => {
                self.bind_type(node.child_by_field_id(f.name));
                self.visit_field(node, f.ty);
                self.visit_field(node, f.alias);
            }
            Kind::ConditionalType => {
                let types = self.types.len();
                self.visit_children(cursor);
                self.types.truncate(types);
            }
            Kind::InferType => {
                self.bind_type(node.named_child(0));
                if let Some(bound) = node.named_child(1) {
                    self.visit_node(bound);
                }
            }
            _ => self.visit_children(cursor),
        }
    }

    fn bind_type(&mut self, name: Option<Node<'_>>) {
        if let Some(name) = name {
            let (name, unknown) = (self.b.name(name), self.b.unknown());
            self.types.push((name, unknown));
        }
    }

    pub(super) fn type_parameters(&mut self, list: Node<'_>) {
        self.bind_type_parameters(list);
        let f = &self.t.fields;
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            let bound = parameter.child_by_field_id(f.constraint).and_then(|bound| bound.named_child(0));
            if let Some(bound) = bound {
                self.bound(bound, 0);
            }
            self.visit_field(parameter, f.value);
        }
    }

    /// A parameter that nothing stands for is its bound: what has type `T extends Shape` has the members of
    /// `Shape`. Without a bound it is its default, which is what stands for it where it is left out.
    pub(super) fn bind_type_parameters(&mut self, list: Node<'_>) -> Vec<ExprId> {
        let f = &self.t.fields;
        let mut cursor = list.walk();
        let mut all = Vec::new();
        for parameter in list.named_children(&mut cursor) {
            let Some(name) = parameter.child_by_field_id(f.name) else { continue };
            let bound = parameter.child_by_field_id(f.constraint);
            let bound = bound.or_else(|| parameter.child_by_field_id(f.value));
            let bound = match bound.and_then(|bound| bound.named_child(0)) {
                Some(bound) => self.type_expr(bound, 0),
                None => self.b.unknown(),
            };
            let name = self.b.name(name);
            let parameter = self.b.parameter(name, bound);
            self.types.push((name, parameter));
            all.push(parameter);
        }
        all
    }

    /// Gives a symbol the type parameters that it declares, and binds them.
    pub(super) fn declare_type_parameters(&mut self, list: Node<'_>, scope: ScopeId) {
        let parameters = self.bind_type_parameters(list);
        self.b.set_type_params(scope, &parameters);
    }

    fn bound(&mut self, node: Node<'_>, depth: u32) {
        match self.kind(node) {
            _ if depth > MAX_EXPR_DEPTH => self.visit_node(node),
            Kind::TypeIdentifier => self.type_name(node, RefKind::TraitBound),
            Kind::NestedType => self.nested_type(node, RefKind::TraitBound),
            Kind::GenericType => {
                if let Some(name) = node.child_by_field_id(self.t.fields.name) {
                    self.bound(name, depth + 1);
                }
                self.visit_field(node, self.t.fields.type_arguments);
            }
            Kind::UnionType | Kind::IntersectionType | Kind::ParenthesizedType => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.bound(child, depth + 1);
                }
            }
            _ => self.visit_node(node),
        }
    }

    /// A type by its plain name, unless it is a type parameter.
    fn type_name(&mut self, node: Node<'_>, kind: RefKind) {
        if self.import_in_type(node) {
            return;
        }
        let name = self.b.name(node);
        if !self.types.iter().any(|(parameter, _)| *parameter == name) {
            let own = self.hidden(name).unwrap_or(name);
            self.b.reference_to(node, own, kind, None);
        }
    }

    /// `ns.Type`.
    pub(super) fn nested_type(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        let (module, name) = (node.child_by_field_id(f.module), node.child_by_field_id(f.name));
        let (Some(module), Some(name)) = (module, name) else { return };
        let base = self.expr_of(module, 0);
        self.visit_node(module);
        self.b.reference(name, kind, Some(base));
    }
}
