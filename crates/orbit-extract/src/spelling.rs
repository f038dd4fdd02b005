//! Every place where a name is spelled in a file, and what it is there.
//!
//! ```text
//! (path, bytes, words) ─parse─▶ tree ─every leaf─▶ Spelling
//! ```
//!
//! Extraction says what names refer to; this says where they are written, comments and strings included, so that who
//! changes a name can account for every one of them. One file per language says what a leaf is.

mod generic;
mod python;
mod rust;
mod script;

use crate::builder::{line, span};
use crate::parse::{Grammar, begin_file, parse};
use crate::{ExtractError, Family, Lang, Span};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// What a spelled name is, as far as its neighbours tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A name on its own, or the first of a path.
    #[default]
    Plain,
    /// Behind a `.`: a member of a value, a module or a package.
    Member,
    /// Behind a `::`, or in a list below one.
    Path,
    /// Names a field, parameter or property of what stands round it: `name: value`, `name=value`.
    Key,
    /// A label or lifetime.
    Label,
    /// In a comment.
    Comment,
    /// In a string.
    Text,
    /// In code that the grammar does not take apart: the body of a C macro, a damaged region.
    Unparsed,
}

/// One place where a word is spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that the neighbours tell")]
pub struct Spelling {
    /// The word itself.
    pub span: Span,
    /// 1-based.
    pub line: u32,
    /// Which of the words that were asked for.
    pub word: usize,
    /// What it is.
    pub place: Place,
    /// The name of a definition.
    pub defines: bool,
    /// Binds a local name: parameter, pattern, target of an assignment, alias.
    pub binds: bool,
    /// One word stands for both a key and a value: `{ name }`.
    pub shorthand: bool,
    /// Called where it stands.
    pub is_call: bool,
    /// More of a path follows.
    pub is_qualifier: bool,
    /// Inside an import or export clause.
    pub in_import: bool,
    /// Inside the arguments or the definition of a macro, where nobody knows what tokens become.
    pub in_macro: bool,
    /// Inside an attribute.
    pub in_attribute: bool,
    /// The other side of `key: value`, when both are plain names.
    pub partner: Option<Span>,
    /// The name right before it, when it has one: `b` for `c` in `a.b.c`; of a keyword argument what is called.
    pub qualifier: Option<Span>,
    /// Of a name that is bound in a part of a Python file or script only: that part, such as a function, a block, a `lambda`
    /// or a comprehension.
    pub scope: Option<Span>,
}

/// Every place where one of the words is spelled, in source order.
pub fn spellings(
    path: &str,
    lang: Lang,
    bytes: &[u8],
    words: &[&str],
) -> Result<Vec<Spelling>, ExtractError> {
    let source = std::str::from_utf8(bytes).map_err(|_| ExtractError::NotUtf8)?;
    let mut found = Finder { source, words, lang, found: Vec::new() };
    match Grammar::of(path, lang).filter(|_| lang.family() != Family::Prose) {
        Some(grammar) => {
            begin_file();
            let tree = parse(grammar, source)?;
            found.walk(tree.root_node());
            found.leftovers(tree.root_node());
        }
        None => found.text(0, source, 1, Spelling { place: Place::Comment, ..Spelling::default() }),
    }
    Ok(found.found)
}

struct Finder<'s> {
    source: &'s str,
    words: &'s [&'s str],
    lang: Lang,
    found: Vec<Spelling>,
}

impl Finder<'_> {
    /// Visits every node, without recursion: trees may be deep.
    fn walk(&mut self, root: Node<'_>) {
        let mut cursor = root.walk();
        loop {
            let node = cursor.node();
            let prose = prose(node);
            if let Some(place) = prose {
                let text = self.source.get(node.byte_range()).unwrap_or("");
                let in_attribute = place == Place::Text && rust::is_in_attribute(node);
                let row = Spelling { place, in_attribute, ..Spelling::default() };
                self.text(node.start_byte(), text, line(node), row);
            } else if node.child_count() == 0 {
                self.leaf(node);
            }
            if prose.is_none() && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    fn leaf(&mut self, node: Node<'_>) {
        // Keywords and built-in types are spelled like names of other places.
        if !node.is_named() || !(node.kind().contains("identifier") || node.kind() == "constant") {
            return;
        }
        let text = self.source.get(node.byte_range()).unwrap_or("");
        let text = text.strip_prefix('#').unwrap_or(text); // `#private` of JavaScript
        let Some(word) = self.words.iter().position(|word| *word == text) else { return };
        let mut row = match self.lang.family() {
            Family::Rust => rust::classify(node),
            Family::Python => python::classify(node),
            Family::Script => script::classify(node),
            _ => generic::classify(node),
        };
        row.span = span(node);
        row.span.start = row.span.end - text.len() as u32;
        row.line = line(node);
        row.word = word;
        if row.binds || row.defines {
            row.scope = match self.lang.family() {
                Family::Python => python::scope(node).map(span),
                Family::Script => script::scope(node).map(span),
                _ => None,
            };
        }
        self.found.push(row);
    }

    /// Adds the words that no leaf and no text was found for, so that every occurrence in the bytes is accounted for.
    fn leftovers(&mut self, root: Node<'_>) {
        let known: BTreeSet<u32> = self.found.iter().map(|row| row.span.start).collect();
        let unparsed = Spelling { place: Place::Unparsed, ..Spelling::default() };
        let at = self.found.len();
        self.text(0, self.source, 1, unparsed);
        let hits = self.found.split_off(at);
        for mut hit in hits.into_iter().filter(|hit| !known.contains(&hit.span.start)) {
            let (start, end) = (hit.span.start as usize, hit.span.end as usize);
            let Some(node) = root.descendant_for_byte_range(start, end) else { continue };
            let is_keyword = !node.is_named() && node.byte_range() == (start..end);
            if is_keyword {
                continue;
            }
            let round = std::iter::successors(Some(node), Node::parent).take(3);
            if let Some(place) = round.filter(|node| !node.is_error()).find_map(|node| quoted(node.kind())) {
                hit.place = place;
            }
            self.found.push(hit);
        }
        self.found.sort_by_key(|row| row.span.start);
    }

    /// Words inside of running text.
    fn text(&mut self, start: usize, text: &str, first_line: u32, row: Spelling) {
        let is_word =
            |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'$' || *byte >= 0x80;
        let bytes = text.as_bytes();
        let mut hits = Vec::new();
        for (word, name) in self.words.iter().enumerate() {
            for at in memchr::memmem::find_iter(bytes, name.as_bytes()) {
                let end = at + name.len();
                let touches = bytes[..at].last().is_some_and(is_word) || bytes.get(end).is_some_and(is_word);
                if !touches {
                    hits.push((at, end, word));
                }
            }
        }
        hits.sort_unstable();
        for (at, end, word) in hits {
            let line = first_line + memchr::memchr_iter(b'\n', &bytes[..at]).count() as u32;
            let span = Span { start: (start + at) as u32, end: (start + end) as u32 };
            self.found.push(Spelling { span, line, word, ..row });
        }
    }
}

/// Whether a node is a comment or the text of a string.
fn prose(node: Node<'_>) -> Option<Place> {
    let kind = node.kind();
    if kind.ends_with("comment") {
        return Some(Place::Comment);
    }
    let is_text = matches!(
        kind,
        "string_content"
            | "string_fragment"
            | "raw_string_literal"
            | "jsx_text"
            | "regex"
            | "escape_sequence"
            | "interpreted_string_literal"
            | "character_literal"
            | "char_literal"
            | "heredoc_content"
    ) || kind == "string_literal" && node.child_count() == 0;
    is_text.then_some(Place::Text)
}

/// Whether nodes of a kind are text, whatever their parts are called: the pieces of a template between its values.
fn quoted(kind: &str) -> Option<Place> {
    const TEXTS: [&str; 6] = ["string", "regex", "heredoc", "symbol", "jsx_text", "text_block"];
    if kind.contains("comment") {
        return Some(Place::Comment);
    }
    TEXTS.iter().any(|text| kind.contains(text)).then_some(Place::Text)
}

/// Whether a node is this field of its parent.
fn is_field(parent: Node<'_>, field: &str, node: Node<'_>) -> bool {
    parent.child_by_field_name(field).is_some_and(|child| child.id() == node.id())
}

/// The other side of a pair, when it is a plain name.
fn partner(parent: Node<'_>, fields: [&str; 2], node: Node<'_>) -> Option<Span> {
    let sides = fields.map(|field| parent.child_by_field_name(field));
    let other = sides.into_iter().flatten().find(|side| side.id() != node.id())?;
    let is_side = sides.iter().flatten().any(|side| side.id() == node.id());
    (is_side && other.child_count() == 0 && other.kind().contains("identifier")).then(|| span(other))
}

/// The last identifier of an expression: `b` of `a.b`, `f` of `f`; `None` when it ends in something else.
fn last_name(node: Node<'_>) -> Option<Span> {
    const NAMES: [&str; 4] = ["name", "property", "attribute", "field"];
    if node.child_count() == 0 {
        return Some(span(node)).filter(|_| node.is_named());
    }
    if node.kind() == "generic_type" || node.kind() == "generic_type_with_turbofish" {
        return last_name(node.child_by_field_name("type").or_else(|| node.named_child(0))?);
    }
    NAMES
        .iter()
        .find_map(|field| node.child_by_field_name(field))
        .filter(|name| name.child_count() == 0)
        .map(span)
}
