//! What neighbours tell in any language: a name behind a dot is a member, a name a definition gives is its name.

use super::{Place, Spelling, is_field};
use crate::builder::span;
use tree_sitter::Node;

pub(super) fn classify(node: Node<'_>) -> Spelling {
    let mut row = Spelling::default();
    let Some(parent) = node.parent() else { return row };
    if is_field(parent, "name", node) {
        let kind = parent.kind();
        row.defines = ["declaration", "definition", "_item", "_spec", "declarator"]
            .iter()
            .any(|end| kind.ends_with(end));
    }
    if let Some(before) =
        node.prev_sibling().filter(|before| matches!(before.kind(), "." | "::" | "->" | "?."))
    {
        row.place = Place::Member;
        row.qualifier = before.prev_sibling().filter(|name| name.child_count() == 0).map(span);
    }
    row.is_qualifier = node.next_sibling().is_some_and(|after| matches!(after.kind(), "." | "::"));
    row
}
