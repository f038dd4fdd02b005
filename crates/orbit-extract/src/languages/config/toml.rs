//! TOML: tables, dotted keys, inline tables. Every part of a dotted key is a key of its own.

use super::{Keys, unquoted};
use crate::builder::{KindTable, line, node_kinds};
use crate::parse::Grammar;
use crate::{ConfigKind, ExtractedFile};
use std::sync::LazyLock;
use tree_sitter::{Node, TreeCursor};

node_kinds! {
    Pair = "pair",
    Table = "table",
    TableArray = "table_array_element",
    BareKey = "bare_key",
    QuotedKey = "quoted_key",
    DottedKey = "dotted_key",
    String = "string",
}

static KINDS: LazyLock<KindTable<Kind>> = LazyLock::new(|| kinds(&Grammar::Toml.language()));

pub(super) fn keys(root: Node<'_>, source: &str) -> ExtractedFile {
    Keys::new(source, ConfigKind::Toml).walk(root, open)
}

fn open(keys: &mut Keys<'_>, cursor: &TreeCursor<'_>) -> bool {
    let node = cursor.node();
    match KINDS.of(node) {
        Kind::Pair | Kind::Table | Kind::TableArray => {
            node.named_child(0).is_some_and(|key| enter_key(keys, key))
        }
        Kind::BareKey | Kind::QuotedKey | Kind::DottedKey | Kind::String => false,
        Kind::Other => true,
    }
}

/// `a`, `"a"` or `a.b.c`, which the grammar nests to the left.
fn enter_key(keys: &mut Keys<'_>, key: Node<'_>) -> bool {
    let mut parts: Vec<Node<'_>> = Vec::new();
    let mut left = Some(key);
    while let Some(node) = left.take() {
        match KINDS.of(node) {
            Kind::DottedKey => {
                let mut cursor = node.walk();
                let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                for child in children.into_iter().rev() {
                    match KINDS.of(child) {
                        Kind::DottedKey => left = Some(child),
                        _ => parts.push(child),
                    }
                }
            }
            Kind::BareKey | Kind::QuotedKey => parts.push(node),
            _ => {}
        }
    }
    !parts.is_empty() && parts.into_iter().rev().all(|part| keys.enter(unquoted(keys.text(part)), line(part)))
}
