//! What a condition tells of a variable: `if (x instanceof Foo) {…}`.

use super::{Kind, Script};
use crate::builder::MAX_EXPR_DEPTH;
use crate::{Expr, ExprId, NameId};
use tree_sitter::Node;

/// A local variable, and a type that it is known to be of.
type Told = (NameId, ExprId);

impl Script<'_> {
    pub(super) fn if_statement(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let condition = node.child_by_field_id(f.condition);
        self.visit_field(node, f.condition);
        let told = self.told_by(condition);
        self.b.push_frame();
        self.bind_told(&told);
        self.visit_field(node, f.consequence);
        self.b.pop_frame();
        self.visit_field(node, f.alternative);
        // `if (!(x instanceof Foo)) return;`: behind it, `x` is one.
        let leaves = node.child_by_field_id(f.consequence).is_some_and(|then| self.leaves(then));
        if leaves && node.child_by_field_id(f.alternative).is_none() {
            let told = self.told_by(condition.and_then(|condition| self.negated(condition)));
            self.bind_told(&told);
        }
    }

    pub(super) fn ternary(&mut self, node: Node<'_>) {
        self.visit_expected(node, None, None);
    }

    /// What holds where a condition does.
    pub(super) fn told_by(&mut self, condition: Option<Node<'_>>) -> Vec<Told> {
        let f = &self.t.fields;
        let mut told = Vec::new();
        let mut open: Vec<Node<'_>> = condition.into_iter().collect();
        while let Some(next) = open.pop() {
            let next = self.unwrapped(next);
            if self.kind(next) != Kind::Binary || told.len() + open.len() > MAX_EXPR_DEPTH as usize {
                continue;
            }
            let (left, right) = (next.child_by_field_id(f.left), next.child_by_field_id(f.right));
            let (Some(left), Some(right)) = (left, right) else { continue };
            match next.child_by_field_id(f.operator).map_or("", |operator| self.b.text(operator)) {
                "&&" => open.extend([left, right]),
                "instanceof" if self.kind(left) == Kind::Identifier => {
                    let name = self.b.name(left);
                    if self.is_local(name) {
                        let class = self.expr_of(right, 0);
                        told.push((name, self.b.instance(class)));
                    }
                }
                _ => {}
            }
        }
        told
    }

    /// A variable is then what the condition says besides what it was.
    pub(super) fn bind_told(&mut self, told: &[Told]) {
        for (name, ty) in told {
            let unknown = self.b.unknown();
            let before = self.b.local(*name).unwrap_or(unknown);
            let is_known = !matches!(self.b.file.exprs[before.0 as usize], Expr::Unknown | Expr::Builtin);
            let value = if is_known && *ty != unknown {
                let list = self.b.list(&[*ty, before]);
                let both = self.b.expr(Expr::Intersection(list));
                self.b.instance(both)
            } else {
                *ty
            };
            self.b.bind(*name, value);
        }
    }

    /// The condition that `!` negates.
    fn negated<'t>(&self, condition: Node<'t>) -> Option<Node<'t>> {
        let condition = self.unwrapped(condition);
        let operator = condition.child_by_field_id(self.t.fields.operator)?;
        let is_negation = self.kind(condition) == Kind::Unary && self.b.text(operator) == "!";
        condition.child_by_field_id(self.t.fields.argument).filter(|_| is_negation)
    }

    /// Whether nothing behind a statement is reached through it.
    fn leaves(&self, statement: Node<'_>) -> bool {
        match self.kind(statement) {
            Kind::Return | Kind::Throw => true,
            Kind::Block => {
                let mut cursor = statement.walk();
                let last = statement.named_children(&mut cursor).last();
                last.is_some_and(|last| matches!(self.kind(last), Kind::Return | Kind::Throw))
            }
            _ => false,
        }
    }
}
