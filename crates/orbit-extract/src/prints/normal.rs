//! The shape of a piece of syntax as a number: kinds and words in order, without what does not count.

use super::python;
use crate::Lang;
use std::collections::BTreeMap;
use tree_sitter::Node;

const START: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;
const OPEN: u8 = 1;
const CLOSE: u8 = 2;
const OWN_NAME: u8 = 3;
const MEMBER: u8 = 4;

/// A text with its white space folded.
pub(super) fn of_text(source: &str) -> u64 {
    let mut hash = Fnv(START);
    for word in source.split_whitespace() {
        hash.add(word.as_bytes());
        hash.add(b" ");
    }
    hash.0
}

struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
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
    names_members: bool,
    left_out: Vec<(u32, u32)>,
}

fn is_comment(node: Node<'_>) -> bool {
    node.is_extra() || node.kind().ends_with("comment")
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
        let hash = Fnv(START);
        Writer { lang, source, members, own_name, hash, names_members: true, left_out: Vec::new() }
    }

    /// Members leave nothing behind, not even their names.
    pub(super) fn skip_members(&mut self) -> &mut Writer<'w> {
        self.names_members = false;
        self
    }

    pub(super) fn leave_out<'n>(&mut self, nodes: impl Iterator<Item = Node<'n>>) -> &mut Writer<'w> {
        self.left_out = nodes.map(range).collect();
        self
    }

    pub(super) fn finish(self) -> u64 {
        // 0 stands for nothing.
        self.hash.0.max(1)
    }

    /// Writes a node that is not looked at as a member itself.
    pub(super) fn write_from(&mut self, node: Node<'_>) {
        if !self.left_out.contains(&range(node)) {
            self.inside(node);
        }
    }

    /// Writes a node, or the names of what is defined there.
    pub(super) fn write(&mut self, node: Node<'_>) {
        if is_comment(node) || self.left_out.contains(&range(node)) {
            return;
        }
        if let Some(names) = self.members.get(&range(node)) {
            if self.names_members {
                self.hash.add(&[MEMBER]);
                self.hash.add(names.as_bytes());
            }
            return;
        }
        stacker::maybe_grow(32 * 1024, 1024 * 1024, || self.inside(node));
    }

    fn inside(&mut self, node: Node<'_>) {
        if node.child_count() == 0 {
            return self.word(node);
        }
        let kind = node.kind();
        if self.lang == Lang::Python && python::is_string(kind) {
            let text = python::string(node, self.source);
            self.tagged("string", |writer| match text {
                Some(text) => writer.hash.add(text.as_bytes()),
                None => writer.children(node),
            });
        } else if kind == "parenthesized_expression" {
            self.children(node);
        } else if self.lang == Lang::Python && python::is_tuple(kind) {
            self.tagged("tuple", |writer| writer.children(node));
        } else if !(self.lang == Lang::Python && python::is_noise(node)) {
            self.tagged(kind, |writer| writer.children(node));
        }
    }

    fn tagged(&mut self, kind: &str, write: impl FnOnce(&mut Self)) {
        self.hash.add(&[OPEN]);
        self.hash.add(kind.as_bytes());
        self.hash.add(&[0]);
        write(self);
        self.hash.add(&[CLOSE]);
    }

    fn children(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> =
            node.children(&mut cursor).filter(|child| !is_comment(*child)).collect();
        for (at, child) in children.iter().enumerate() {
            if !self.is_layout(node, *child, children.get(at + 1).copied()) {
                self.write(*child);
            }
        }
    }

    /// Punctuation that says nothing where it stands.
    fn is_layout(&self, parent: Node<'_>, child: Node<'_>, next: Option<Node<'_>>) -> bool {
        let is_script = matches!(self.lang, Lang::JavaScript | Lang::TypeScript | Lang::Tsx);
        match child.kind() {
            "," => next.is_none_or(|next| matches!(next.kind(), ")" | "]" | "}" | ">" | "|")),
            ";" => is_script && parent.kind() != "for_statement",
            "(" | ")" => {
                parent.kind() == "parenthesized_expression"
                    || self.lang == Lang::Python && python::has_needless_parentheses(parent.kind())
            }
            _ => false,
        }
    }

    fn word(&mut self, node: Node<'_>) {
        let text = self.source.get(node.byte_range()).unwrap_or_default();
        let is_script = matches!(self.lang, Lang::JavaScript | Lang::TypeScript | Lang::Tsx);
        if text.trim().is_empty() || self.lang == Lang::Python && node.kind() == "string_end" {
            return;
        }
        if self.lang == Lang::Python && node.kind() == "string_start" {
            let prefix = text.trim_end_matches(['"', '\'']).to_lowercase();
            return self.hash.add(prefix.as_bytes());
        }
        self.hash.add(&[0]);
        if Some(text) == self.own_name {
            self.hash.add(&[OWN_NAME]);
        } else if is_script && text == "'" {
            self.hash.add(b"\"");
        } else {
            self.hash.add(text.as_bytes());
        }
    }
}
