//! Uses: calls, members, strings.

use super::{Kind, Kotlin, last_named_child};
use crate::builder::Walk;
use crate::{ExprId, RefKind};
use tree_sitter::Node;

impl Kotlin<'_> {
    /// `f(…)`, `x.f<T>(…) { … }`, `Foo(…)`. A local that is called is a function value.
    pub(super) fn call(&mut self, node: Node<'_>) {
        let Some(callee) = node.named_child(0) else { return };
        let mark = self.b.mark();
        match self.kind(callee) {
            Kind::Identifier => self.plain_reference(callee, RefKind::Call),
            Kind::Navigation => self.navigation(callee, RefKind::Call),
            _ => self.visit_node(callee),
        }
        if matches!(self.kind(callee), Kind::Identifier | Kind::Navigation) {
            let exprs = self.argument_exprs(node);
            self.b.with_args(mark, &exprs);
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                _ if child.id() == callee.id() => {}
                Kind::ValueArguments => self.arguments(callee, child),
                Kind::AnnotatedLambda => {
                    let given = self.given_to_last(callee, node);
                    self.trailing_lambda(child, given);
                }
                _ => self.visit_node(child),
            }
        }
    }

    /// Visits arguments; a lambda gets what the callee wants at its place.
    fn arguments(&mut self, callee: Node<'_>, list: Node<'_>) {
        let mut expr = None;
        let mut cursor = list.walk();
        let children: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        let mut place = Some(0);
        for child in children {
            let is_lambda = child.named_child(0).is_some_and(|value| self.kind(value) == Kind::Lambda);
            if self.kind(child) == Kind::ValueArgument {
                // Behind an argument with a name, places say nothing.
                let here = place.filter(|_| child.child_count() == 1);
                if let Some(here) = here.filter(|_| is_lambda) {
                    let expr = *expr.get_or_insert_with(|| self.expr_of(callee, 0));
                    self.callback = Some(self.b.expects(expr, here));
                }
                place = here.map(|here| here + 1);
            }
            self.visit_node(child);
            self.callback = None;
        }
    }

    /// What is known of each argument, a trailing lambda among them; of named ones only that they are there.
    fn argument_exprs(&mut self, call: Node<'_>) -> Vec<ExprId> {
        let mut exprs = Vec::new();
        let mut cursor = call.walk();
        let mut parts: Vec<Node<'_>> = call.named_children(&mut cursor).collect();
        // `f(x) { }` is one call, though two to the grammar.
        if let Some(outer) = call.parent().filter(|outer| self.kind(*outer) == Kind::Call)
            && outer.named_child(0).is_some_and(|callee| callee.id() == call.id())
        {
            parts.extend(last_named_child(outer).filter(|last| self.kind(*last) == Kind::AnnotatedLambda));
        }
        for part in parts {
            if self.kind(part) == Kind::AnnotatedLambda {
                exprs.push(self.b.unknown());
            }
            if self.kind(part) != Kind::ValueArguments {
                continue;
            }
            let mut cursor = part.walk();
            let arguments: Vec<Node<'_>> =
                part.named_children(&mut cursor).filter(|it| self.kind(*it) == Kind::ValueArgument).collect();
            for argument in arguments {
                let is_plain = argument.child_count() == 1;
                let value = argument.named_child(0).filter(|_| is_plain);
                exprs.push(match value {
                    Some(value) => self.expr_of(value, 0),
                    None => self.b.unknown(),
                });
            }
        }
        exprs
    }

    /// `f<T>(x)`, which the grammar takes for two comparisons: the callee, the type, the argument. What
    /// tells them apart is that nobody writes `a<B>(c)` without blanks when comparing.
    pub(super) fn generic_call<'t>(&self, node: Node<'t>) -> Option<[Node<'t>; 3]> {
        let f = &self.t.fields;
        let right = node.child_by_field_id(f.right).filter(|n| self.kind(*n) == Kind::Parenthesized)?;
        let left = node.child_by_field_id(f.left).filter(|n| self.kind(*n) == Kind::Binary)?;
        let (callee, ty) = (left.child_by_field_id(f.left)?, left.child_by_field_id(f.right)?);
        let between = |from: Node<'_>, to: Node<'_>| self.b.source.get(from.end_byte()..to.start_byte());
        let is_call = between(callee, ty) == Some("<")
            && between(ty, right) == Some(">")
            && matches!(self.kind(callee), Kind::Identifier | Kind::Navigation)
            && matches!(self.kind(ty), Kind::Identifier | Kind::Navigation);
        is_call.then_some([callee, ty, right])
    }

    pub(super) fn visit_generic_call(&mut self, [callee, ty, argument]: [Node<'_>; 3]) {
        for (name, kind) in [(callee, RefKind::Call), (ty, RefKind::Type)] {
            match self.kind(name) {
                Kind::Identifier => self.plain_reference(name, kind),
                _ => self.navigation(name, kind),
            }
        }
        self.visit_children_of(argument);
    }

    fn trailing_lambda(&mut self, node: Node<'_>, given: Option<super::lambdas::Given>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Lambda => self.lambda(child, given),
                _ => self.visit_node(child),
            }
        }
    }

    /// The two sides of `object.name`, `object?.name`, `object::name`.
    pub(super) fn object_and_name<'t>(&self, node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        let (object, name) = (node.named_child(0)?, last_named_child(node)?);
        (object.id() != name.id() && self.kind(name) == Kind::Identifier).then_some((object, name))
    }

    /// A use of the object, then of the member. `Foo::class` is a use of `Foo` as a type.
    pub(super) fn navigation(&mut self, node: Node<'_>, kind: RefKind) {
        let Some((object, name)) = self.object_and_name(node) else { return self.visit_children_of(node) };
        if self.b.text(name) == "class" {
            match self.kind(object) {
                Kind::Identifier => self.plain_reference(object, RefKind::Type),
                Kind::Navigation => self.navigation(object, RefKind::Type),
                _ => self.visit_node(object),
            }
            return;
        }
        self.visit_node(object);
        let base = self.expr_of(object, 0);
        self.reference(name, kind, Some(base));
    }

    /// `Foo::bar`, `::bar`, `Foo::class`.
    pub(super) fn callable_reference(&mut self, node: Node<'_>) {
        let ty = self.type_in(node);
        if let Some(ty) = ty {
            self.type_refs(ty, RefKind::Type, 0);
        }
        let Some(name) = self.child_of(node, Kind::Identifier) else { return };
        match ty {
            Some(ty) => {
                let base = self.type_expr(ty, 0);
                self.reference(name, RefKind::Value, Some(base));
            }
            None => self.plain_reference(name, RefKind::Value),
        }
    }

    /// A plain name. Literals and jumps without a label are names to the grammar.
    pub(super) fn identifier(&mut self, node: Node<'_>) {
        let text = self.b.text(node);
        self.is_misread |= begins_declaration(text);
        if !is_keyword(text) {
            self.plain_reference(node, RefKind::Value);
        }
    }

    /// An argument's name is the callee's business.
    pub(super) fn value_argument(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let has_name = children.len() > 2 && self.b.text(children[1]) == "=";
        for child in children.into_iter().skip(if has_name { 2 } else { 0 }) {
            if child.is_named() {
                self.visit_node(child);
            }
        }
    }

    /// `a shl b` calls `shl` on `a`.
    pub(super) fn infix(&mut self, node: Node<'_>) {
        let (left, name, right) = (node.named_child(0), node.named_child(1), node.named_child(2));
        let (Some(left), Some(name), Some(right)) = (left, name, right) else {
            return self.visit_children_of(node);
        };
        self.is_misread |= begins_declaration(self.b.text(name));
        self.visit_node(left);
        let base = self.expr_of(left, 0);
        self.reference(name, RefKind::Call, Some(base));
        self.visit_node(right);
    }

    /// `return@label x`: the label is not a reference.
    pub(super) fn return_expression(&mut self, node: Node<'_>) {
        let label = node.child_by_field_id(self.t.fields.label).map(|label| label.id());
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if Some(child.id()) != label {
                self.visit_node(child);
            }
        }
    }

    /// `name@ expression`; `break@name` and `continue@name` look the same to the grammar.
    pub(super) fn labeled(&mut self, node: Node<'_>) {
        let label = self.child_of(node, Kind::Label).map_or("", |label| self.b.text(label));
        if matches!(label, "break@" | "continue@") {
            return;
        }
        if let Some(inner) = last_named_child(node) {
            self.visit_node(inner);
        }
    }

    pub(super) fn string(&mut self, node: Node<'_>) {
        let text = self.b.text(node);
        let quotes = if self.kind(node) == Kind::MultilineString { 3 } else { 1 };
        let value = text.get(quotes..text.len().saturating_sub(quotes)).unwrap_or("");
        self.b.string(node, if quotes == 3 { value.trim() } else { value });
    }
}

/// Words that the grammar takes for identifiers.
pub(super) fn is_keyword(text: &str) -> bool {
    matches!(text, "true" | "false" | "null" | "break" | "continue")
}

/// Words that are never a name.
fn begins_declaration(text: &str) -> bool {
    matches!(text, "class" | "interface" | "object" | "fun")
}
