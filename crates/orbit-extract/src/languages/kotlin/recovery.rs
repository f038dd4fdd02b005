//! What an error node still tells: the class whose body could not be read to its end.

use super::{Kind, Kotlin};
use crate::builder::{Def, Walk};
use crate::{Span, SymbolKind};
use tree_sitter::Node;

/// How often the rest of a class is read again inside a class that is being read again.
const MAX_READINGS: u32 = 4;

impl Kotlin<'_> {
    /// `class Foo { … ` without its end: what follows the name are members.
    pub(super) fn error_node(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let outer = self.in_body;
        let mut opened = 0;
        let mut index = 0;
        while let Some(child) = children.get(index) {
            let name = children
                .get(index + 1)
                .filter(|next| self.kind(**next) == Kind::Identifier && !self.b.text(**next).is_empty());
            match (self.keyword_kind(*child), name) {
                // Looking for a way out, the grammar takes the rest of the file for a string.
                _ if self.kind(*child) == Kind::StringContent => break,
                (Some(kind), Some(name)) => {
                    opened += u32::from(self.open_declaration(node, *name, kind));
                    index += 2;
                }
                _ => {
                    self.visit_node(*child);
                    index += 1;
                }
            }
        }
        let stop = match children.get(index) {
            Some(child) => Some((child.start_byte(), child.start_position().row)),
            None => children.last().map(|last| (last.end_byte(), last.end_position().row)),
        };
        if let (Some((at, row)), true) = (stop, opened > 0) {
            self.unread_members(at, node.end_byte(), row);
        }
        for _ in 0..opened {
            self.b.leave();
        }
        self.in_body = outer;
    }

    /// Defines what `keyword name` begins and enters it if it is a class.
    fn open_declaration(&mut self, node: Node<'_>, name: Node<'_>, kind: SymbolKind) -> bool {
        let is_class = kind != SymbolKind::Function;
        let exported = self.is_open_scope();
        let text = self.b.text(name).trim_matches('`');
        let def = Def::new(if is_class { node } else { name }, name, kind).exported(exported);
        let scope = self.b.define_as(def, text, None);
        if is_class {
            self.b.enter(scope);
            self.in_body = false;
        }
        is_class
    }

    /// The members behind the place where reading stopped, from the next line on.
    fn unread_members(&mut self, stop: usize, end: usize, row: usize) {
        let source = self.b.source;
        let rest = source.get(stop..end).unwrap_or("");
        let Some(line_end) = rest.find('\n').filter(|_| self.readings < MAX_READINGS) else { return };
        let span = Span { start: (stop + line_end + 1) as u32, end: end as u32 };
        self.readings += 1;
        for tree in super::repair::read_members(source, span, row + 1) {
            self.visit_node(tree.root_node());
        }
        self.readings -= 1;
    }

    /// What a keyword that stands alone in an error node begins.
    fn keyword_kind(&self, token: Node<'_>) -> Option<SymbolKind> {
        match token.kind_id() {
            id if id == self.t.class || id == self.t.object => Some(SymbolKind::Class),
            id if id == self.t.interface => Some(SymbolKind::Interface),
            id if id == self.t.fun => Some(SymbolKind::Function),
            _ => None,
        }
    }
}
