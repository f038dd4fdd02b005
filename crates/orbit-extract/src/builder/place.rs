//! Where nodes stand.

use crate::Span;
use tree_sitter::Node;

pub(crate) fn span(node: Node<'_>) -> Span {
    Span { start: node.start_byte() as u32, end: node.end_byte() as u32 }
}

/// 1-based line where the node starts.
pub(crate) fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

/// 1-based line where the node ends; a node that ends with a line break ends on the line before it.
pub(crate) fn end_line(node: Node<'_>) -> u32 {
    let end = node.end_position();
    let row = if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row };
    row as u32 + 1
}
