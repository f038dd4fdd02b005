//! Rust: paths, fields, patterns, use trees, and tokens inside of macros.

use super::{Place, Spelling, is_field, last_name, partner};
use crate::builder::span;
use tree_sitter::Node;

pub(super) fn classify(node: Node<'_>) -> Spelling {
    let mut row = Spelling::default();
    let Some(parent) = node.parent() else { return row };
    match parent.kind() {
        "field_expression" if is_field(parent, "field", node) => {
            row.place = Place::Member;
            row.is_call = is_called(parent);
            row.qualifier = parent.child_by_field_name("value").and_then(last_name);
        }
        "scoped_identifier" | "scoped_type_identifier" => in_path(node, parent, &mut row),
        "field_initializer" if is_field(parent, "field", node) || is_field(parent, "name", node) => {
            row.place = Place::Key;
        }
        "shorthand_field_initializer" => row.shorthand = true,
        "field_pattern" if node.kind() == "shorthand_field_identifier" => {
            (row.shorthand, row.binds) = (true, true);
        }
        "field_pattern" if is_field(parent, "name", node) => row.place = Place::Key,
        "lifetime" | "label" => row.place = Place::Label,
        "type_parameter" | "const_parameter" | "constrained_type_parameter" => row.binds = true,
        "token_tree" | "token_tree_pattern" | "token_repetition" | "token_repetition_pattern" => {
            in_tokens(node, &mut row);
        }
        _ if is_field(parent, "name", node) && is_item(parent.kind()) => row.defines = true,
        _ => row.is_call = is_called(node),
    }
    row.partner = match parent.kind() {
        "field_initializer" => partner(parent, ["field", "value"], node),
        "field_pattern" => partner(parent, ["name", "pattern"], node),
        _ => None,
    };
    row.in_attribute = is_in_attribute(node);
    in_use_tree(node, &mut row);
    row.binds |= !row.in_import && row.place == Place::Plain && is_bound(node);
    row
}

fn is_item(kind: &str) -> bool {
    kind.ends_with("_item")
        || matches!(kind, "enum_variant" | "field_declaration" | "associated_type" | "macro_definition")
}

fn is_called(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| match parent.kind() {
        "call_expression" => is_field(parent, "function", node),
        "generic_function" => is_field(parent, "function", node) && is_called(parent),
        _ => false,
    })
}

fn in_path(node: Node<'_>, parent: Node<'_>, row: &mut Spelling) {
    if is_field(parent, "name", node) {
        if let Some(path) = parent.child_by_field_name("path") {
            row.place = Place::Path;
            row.qualifier = last_name(path);
        }
        row.is_call = is_called(parent);
        row.is_qualifier = parent.parent().is_some_and(|outer| is_field(outer, "path", parent));
    } else {
        row.is_qualifier = true;
    }
}

fn kind(token: Option<Node<'_>>) -> &str {
    token.map_or("", |token| token.kind())
}

/// The name before a token, over `::<…>`.
fn behind_generics(token: Node<'_>) -> Option<Node<'_>> {
    if token.kind() != ">" {
        return Some(token).filter(Node::is_named);
    }
    let (mut at, mut depth) = (token, 1);
    while depth > 0 {
        at = at.prev_sibling()?;
        match at.kind() {
            "<" => depth -= 1,
            ">" => depth += 1,
            _ => {}
        }
    }
    let before = at.prev_sibling()?;
    let name = if before.kind() == "::" { before.prev_sibling()? } else { before };
    Some(name).filter(Node::is_named)
}

/// Inside of macros only the neighbours tell.
fn in_tokens(node: Node<'_>, row: &mut Spelling) {
    row.in_macro = true;
    let (before, after) = (node.prev_sibling(), node.next_sibling());
    match kind(before) {
        "." => row.place = Place::Member,
        "::" => row.place = Place::Path,
        _ if kind(after) == ":" => row.place = Place::Key,
        _ => {}
    }
    if row.place != Place::Plain && row.place != Place::Key {
        row.qualifier = before.and_then(|token| token.prev_sibling()).and_then(behind_generics).map(span);
    }
    row.is_qualifier = kind(after) == "::";
    // `name(…)`, and `name::<T>(…)` which nobody writes in macros.
    row.is_call = after.is_some_and(|after| {
        after.kind() == "token_tree" && after.child(0).is_some_and(|open| open.kind() == "(")
    });
}

/// Marks what stands in a `use`, and whether more of a path stands before it.
fn in_use_tree(node: Node<'_>, row: &mut Spelling) {
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "scoped_use_list" if is_field(parent, "list", at) => {
                if let Some(path) = parent.child_by_field_name("path")
                    && row.place == Place::Plain
                    && !row.binds
                {
                    row.place = Place::Path;
                    row.qualifier = last_name(path);
                }
            }
            "scoped_use_list" if at.id() == node.id() => row.is_qualifier = true,
            "scoped_use_list" => row.is_qualifier |= is_field(parent, "path", at),
            "use_as_clause" if at.id() == node.id() && is_field(parent, "alias", node) => row.binds = true,
            "use_wildcard" => row.is_qualifier = true,
            "use_list" | "use_as_clause" | "scoped_identifier" => {}
            "use_declaration" | "extern_crate_declaration" => {
                row.in_import = true;
                return;
            }
            _ => return,
        }
        at = parent;
    }
}

/// Whether a name stands inside of `#[…]`.
pub(super) fn is_in_attribute(node: Node<'_>) -> bool {
    let mut at = Some(node);
    while let Some(node) = at {
        match node.kind() {
            "attribute_item" | "inner_attribute_item" => return true,
            "block" | "declaration_list" | "source_file" => return false,
            _ => at = node.parent(),
        }
    }
    false
}

/// Whether a pattern binds the name.
fn is_bound(node: Node<'_>) -> bool {
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "tuple_struct_pattern" | "struct_pattern" if is_field(parent, "type", at) => return false,
            "let_declaration" | "parameter" | "for_expression" | "let_condition" | "match_arm" => {
                return is_field(parent, "pattern", at);
            }
            "match_pattern" if is_field(parent, "condition", at) => return false,
            "closure_parameters" => return true,
            kind if kind.ends_with("_pattern") || kind == "field_pattern" => at = parent,
            _ => return false,
        }
    }
    false
}
