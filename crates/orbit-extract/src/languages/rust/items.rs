//! Items: functions, types and their members, impls, modules, constants.

use super::attributes::{is_test_attribute, makes_macro, path_attribute};
use super::exprs::last_expression;
use super::{Kind, Rust};
use crate::builder::{Def, Import, Walk};
use crate::text::one_line;
use crate::{Expr, ExprId, ImportKind, RelationKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Rust<'_> {
    /// Handles an item; `false` when the node is none.
    pub(super) fn item(&mut self, node: Node<'_>, kind: Kind) -> bool {
        match kind {
            Kind::Function | Kind::FunctionSignature => self.function(node),
            Kind::Struct => self.data_type(node, SymbolKind::Struct),
            Kind::Union => self.data_type(node, SymbolKind::Union),
            Kind::Enum => self.data_type(node, SymbolKind::Enum),
            Kind::Variant => self.variant(node),
            Kind::Field => self.field(node),
            Kind::OrderedFields => self.ordered_fields(node),
            Kind::Trait => self.trait_item(node),
            Kind::Impl => self.impl_item(node),
            Kind::Mod => self.module(node),
            Kind::Const => self.constant(node, SymbolKind::Const),
            Kind::Static => self.constant(node, SymbolKind::Static),
            Kind::TypeItem | Kind::AssociatedType => self.type_item(node),
            Kind::MacroDefinition => self.macro_definition(node),
            Kind::Use => self.use_declaration(node),
            Kind::ExternCrate => self.extern_crate(node),
            _ => return false,
        }
        true
    }

    fn is_pub(&self, node: Node<'_>) -> bool {
        let first = node.named_child(0);
        first.is_some_and(|child| self.kind(child) == Kind::Visibility)
    }

    fn function(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name_node) = node.child_by_field_id(f.name) else { return };
        let owner = self.b.enclosing().next().map(|symbol| symbol.kind);
        let kind = match owner {
            _ if self.attributes.iter().any(|attribute| is_test_attribute(attribute)) => SymbolKind::Test,
            None if self.attributes.iter().any(|attribute| makes_macro(attribute)) => SymbolKind::Macro,
            Some(SymbolKind::Impl | SymbolKind::Trait) => SymbolKind::Method,
            _ => SymbolKind::Function,
        };
        let body = node.child_by_field_id(f.body);
        let outer = self.outer_bounds.len();
        let mark = self.open_type_parameters(node);
        let ty = node.child_by_field_id(f.return_type).map(|ty| {
            let ty = self.type_expr(ty, 0);
            self.b.instance(ty)
        });
        let exported = self.is_pub(node) || owner == Some(SymbolKind::Trait);
        let scope =
            self.b.define(Def::new(node, name_node, kind).signature_until(body).ty(ty).exported(exported));
        if let (None, Some(index)) = (body, scope.symbol()) {
            self.b.file.symbols[index].bodiless = true;
        }
        self.keep_type_parameters(scope, mark);
        self.keep_outer_bounds(scope, outer);
        let parameters = node.child_by_field_id(f.parameters);
        let outer_self = self.open_self(scope, parameters);
        self.attributes.clear();
        self.b.enter(scope);
        self.b.push_frame();
        self.type_parameter_refs(node);
        if let Some(parameters) = parameters {
            self.parameters(parameters, scope);
        }
        self.visit_field(node, f.return_type);
        if let Some(body) = body {
            if let (Some(ty), Some(last)) = (ty, last_expression(body)) {
                self.expect(last, |_| ty);
            }
            self.visit_node(body);
        }
        self.self_mark = outer_self;
        self.b.pop_frame();
        self.b.leave();
        self.type_parameters.truncate(mark);
        self.outer_bounds.truncate(outer);
    }

    fn keep_outer_bounds(&mut self, function: ScopeId, first: usize) {
        let bounds: Vec<ExprId> = self.outer_bounds[first..].iter().map(|(_, bound)| *bound).collect();
        if let (false, Some(index)) = (bounds.is_empty(), function.symbol()) {
            self.b.file.symbols[index].receiver = Some(self.b.list(&bounds));
        }
    }

    fn parameters(&mut self, parameters: Node<'_>, function: ScopeId) {
        let mut types = Vec::new();
        let mut cursor = parameters.walk();
        for parameter in parameters.named_children(&mut cursor) {
            if self.kind(parameter) != Kind::Parameter {
                self.visit_field(parameter, self.t.fields.ty);
                continue;
            }
            let value = match parameter.child_by_field_id(self.t.fields.ty) {
                Some(ty) => {
                    self.visit_node(ty);
                    let ty = self.type_expr(ty, 0);
                    let value = self.b.instance(ty);
                    types.push(value);
                    value
                }
                None => self.b.unknown(),
            };
            if let Some(pattern) = parameter.child_by_field_id(self.t.fields.pattern) {
                self.bind_pattern(pattern, value, 0);
            }
        }
        // Arguments tell what type parameters stand for; closures and calls of traits are told what is expected.
        self.b.set_params(function, &types);
    }

    fn data_type(&mut self, node: Node<'_>, kind: SymbolKind) {
        let f = &self.t.fields;
        let Some(name_node) = node.child_by_field_id(f.name) else { return };
        let body = node.child_by_field_id(f.body);
        let signature_end =
            if kind == SymbolKind::Struct && body.is_some_and(|b| self.kind(b) == Kind::OrderedFields) {
                None
            } else {
                body
            };
        let def = Def::new(node, name_node, kind).signature_until(signature_end).exported(self.is_pub(node));
        let scope = self.b.define(def);
        let mark = self.open_type_parameters(node);
        self.keep_type_parameters(scope, mark);
        self.clap_type(node, name_node, scope);
        self.settings_type(name_node);
        self.derived_traits(scope, name_node);
        self.projections_of(name_node);
        self.attributes.clear();
        self.b.enter(scope);
        self.type_parameter_refs(node);
        if let Some(body) = body {
            if self.kind(body) == Kind::OrderedFields {
                self.ordered_fields(body);
            } else {
                self.visit_children_of(body);
            }
        }
        self.b.leave();
        self.type_parameters.truncate(mark);
    }

    fn variant(&mut self, node: Node<'_>) {
        let Some(name_node) = node.child_by_field_id(self.t.fields.name) else { return };
        let own = self.b.scope().symbol().map(|index| self.b.file.symbols[index].name);
        let ty = own.map(|own| {
            let own = self.b.expr(Expr::Name(own));
            self.b.instance(own)
        });
        let scope = self.b.define(
            Def::new(node, name_node, SymbolKind::Variant).signature_until(None).ty(ty).exported(true),
        );
        self.clap_variant(node, name_node);
        self.attributes.clear();
        self.b.enter(scope);
        if let Some(body) = node.child_by_field_id(self.t.fields.body) {
            if self.kind(body) == Kind::OrderedFields {
                self.ordered_fields(body);
            } else {
                self.visit_children_of(body);
            }
        }
        self.visit_field(node, self.t.fields.value);
        self.b.leave();
    }

    fn field(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (Some(name_node), Some(ty)) = (node.child_by_field_id(f.name), node.child_by_field_id(f.ty))
        else {
            return;
        };
        let expr = self.type_expr(ty, 0);
        let value = self.b.instance(expr);
        let def = Def::new(node, name_node, SymbolKind::Field).signature_until(None).ty(Some(value));
        self.b.define(def.exported(self.is_pub(node)));
        self.clap_field(ty);
        self.settings_field(name_node, ty);
        self.attributes.clear();
        self.visit_node(ty);
    }

    /// Fields without names are known by their place: the owner keeps their types.
    fn ordered_fields(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.children_by_field_name("type", &mut cursor).collect();
        let types: Vec<ExprId> = parts.into_iter().map(|ty| self.type_expr(ty, 0)).collect();
        self.b.set_params(self.b.scope(), &types);
        self.visit_children_of(node);
    }

    fn trait_item(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name_node) = node.child_by_field_id(f.name) else { return };
        let body = node.child_by_field_id(f.body);
        let def =
            Def::new(node, name_node, SymbolKind::Trait).signature_until(body).exported(self.is_pub(node));
        let scope = self.b.define(def);
        let own = self.b.name(name_node);
        let own = self.b.expr(Expr::Name(own));
        let mark = self.open_type_parameters(node);
        self.keep_type_parameters(scope, mark);
        if let Some(bounds) = node.child_by_field_id(f.bounds) {
            self.supertraits(bounds, scope, own);
        }
        self.attributes.clear();
        self.b.enter(scope);
        self.type_parameter_refs(node);
        self.visit_field(node, f.bounds);
        if let Some(body) = body {
            self.visit_children_of(body);
        }
        self.b.leave();
        self.type_parameters.truncate(mark);
    }

    fn supertraits(&mut self, bounds: Node<'_>, owner: ScopeId, own: ExprId) {
        let mut cursor = bounds.walk();
        let named: Vec<Node<'_>> = bounds.named_children(&mut cursor).collect();
        for bound in named {
            if matches!(self.kind(bound), Kind::TypeIdentifier | Kind::ScopedType | Kind::GenericType) {
                let to = self.type_expr(bound, 0);
                self.b.relation(RelationKind::Extends, owner, own, to, bound);
            }
        }
    }

    fn impl_item(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(type_node) = node.child_by_field_id(f.ty) else { return self.visit_children_of(node) };
        let trait_node = node.child_by_field_id(f.trait_name);
        let body = node.child_by_field_id(f.body);
        let mark = self.open_type_parameters(node);
        let ty = self.type_expr(type_node, 0);
        let type_name = self.type_name(type_node);
        let (own_part, prefix) = match trait_node {
            Some(trait_node) => {
                let trait_name = one_line(self.b.text(trait_node));
                (format!("<impl {trait_name} for {type_name}>"), format!("<{type_name} as {trait_name}>"))
            }
            None => (format!("<impl {type_name}>"), type_name.to_owned()),
        };
        let def = Def::new(node, type_node, SymbolKind::Impl).signature_until(body).ty(Some(ty));
        let members = self.b.qualify(&prefix);
        let scope = self.b.define_as(def, type_name, Some(&own_part));
        self.keep_type_parameters(scope, mark);
        if let Some(trait_node) = trait_node {
            self.keeps_pointers = matches!(self.type_name(trait_node), "From" | "TryFrom");
            let to = self.type_expr(trait_node, 0);
            self.keeps_pointers = false;
            self.b.relation(RelationKind::Impl, scope, ty, to, trait_node);
        }
        self.attributes.clear();
        self.b.enter_as(scope, members);
        self.type_parameter_refs(node);
        if let Some(trait_node) = trait_node {
            self.visit_node(trait_node);
        }
        self.visit_node(type_node);
        if let Some(body) = body {
            self.visit_children_of(body);
        }
        self.b.leave();
        self.type_parameters.truncate(mark);
    }

    fn module(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name_node) = node.child_by_field_id(f.name) else { return };
        let name = self.b.text(name_node);
        let exported = self.is_pub(node);
        let body = node.child_by_field_id(f.body);
        let scope = self
            .b
            .define(Def::new(node, name_node, SymbolKind::Module).signature_until(body).exported(exported));
        let Some(body) = body else {
            let file = self.attributes.iter().find_map(|attribute| path_attribute(attribute));
            let kind = ImportKind::ModuleDecl;
            self.b.import(Import {
                kind,
                module: name,
                symbol: file,
                binds: Some(name),
                reexport: exported,
                at: name_node,
            });
            return;
        };
        self.attributes.clear();
        self.b.enter(scope);
        self.visit_children_of(body);
        self.b.leave();
    }

    fn constant(&mut self, node: Node<'_>, kind: SymbolKind) {
        let f = &self.t.fields;
        let Some(name_node) = node.child_by_field_id(f.name) else { return };
        let ty = node.child_by_field_id(f.ty);
        let value = ty.map(|ty| {
            let ty = self.type_expr(ty, 0);
            self.b.instance(ty)
        });
        let exported = self.is_pub(node);
        let end = node.child_by_field_id(f.value);
        let mut scope = self.b.scope();
        if self.b.text(name_node) != "_" {
            scope = self
                .b
                .define(Def::new(node, name_node, kind).signature_until(end).ty(value).exported(exported));
        }
        self.b.enter(scope);
        if let Some(ty) = ty {
            self.visit_node(ty);
        }
        self.visit_field(node, f.value);
        self.b.leave();
    }

    fn type_item(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name_node) = node.child_by_field_id(f.name) else { return };
        let mark = self.open_type_parameters(node);
        let target = node.child_by_field_id(f.ty);
        // An associated type that a trait only declares has the members of its bound.
        let bound = node.child_by_field_id(f.bounds);
        let ty = match target {
            Some(ty) => Some(self.type_expr(ty, 0)),
            None => bound.and_then(|bounds| self.bound_of(bounds)),
        };
        let def = Def::new(node, name_node, SymbolKind::TypeAlias).signature_until(None).ty(ty);
        let scope = self.b.define(def.exported(self.is_pub(node)));
        self.keep_type_parameters(scope, mark);
        self.type_parameter_refs(node);
        if let Some(target) = target {
            self.visit_node(target);
        }
        self.visit_field(node, f.bounds);
        self.type_parameters.truncate(mark);
    }
}
