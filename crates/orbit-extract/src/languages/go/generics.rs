//! Type parameters, and functions as types.

use super::{Go, Kind};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl Go<'_> {
    /// `[K comparable, V Stringer]` of the symbol that is entered: binds the parameters and records their bounds.
    pub(super) fn type_parameters(&mut self, list: Node<'_>) {
        let parameters = self.bind_type_parameters(list);
        self.b.set_type_params(self.b.scope(), &parameters);
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            if let Some(bound) = parameter.child_by_field_id(self.t.fields.ty) {
                let mut cursor = bound.walk();
                for part in bound.named_children(&mut cursor) {
                    self.bound(part);
                }
            }
        }
    }

    /// Binds type parameters, whose bounds may name all of them. What has type `V` has the methods of `Stringer`.
    pub(super) fn bind_type_parameters(&mut self, list: Node<'_>) -> Vec<ExprId> {
        let mut cursor = list.walk();
        let declared: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        let unknown = self.b.unknown();
        let mut parameters = Vec::new();
        for known in [false, true] {
            parameters.clear();
            for parameter in &declared {
                let Some(bound) = parameter.child_by_field_id(self.t.fields.ty) else { continue };
                let value = if known { self.type_expr(bound, 0) } else { unknown };
                let mut cursor = parameter.walk();
                for name in parameter.named_children(&mut cursor).filter(|child| child.id() != bound.id()) {
                    let name = self.b.name(name);
                    let parameter = self.b.parameter(name, value);
                    self.b.bind(name, parameter);
                    parameters.push(parameter);
                }
            }
        }
        parameters
    }

    /// The names in `(s *Server[K, V])` are parameters, not types.
    pub(super) fn receiver_type_parameters(&mut self, receiver: Node<'_>) -> Vec<ExprId> {
        let mut ty =
            receiver.named_child(0).and_then(|parameter| parameter.child_by_field_id(self.t.fields.ty));
        while let Some(node) =
            ty.filter(|ty| matches!(self.kind(*ty), Kind::PointerType | Kind::ParenthesizedType))
        {
            ty = node.named_child(0);
        }
        let arguments = ty.and_then(|ty| ty.child_by_field_id(self.t.fields.type_arguments));
        let Some(arguments) = arguments else { return Vec::new() };
        let unknown = self.b.unknown();
        let mut parameters = Vec::new();
        let mut cursor = arguments.walk();
        for argument in arguments.named_children(&mut cursor) {
            let name = self.b.name(argument);
            let parameter = self.b.parameter(name, unknown);
            self.b.bind(name, parameter);
            parameters.push(parameter);
        }
        parameters
    }

    /// A method of a generic type is a function of that type's parameters, which its receiver tells.
    pub(super) fn generic_receiver(&mut self, receiver: Node<'_>) {
        let parameters = self.receiver_type_parameters(receiver);
        let ty = receiver.named_child(0).and_then(|parameter| parameter.child_by_field_id(self.t.fields.ty));
        if let (Some(ty), false) = (ty, parameters.is_empty()) {
            let ty = self.type_expr(ty, 0);
            self.b.set_type_params(self.b.scope(), &parameters);
            self.b.set_receiver(self.b.scope(), ty);
        }
    }

    fn bound(&mut self, node: Node<'_>) {
        match self.kind(node) {
            Kind::TypeIdentifier => self.type_name(node, RefKind::TraitBound),
            Kind::QualifiedType => self.qualified_type(node, RefKind::TraitBound),
            Kind::GenericType => {
                if let Some(head) = node.child_by_field_id(self.t.fields.ty) {
                    self.bound(head);
                }
                self.visit_field(node, self.t.fields.type_arguments);
            }
            _ => self.visit_node(node),
        }
    }

    // ── functions as types ──────────────────────────────────────────────────────────────────────────

    /// A function type, or a function literal, by what it takes and gives.
    pub(super) fn function_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        let parameters = node.child_by_field_id(f.parameters);
        let parameters = parameters.map(|list| self.parameter_types(list, depth)).unwrap_or_default();
        let parameters = self.b.list(&parameters);
        let result = node.child_by_field_id(f.result).and_then(|result| self.results(result, depth));
        let result = result.unwrap_or_else(|| self.b.unknown());
        self.b.expr(Expr::Function(parameters, result))
    }

    /// What the parameters of a list are, one for each name.
    pub(super) fn parameter_types(&mut self, list: Node<'_>, depth: u32) -> Vec<ExprId> {
        let mut types = Vec::new();
        for (parameter, ty, count) in self.parameter_nodes(list) {
            let ty = self.type_expr(ty, depth + 1);
            let mut value = self.b.instance(ty);
            if self.kind(parameter) == Kind::VariadicParameter {
                value = self.b.expr(Expr::Rest(value));
            }
            types.extend(std::iter::repeat_n(value, count));
        }
        types
    }

    /// Whether a list of parameters has one that is a function.
    pub(super) fn takes_function(&self, list: Node<'_>) -> bool {
        self.parameter_nodes(list).iter().any(|(_, ty, _)| self.kind(*ty) == Kind::FunctionType)
    }

    /// What results give: several of them are a tuple.
    pub(super) fn results(&mut self, result: Node<'_>, depth: u32) -> Option<ExprId> {
        if self.kind(result) != Kind::ParameterList {
            let ty = self.type_expr(result, depth + 1);
            return Some(self.b.instance(ty));
        }
        let mut types = Vec::new();
        for (_, ty, count) in self.parameter_nodes(result) {
            let ty = self.type_expr(ty, depth + 1);
            types.extend(std::iter::repeat_n(ty, count));
        }
        let builtin = self.b.expr(Expr::Builtin);
        match types[..] {
            [] => None,
            [only] => Some(self.b.instance(only)),
            _ if types.iter().all(|ty| *ty == builtin) => Some(builtin),
            _ => {
                let list = self.b.list(&types);
                let tuple = self.b.expr(Expr::Tuple(list));
                Some(self.b.instance(tuple))
            }
        }
    }

    /// The parameters of a list, each with its type and how many names it has.
    fn parameter_nodes<'t>(&self, list: Node<'t>) -> Vec<(Node<'t>, Node<'t>, usize)> {
        let mut cursor = list.walk();
        let with_type = |parameter: Node<'t>| {
            let ty = parameter.child_by_field_id(self.t.fields.ty)?;
            let mut cursor = parameter.walk();
            let names = parameter
                .named_children(&mut cursor)
                .take_while(|child| child.id() != ty.id())
                .filter(|child| self.kind(*child) != Kind::Comment)
                .count();
            Some((parameter, ty, names.max(1)))
        };
        list.named_children(&mut cursor).filter_map(with_type).collect()
    }
}
