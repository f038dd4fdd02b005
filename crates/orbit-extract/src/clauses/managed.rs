//! Go and Java: the package of a file, and its imports.

use super::{ClauseItem, ClauseKind, Clauses, behind_comments, clause, inside, next_line};
use crate::builder::span;
use tree_sitter::Node;

pub(super) fn go(root: Node<'_>, source: &str) -> Clauses {
    let mut found = Clauses { is_module: true, ..Clauses::default() };
    for node in root.named_children(&mut root.walk()) {
        match node.kind() {
            "package_clause" => {
                found.package = node.named_child(0).map(span);
                found.head = next_line(source, node.end_byte()) as u32;
            }
            "import_declaration" => {
                let mut import = clause(ClauseKind::Import, node);
                for child in node.named_children(&mut node.walk()) {
                    match child.kind() {
                        "import_spec" => import.items.extend(spec(child)),
                        "import_spec_list" => {
                            import.list = Some(inside(child));
                            import.items.extend(child.named_children(&mut child.walk()).filter_map(spec));
                        }
                        _ => {}
                    }
                }
                found.all.push(import);
            }
            _ => {}
        }
    }
    found
}

fn spec(node: Node<'_>) -> Option<ClauseItem> {
    let path = node.child_by_field_name("path").filter(|_| node.kind() == "import_spec")?;
    let alias = node.child_by_field_name("name").map(span);
    Some(ClauseItem { span: span(node), name: inside(path), alias, is_type: false })
}

pub(super) fn java(root: Node<'_>, source: &str) -> Clauses {
    let mut found = Clauses { is_module: true, ..Clauses::default() };
    let mut comments = Vec::new();
    for node in root.named_children(&mut root.walk()) {
        match node.kind() {
            "package_declaration" => {
                found.package = named(node);
                found.head = next_line(source, node.end_byte()) as u32;
            }
            "import_declaration" => {
                let mut import = clause(ClauseKind::Import, node);
                import.module = named(node);
                import.is_marked = node.children(&mut node.walk()).any(|child| child.kind() == "static");
                import.whole =
                    node.named_children(&mut node.walk()).find(|child| child.kind() == "asterisk").map(span);
                found.all.push(import);
            }
            "line_comment" | "block_comment" => comments.push(node),
            _ => {}
        }
    }
    if found.package.is_none() {
        found.head = behind_comments(source, 0, &comments) as u32;
    }
    found
}

fn named(node: Node<'_>) -> Option<crate::Span> {
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor);
    children.find(|child| matches!(child.kind(), "scoped_identifier" | "identifier")).map(span)
}
