//! Anonymous functions: what they get from where they are given to, and what they give.

use super::{CSharp, Kind};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId};
use tree_sitter::Node;

impl CSharp<'_> {
    /// `x => …`, `(Foo x, y) => …`, `delegate (Foo x) { … }`.
    pub(super) fn lambda(&mut self, node: Node<'_>) {
        let wanted = self.callback.take();
        self.b.push_frame();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::ParameterList => self.lambda_parameters(child, wanted),
                Kind::ImplicitParameter => {
                    let held = self.received(wanted, 0);
                    self.bind(child, held);
                }
                Kind::AttributeList => self.visit_children_of(child),
                _ => self.visit_node(child),
            }
        }
        self.b.pop_frame();
    }

    /// What the parameter at a place gets where its type is not written.
    fn received(&mut self, wanted: Option<ExprId>, place: usize) -> ExprId {
        match wanted {
            Some(wanted) => self.b.receives(wanted, place),
            None => self.b.unknown(),
        }
    }

    fn lambda_parameters(&mut self, list: Node<'_>, wanted: Option<ExprId>) {
        self.parameters(list);
        for (place, parameter) in self.parameter_nodes(list).into_iter().enumerate() {
            let is_typed = parameter.child_by_field_id(self.t.fields.ty).is_some();
            if let (Some(name), false) = (self.name_of(parameter), is_typed) {
                let held = self.received(wanted, place);
                self.bind(name, held);
            }
        }
    }

    pub(super) fn parameter_nodes<'t>(&self, list: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = list.walk();
        list.named_children(&mut cursor).filter(|child| self.kind(*child) == Kind::Parameter).collect()
    }

    /// An anonymous function as an argument: how many parameters it has, and what it gives. One that gives nothing
    /// has the result `Nil`; an `async` one gives a task.
    pub(super) fn function_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let list = children.iter().find(|child| self.kind(**child) == Kind::ParameterList);
        let only = children.iter().find(|child| self.kind(**child) == Kind::ImplicitParameter);
        let names: Vec<Node<'_>> = match (list, only) {
            (Some(list), _) => self
                .parameter_nodes(*list)
                .into_iter()
                .filter_map(|parameter| self.name_of(parameter))
                .collect(),
            (None, Some(name)) => vec![*name],
            // `delegate { … }` takes whatever it is given.
            (None, None) => return self.b.unknown(),
        };
        let body = node.child_by_field_id(self.t.fields.body);
        let Some(body) = body.filter(|_| depth <= MAX_EXPR_DEPTH) else { return self.b.unknown() };
        let (nothing, unknown) = (self.b.expr(Expr::Nil), self.b.unknown());
        self.b.push_frame();
        for name in &names {
            self.bind(*name, unknown);
        }
        let result = match self.kind(body) {
            Kind::Block if returns_value(body, 0) => self.b.expr(Expr::Builtin),
            Kind::Block => nothing,
            _ => self.expr_of(body, depth + 1),
        };
        self.b.pop_frame();
        let is_async = children.iter().any(|child| self.b.text(*child) == "async");
        let result = match (is_async, result == nothing) {
            (false, _) => result,
            (true, true) => self.task("Task", None),
            (true, false) => self.task("Task`1", Some(result)),
        };
        let params = self.b.list(&vec![unknown; names.len()]);
        self.b.expr(Expr::Function(params, result))
    }

    fn task(&mut self, name: &str, result: Option<ExprId>) -> ExprId {
        let name = self.b.intern(name);
        let task = self.b.expr(Expr::Name(name));
        let task = match result {
            Some(result) => self.b.expr(Expr::Apply(task, result)),
            None => task,
        };
        self.b.instance(task)
    }
}

/// Whether a body has a `return` with a value that is not one of a function inside it.
fn returns_value(node: Node<'_>, depth: u32) -> bool {
    if depth > MAX_EXPR_DEPTH {
        return false;
    }
    let mut cursor = node.walk();
    node.named_children(&mut cursor).any(|child| match child.kind() {
        "return_statement" => child.named_child_count() > 0,
        "lambda_expression" | "anonymous_method_expression" | "local_function_statement" => false,
        _ => returns_value(child, depth + 1),
    })
}
