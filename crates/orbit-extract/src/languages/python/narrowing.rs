//! What `isinstance` says of a local variable in the code behind it.

use super::{Kind, Python};
use crate::builder::Walk;
use crate::{Expr, ExprId, NameId};
use tree_sitter::Node;

impl Python<'_> {
    /// `if isinstance(x, Foo):` makes `x` a `Foo` in its block; `if not isinstance(x, Foo): return` behind it.
    pub(super) fn if_statement(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (condition, block) = (node.child_by_field_id(f.condition), node.child_by_field_id(f.consequence));
        if let Some(condition) = condition {
            self.visit_node(condition);
        }
        let narrowed = condition.map(|condition| self.narrowed(condition)).unwrap_or_default();
        let before: Vec<Option<ExprId>> = narrowed.iter().map(|(name, _)| self.b.local(*name)).collect();
        for (name, value) in &narrowed {
            self.b.bind(*name, *value);
        }
        if let Some(block) = block {
            self.visit_node(block);
        }
        for ((name, value), before) in narrowed.iter().zip(before) {
            // What the block assigned stays.
            if let (Some(before), true) = (before, self.b.local(*name) == Some(*value)) {
                self.b.bind(*name, before);
            }
        }
        let mut cursor = node.walk();
        let rest: Vec<Node<'_>> = node
            .named_children(&mut cursor)
            .filter(|child| Some(child.id()) != condition.map(|node| node.id()))
            .filter(|child| Some(child.id()) != block.map(|node| node.id()))
            .collect();
        let has_else = !rest.is_empty();
        for child in rest {
            self.visit_node(child);
        }
        // Behind an `elif` the branches before it may have been taken.
        let is_first = self.kind(node) == Kind::If;
        let negated = condition.filter(|condition| is_first && self.kind(*condition) == Kind::Not);
        if let (Some(negated), false, Some(block)) = (negated, has_else, block)
            && leaves(block)
            && let Some(inner) = negated.named_child(0)
        {
            for (name, value) in self.narrowed(inner) {
                self.b.bind(name, value);
            }
        }
    }

    /// `assert isinstance(x, Foo)`.
    pub(super) fn assert_statement(&mut self, node: Node<'_>) {
        self.visit_children_of(node);
        if let Some(condition) = node.named_child(0) {
            for (name, value) in self.narrowed(condition) {
                self.b.bind(name, value);
            }
        }
    }

    /// The local variables that a condition tells the type of when it holds.
    fn narrowed(&mut self, condition: Node<'_>) -> Vec<(NameId, ExprId)> {
        match self.kind(condition) {
            Kind::Parenthesized => match condition.named_child(0) {
                Some(inner) => self.narrowed(inner),
                None => Vec::new(),
            },
            Kind::Boolean
                if condition.child_by_field_name("operator").is_some_and(|op| op.kind() == "and") =>
            {
                let mut cursor = condition.walk();
                let sides: Vec<Node<'_>> = condition.named_children(&mut cursor).collect();
                sides.into_iter().flat_map(|side| self.narrowed(side)).collect()
            }
            Kind::Call => self.is_instance(condition).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn is_instance(&mut self, call: Node<'_>) -> Option<(NameId, ExprId)> {
        let f = &self.t.fields;
        let callee = call.child_by_field_id(f.function)?;
        let arguments = call.child_by_field_id(f.arguments)?;
        let (subject, class) = (arguments.named_child(0)?, arguments.named_child(1)?);
        if self.b.text(callee) != "isinstance" || self.kind(subject) != Kind::Identifier {
            return None;
        }
        let name = self.b.name(subject);
        self.b.local(name)?;
        let class = match self.kind(class) {
            Kind::Tuple => {
                let mut cursor = class.walk();
                let classes: Vec<Node<'_>> = class.named_children(&mut cursor).collect();
                let classes: Vec<ExprId> = classes.into_iter().map(|class| self.expr_of(class, 0)).collect();
                let list = self.b.list(&classes);
                self.b.expr(Expr::Union(list))
            }
            Kind::Identifier | Kind::Attribute => self.expr_of(class, 0),
            _ => return None,
        };
        Some((name, self.b.instance(class)))
    }
}

/// Whether a block ends what goes on round it.
fn leaves(block: Node<'_>) -> bool {
    let last = block.named_child_count().checked_sub(1).and_then(|last| block.named_child(last as u32));
    last.is_some_and(|last| {
        matches!(
            last.kind(),
            "return_statement" | "raise_statement" | "continue_statement" | "break_statement"
        )
    })
}
