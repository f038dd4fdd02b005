//! Where the signature of a definition ends and its body begins.

use super::normal::Writer;
use tree_sitter::Node;

/// Nodes that hold the definition proper.
const WRAPPERS: [&str; 3] = ["definition", "declaration", "declarator"];
/// Bodies in grammars that do not name the field.
const BODIES: [&str; 9] = [
    "function_body",
    "class_body",
    "enum_class_body",
    "block",
    "declaration_list",
    "field_declaration_list",
    "compound_statement",
    "enum_variant_list",
    "statement_block",
];
/// What a variable or field is set to.
const VALUES: [&str; 3] = ["value", "right", "default_value"];
/// What is written before a definition and is not what callers depend on.
const MARKS: [&str; 4] = ["decorator", "attribute_item", "annotation", "attribute_list"];

/// The prints of signature and body. Without a body the whole definition is the signature, and the body is 0.
pub(super) fn of<'w>(node: Node<'_>, writer: impl Fn() -> Writer<'w>) -> (u64, u64) {
    let body = body_of(node, 0);
    let marks = marks_of(node);
    let mut signature = writer();
    let is_decorated = node.kind() == "decorated_definition";
    let proper = node.child_by_field_name("definition").filter(|_| is_decorated).unwrap_or(node);
    signature.leave_out(marks.iter().copied().chain(body)).write_from(proper);
    let mut rest = writer();
    for part in marks.iter().copied().chain(body) {
        rest.write_from(part);
    }
    let is_bare = marks.is_empty() && body.is_none();
    (signature.finish(), if is_bare { 0 } else { rest.finish() })
}

/// Decorators, attributes and annotations.
fn marks_of(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let mut marks = Vec::new();
    for child in node.named_children(&mut cursor) {
        if MARKS.contains(&child.kind()) {
            marks.push(child);
        } else if child.kind() == "modifiers" {
            let mut inner = child.walk();
            marks.extend(child.named_children(&mut inner).filter(|mark| MARKS.contains(&mark.kind())));
        }
    }
    marks
}

/// The body of a definition: the named field, a block, or the value of what has one.
fn body_of(node: Node<'_>, depth: u32) -> Option<Node<'_>> {
    if depth > 6 {
        return None;
    }
    if let Some(body) = node.child_by_field_name("body") {
        return Some(body);
    }
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
    if let Some(body) = children.iter().rev().find(|child| BODIES.contains(&child.kind())) {
        return Some(*body);
    }
    for field in VALUES {
        if let Some(value) = node.child_by_field_name(field) {
            // A function that a variable holds: its parameters are what others depend on.
            let is_function = value.child_by_field_name("body").is_some();
            return if is_function { body_of(value, depth + 1) } else { Some(value) };
        }
    }
    for field in WRAPPERS {
        let inner = node.child_by_field_name(field).and_then(|inner| body_of(inner, depth + 1));
        if inner.is_some() {
            return inner;
        }
    }
    // A template, an export, a type with its struct inside.
    let mut bodies = children.iter().filter_map(|child| body_of(*child, depth + 1));
    let first = bodies.next();
    if bodies.next().is_some() { None } else { first }
}
