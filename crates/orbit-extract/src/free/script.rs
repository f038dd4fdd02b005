//! TypeScript and JavaScript: blocks, functions, patterns, type parameters.

use super::{FreeName, free, is_field, nearest};
use tree_sitter::Node;

const FUNCTIONS: [&str; 15] = [
    "function_declaration",
    "function_expression",
    "arrow_function",
    "method_definition",
    "generator_function",
    "generator_function_declaration",
    "function_signature",
    "method_signature",
    "abstract_method_signature",
    "call_signature",
    "construct_signature",
    "function_type",
    "constructor_type",
    "class_static_block",
    "program",
];

/// Functions whose bodies run, and when is another question.
const LATER: [&str; 6] = [
    "function_declaration",
    "function_expression",
    "arrow_function",
    "method_definition",
    "generator_function",
    "generator_function_declaration",
];

const BLOCKS: [&str; 7] = [
    "statement_block",
    "for_statement",
    "for_in_statement",
    "switch_body",
    "class_static_block",
    "catch_clause",
    "program",
];

pub(super) fn binds(round: &[Node<'_>], leaf: Node<'_>) -> Option<(usize, usize)> {
    if matches!(leaf.kind(), "property_identifier" | "statement_identifier" | "private_property_identifier") {
        return None;
    }
    let (mut at, mut node) = (round.len().checked_sub(1)?, leaf);
    loop {
        let parent = round[at];
        let goes_on = match parent.kind() {
            "object_pattern" | "array_pattern" | "rest_pattern" => true,
            "pair_pattern" => is_field(parent, "value", node),
            "assignment_pattern" | "object_assignment_pattern" => is_field(parent, "left", node),
            _ => return binder(&round[..=at], parent, node).map(|scope| (scope, 0)),
        };
        if !goes_on {
            return None;
        }
        node = parent;
        at = at.checked_sub(1)?;
    }
}

/// The scope in which the pattern or name `node` of `parent`, the last of `round`, binds.
fn binder(round: &[Node<'_>], parent: Node<'_>, node: Node<'_>) -> Option<usize> {
    let above = &round[..round.len() - 1];
    let function = |round: &[Node<'_>]| nearest(round, &FUNCTIONS).map(Node::id);
    let block = |round: &[Node<'_>]| {
        let kinds: Vec<&str> = BLOCKS.iter().chain(&FUNCTIONS).copied().collect();
        nearest(round, &kinds).map(Node::id)
    };
    match parent.kind() {
        "variable_declarator" if is_field(parent, "name", node) => {
            let is_var = above.last().is_some_and(|decl| decl.kind() == "variable_declaration");
            if is_var { function(above) } else { block(above) }
        }
        "required_parameter" | "optional_parameter" if is_field(parent, "pattern", node) => function(round),
        "rest_type" => None,
        "formal_parameters" => function(round),
        "arrow_function" if is_field(parent, "parameter", node) => Some(parent.id()),
        "catch_clause" if is_field(parent, "parameter", node) => Some(parent.id()),
        "for_in_statement" if is_field(parent, "left", node) => match parent.child_by_field_name("kind") {
            Some(kind) if kind.kind() == "var" => function(round),
            Some(_) => Some(parent.id()),
            None => None,
        },
        "function_declaration"
        | "generator_function_declaration"
        | "function_signature"
        | "class_declaration"
        | "abstract_class_declaration"
        | "enum_declaration"
        | "interface_declaration"
        | "type_alias_declaration"
        | "internal_module"
        | "module"
            if is_field(parent, "name", node) =>
        {
            block(above)
        }
        "function_expression" | "generator_function" | "class" if is_field(parent, "name", node) => {
            Some(parent.id())
        }
        "type_parameter" if is_field(parent, "name", node) => above.iter().rev().nth(1).map(Node::id),
        "infer_type" => nearest(round, &["conditional_type"]).map(Node::id),
        "mapped_type_clause" if is_field(parent, "name", node) => above.last().map(Node::id),
        "index_signature" if is_field(parent, "name", node) => Some(parent.id()),
        "import_clause"
        | "namespace_import"
        | "import_specifier"
        | "import_require_clause"
        | "import_alias" => round.first().map(Node::id),
        _ => None,
    }
}

pub(super) fn uses(round: &[Node<'_>], leaf: Node<'_>, name: &str) -> Option<FreeName> {
    let parent = *round.last()?;
    let is_name = matches!(
        leaf.kind(),
        "identifier"
            | "type_identifier"
            | "shorthand_property_identifier"
            | "shorthand_property_identifier_pattern"
    );
    let is_other = match parent.kind() {
        "member_expression" | "nested_identifier" => is_field(parent, "property", leaf),
        "nested_type_identifier" | "tuple_parameter" | "optional_tuple_parameter" => {
            is_field(parent, "name", leaf)
        }
        "export_specifier" => {
            let is_handed_on =
                round.iter().rev().nth(2).is_some_and(|node| node.child_by_field_name("source").is_some());
            is_handed_on || is_field(parent, "alias", leaf)
        }
        "jsx_opening_element" | "jsx_closing_element" | "jsx_self_closing_element" => {
            is_field(parent, "name", leaf) && name.starts_with(|first: char| first.is_lowercase())
        }
        "namespace_export" | "jsx_namespace_name" => true,
        _ => false,
    };
    if !is_name || is_other {
        return None;
    }
    let is_type = leaf.kind() == "type_identifier"
        || nearest(round, &["type_query", "nested_type_identifier"]).is_some();
    let is_assigned = is_assigned(round, leaf);
    Some(FreeName { is_type, is_assigned, is_eager: !is_type && is_eager(round, leaf), ..free(leaf) })
}

/// Whether nothing round a leaf says that it runs later than the file is loaded. What is handed to a call may run at once.
fn is_eager(round: &[Node<'_>], leaf: Node<'_>) -> bool {
    let mut inner = leaf;
    for (at, node) in round.iter().enumerate().rev() {
        match node.kind() {
            "decorator" => return true,
            "public_field_definition" | "field_definition" => {
                let is_static = node.children(&mut node.walk()).any(|child| child.kind() == "static");
                if !is_static && is_field(*node, "value", inner) {
                    return false;
                }
            }
            kind if LATER.contains(&kind) => {
                let outer = round[..at].iter().rev().find(|outer| outer.kind() != "parenthesized_expression");
                let runs = outer.is_some_and(|outer| {
                    matches!(outer.kind(), "arguments" | "call_expression" | "new_expression")
                });
                if !runs {
                    return false;
                }
            }
            _ => {}
        }
        inner = *node;
    }
    true
}

fn is_assigned(round: &[Node<'_>], leaf: Node<'_>) -> bool {
    let mut inner = leaf;
    for node in round.iter().rev() {
        match node.kind() {
            "assignment_expression" | "augmented_assignment_expression" | "for_in_statement" => {
                return is_field(*node, "left", inner);
            }
            "update_expression" => return true,
            "object_pattern"
            | "array_pattern"
            | "rest_pattern"
            | "pair_pattern"
            | "assignment_pattern"
            | "object_assignment_pattern"
            | "array"
            | "object"
            | "parenthesized_expression" => inner = *node,
            _ => return false,
        }
    }
    false
}
