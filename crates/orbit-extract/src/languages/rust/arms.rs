//! What runs where a pattern fits, which says what the variants of a command enum do.

use super::{Kind, Rust};
use crate::builder::span;
use crate::{RawArm, RefKind, Span};
use tree_sitter::Node;

impl Rust<'_> {
    /// The body of a match arm, or the block of an `if let`, runs where the names used since `mark` fit.
    pub(super) fn arm(&mut self, mark: usize, body: Option<Node<'_>>) {
        let Some(body) = body else { return };
        let call = self.single_call(body, 0).map(|name| name.start_byte() as u32);
        self.arms(mark, span(body), call);
    }

    /// `if let`, `while let`, alone or in a chain of conditions.
    pub(super) fn arm_of_condition(&mut self, mark: usize, condition: Node<'_>) {
        let mut up = condition.parent();
        while let Some(node) = up {
            let body = match node.kind() {
                "if_expression" => node.child_by_field_id(self.t.fields.consequence),
                "while_expression" => node.child_by_field_id(self.t.fields.body),
                "let_chain" | "binary_expression" | "parenthesized_expression" => {
                    up = node.parent();
                    continue;
                }
                _ => return,
            };
            return self.arm(mark, body);
        }
    }

    /// `let Cmd::Add(args) = command else { … };`: the rest of its block.
    pub(super) fn arm_behind(&mut self, mark: usize, declaration: Node<'_>) {
        let Some(block) = declaration.parent().filter(|parent| self.kind(*parent) == Kind::Block) else {
            return;
        };
        let body = Span { start: declaration.end_byte() as u32, end: block.end_byte() as u32 };
        self.arms(mark, body, None);
    }

    fn arms(&mut self, mark: usize, body: Span, call: Option<u32>) {
        for at in mark..self.b.mark() {
            let row = self.b.file.refs[at];
            let name = self.b.file.names.get(row.name);
            let names_variant = matches!(row.kind, RefKind::Value | RefKind::Type)
                && name.starts_with(char::is_uppercase)
                && !matches!(name, "Some" | "None" | "Ok" | "Err" | "Self");
            if names_variant {
                self.b.file.arms.push(RawArm { pattern: row.span.start, line: row.line, body, call });
            }
        }
    }

    /// The name that a body calls which does nothing else: through `?`, `.await`, `return`, `Ok(…)` and a block of
    /// one expression, with `Ok(())` behind it or not.
    fn single_call<'t>(&self, node: Node<'t>, depth: u32) -> Option<Node<'t>> {
        if depth > 12 {
            return None;
        }
        match self.kind(node) {
            Kind::Call => {
                let callee = node.child_by_field_id(self.t.fields.function)?;
                let wraps = matches!(self.b.text(callee), "Ok" | "Some" | "Err" | "Box::pin");
                let arguments = node.child_by_field_id(self.t.fields.arguments)?;
                if wraps {
                    self.single_call(arguments.named_child(0)?, depth + 1)
                } else {
                    self.called(callee)
                }
            }
            Kind::Try | Kind::Await | Kind::Parenthesized => {
                self.single_call(node.named_child(0)?, depth + 1)
            }
            Kind::Block => {
                let mut cursor = node.walk();
                let mut parts: Vec<Node<'t>> =
                    node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect();
                if parts.len() > 1 && parts.last().is_some_and(|last| self.b.text(*last) == "Ok(())") {
                    parts.pop();
                }
                if parts.len() == 1 { self.single_call(parts[0], depth + 1) } else { None }
            }
            _ if matches!(node.kind(), "expression_statement" | "return_expression") => {
                self.single_call(node.named_child(0)?, depth + 1)
            }
            _ => None,
        }
    }

    /// The name in a callee.
    fn called<'t>(&self, callee: Node<'t>) -> Option<Node<'t>> {
        let f = &self.t.fields;
        match self.kind(callee) {
            Kind::Identifier => Some(callee),
            Kind::ScopedIdentifier => callee.child_by_field_id(f.name),
            Kind::FieldExpression => callee.child_by_field_id(f.field),
            Kind::GenericFunction => self.called(callee.child_by_field_id(f.function)?),
            _ => None,
        }
    }
}
