//! What a place expects of the value that is written there, which tells whose function `Trait::make()` calls.

use super::{Kind, Rust};
use crate::{Expr, ExprId};
use tree_sitter::Node;

/// A call that waits for what its place expects, by its place in the text.
pub(super) type Expected = (std::ops::Range<usize>, ExprId);

/// How the type of a part follows from that of the whole.
#[derive(Clone, Copy)]
enum Step {
    /// What a tuple has at a place.
    Position(usize),
    /// What `Some(…)` holds.
    Held,
}

impl Rust<'_> {
    /// Notes what a place expects for the calls in it whose path may name a trait.
    pub(super) fn expect(&mut self, node: Node<'_>, expected: impl FnOnce(&mut Self) -> ExprId) {
        let mut calls = Vec::new();
        self.open_calls(node, &mut Vec::new(), &mut calls);
        if calls.is_empty() {
            return;
        }
        let expected = expected(self);
        for (call, steps) in calls {
            let expected = steps.iter().fold(expected, |whole, step| match *step {
                Step::Position(at) => self.b.position(whole, at),
                Step::Held => self.b.element(whole),
            });
            if !matches!(self.b.form(expected), Expr::Unknown | Expr::Builtin | Expr::Primitive(_)) {
                self.expected.push((call.byte_range(), expected));
            }
        }
    }

    /// The calls that give what an expression is, with the way to their part of it.
    fn open_calls<'t>(&self, node: Node<'t>, steps: &mut Vec<Step>, found: &mut Vec<(Node<'t>, Vec<Step>)>) {
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::Reference => self.open_calls_in(node.child_by_field_id(f.value), steps, found),
            Kind::Parenthesized | Kind::Try => self.open_calls_in(node.named_child(0), steps, found),
            Kind::TupleExpression => {
                let mut cursor = node.walk();
                let parts = node.named_children(&mut cursor).filter(|part| !part.is_extra());
                for (at, part) in parts.enumerate() {
                    steps.push(Step::Position(at));
                    self.open_calls(part, steps, found);
                    steps.pop();
                }
            }
            Kind::Call => {
                let Some(callee) = node.child_by_field_id(f.function) else { return };
                match self.kind(callee) {
                    Kind::ScopedIdentifier if self.may_name_trait(callee) => {
                        found.push((node, steps.clone()));
                    }
                    // `FromStr::from_str(text).unwrap()`: what is made is in what the call gives.
                    Kind::FieldExpression
                        if callee
                            .child_by_field_id(f.field)
                            .is_some_and(|method| takes_out(self.b.text(method))) =>
                    {
                        self.open_calls_in(callee.child_by_field_id(f.value), steps, found);
                    }
                    Kind::Identifier if matches!(self.b.text(callee), "Some" | "Ok") => {
                        let held = node.child_by_field_id(f.arguments).and_then(|list| list.named_child(0));
                        steps.push(Step::Held);
                        self.open_calls_in(held, steps, found);
                        steps.pop();
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn open_calls_in<'t>(
        &self,
        node: Option<Node<'t>>,
        steps: &mut Vec<Step>,
        found: &mut Vec<(Node<'t>, Vec<Step>)>,
    ) {
        if let Some(node) = node.filter(|_| steps.len() < 4) {
            self.open_calls(node, steps, found);
        }
    }

    /// Whether a trait may stand before the `::` of a path: it is called like a type.
    fn may_name_trait(&self, callee: Node<'_>) -> bool {
        let path = callee.child_by_field_id(self.t.fields.path);
        let path = path.filter(|path| matches!(self.kind(*path), Kind::Identifier | Kind::ScopedIdentifier));
        let Some(text) = path.map(|path| self.b.text(path)) else { return false };
        let last = text.rsplit("::").next().unwrap_or(text);
        last.starts_with(char::is_uppercase)
            && !matches!(last, "Self" | "Box" | "Rc" | "Arc" | "Vec" | "String")
    }

    /// What the place of a call expects it to give.
    pub(super) fn expected_of(&mut self, call: Node<'_>) -> Option<ExprId> {
        let range = call.byte_range();
        let at = self.expected.iter().rposition(|(place, _)| *place == range)?;
        Some(self.expected.swap_remove(at).1)
    }
}

/// Whether a method gives what an option or a result holds.
fn takes_out(method: &str) -> bool {
    matches!(method, "unwrap" | "expect" | "unwrap_or_default" | "unwrap_unchecked")
}
