//! Uses: calls, attributes, types, strings, and the skeleton of receivers.

use super::{Kind, Python};
use crate::builder::{MAX_EXPR_DEPTH, Walk, line};
use crate::{Expr, ExprId, RefKind, Span};
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
                Some(callee) => {
                    let callee = self.expr_of(callee, depth + 1);
                    self.b.call(callee)
                }
                None => self.b.unknown(),
            },
            Kind::Subscript | Kind::Await => {
                let inner = node.child_by_field_id(f.value).or_else(|| node.named_child(0));
                let Some(inner) = inner else { return self.b.unknown() };
                let whole = self.expr_of(inner, depth + 1);
                if self.kind(node) == Kind::Await { whole } else { self.b.element(whole) }
            }
            Kind::Parenthesized | Kind::Conditional | Kind::Boolean => match node.named_child(0) {
                Some(inner) => self.expr_of(inner, depth + 1),
                None => self.b.unknown(),
            },
            Kind::Named => match node.child_by_field_id(f.value) {
                Some(value) => self.expr_of(value, depth + 1),
                None => self.b.unknown(),
            },
            Kind::String | Kind::Concatenated | Kind::Integer | Kind::Float | Kind::True | Kind::False => {
                self.b.expr(Expr::Builtin)
            }
            Kind::List | Kind::Dictionary | Kind::Set | Kind::Tuple => self.b.expr(Expr::Builtin),
            _ => self.b.unknown(),
        }
    }

    /// The type an annotation names. `Optional[X]` and `X | None` are `X`.
    pub(super) fn type_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        match self.kind(node) {
            Kind::Type | Kind::Parenthesized => match node.named_child(0) {
                Some(inner) => self.type_expr(inner, depth + 1),
                None => self.b.unknown(),
            },
            Kind::Identifier => {
                let name = self.b.name(node);
                self.b.expr(Expr::Name(name))
            }
            Kind::Attribute | Kind::MemberType => self.expr_of(node, depth + 1),
            Kind::String => {
                let text = self.b.text(node).trim_matches(['"', '\'']);
                if is_dotted_name(text) { self.b.path_expr(text, ".") } else { self.b.unknown() }
            }
            Kind::Subscript | Kind::GenericType => self.generic_type(node, depth),
            Kind::Binary | Kind::UnionType => {
                let mut cursor = node.walk();
                let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                match parts.iter().find(|part| self.b.text(**part) != "None") {
                    Some(part) => self.type_expr(*part, depth + 1),
                    None => self.b.unknown(),
                }
            }
            _ => self.b.unknown(),
        }
    }

    fn generic_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(base) = node.named_child(0) else { return self.b.unknown() };
        let argument = last_named_child(node).filter(|last| last.id() != base.id());
        let argument = argument.map(|argument| match argument.kind() {
            "type_parameter" => last_named_child(argument).unwrap_or(argument),
            _ => argument,
        });
        let Some(argument) = argument else { return self.type_expr(base, depth + 1) };
        let argument = self.type_expr(argument, depth + 1);
        match self.b.text(base).rsplit('.').next() {
            Some("Optional" | "Annotated" | "ClassVar" | "Final" | "Awaitable" | "Type" | "type") => argument,
            Some("Callable") => {
                let value = self.b.instance(argument);
                self.b.expr(Expr::Returns(value))
            }
            Some("Union" | "Literal") => self.b.unknown(),
            _ => {
                let base = self.type_expr(base, depth + 1);
                self.b.expr(Expr::Apply(base, argument))
            }
        }
    }

    /// Records the types an annotation uses.
    pub(super) fn type_refs(&mut self, node: Node<'_>, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        match self.kind(node) {
            Kind::Identifier => self.b.plain_reference(node, RefKind::Type),
            Kind::Attribute => self.attribute(node, RefKind::Type),
            Kind::String => self.type_in_string(node),
            Kind::Call => self.call(node),
            _ => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.type_refs(child, depth + 1);
                }
            }
        }
    }

    /// A forward reference: `x: "Foo"`.
    fn type_in_string(&mut self, node: Node<'_>) {
        let text = self.b.text(node);
        let inner = text.trim_matches(['"', '\'']);
        if !is_dotted_name(inner) {
            return;
        }
        let last = inner.rsplit('.').next().unwrap_or(inner);
        let base =
            (last.len() < inner.len()).then(|| self.b.path_expr(&inner[..inner.len() - last.len() - 1], "."));
        let quotes = (text.len() - text.trim_start_matches(['"', '\'']).len()) as u32;
        let end = node.start_byte() as u32 + quotes + inner.len() as u32;
        let span = Span { start: end - last.len() as u32, end };
        self.b.reference_at(span, line(node), RefKind::Type, base);
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
            let element = self.b.element(whole);
            self.bind_loop_target(left, element);
        }
        let mut cursor = node.walk();
        let skip = [left.map(|node| node.id()), right.map(|node| node.id())];
        let rest: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| !skip.contains(&Some(child.id()))).collect();
        for child in rest {
            self.visit_node(child);
        }
    }

    /// Loop variables at module level are locals too: nobody imports them.
    fn bind_loop_target(&mut self, target: Node<'_>, value: ExprId) {
        self.bind_target(target, value);
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
                let is_exception = node.parent().is_some_and(|parent| parent.kind() == "except_clause");
                let expr = self.expr_of(value, 0);
                if is_exception { self.b.instance(expr) } else { expr }
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

fn last_named_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(node.named_child_count().checked_sub(1)? as u32)
}

fn is_dotted_name(text: &str) -> bool {
    !text.is_empty()
        && text.split('.').all(|part| {
            part.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_alphanumeric() || c == '_')
        })
}
