//! Going down a tree with the stack guarded.

use super::Builder;
use tree_sitter::{Node, TreeCursor};

/// How deep a tree is walked. Deeper levels are machine-made; they are left out and the file is marked.
const MAX_DEPTH: u32 = 1_000;

/// A walk over a tree that fills a [`Builder`]. A language module says what to do at a node; descending,
/// with the stack guarded, is done here.
pub(crate) trait Walk<'s> {
    fn builder(&mut self) -> &mut Builder<'s>;

    /// Handles the node under the cursor and leaves the cursor there. Nodes of no interest of their own
    /// are handled by [`Walk::visit_children`].
    fn visit(&mut self, cursor: &mut TreeCursor<'_>);

    fn visit_children(&mut self, cursor: &mut TreeCursor<'_>) {
        if !cursor.goto_first_child() {
            return;
        }
        self.deeper(|walk| {
            loop {
                walk.visit(cursor);
                if !cursor.goto_next_sibling() {
                    break;
                }
            }
        });
        cursor.goto_parent();
    }

    fn visit_node(&mut self, node: Node<'_>) {
        self.deeper(|walk| walk.visit(&mut node.walk()));
    }

    /// Goes one level down with the stack guarded, unless the tree is too deep.
    fn deeper(&mut self, descend: impl FnOnce(&mut Self)) {
        if self.builder().depth >= MAX_DEPTH {
            self.builder().file.has_errors = true;
            return;
        }
        self.builder().depth += 1;
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || descend(self));
        self.builder().depth -= 1;
    }

    fn visit_children_of(&mut self, node: Node<'_>) {
        self.visit_children(&mut node.walk());
    }
}
