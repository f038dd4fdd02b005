//! Classes, records, interfaces, annotation types, enums and what they are derived from.

use super::{ANONYMOUS, Java, Kind};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, RefKind, RelationKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Java<'_> {
    pub(super) fn type_declaration(&mut self, node: Node<'_>, kind: Kind) {
        let f = &self.t.fields;
        let Some(name_node) = self.name_of(node) else {
            return self.visit_children_of(node);
        };
        let body = node.child_by_field_id(f.body);
        let modifiers = self.modifiers(node);
        let symbol_kind = match kind {
            Kind::Interface | Kind::AnnotationType => SymbolKind::Interface,
            Kind::Enum => SymbolKind::Enum,
            _ => SymbolKind::Class,
        };
        let exported = !modifiers.is_private && self.is_open_scope();
        let scope = self.b.define(Def::new(node, name_node, symbol_kind).exported(exported));
        self.sign(scope, modifiers.signature_start, body, node);
        let own = self.b.name(name_node);
        let own = self.b.expr(Expr::Name(own));
        self.b.push_frame();
        self.type_parameters(node, scope);
        self.supertypes(node, scope, own);
        self.b.enter(scope);
        if kind == Kind::Record {
            self.record_components(node);
        }
        if let Some(body) = body {
            self.visit_children_of(body);
        }
        self.b.leave();
        self.b.pop_frame();
        if kind == Kind::Interface {
            self.functional(scope);
        }
    }

    /// Whether what is declared here can be seen outside the file.
    pub(super) fn is_open_scope(&self) -> bool {
        self.b.enclosing().next().is_none_or(|symbol| symbol.exported && !symbol.kind.is_callable())
    }

    /// The signature runs from behind the annotations to the body, or to the end of `node`.
    pub(super) fn sign(&mut self, scope: ScopeId, start: usize, body: Option<Node<'_>>, node: Node<'_>) {
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let end = if body.is_none() && self.b.source[..end].ends_with(';') { end - 1 } else { end };
        self.b.set_signature(scope, start..end.max(start));
    }

    /// Gives a declaration its type parameters, and binds them as locals of the open frame.
    pub(super) fn type_parameters(&mut self, node: Node<'_>, scope: ScopeId) {
        let Some(list) = node.child_by_field_id(self.t.fields.type_parameters) else { return };
        let unknown = self.b.unknown();
        let mut cursor = list.walk();
        let parameters: Vec<(Node<'_>, Node<'_>)> = list
            .named_children(&mut cursor)
            .filter(|child| self.kind(*child) == Kind::TypeParameter)
            .filter_map(|parameter| Some((parameter, self.child_of(parameter, Kind::TypeIdentifier)?)))
            .collect();
        for (_, name) in &parameters {
            let name = self.b.name(*name);
            let parameter = self.b.parameter(name, unknown);
            self.b.bind(name, parameter);
        }
        let mut all = Vec::new();
        for (parameter, name) in parameters {
            let name = self.b.name(name);
            let mut cursor = parameter.walk();
            for child in parameter.named_children(&mut cursor) {
                match self.kind(child) {
                    Kind::TypeBound => {
                        self.type_refs(child, RefKind::TraitBound, 0);
                        if let Some(bound) = child.named_child(0) {
                            let bound = self.type_expr(bound, 0);
                            let parameter = self.b.parameter(name, bound);
                            self.b.bind(name, parameter);
                        }
                    }
                    Kind::MarkerAnnotation | Kind::Annotation => self.annotation(child),
                    _ => {}
                }
            }
            all.extend(self.b.local(name));
        }
        self.b.set_type_params(scope, &all);
    }

    fn supertypes(&mut self, node: Node<'_>, owner: ScopeId, own: ExprId) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Superclass => self.supertype_list(child, RelationKind::Extends, owner, own),
                Kind::SuperInterfaces | Kind::ExtendsInterfaces => {
                    let kind = match self.kind(child) {
                        Kind::SuperInterfaces => RelationKind::Implements,
                        _ => RelationKind::Extends,
                    };
                    if let Some(list) = child.named_child(0) {
                        self.supertype_list(list, kind, owner, own);
                    }
                }
                Kind::Permits => self.type_refs(child, RefKind::Type, 0),
                _ => {}
            }
        }
    }

    fn supertype_list(&mut self, list: Node<'_>, kind: RelationKind, owner: ScopeId, own: ExprId) {
        let mut cursor = list.walk();
        for ty in list.named_children(&mut cursor) {
            if matches!(self.kind(ty), Kind::LineComment | Kind::BlockComment) {
                continue;
            }
            let to = self.type_expr(ty, 0);
            self.b.relation(kind, owner, own, to, ty);
            self.type_refs(ty, RefKind::Type, 0);
        }
    }

    /// The components of a record are its fields.
    fn record_components(&mut self, node: Node<'_>) {
        let Some(list) = node.child_by_field_id(self.t.fields.parameters) else { return };
        let exported = self.is_open_scope();
        let mut cursor = list.walk();
        for component in list.named_children(&mut cursor) {
            let Some((ty, declarator)) = self.parameter_parts(component) else { continue };
            let modifiers = self.modifiers(component);
            self.type_refs(ty, RefKind::Type, 0);
            let Some(name) = self.name_of(declarator) else { continue };
            let value = self.parameter_value(component, ty, declarator);
            let def = Def::new(component, name, SymbolKind::Field).ty(Some(value)).exported(exported);
            let scope = self.b.define(def);
            self.sign(scope, modifiers.signature_start, None, component);
        }
    }

    /// An enum constant is a value of its enum; its body, if any, holds members of its own.
    pub(super) fn enum_constant(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name_node) = self.name_of(node) else { return };
        let (arguments, body) = (node.child_by_field_id(f.arguments), node.child_by_field_id(f.body));
        let modifiers = self.modifiers(node);
        let owner = self.b.enclosing().next().map(|symbol| symbol.name);
        let ty = owner.map(|owner| {
            let owner = self.b.expr(Expr::Name(owner));
            self.b.instance(owner)
        });
        let exported = self.is_open_scope();
        let scope = self.b.define(Def::new(node, name_node, SymbolKind::Variant).ty(ty).exported(exported));
        self.sign(scope, modifiers.signature_start, body, node);
        if let Some(arguments) = arguments {
            self.visit_children_of(arguments);
        }
        if let Some(body) = body {
            self.b.enter(scope);
            self.visit_children_of(body);
            self.b.leave();
        }
    }

    /// `new Base(…) { … }`: a class without a name that extends what it creates.
    pub(super) fn anonymous_class(&mut self, node: Node<'_>, ty: Node<'_>, body: Node<'_>) {
        let def = Def::new(node, ty, SymbolKind::Class).signature_until(Some(body));
        let scope = self.b.define_as(def, ANONYMOUS, None);
        let own = self.b.intern(ANONYMOUS);
        let own = self.b.expr(Expr::Name(own));
        let to = self.type_expr(ty, 0);
        self.b.relation(RelationKind::Extends, scope, own, to, ty);
        self.b.enter(scope);
        self.visit_children_of(body);
        self.b.leave();
    }
}
