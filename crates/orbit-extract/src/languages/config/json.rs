//! JSON, with comments where people write them.

use super::{Keys, unquoted};
use crate::builder::{KindTable, line, node_fields, node_kinds};
use crate::parse::Grammar;
use crate::{ConfigKind, ExtractedFile};
use std::sync::LazyLock;
use tree_sitter::{Node, TreeCursor};

node_kinds! {
    Pair = "pair",
    String = "string",
}

node_fields! {
    key = "key",
}

static TABLES: LazyLock<(KindTable<Kind>, Fields)> = LazyLock::new(|| {
    let language = Grammar::Json.language();
    (kinds(&language), Fields::new(&language))
});

pub(super) fn keys(root: Node<'_>, source: &str) -> ExtractedFile {
    Keys::new(source, ConfigKind::Json).walk(root, open)
}

fn open(keys: &mut Keys<'_>, cursor: &TreeCursor<'_>) -> bool {
    let (kinds, fields) = &*TABLES;
    let node = cursor.node();
    match kinds.of(node) {
        Kind::Pair => {
            let key = node.child_by_field_id(fields.key);
            key.is_some_and(|key| keys.enter(unquoted(keys.text(key)), line(key)))
        }
        Kind::String => false,
        Kind::Other => true,
    }
}
