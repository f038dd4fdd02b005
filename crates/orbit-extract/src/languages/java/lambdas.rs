//! Lambdas: what their parameters get from where they are given to, and the interfaces that they implement.

use super::{Java, Kind};
use crate::builder::Walk;
use crate::{Expr, ExprId, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Java<'_> {
    pub(super) fn has_lambda(&self, arguments: Node<'_>) -> bool {
        let mut cursor = arguments.walk();
        arguments.named_children(&mut cursor).any(|argument| self.is_lambda(argument))
    }

    /// Visits the arguments of a call of `callee`.
    pub(super) fn arguments(&mut self, arguments: Node<'_>, callee: ExprId) {
        let mut cursor = arguments.walk();
        let mut place = 0;
        for argument in arguments.named_children(&mut cursor) {
            if matches!(self.kind(argument), Kind::LineComment | Kind::BlockComment) {
                continue;
            }
            if self.is_lambda(argument) {
                let wanted = self.b.expects(callee, place);
                self.visit_wanted(argument, wanted);
            } else {
                self.visit_node(argument);
            }
            place += 1;
        }
    }

    /// Visits a value that stands where one of a type is asked for.
    pub(super) fn visit_wanted(&mut self, value: Node<'_>, wanted: ExprId) {
        self.wanted = self.is_lambda(value).then_some(wanted);
        self.visit_node(value);
        self.wanted = None;
    }

    fn is_lambda(&self, node: Node<'_>) -> bool {
        let mut node = node;
        while self.kind(node) == Kind::Parenthesized
            && let Some(inner) = node.named_child(0)
        {
            node = inner;
        }
        self.kind(node) == Kind::Lambda
    }

    /// `x -> …`, `(a, b) -> …`, `(Foo a) -> …`.
    pub(super) fn lambda(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let wanted = self.wanted.take();
        self.b.push_frame();
        if let Some(parameters) = node.child_by_field_id(f.parameters) {
            match self.kind(parameters) {
                Kind::Identifier => self.lambda_parameter(parameters, wanted, 0),
                Kind::InferredParameters => {
                    let mut cursor = parameters.walk();
                    let names = parameters.named_children(&mut cursor);
                    let names: Vec<Node<'_>> =
                        names.filter(|name| self.kind(*name) == Kind::Identifier).collect();
                    for (place, name) in names.into_iter().enumerate() {
                        self.lambda_parameter(name, wanted, place);
                    }
                }
                _ => self.parameters(parameters),
            }
        }
        self.visit_field(node, f.body);
        self.b.pop_frame();
    }

    fn lambda_parameter(&mut self, name: Node<'_>, wanted: Option<ExprId>, place: usize) {
        let held = match wanted {
            Some(wanted) => self.b.receives(wanted, place),
            None => self.b.unknown(),
        };
        self.bind(name, held);
    }

    /// An interface with one method that has no body is the type of that function.
    pub(super) fn functional(&mut self, interface: ScopeId) {
        let Some(index) = interface.symbol() else { return };
        let symbols = &self.b.file.symbols;
        let is_open = |name: &str| !matches!(name, "equals" | "hashCode" | "toString");
        let mut methods = symbols[index + 1..].iter().filter(|symbol| {
            symbol.parent == interface
                && symbol.kind == SymbolKind::Method
                && symbol.bodiless
                && is_open(self.b.file.names.get(symbol.name))
        });
        let (Some(method), None) = (methods.next(), methods.next()) else { return };
        let (params, result) = (method.params, method.ty);
        let (nil, unknown) = (self.b.expr(Expr::Nil), self.b.unknown());
        let ty = self.b.expr(Expr::Function(params.unwrap_or(nil), result.unwrap_or(unknown)));
        self.b.file.symbols[index].ty = Some(ty);
    }
}
