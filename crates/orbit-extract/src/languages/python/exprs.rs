//! Uses: calls, attributes, strings, and the skeleton of receivers.

use super::{Kind, Python};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl Python<'_> {
    pub(super) fn call(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        if let Some(callee) = node.child_by_field_id(f.function) {
            match self.kind(callee) {
                Kind::Identifier => self.b.plain_reference(callee, RefKind::Call),
                Kind::Attribute => self.attribute(callee, RefKind::Call),
                _ => self.visit_node(callee),
            }
        }
        self.command_of_call(node);
        self.mount_of_call(node);
        if self.route_of_call(node) {
            return;
        }
        if let Some(arguments) = node.child_by_field_id(f.arguments) {
            self.visit_children_of(arguments);
        }
    }

    /// `object.attribute`: a use of the attribute, then of the object.
    pub(super) fn attribute(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        let (object, attribute) = (node.child_by_field_id(f.object), node.child_by_field_id(f.attribute));
        let (Some(object), Some(attribute)) = (object, attribute) else { return };
        let base = self.expr_of(object, 0);
        self.visit_node(object);
        self.b.reference(attribute, kind, Some(base));
    }

    /// What an expression is, as far as its text tells.
    pub(super) fn expr_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::Identifier => {
                let name = self.b.name(node);
                self.b.name_expr(name)
            }
            Kind::Attribute => {
                let (object, attribute) =
                    (node.child_by_field_id(f.object), node.child_by_field_id(f.attribute));
                let (Some(object), Some(attribute)) = (object, attribute) else { return self.b.unknown() };
                let base = self.expr_of(object, depth + 1);
                let name = self.b.name(attribute);
                self.b.member(base, name)
            }
            Kind::Call => match node.child_by_field_id(f.function) {
                Some(callee) if self.b.text(callee) == "super" => self.b.expr(Expr::Super),
                Some(callee) => self.call_expr(node, callee, depth),
                None => self.b.unknown(),
            },
            Kind::Subscript => self.subscript_expr(node, depth),
            Kind::Await | Kind::Parenthesized => match node.named_child(0) {
                Some(inner) => self.expr_of(inner, depth + 1),
                None => self.b.unknown(),
            },
            Kind::Conditional | Kind::Boolean => self.either_expr(node, depth),
            Kind::Binary | Kind::Unary => self.operator_expr(node, depth),
            Kind::Named => match node.child_by_field_id(f.value) {
                Some(value) => self.expr_of(value, depth + 1),
                None => self.b.unknown(),
            },
            Kind::String | Kind::Concatenated | Kind::Integer | Kind::Float | Kind::True | Kind::False => {
                self.b.expr(Expr::Builtin)
            }
            Kind::List | Kind::Dictionary | Kind::Set | Kind::Tuple | Kind::ExpressionList => {
                self.literal_expr(node, depth)
            }
            Kind::ListComprehension | Kind::SetComprehension | Kind::DictComprehension | Kind::Generator => {
                self.comprehension_expr(node, depth)
            }
            _ => self.b.unknown(),
        }
    }

    pub(super) fn string(&mut self, node: Node<'_>) {
        let text = self.b.text(node);
        let body = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let quotes = if body.starts_with("\"\"\"") || body.starts_with("'''") { 3 } else { 1 };
        let value = body.get(quotes..body.len().saturating_sub(quotes)).unwrap_or("");
        let is_docstring =
            quotes == 3 && node.parent().is_some_and(|parent| parent.kind() == "expression_statement");
        if !is_docstring {
            self.b.string(node, value);
        }
        if node.named_child_count() > 2 {
            self.visit_children_of(node); // f-string interpolations
        }
    }

    pub(super) fn for_loop(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (left, right) = (node.child_by_field_id(f.left), node.child_by_field_id(f.right));
        if let Some(right) = right {
            self.visit_node(right);
        }
        if let (Some(left), Some(right)) = (left, right) {
            let whole = self.expr_of(right, 0);
            let element = self.each(whole);
            self.bind_target(left, element);
        }
        let mut cursor = node.walk();
        let skip = [left.map(|node| node.id()), right.map(|node| node.id())];
        let rest: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| !skip.contains(&Some(child.id()))).collect();
        for child in rest {
            self.visit_node(child);
        }
    }

    /// `with open(x) as f`, `except E as e`, `case P() as p`.
    pub(super) fn as_pattern(&mut self, node: Node<'_>) {
        let value = node.named_child(0);
        if let Some(value) = value {
            self.visit_node(value);
        }
        let Some(alias) = node.child_by_field_id(self.t.fields.alias) else { return };
        let bound = match value {
            Some(value) => {
                let expr = self.expr_of(value, 0);
                match node.parent().map(|parent| parent.kind()) {
                    Some("except_clause" | "except_group_clause") => self.raised(value, expr),
                    Some("with_item") => self.entered(expr),
                    _ => expr,
                }
            }
            None => self.b.unknown(),
        };
        let target = alias.named_child(0).unwrap_or(alias);
        self.bind_target(target, bound);
    }

    pub(super) fn named_expression(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (name, value) = (node.child_by_field_id(f.name), node.child_by_field_id(f.value));
        let (Some(name), Some(value)) = (name, value) else { return };
        self.visit_node(value);
        let bound = self.expr_of(value, 0);
        self.bind_target(name, bound);
    }

    pub(super) fn lambda(&mut self, node: Node<'_>) {
        self.b.push_frame();
        if let Some(parameters) = node.child_by_field_id(self.t.fields.parameters) {
            let unknown = self.b.unknown();
            let mut cursor = parameters.walk();
            for parameter in parameters.named_children(&mut cursor) {
                self.visit_field(parameter, self.t.fields.value);
                let name = parameter.child_by_field_id(self.t.fields.name).unwrap_or(parameter);
                self.bind_target(name, unknown);
            }
        }
        self.visit_field(node, self.t.fields.body);
        self.b.pop_frame();
    }

    /// The clauses bind what the body, written first, uses.
    pub(super) fn comprehension(&mut self, node: Node<'_>) {
        self.b.push_frame();
        let body = node.child_by_field_id(self.t.fields.body);
        let mut cursor = node.walk();
        let clauses: Vec<Node<'_>> = node
            .named_children(&mut cursor)
            .filter(|child| Some(child.id()) != body.map(|body| body.id()))
            .collect();
        for clause in clauses {
            self.visit_node(clause);
        }
        if let Some(body) = body {
            self.visit_node(body);
        }
        self.b.pop_frame();
    }
}
