//! What binds local variables: destructuring, loops, catch clauses, `when` subjects.

use super::{Kind, Kotlin, last_named_child};
use crate::builder::Walk;
use crate::{ExprId, RefKind};
use tree_sitter::Node;

impl Kotlin<'_> {
    /// Binds a variable, or every name of `(a, b)`, to `held` or to the type written behind it.
    pub(super) fn bind_variable(&mut self, node: Node<'_>, held: ExprId) {
        if self.kind(node) == Kind::MultiVariable {
            let unknown = self.b.unknown();
            let mut cursor = node.walk();
            for variable in node.named_children(&mut cursor) {
                if let Some(ty) = self.type_in(variable) {
                    self.type_refs(ty, RefKind::Type, 0);
                }
                self.bind_one(variable, unknown);
            }
            return;
        }
        self.bind_one(node, held);
    }

    fn bind_one(&mut self, variable: Node<'_>, held: ExprId) {
        let held = match self.type_in(variable) {
            Some(ty) => self.instance_of(ty),
            None => held,
        };
        if let Some(name) = self.child_of(variable, Kind::Identifier) {
            self.bind(name, held);
        }
    }

    /// `for (x in xs)`.
    pub(super) fn for_loop(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let mut variable = None;
        let mut is_bound = false;
        self.b.push_frame();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Label | Kind::LineComment | Kind::BlockComment => {}
                Kind::Variable | Kind::MultiVariable if variable.is_none() => {
                    variable = Some(child);
                    if let Some(ty) = self.type_in(child) {
                        self.type_refs(ty, RefKind::Type, 0);
                    }
                }
                _ => {
                    self.visit_node(child);
                    if let (false, Some(variable)) = (is_bound, variable) {
                        let whole = self.expr_of(child, 0);
                        let element = self.b.element(whole);
                        self.bind_variable(variable, element);
                        is_bound = true;
                    }
                }
            }
        }
        self.b.pop_frame();
    }

    /// `catch (e: Foo) { … }`.
    pub(super) fn catch(&mut self, node: Node<'_>) {
        self.b.push_frame();
        let held = match self.type_in(node) {
            Some(ty) => {
                self.type_refs(ty, RefKind::Type, 0);
                self.instance_of(ty)
            }
            None => self.b.unknown(),
        };
        if let Some(name) = self.child_of(node, Kind::Identifier) {
            self.bind(name, held);
        }
        if let Some(body) = self.child_of(node, Kind::Block) {
            self.visit_children_of(body);
        }
        self.b.pop_frame();
    }

    /// The name that `when (x)` or `when (val x = …)` is over, if it is a local.
    pub(super) fn when_subject<'t>(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let value = last_named_child(node)?;
        self.visit_node(value);
        let Some(variable) = self.child_of(node, Kind::Variable) else {
            return (self.kind(value) == Kind::Identifier).then_some(value);
        };
        if let Some(ty) = self.type_in(variable) {
            self.type_refs(ty, RefKind::Type, 0);
        }
        let held = self.expr_of(value, 0);
        self.bind_variable(variable, held);
        self.child_of(variable, Kind::Identifier)
    }
}
