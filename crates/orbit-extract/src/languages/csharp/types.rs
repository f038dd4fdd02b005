//! Classes, structs, records, interfaces, enums, delegates and what they are derived from.

use super::{CSharp, Kind};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, NameId, RefKind, RelationKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl CSharp<'_> {
    pub(super) fn type_declaration(&mut self, node: Node<'_>, kind: Kind) {
        let Some(name_node) = self.name_of(node) else { return self.visit_children_of(node) };
        let body = node.child_by_field_id(self.t.fields.body);
        let header = self.header(node);
        let symbol_kind = match kind {
            Kind::Interface => SymbolKind::Interface,
            Kind::Enum => SymbolKind::Enum,
            Kind::Struct => SymbolKind::Struct,
            Kind::Record if self.is_record_struct(node, name_node) => SymbolKind::Struct,
            _ => SymbolKind::Class,
        };
        let exported = self.is_exported(&header);
        let scope = self.b.define(Def::new(node, name_node, symbol_kind).exported(exported));
        self.sign(scope, header.signature_start, body, node);
        let own = self.b.name(name_node);
        let own = self.b.expr(Expr::Name(own));
        self.b.push_frame();
        self.type_parameters(node, scope);
        self.type_header(node, scope, own, symbol_kind);
        self.b.enter(scope);
        if let Some(parameters) = self.child_of(node, Kind::ParameterList) {
            if kind == Kind::Record {
                self.record_properties(parameters);
            } else {
                self.parameters(parameters);
            }
        }
        self.base_arguments(node);
        if let Some(body) = body {
            self.visit_children_of(body);
        }
        self.b.leave();
        self.b.pop_frame();
    }

    fn is_record_struct(&self, node: Node<'_>, name: Node<'_>) -> bool {
        let before = self.b.source.get(node.start_byte()..name.start_byte()).unwrap_or("");
        before.trim_end().ends_with("struct")
    }

    /// Type parameters, supertypes and constraints, in the order they are written.
    fn type_header(&mut self, node: Node<'_>, owner: ScopeId, own: ExprId, kind: SymbolKind) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::TypeParameters => self.type_parameter_attributes(child),
                Kind::BaseList => self.base_list(child, owner, own, kind),
                Kind::Constraints => self.constraint_refs(child),
                _ => {}
            }
        }
    }

    /// Syntax does not tell a base class from an interface: names like `IFoo` are interfaces, as is all
    /// that a struct derives from and all but the first that a class does.
    fn base_list(&mut self, list: Node<'_>, owner: ScopeId, own: ExprId, kind: SymbolKind) {
        let mut is_first = true;
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor) {
            let ty = match self.kind(child) {
                Kind::Comment | Kind::Arguments => continue,
                Kind::PrimaryBase => child.child_by_field_id(self.t.fields.ty).unwrap_or(child),
                _ => child,
            };
            let relation = match kind {
                SymbolKind::Interface => RelationKind::Extends,
                SymbolKind::Class if is_first && !is_interface_name(self.last_name(ty)) => {
                    RelationKind::Extends
                }
                _ => RelationKind::Implements,
            };
            is_first = false;
            if kind != SymbolKind::Enum {
                let to = self.type_expr(ty, 0);
                self.b.relation(relation, owner, own, to, ty);
            }
            self.type_refs(ty, RefKind::Type, 0);
        }
    }

    fn last_name(&self, ty: Node<'_>) -> &str {
        let name = if self.kind(ty) == Kind::QualifiedName { self.name_of(ty) } else { None };
        self.b.text(name.unwrap_or(ty))
    }

    /// The arguments of `class A(int x) : B(x)`, where the parameters are known.
    fn base_arguments(&mut self, node: Node<'_>) {
        let Some(list) = self.child_of(node, Kind::BaseList) else { return };
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor) {
            let arguments = match self.kind(child) {
                Kind::Arguments => Some(child),
                Kind::PrimaryBase => self.child_of(child, Kind::Arguments),
                _ => None,
            };
            if let Some(arguments) = arguments {
                self.visit_children_of(arguments);
            }
        }
    }

    /// Gives a declaration its type parameters, each with its first constraint, and binds them as locals of the open
    /// frame.
    pub(super) fn type_parameters(&mut self, node: Node<'_>, scope: ScopeId) {
        let Some(list) = self.child_of(node, Kind::TypeParameters) else { return };
        let unknown = self.b.unknown();
        let mut cursor = list.walk();
        let names: Vec<Node<'_>> =
            list.named_children(&mut cursor).filter_map(|parameter| self.name_of(parameter)).collect();
        let names: Vec<NameId> = names.into_iter().map(|name| self.b.name(name)).collect();
        for name in &names {
            let parameter = self.b.parameter(*name, unknown);
            self.b.bind(*name, parameter);
        }
        let mut cursor = node.walk();
        for clause in node.named_children(&mut cursor) {
            if self.kind(clause) != Kind::Constraints {
                continue;
            }
            let mut inner = clause.walk();
            let ty = clause.named_children(&mut inner).find_map(|c| c.child_by_field_id(self.t.fields.ty));
            if let (Some(name), Some(ty)) = (clause.named_child(0), ty) {
                let (name, bound) = (self.b.name(name), self.type_expr(ty, 0));
                let parameter = self.b.parameter(name, bound);
                self.b.bind(name, parameter);
            }
        }
        let all: Vec<ExprId> = names.into_iter().filter_map(|name| self.b.local(name)).collect();
        self.b.set_type_params(scope, &all);
    }

    fn delegate_signature(&mut self, scope: ScopeId, list: Node<'_>, result: Option<Node<'_>>) {
        let mut params = Vec::new();
        for parameter in self.parameter_nodes(list) {
            params.push(self.instance_or_unknown(parameter.child_by_field_id(self.t.fields.ty)));
        }
        let params = self.b.list(&params);
        let result = self.instance_or_unknown(result);
        let function = self.b.expr(Expr::Function(params, result));
        if let Some(index) = scope.symbol() {
            self.b.file.symbols[index].ty = Some(function);
        }
    }

    pub(super) fn type_parameter_attributes(&mut self, list: Node<'_>) {
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            if let Some(attributes) = self.child_of(parameter, Kind::AttributeList) {
                self.visit_children_of(attributes);
            }
        }
    }

    /// `where T : Foo, IBar<Baz>, new()`.
    pub(super) fn constraint_refs(&mut self, clause: Node<'_>) {
        let mut cursor = clause.walk();
        for constraint in clause.named_children(&mut cursor) {
            if let Some(ty) = constraint.child_by_field_id(self.t.fields.ty) {
                self.type_refs(ty, RefKind::TraitBound, 0);
            }
        }
    }

    /// The parameters of a record are its properties.
    fn record_properties(&mut self, list: Node<'_>) {
        let exported = self.is_open_scope();
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            let Some(name) = self.name_of(parameter) else { continue };
            let header = self.header(parameter);
            let ty = parameter.child_by_field_id(self.t.fields.ty);
            if let Some(ty) = ty {
                self.type_refs(ty, RefKind::Type, 0);
            }
            let held = ty.map(|ty| self.instance_of(ty));
            let def = Def::new(parameter, name, SymbolKind::Property).ty(held).exported(exported);
            let scope = self.b.define(def);
            self.sign(scope, header.signature_start, None, parameter);
            self.default_value(parameter);
        }
    }

    pub(super) fn enum_member(&mut self, node: Node<'_>) {
        let Some(name_node) = self.name_of(node) else { return };
        let header = self.header(node);
        let owner = self.b.enclosing().next().map(|symbol| symbol.name);
        let ty = owner.map(|owner| {
            let owner = self.b.expr(Expr::Name(owner));
            self.b.instance(owner)
        });
        let exported = self.is_open_scope();
        let scope = self.b.define(Def::new(node, name_node, SymbolKind::Variant).ty(ty).exported(exported));
        self.sign(scope, header.signature_start, None, node);
        self.visit_field(node, self.t.fields.value);
    }

    /// `delegate R Name<T>(A a);`: a name for a type of functions.
    pub(super) fn delegate(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name_node) = self.name_of(node) else { return };
        let header = self.header(node);
        let exported = self.is_exported(&header);
        let scope = self.b.define(Def::new(node, name_node, SymbolKind::TypeAlias).exported(exported));
        self.sign(scope, header.signature_start, None, node);
        self.b.enter(scope);
        self.b.push_frame();
        self.type_parameters(node, scope);
        if let Some(ty) = node.child_by_field_id(f.ty) {
            self.type_refs(ty, RefKind::Type, 0);
        }
        if let Some(parameters) = node.child_by_field_id(f.parameters) {
            self.parameters(parameters);
            self.delegate_signature(scope, parameters, node.child_by_field_id(f.ty));
        }
        if let Some(clause) = self.child_of(node, Kind::Constraints) {
            self.constraint_refs(clause);
        }
        self.b.pop_frame();
        self.b.leave();
    }
}

/// `I` and another capital letter: the naming rule of .NET interfaces.
fn is_interface_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next() == Some('I') && chars.next().is_some_and(char::is_uppercase)
}
