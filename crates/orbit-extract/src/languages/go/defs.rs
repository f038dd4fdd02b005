//! Functions, methods, constants and package variables.

use super::locals::{Assigned, value_at};
use super::{Go, Kind};
use crate::builder::{Def, Walk, line, span};
use crate::{Expr, ExprId, RawRelation, RelationKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Go<'_> {
    pub(super) fn function(&mut self, node: Node<'_>) {
        let Some(name_node) = node.child_by_field_id(self.t.fields.name) else {
            return self.visit_children_of(node);
        };
        let name = self.b.text(name_node);
        let kind =
            if self.is_test_file && is_test_name(name) { SymbolKind::Test } else { SymbolKind::Function };
        let ty = self.result_type(node);
        let body = node.child_by_field_id(self.t.fields.body);
        let def = Def::new(node, name_node, kind).signature_until(body).ty(ty).exported(is_exported(name));
        let scope = self.b.define(def);
        self.callable(node, scope);
    }

    pub(super) fn method(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (name_node, receiver) = (node.child_by_field_id(f.name), node.child_by_field_id(f.receiver));
        let Some(name_node) = name_node else { return self.visit_children_of(node) };
        let receiver_type = receiver.and_then(|list| self.receiver_type(list));
        let name = self.b.text(name_node);
        let ty = self.result_type(node);
        let body = node.child_by_field_id(self.t.fields.body);
        let def = Def::new(node, name_node, SymbolKind::Method)
            .signature_until(body)
            .ty(ty)
            .exported(is_exported(name));
        let owner = receiver_type.map(|ty| self.b.name(ty)).and_then(|ty| self.types.get(&ty).copied());
        let scope = match (owner, receiver_type) {
            (Some(owner), _) => {
                self.b.enter(owner);
                let scope = self.b.define(def);
                self.b.leave();
                scope
            }
            (None, Some(ty)) => {
                let path = format!("{}.{name}", self.b.text(ty));
                self.b.define_as(def, name, Some(&path))
            }
            (None, None) => self.b.define(def),
        };
        self.callable(node, scope);
    }

    /// The name in `(s *Server[T])`.
    pub(super) fn receiver_type<'t>(&self, list: Node<'t>) -> Option<Node<'t>> {
        let mut ty = list.named_child(0)?.child_by_field_id(self.t.fields.ty)?;
        loop {
            ty = match self.kind(ty) {
                Kind::TypeIdentifier => return Some(ty),
                Kind::PointerType | Kind::ParenthesizedType => ty.named_child(0)?,
                Kind::GenericType => ty.child_by_field_id(self.t.fields.ty)?,
                _ => return None,
            };
        }
    }

    /// The parameters and body of a function or method whose symbol is `scope`.
    fn callable(&mut self, node: Node<'_>, scope: ScopeId) {
        self.b.enter(scope);
        self.func_literal(node);
        self.b.leave();
    }

    /// A function's signature and body, in a frame of their own.
    pub(super) fn func_literal(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.b.push_frame();
        let (own, receiver) = (node.child_by_field_id(f.type_parameters), node.child_by_field_id(f.receiver));
        if let Some(parameters) = own {
            self.type_parameters(parameters);
        }
        if let Some(receiver) = receiver {
            self.generic_receiver(receiver);
            self.parameters(receiver);
        }
        if let Some(parameters) = node.child_by_field_id(f.parameters) {
            // What type parameters stand for follows from the arguments of a call, what an iterator gives from the
            // function that it takes.
            if own.is_some() || self.takes_function(parameters) {
                let types = self.parameter_types(parameters, 0);
                self.b.set_params(self.b.scope(), &types);
            }
            self.parameters(parameters);
        }
        if let Some(result) = node.child_by_field_id(f.result) {
            match self.kind(result) {
                Kind::ParameterList => self.parameters(result),
                _ => self.visit_node(result),
            }
        }
        if let Some(body) = node.child_by_field_id(f.body) {
            self.visit_children_of(body);
        }
        self.b.pop_frame();
    }

    /// What calling a function gives.
    pub(super) fn result_type(&mut self, node: Node<'_>) -> Option<ExprId> {
        let f = &self.t.fields;
        let result = node.child_by_field_id(f.result)?;
        self.b.push_frame();
        if let Some(parameters) = node.child_by_field_id(f.type_parameters) {
            self.bind_type_parameters(parameters);
        }
        if let Some(receiver) = node.child_by_field_id(f.receiver) {
            self.receiver_type_parameters(receiver);
        }
        let ty = self.results(result, 0);
        self.b.pop_frame();
        ty
    }

    pub(super) fn const_declaration(&mut self, node: Node<'_>) {
        let grouped = node.child(1).is_some_and(|child| !child.is_named());
        // In a group, a line without type and value repeats those of the line before.
        let mut inherited = None;
        let mut cursor = node.walk();
        for spec in node.named_children(&mut cursor) {
            if self.kind(spec) == Kind::ConstSpec {
                inherited =
                    self.value_spec(spec, if grouped { spec } else { node }, SymbolKind::Const, inherited);
            }
        }
    }

    pub(super) fn var_declaration(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::VarSpec => {
                    self.value_spec(child, node, SymbolKind::Variable, None);
                }
                Kind::VarSpecList => {
                    let mut cursor = child.walk();
                    for spec in child.named_children(&mut cursor) {
                        if self.kind(spec) == Kind::VarSpec {
                            self.value_spec(spec, spec, SymbolKind::Variable, None);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// `a, b T = x, y`. Returns the declared type as a value, for the next line of a constant group.
    fn value_spec(
        &mut self,
        spec: Node<'_>,
        whole: Node<'_>,
        kind: SymbolKind,
        inherited: Option<ExprId>,
    ) -> Option<ExprId> {
        let f = &self.t.fields;
        let (ty, list) = (spec.child_by_field_id(f.ty), spec.child_by_field_id(f.value));
        let mut cursor = spec.walk();
        let names: Vec<Node<'_>> = spec
            .named_children(&mut cursor)
            .take_while(|child| Some(child.id()) != ty.map(|ty| ty.id()))
            .filter(|child| self.kind(*child) == Kind::Identifier)
            .collect();
        let values = list.map(|list| self.expressions(list)).unwrap_or_default();
        let declared = match (ty, list) {
            (Some(ty), _) => {
                let ty = self.type_expr(ty, 0);
                Some(self.b.instance(ty))
            }
            (None, None) => inherited,
            (None, Some(_)) => None,
        };
        let spec = Spec { whole, kind, ty, declared };
        if self.b.in_frame() {
            self.local_spec(&spec, &names, &values);
        } else {
            self.package_spec(&spec, &names, &values);
        }
        declared
    }

    fn package_spec(&mut self, spec: &Spec<'_>, names: &[Node<'_>], values: &[Node<'_>]) {
        let mut scopes = Vec::with_capacity(names.len());
        for (index, name_node) in names.iter().enumerate() {
            let value = value_at(values, names.len(), index);
            scopes.push(if self.b.text(*name_node) == "_" {
                self.implements_assertion(spec, value.map(|value| value.node));
                ScopeId::FILE
            } else {
                self.package_value(spec, *name_node, value)
            });
        }
        let first = scopes.first().copied().unwrap_or_default();
        if let Some(ty) = spec.ty {
            self.visit_value_in(first, ty);
        }
        for (index, value) in values.iter().enumerate() {
            self.visit_value_in(scopes.get(index).copied().unwrap_or(first), *value);
        }
        for (name_node, value) in names.iter().zip(values) {
            self.hold_command(self.b.text(*name_node), *value);
        }
    }

    fn visit_value_in(&mut self, scope: ScopeId, value: Node<'_>) {
        self.b.enter(scope);
        self.visit_node(value);
        self.b.leave();
    }

    fn package_value(
        &mut self,
        spec: &Spec<'_>,
        name_node: Node<'_>,
        value: Option<Assigned<'_>>,
    ) -> ScopeId {
        let node = value.filter(|value| value.place.is_none()).map(|value| value.node);
        let function = node.filter(|value| self.kind(*value) == Kind::FuncLiteral);
        let (kind, body) = match function {
            Some(function) => (SymbolKind::Function, function.child_by_field_id(self.t.fields.body)),
            None => (spec.kind, node.and_then(|value| self.composite_body(value))),
        };
        let ty = match (function, spec.declared, value) {
            (Some(function), ..) => self.result_type(function),
            (None, Some(declared), _) => Some(declared),
            (None, None, value) => value.map(|value| self.value_of(value)),
        };
        let name = self.b.text(name_node);
        let def =
            Def::new(spec.whole, name_node, kind).signature_until(body).ty(ty).exported(is_exported(name));
        self.b.define(def)
    }

    /// `var _ Interface = (*Type)(nil)` says that the type implements the interface.
    fn implements_assertion(&mut self, spec: &Spec<'_>, value: Option<Node<'_>>) {
        let (Some(ty), Some(value)) = (spec.ty, value) else { return };
        let value = self.expr_of(value, 0);
        let (Expr::Instance(from) | Expr::Call(from)) = self.b.file.exprs[value.0 as usize] else { return };
        let Expr::Name(name) = self.b.file.exprs[from.0 as usize] else { return };
        let to = self.type_expr(ty, 0);
        let row = RawRelation {
            from,
            to,
            kind: RelationKind::Implements,
            span: span(ty),
            line: line(ty),
            scope: self.b.scope(),
            owner: ScopeId::FILE,
        };
        self.assertions.push((name, row));
    }

    /// Records the assertions about types of this file, now that all are known.
    pub(super) fn finish_assertions(&mut self) {
        for (name, row) in std::mem::take(&mut self.assertions) {
            if let Some(owner) = self.types.get(&name) {
                self.b.file.relations.push(RawRelation { owner: *owner, ..row });
            }
        }
        self.b.file.relations.sort_by_key(|row| row.span);
    }
}

/// What the names of one line of a `var` or `const` declaration share.
pub(super) struct Spec<'t> {
    pub(super) whole: Node<'t>,
    kind: SymbolKind,
    pub(super) ty: Option<Node<'t>>,
    pub(super) declared: Option<ExprId>,
}

pub(super) fn is_exported(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// `TestX`, `BenchmarkX`, `FuzzX`, `ExampleX`; what follows the prefix does not go on in lower case.
fn is_test_name(name: &str) -> bool {
    ["Test", "Benchmark", "Fuzz", "Example"]
        .into_iter()
        .any(|prefix| name.strip_prefix(prefix).is_some_and(|rest| !rest.starts_with(char::is_lowercase)))
}
