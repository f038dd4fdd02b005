//! YAML: block and flow mappings of every document in the stream.

use super::{Keys, Mark, unquoted};
use crate::builder::{KindTable, line, node_fields, node_kinds};
use crate::parse::Grammar;
use crate::{ConfigKind, ExtractedFile};
use std::sync::LazyLock;
use tree_sitter::{Node, TreeCursor};

node_kinds! {
    BlockPair = "block_mapping_pair",
    FlowPair = "flow_pair",
    Plain = "plain_scalar",
    Single = "single_quote_scalar",
    Double = "double_quote_scalar",
    BlockScalar = "block_scalar",
}

node_fields! {
    key = "key",
}

static TABLES: LazyLock<(KindTable<Kind>, Fields)> = LazyLock::new(|| {
    let language = Grammar::Yaml.language();
    (kinds(&language), Fields::new(&language))
});

/// The grammar gives up at its first error, and templates of other tools are full of them: such a file is
/// read by its indentation.
pub(super) fn keys(root: Node<'_>, source: &str) -> ExtractedFile {
    let keys = Keys::new(source, ConfigKind::Yaml);
    if root.has_error() { scan(keys) } else { keys.walk(root, open) }
}

/// The grammar's scanner keeps one entry per open block and ends the process when it has too many. Far fewer
/// are in use anywhere.
const MAX_BLOCKS: usize = 100;

/// Whether blocks may be open more than [`MAX_BLOCKS`] deep: one for each column of indentation that is in
/// use, one for each `- ` or `? ` that starts a line.
pub(super) fn is_too_deep(source: &str) -> bool {
    let mut columns: Vec<usize> = Vec::new();
    source.lines().any(|line| {
        let text = line.trim_start_matches(' ');
        if text.is_empty() {
            return false;
        }
        let indent = line.len() - text.len();
        columns.retain(|column| *column < indent);
        columns.push(indent);
        let markers = text.split(' ').take_while(|word| matches!(*word, "-" | "?" | ":" | "")).count();
        columns.len() + markers > MAX_BLOCKS
    })
}

/// The keys of a file that the grammar cannot read.
pub(super) fn by_indentation(source: &str) -> ExtractedFile {
    scan(Keys::new(source, ConfigKind::Yaml))
}

fn open(keys: &mut Keys<'_>, cursor: &TreeCursor<'_>) -> bool {
    let (kinds, fields) = &*TABLES;
    let node = cursor.node();
    match kinds.of(node) {
        Kind::BlockPair | Kind::FlowPair => {
            let Some(scalar) = node.child_by_field_id(fields.key).and_then(scalar) else { return true };
            let text = unquoted(keys.text(scalar));
            // `<<` merges another mapping: its keys stand in this one.
            text == "<<" || keys.enter(text, line(scalar))
        }
        Kind::Plain | Kind::Single | Kind::Double | Kind::BlockScalar => false,
        Kind::Other => true,
    }
}

/// The scalar that spells a key, behind its anchor and tag; `None` for a key that is a collection or an alias.
fn scalar(key: Node<'_>) -> Option<Node<'_>> {
    let kinds = &TABLES.0;
    let mut cursor = key.walk();
    key.named_children(&mut cursor)
        .find(|child| matches!(kinds.of(*child), Kind::Plain | Kind::Single | Kind::Double))
}

/// Block keys by their indentation, one to a line.
fn scan(mut keys: Keys<'_>) -> ExtractedFile {
    let mut open: Vec<(usize, Mark)> = Vec::new();
    // Lines indented deeper than this are the text of a block scalar.
    let mut text_below: Option<usize> = None;
    for (index, line) in keys.source.lines().enumerate() {
        let bare = line.trim_start();
        let mut indent = line.len() - bare.len();
        if bare.is_empty() || text_below.is_some_and(|limit| indent > limit) {
            continue;
        }
        text_below = None;
        let mut rest = bare;
        while let Some(item) = rest.strip_prefix("- ") {
            indent += rest.len() - item.trim_start().len();
            rest = item.trim_start();
        }
        let Some((key, value)) = split_key(rest) else { continue };
        while let Some((_, mark)) = open.pop_if(|(above, _)| *above >= indent) {
            keys.leave(mark);
        }
        let mark = keys.mark();
        // Only a key without a value on its line has keys below it.
        let is_parent = value.is_empty() || value.starts_with(['&', '!', '#']);
        if keys.enter(key, index as u32 + 1) && is_parent {
            open.push((indent, mark));
        } else {
            keys.leave(mark);
        }
        if value.starts_with(['|', '>']) {
            text_below = Some(indent);
        }
    }
    keys.file
}

/// `key: value` with a quoted key or one plain word.
fn split_key(text: &str) -> Option<(&str, &str)> {
    let (key, value) = if let Some(quote @ ('"' | '\'')) = text.chars().next() {
        let (key, rest) = text[1..].split_once(quote)?;
        (key, rest.trim_start().strip_prefix(':')?)
    } else {
        let end = text.find(": ").or_else(|| text.strip_suffix(':').map(str::len))?;
        (&text[..end], &text[end + 1..])
    };
    let is_key = !key.is_empty() && !key.contains([' ', '{', '}', '[', ']', '#', '"', '\'']) && key != "<<";
    is_key.then_some((key, value.trim_start()))
}
