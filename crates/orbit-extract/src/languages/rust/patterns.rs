//! What binds locals: `let`, closures, loops, match arms, and the patterns in them.

use super::{Kind, Rust};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl Rust<'_> {
    pub(super) fn let_declaration(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (ty, value) = (node.child_by_field_id(f.ty), node.child_by_field_id(f.value));
        match (ty, value) {
            (Some(ty), Some(value)) if self.is_default(value) => {
                let ty = self.type_expr(ty, 0);
                let made = self.b.instance(ty);
                self.default_of(value, made);
            }
            (Some(ty), Some(value)) => {
                self.expect(value, |walk| {
                    let ty = walk.type_expr(ty, 0);
                    walk.b.instance(ty)
                });
                self.visit_node(value);
            }
            _ => self.visit_field(node, f.value),
        }
        if let Some(ty) = ty {
            self.visit_node(ty);
        }
        let known = match (ty, value) {
            (Some(ty), _) => {
                let ty = self.type_expr(ty, 0);
                self.b.instance(ty)
            }
            (None, Some(value)) => self.expr_of(value, 0),
            (None, None) => self.b.unknown(),
        };
        match (node.child_by_field_id(f.pattern), value) {
            (Some(pattern), Some(value))
                if self.kind(pattern) == Kind::TuplePattern && self.kind(value) == Kind::TupleExpression =>
            {
                self.bind_side_by_side(pattern, value);
            }
            (Some(pattern), _) => {
                let mark = self.b.mark();
                self.bind_pattern(pattern, known, 0);
                self.arm_behind(mark, node);
            }
            _ => {}
        }
        self.visit_field(node, self.t.fields.condition);
        let mut cursor = node.walk();
        let otherwise = node.named_children(&mut cursor).find(|child| self.kind(*child) == Kind::Block);
        if let Some(otherwise) = otherwise.filter(|block| Some(block.id()) != value.map(|value| value.id())) {
            self.visit_node(otherwise);
        }
    }

    /// `let (a, b) = (x, y)`.
    fn bind_side_by_side(&mut self, pattern: Node<'_>, value: Node<'_>) {
        let mut known = Vec::new();
        for (at, part) in places(value) {
            known.push((at, self.expr_of(part, 0)));
        }
        for (at, name) in places(pattern) {
            let value = known.iter().find(|(place, _)| *place == at).map(|(_, value)| *value);
            let value = value.unwrap_or_else(|| self.b.unknown());
            self.bind_pattern(name, value, 0);
        }
    }

    /// `if let`, `while let`: the names live on in the block behind it.
    pub(super) fn let_condition(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(value) = node.child_by_field_id(f.value) else { return };
        self.visit_node(value);
        let known = self.expr_of(value, 0);
        if let Some(pattern) = node.child_by_field_id(f.pattern) {
            let mark = self.b.mark();
            self.bind_pattern(pattern, known, 0);
            self.arm_of_condition(mark, node);
        }
    }

    /// A closure; `first` is what its first parameter is known to be, `wanted` the function that its place asks for.
    pub(super) fn closure(&mut self, node: Node<'_>, first: Option<ExprId>, wanted: Option<ExprId>) {
        self.in_frame(|walk| {
            if let Some(parameters) = node.child_by_field_id(walk.t.fields.parameters) {
                walk.closure_parameters(parameters, first, wanted);
            }
            walk.visit_field(node, walk.t.fields.return_type);
            walk.visit_field(node, walk.t.fields.body);
        });
    }

    fn closure_parameters(
        &mut self,
        parameters: Node<'_>,
        mut first: Option<ExprId>,
        wanted: Option<ExprId>,
    ) {
        for (at, parameter) in places(parameters) {
            let given = first.take().or_else(|| wanted.map(|wanted| self.b.receives(wanted, at)));
            if self.kind(parameter) != Kind::Parameter {
                let known = given.unwrap_or_else(|| self.b.unknown());
                self.bind_pattern(parameter, known, 0);
                continue;
            }
            self.visit_field(parameter, self.t.fields.ty);
            let known = match parameter.child_by_field_id(self.t.fields.ty) {
                Some(ty) => {
                    let ty = self.type_expr(ty, 0);
                    self.b.instance(ty)
                }
                None => self.b.unknown(),
            };
            if let Some(pattern) = parameter.child_by_field_id(self.t.fields.pattern) {
                self.bind_pattern(pattern, known, 0);
            }
        }
    }

    pub(super) fn for_loop(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.visit_field(node, f.value);
        self.in_frame(|walk| {
            let whole = match node.child_by_field_id(f.value) {
                Some(value) => walk.expr_of(value, 0),
                None => walk.b.unknown(),
            };
            let element = walk.b.element(whole);
            if let Some(pattern) = node.child_by_field_id(f.pattern) {
                walk.bind_pattern(pattern, element, 0);
            }
            walk.visit_field(node, f.body);
        });
    }

    pub(super) fn match_expression(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let subject = match node.child_by_field_id(f.value) {
            Some(value) => {
                self.visit_node(value);
                self.expr_of(value, 0)
            }
            None => self.b.unknown(),
        };
        self.subjects.push(subject);
        self.visit_field(node, f.body);
        self.subjects.pop();
    }

    pub(super) fn match_arm(&mut self, node: Node<'_>) {
        self.in_frame(|walk| {
            let f = &walk.t.fields;
            if let Some(pattern) = node.child_by_field_id(f.pattern) {
                let subject = walk.subjects.last().copied().unwrap_or_else(|| walk.b.unknown());
                let mark = walk.b.mark();
                walk.bind_pattern(pattern, subject, 0);
                walk.arm(mark, node.child_by_field_id(f.value));
            }
            walk.visit_field(node, f.value);
        });
    }

    /// Binds the names of a pattern; what it compares with are uses.
    pub(super) fn bind_pattern(&mut self, node: Node<'_>, value: ExprId, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        match self.kind(node) {
            Kind::Identifier => {
                // A capitalised name in a pattern is a constant or a variant.
                if self.b.text(node).starts_with(char::is_uppercase) {
                    self.b.plain_reference(node, RefKind::Value);
                } else {
                    let name = self.b.name(node);
                    self.b.bind(name, value);
                }
            }
            Kind::ShorthandIdentifier => {
                let name = self.b.name(node);
                let known = self.b.member(value, name);
                let known = self.marked(known, "?");
                self.b.bind(name, known);
            }
            Kind::ScopedIdentifier => self.scoped(node, RefKind::Value),
            Kind::TupleStructPattern => self.bind_tuple_struct(node, value, depth),
            Kind::StructPattern => self.bind_struct(node, value, depth),
            Kind::TuplePattern => {
                for (at, part) in places(node) {
                    let known = self.b.position(value, at);
                    self.bind_pattern(part, known, depth + 1);
                }
            }
            Kind::MatchPattern => self.bind_match(node, value, depth),
            Kind::StringLiteral | Kind::RawString => self.string(node),
            Kind::MacroInvocation => self.visit_node(node),
            Kind::RangePattern => self.visit_children_of(node),
            Kind::ReferencePattern => {
                let known = self.pointed_to(value);
                self.bind_children(node, known, depth);
            }
            Kind::RefPattern => {
                let known = self.borrowed(value, node);
                self.bind_children(node, known, depth);
            }
            _ => {
                // `mut x` and `(x)` bind what they are given.
                let mut cursor = node.walk();
                let parts = node
                    .named_children(&mut cursor)
                    .filter(|child| !child.is_extra() && child.kind() != "mutable_specifier");
                let inner = if parts.count() == 1 { value } else { self.b.unknown() };
                self.bind_children(node, inner, depth);
            }
        }
    }

    fn bind_children(&mut self, node: Node<'_>, value: ExprId, depth: u32) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.bind_pattern(child, value, depth + 1);
        }
    }

    /// `Some(x)` holds what the value holds; other tuple structs and variants what they declare.
    fn bind_tuple_struct(&mut self, node: Node<'_>, value: ExprId, depth: u32) {
        let ty = node.child_by_field_id(self.t.fields.ty);
        let name = ty.map_or("", |ty| self.b.text(ty));
        let is_wrapper = matches!(name, "Some" | "Ok" | "Poll::Ready" | "Ready");
        let constructor = match ty {
            Some(ty) if !matches!(name, "Err" | "None") => {
                let path = self.path_of(ty, 0);
                self.matched(path, value)
            }
            _ => self.b.unknown(),
        };
        if let Some(ty) = ty {
            match self.kind(ty) {
                Kind::Identifier => self.b.plain_reference(ty, RefKind::Value),
                Kind::ScopedIdentifier => self.scoped(ty, RefKind::Value),
                _ => self.visit_node(ty),
            }
        }
        let mut is_counted = true;
        for (at, part) in places(node).into_iter().filter(|(_, part)| Some(part.id()) != ty.map(|ty| ty.id()))
        {
            is_counted &= self.kind(part) != Kind::RemainingPattern;
            let known = match (is_wrapper, is_counted) {
                (true, _) => self.b.element(value),
                _ if name == "Err" => self.error_of(value),
                (false, true) => self.b.position(constructor, at),
                (false, false) => self.b.unknown(),
            };
            self.bind_pattern(part, known, depth + 1);
        }
    }

    /// The struct or variant that a pattern names, with the value it is compared with, which has the type arguments.
    fn matched(&mut self, named: ExprId, value: ExprId) -> ExprId {
        match self.b.form(value) {
            Expr::Unknown => named,
            _ => self.b.callee_with(named, &[value]),
        }
    }

    /// What `Err(…)` holds of a result.
    fn error_of(&mut self, result: ExprId) -> ExprId {
        let method = self.b.intern("unwrap_err");
        let method = self.b.member(result, method);
        self.b.call(method)
    }

    fn bind_struct(&mut self, node: Node<'_>, value: ExprId, depth: u32) {
        let f = &self.t.fields;
        let ty = node.child_by_field_id(f.ty);
        let mut base = value;
        if let Some(ty) = ty {
            self.visit_node(ty);
            let named = self.type_expr(ty, 0);
            let named = self.matched(named, value);
            base = self.b.instance(named);
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if self.kind(child) != Kind::FieldPattern {
                continue;
            }
            let Some(name_node) = child.child_by_field_id(f.name) else { continue };
            self.b.reference(name_node, RefKind::Value, Some(base));
            let name = self.b.name(name_node);
            let known = self.b.member(base, name);
            let known = self.marked(known, "?");
            match child.child_by_field_id(f.pattern) {
                Some(pattern) => self.bind_pattern(pattern, known, depth + 1),
                None => self.b.bind(name, known),
            }
        }
    }

    /// `pattern if condition`.
    fn bind_match(&mut self, node: Node<'_>, value: ExprId, depth: u32) {
        let condition = node.child_by_field_id(self.t.fields.condition);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if Some(child.id()) != condition.map(|condition| condition.id()) {
                self.bind_pattern(child, value, depth + 1);
            }
        }
        if let Some(condition) = condition {
            self.visit_node(condition);
        }
    }
}

/// The parts of a list with their places: `_` has a place, but no node of its own.
fn places(list: Node<'_>) -> Vec<(usize, Node<'_>)> {
    let mut cursor = list.walk();
    let mut place = 0;
    let mut found = Vec::new();
    for child in list.children(&mut cursor) {
        match child.kind() {
            "," => place += 1,
            _ if child.is_named() && !child.is_extra() => found.push((place, child)),
            _ => {}
        }
    }
    found
}
