//! TypeScript and JavaScript.

use super::{Clause, ClauseItem, ClauseKind, Clauses, behind_comments, clause, inside, next_line};
use crate::builder::span;
use tree_sitter::Node;

pub(super) fn read(root: Node<'_>, source: &str) -> Clauses {
    let mut found = Clauses { head: head(root, source) as u32, ..Clauses::default() };
    for node in root.named_children(&mut root.walk()) {
        match node.kind() {
            "import_statement" => found.all.push(import(node)),
            "export_statement" => {
                found.is_module = true;
                found.all.extend(export(node));
            }
            _ => {}
        }
    }
    found.is_module |= !found.all.is_empty();
    found
}

/// Behind `#!`, directives and the comments about the file.
fn head(root: Node<'_>, source: &str) -> usize {
    let mut at = 0;
    let mut comments = Vec::new();
    for node in root.children(&mut root.walk()) {
        let is_directive = node.kind() == "expression_statement"
            && node.named_child(0).is_some_and(|child| child.kind() == "string")
            && node.named_child_count() == 1;
        if node.kind() == "hash_bang_line" || is_directive {
            at = next_line(source, node.end_byte());
        } else if node.kind() == "comment" {
            comments.push(node);
        } else {
            break;
        }
    }
    behind_comments(source, at, &comments)
}

fn import(node: Node<'_>) -> Clause {
    let mut found = clause(ClauseKind::Import, node);
    found.is_marked = has_word(node, "type") || has_word(node, "typeof");
    found.module = node.child_by_field_name("source").map(inside);
    for part in node.named_children(&mut node.walk()) {
        if part.kind() != "import_clause" {
            continue;
        }
        for child in part.named_children(&mut part.walk()) {
            match child.kind() {
                "identifier" => found.default = Some(span(child)),
                "namespace_import" => found.whole = child.named_child(0).map(span),
                "named_imports" => list(child, &mut found),
                _ => {}
            }
        }
    }
    found
}

fn export(node: Node<'_>) -> Option<Clause> {
    let module = node.child_by_field_name("source").map(inside);
    let kind = if module.is_some() { ClauseKind::Reexport } else { ClauseKind::Export };
    let mut found = clause(kind, node);
    (found.module, found.is_marked) = (module, has_word(node, "type"));
    for child in node.children(&mut node.walk()) {
        match child.kind() {
            "export_clause" => list(child, &mut found),
            "namespace_export" => found.whole = child.named_child(0).map(span),
            "*" => found.whole = Some(span(child)),
            _ => {}
        }
    }
    (found.list.is_some() || found.whole.is_some()).then_some(found)
}

fn has_word(node: Node<'_>, word: &str) -> bool {
    node.children(&mut node.walk()).any(|child| child.kind() == word)
}

fn list(node: Node<'_>, found: &mut Clause) {
    found.list = Some(inside(node));
    for item in node.named_children(&mut node.walk()) {
        let Some(name) = item.child_by_field_name("name") else { continue };
        found.items.push(ClauseItem {
            span: span(item),
            name: span(name),
            alias: item.child_by_field_name("alias").map(span),
            is_type: has_word(item, "type"),
        });
    }
}
