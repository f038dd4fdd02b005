//! The comments of JavaScript that say types: their tags, and the types in them as one tree.
//!
//! Types are written as in TypeScript, with a few spellings of older tools. They are copied to their places in an
//! otherwise blank text, each as an alias of its own, so that one parse reads all of them and every position is that of
//! the file. `import("m")` becomes one identifier there, which the grammar takes wherever a type name may stand.

use crate::parse::{Grammar, parse};
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// What stands before a type in the text that is parsed.
const ALIAS: &[u8] = b"type _=";

/// What a tag says something of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagKind {
    Param,
    Returns,
    Type,
    Typedef,
    Callback,
    Property,
    Template,
}

/// A tag with the places of its type and name in the file.
#[derive(Clone, Debug)]
pub(super) struct Tag {
    pub(super) kind: TagKind,
    pub(super) ty: Option<Range<usize>>,
    /// Dotted for a property of a parameter; several with commas for type parameters.
    pub(super) name: Option<Range<usize>>,
    pub(super) is_optional: bool,
    pub(super) is_rest: bool,
}

/// A comment that begins with `/**` and has tags.
#[derive(Debug)]
pub(super) struct DocComment {
    pub(super) place: Range<usize>,
    pub(super) tags: Vec<Tag>,
}

/// The documented types of a file.
#[derive(Debug)]
pub(super) struct Docs {
    /// In the order of the file.
    comments: Vec<DocComment>,
    tree: Tree,
}

impl Docs {
    /// Reads all comments of a file; `None` when no tag says anything.
    pub(super) fn read(source: &str) -> Option<Docs> {
        let comments = comments(source);
        if comments.is_empty() {
            return None;
        }
        let tree = parse(Grammar::TypeScript, &types_alone(source, &comments)).ok()?;
        Some(Docs { comments, tree })
    }

    /// The comment that starts at a place.
    pub(super) fn at(&self, start: usize) -> Option<&DocComment> {
        let index = self.comments.binary_search_by_key(&start, |comment| comment.place.start).ok()?;
        self.comments.get(index)
    }

    /// The comment that belongs to what starts at a place: nothing but blanks and line comments lies between.
    pub(super) fn before(&self, source: &str, start: usize) -> Option<&DocComment> {
        let behind = self.comments.partition_point(|comment| comment.place.end <= start);
        let comment = self.comments.get(behind.checked_sub(1)?)?;
        let between = source.get(comment.place.end..start)?;
        let is_blank = |line: &str| line.trim().is_empty() || line.trim_start().starts_with("//");
        between.lines().all(is_blank).then_some(comment)
    }

    /// The tree of all types, to be asked with [`type_at`].
    pub(super) fn tree(&self) -> Tree {
        self.tree.clone()
    }
}

/// The type that stands at a place, if it could be read.
pub(super) fn type_at<'t>(tree: &'t Tree, place: &Range<usize>) -> Option<Node<'t>> {
    let start = place.start.checked_sub(ALIAS.len())?;
    let mut cursor = tree.root_node().walk();
    cursor.goto_first_child_for_byte(start)?;
    let alias = cursor.node();
    let is_whole = alias.start_byte() == start && alias.end_byte() >= place.end && !alias.has_error();
    if is_whole { alias.child_by_field_name("value") } else { None }
}

// ── reading comments ────────────────────────────────────────────────────────────────────────────────────

fn comments(source: &str) -> Vec<DocComment> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = source[from..].find("/**").map(|at| from + at) {
        let Some(end) = source[start + 3..].find("*/").map(|at| start + 3 + at + 2) else { break };
        from = end;
        if source.as_bytes()[start + 3] == b'/' {
            from = start + 4; // an empty comment
            continue;
        }
        let tags = tags(source, start + 3..end - 2);
        if !tags.is_empty() {
            found.push(DocComment { place: start..end, tags });
        }
    }
    found
}

/// The tags of a comment: each begins a line, or the comment.
fn tags(source: &str, inside: Range<usize>) -> Vec<Tag> {
    let mut found = Vec::new();
    let mut at = inside.start;
    while at < inside.end {
        let line = &source[at..inside.end];
        let line = line.split_inclusive('\n').next().unwrap_or(line);
        let text = line.trim_start_matches(|c: char| c.is_whitespace() || c == '*');
        let start = at + line.len() - text.len();
        let mut next = at + line.len();
        if text.starts_with('@')
            && let Some((tag, end)) = tag(source, start + 1..inside.end)
        {
            found.push(tag);
            next = next.max(source[end..inside.end].find('\n').map_or(inside.end, |at| end + at + 1));
        }
        at = next;
    }
    found
}

/// The tag whose name starts here, and where it ends.
fn tag(source: &str, text: Range<usize>) -> Option<(Tag, usize)> {
    let rest = &source[text.clone()];
    let word = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())];
    let kind = match word {
        "param" | "arg" | "argument" => TagKind::Param,
        "returns" | "return" => TagKind::Returns,
        "type" => TagKind::Type,
        "typedef" => TagKind::Typedef,
        "callback" => TagKind::Callback,
        "property" | "prop" => TagKind::Property,
        "template" => TagKind::Template,
        _ => return None,
    };
    let mut tag = Tag { kind, ty: None, name: None, is_optional: false, is_rest: false };
    let mut at = skip_blanks(source, text.start + word.len(), text.end);
    if source[at..text.end].starts_with('{') {
        let end = closing_brace(source, at..text.end)?;
        tag.ty = written_type(source, at + 1..end, &mut tag);
        at = skip_blanks(source, end + 1, text.end);
    }
    if source[at..text.end].starts_with('[') {
        tag.is_optional = true;
        at += 1;
    }
    let is_name = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '_' | '$' | '.')
            || kind == TagKind::Template && matches!(c, ',' | ' ')
    };
    let name = &source[at..text.end];
    let name = name[..name.find(|c| !is_name(c)).unwrap_or(name.len())].trim_end();
    if !name.is_empty() {
        tag.name = Some(at..at + name.len());
    }
    let is_about_name = !matches!(kind, TagKind::Returns | TagKind::Type);
    (!is_about_name || tag.name.is_some()).then_some((tag, at))
}

fn skip_blanks(source: &str, at: usize, end: usize) -> usize {
    let rest = &source[at..end];
    at + rest.len() - rest.trim_start_matches([' ', '\t']).len()
}

/// Where the brace that opens a range is closed.
fn closing_brace(source: &str, range: Range<usize>) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in source[range.clone()].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(range.start + at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The type inside of braces without what only comments have: `?T`, `!T`, `T=`, `...T`. A type that says nothing, such
/// as `*` or `Object`, is none.
fn written_type(source: &str, place: Range<usize>, tag: &mut Tag) -> Option<Range<usize>> {
    let text = source[place.clone()].trim_end();
    let whole = text.len();
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '*');
    let text = match text.strip_prefix("...") {
        Some(rest) => {
            tag.is_rest = true;
            rest
        }
        None => text,
    };
    let text = text.trim_start_matches(['?', '!']);
    let start = place.start + whole - text.len();
    let bare = text.trim_end_matches(['=', '?', '!']);
    tag.is_optional |= bare.len() < text.len();
    let says_nothing =
        matches!(bare.trim(), "" | "any" | "unknown" | "object" | "Object" | "Function" | "{}");
    (!says_nothing && start >= ALIAS.len()).then_some(start..start + bare.len())
}

// ── the text that is parsed ─────────────────────────────────────────────────────────────────────────────

/// A text as long as the file that has nothing but the types.
fn types_alone(source: &str, comments: &[DocComment]) -> String {
    let mut out: Vec<u8> = source.bytes().map(|b| if b == b'\n' { b'\n' } else { b' ' }).collect();
    for place in comments.iter().flat_map(|comment| &comment.tags).filter_map(|tag| tag.ty.as_ref()) {
        out[place.start - ALIAS.len()..place.start].copy_from_slice(ALIAS);
        out[place.clone()].copy_from_slice(&source.as_bytes()[place.clone()]);
        blank_margins(&mut out[place.clone()]);
        if let Some(end) = out.get_mut(place.end) {
            *end = b';';
        }
    }
    let text = String::from_utf8(out).unwrap_or_default();
    name_imports(&text, |_| true).replace(".<", " <")
}

/// Blanks the stars that the lines of a comment begin with.
fn blank_margins(text: &mut [u8]) {
    let mut is_margin = false;
    for byte in text {
        match *byte {
            b'\n' => is_margin = true,
            b'*' if is_margin => *byte = b' ',
            b' ' | b'\t' | b'\r' => {}
            _ => is_margin = false,
        }
    }
}

/// Makes every `import("m")` of a text one identifier of the same length, if what stands behind it is one to do so for.
pub(super) fn name_imports(text: &str, is_type: impl Fn(&str) -> bool) -> String {
    let mut out = text.as_bytes().to_vec();
    for (at, _) in text.match_indices("import(") {
        let end = text[at..].find(')').map(|end| at + end + 1);
        if let Some(end) = end.filter(|end| imported(&text[at..*end]).is_some() && is_type(&text[*end..])) {
            out[at..end].fill(b'_');
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// The module that the text `import("m")` names.
pub(super) fn imported(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("import(")?.strip_suffix(')')?.trim();
    let module = inside.strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
    (!module.contains(['"', '\'', '\n'])).then_some(module)
}
