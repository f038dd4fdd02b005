//! The shape of a piece of syntax as a number: kinds and words in order, without what does not count.
//!
//! A grammar need not have a node for every byte: the inside of a string, a block scalar or a token that could not be
//! parsed may lie *between* the children of a node. Those gaps are written like words, so that nothing but white
//! space, comments and what [`layout`] names is left out.

use super::{layout, python, verbatim};
use crate::Lang;
use std::collections::BTreeMap;
use tree_sitter::Node;

const START: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;
const OPEN: u8 = 1;
const CLOSE: u8 = 2;
const OWN_NAME: u8 = 3;
const MEMBER: u8 = 4;
const GAP: u8 = 5;

/// FNV-1a.
pub(super) struct Fnv(u64);

impl Fnv {
    pub(super) fn new() -> Fnv {
        Fnv(START)
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// Adds a text whatever its line ends are.
    fn add_text(&mut self, text: &str) {
        for line in text.split_inclusive('\n') {
            match line.strip_suffix("\r\n") {
                Some(line) => {
                    self.add(line.as_bytes());
                    self.add(b"\n");
                }
                None => self.add(line.as_bytes()),
            }
        }
    }

    /// Never 0, which stands for nothing.
    pub(super) fn finish(self) -> u64 {
        self.0.max(1)
    }
}

/// Writes syntax into a hash.
pub(super) struct Writer<'w> {
    lang: Lang,
    source: &'w str,
    /// Spans of symbols that have prints of their own, and their names.
    members: &'w BTreeMap<(u32, u32), String>,
    own_name: Option<&'w str>,
    hash: Fnv,
    /// Whether members directly below the node that was begun with leave nothing behind, not even their names.
    skips_members: bool,
    left_out: Vec<(u32, u32)>,
}

fn range(node: Node<'_>) -> (u32, u32) {
    (node.start_byte() as u32, node.end_byte() as u32)
}

impl<'w> Writer<'w> {
    pub(super) fn new(
        lang: Lang,
        source: &'w str,
        members: &'w BTreeMap<(u32, u32), String>,
        own_name: Option<&'w str>,
    ) -> Writer<'w> {
        let left_out = Vec::new();
        Writer { lang, source, members, own_name, hash: Fnv::new(), skips_members: false, left_out }
    }

    /// Members that stand free leave nothing behind. Those inside of something, such as a condition, an `impl` or an
    /// export, or behind an attribute, are named: it matters for them.
    pub(super) fn skip_members(&mut self) -> &mut Writer<'w> {
        self.skips_members = true;
        self
    }

    pub(super) fn leave_out<'n>(&mut self, nodes: impl Iterator<Item = Node<'n>>) -> &mut Writer<'w> {
        self.left_out = nodes.map(range).collect();
        self
    }

    pub(super) fn finish(self) -> u64 {
        self.hash.finish()
    }

    /// Writes a node that is not looked at as a member itself.
    pub(super) fn write_from(&mut self, node: Node<'_>) {
        if !self.left_out.contains(&range(node)) {
            self.inside(node, self.skips_members);
        }
    }

    /// Writes a node, or the names of what is defined there.
    fn write(&mut self, node: Node<'_>, is_free: bool) {
        if self.left_out.contains(&range(node)) {
            return;
        }
        if let Some(names) = self.members.get(&range(node)) {
            if !is_free {
                self.hash.add(&[MEMBER]);
                self.hash.add(names.as_bytes());
            }
            return;
        }
        let is_free = is_free && layout::is_include_guard(node, self.source);
        stacker::maybe_grow(32 * 1024, 1024 * 1024, || self.inside(node, is_free));
    }

    fn inside(&mut self, node: Node<'_>, is_free: bool) {
        let kind = node.kind();
        if kind == "block_scalar" {
            let text = verbatim::block_scalar(self.text(node));
            return self.tagged(kind, |writer| writer.hash.add_text(&text));
        }
        if node.child_count() == 0 {
            return self.word(node);
        }
        if self.lang == Lang::Python && python::is_string(kind) {
            let text = python::string(node, self.source);
            self.tagged("string", |writer| match text {
                Some(text) => writer.hash.add_text(&text),
                None => writer.children(node, false),
            });
        } else if layout::has_needless_parentheses(self.lang, node, self.source) {
            self.children(node, false);
        } else if self.lang == Lang::Python && python::is_tuple(kind) {
            self.tagged("tuple", |writer| writer.children(node, false));
        } else if !(self.lang == Lang::Python && python::is_noise(node)) {
            self.tagged(kind, |writer| writer.children(node, is_free));
        }
    }

    fn tagged(&mut self, kind: &str, write: impl FnOnce(&mut Self)) {
        self.hash.add(&[OPEN]);
        self.hash.add(kind.as_bytes());
        self.hash.add(&[0]);
        write(self);
        self.hash.add(&[CLOSE]);
    }

    /// Writes the children of a node and what lies between them.
    fn children(&mut self, node: Node<'_>, is_free: bool) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let counted: Vec<Node<'_>> =
            children.iter().copied().filter(|child| !layout::is_comment(*child)).collect();
        let mut end = node.start_byte();
        let mut at = 0_usize;
        for child in &children {
            self.gap(node, end, child.start_byte());
            end = child.end_byte().max(end);
            if layout::is_comment(*child) {
                self.comment(*child);
                continue;
            }
            let previous = at.checked_sub(1).map(|at| counted[at]);
            if !layout::is_layout(self.lang, node, &counted, at) {
                self.write(*child, is_free && !previous.is_some_and(layout::is_mark));
            }
            at += 1;
        }
        self.gap(node, end, node.end_byte());
    }

    /// Writes text that no child covers.
    fn gap(&mut self, node: Node<'_>, from: usize, to: usize) {
        let text = self.source.get(from..to).unwrap_or_default();
        if text.is_empty() {
            return;
        }
        if verbatim::is_verbatim(node.kind()) {
            self.hash.add(&[GAP]);
            self.verbatim(node.kind(), text);
            return;
        }
        let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
        let text = text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
        if !text.is_empty() {
            self.hash.add(&[GAP]);
            self.hash.add_text(text);
        }
    }

    fn verbatim(&mut self, kind: &str, text: &str) {
        if verbatim::folds_lines(kind) {
            self.hash.add_text(&verbatim::folded_lines(text));
        } else {
            self.hash.add_text(text);
        }
    }

    /// Writes a comment that tools read.
    fn comment(&mut self, node: Node<'_>) {
        let text = self.text(node);
        if layout::is_directive(self.lang, node, text) {
            self.tagged("directive", |writer| writer.hash.add_text(text.trim_end()));
        }
    }

    fn text(&self, node: Node<'_>) -> &'w str {
        self.source.get(node.byte_range()).unwrap_or_default()
    }

    fn word(&mut self, node: Node<'_>) {
        let text = self.text(node);
        let kind = node.kind();
        if kind == "jsx_text" {
            let text = verbatim::jsx_text(text);
            return self.tagged(kind, |writer| writer.hash.add_text(&text));
        }
        let is_space = text.trim().is_empty();
        let is_verbatim = verbatim::is_verbatim(kind)
            || is_space && node.parent().is_some_and(|parent| verbatim::is_verbatim(parent.kind()));
        if is_space && !is_verbatim || self.lang == Lang::Python && kind == "string_end" {
            return;
        }
        if self.lang == Lang::Python && kind == "string_start" {
            let prefix = text.trim_end_matches(['"', '\'']).to_lowercase();
            return self.hash.add(prefix.as_bytes());
        }
        self.hash.add(&[0]);
        if Some(text) == self.own_name {
            self.hash.add(&[OWN_NAME]);
        } else if layout::is_script(self.lang) && text == "'" {
            self.hash.add(b"\"");
        } else if is_verbatim {
            self.verbatim(kind, text);
        } else {
            self.hash.add_text(text);
        }
    }
}
