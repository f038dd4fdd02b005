//! Operators, which call methods of the data model.

use super::Python;
use crate::ExprId;
use tree_sitter::Node;

/// The methods of binary operators.
const BINARY: [(&str, &str); 13] = [
    ("+", "__add__"),
    ("-", "__sub__"),
    ("*", "__mul__"),
    ("@", "__matmul__"),
    ("/", "__truediv__"),
    ("//", "__floordiv__"),
    ("%", "__mod__"),
    ("**", "__pow__"),
    ("<<", "__lshift__"),
    (">>", "__rshift__"),
    ("&", "__and__"),
    ("^", "__xor__"),
    ("|", "__or__"),
];

/// The methods of unary operators.
const UNARY: [(&str, &str); 3] = [("-", "__neg__"), ("+", "__pos__"), ("~", "__invert__")];

impl Python<'_> {
    /// `a | b` gives what `a.__or__(b)` does, `~a` what `a.__invert__()` does. A right operand that is asked because the
    /// left one has no such method stays unknown.
    pub(super) fn operator_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let operand = node.child_by_field_name("left");
        let (operand, methods) = match operand {
            Some(left) => (Some(left), &BINARY[..]),
            None => (node.child_by_field_name("argument"), &UNARY[..]),
        };
        let sign = node.child_by_field_name("operator").map_or("", |sign| sign.kind());
        let method = methods.iter().find(|(operator, _)| *operator == sign);
        let (Some(operand), Some((_, method))) = (operand, method) else { return self.b.unknown() };
        let operand = self.expr_of(operand, depth + 1);
        let method = self.b.intern(method);
        let method = self.b.member(operand, method);
        self.b.call(method)
    }
}
