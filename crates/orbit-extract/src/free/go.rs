//! Go: a name is bound from the end of what declares it.

use super::{FreeName, free, is_field, nearest};
use tree_sitter::Node;

const BLOCKS: [&str; 13] = [
    "block",
    "if_statement",
    "for_statement",
    "expression_switch_statement",
    "type_switch_statement",
    "expression_case",
    "type_case",
    "default_case",
    "communication_case",
    "func_literal",
    "function_declaration",
    "method_declaration",
    "source_file",
];

const FUNCTIONS: [&str; 5] =
    ["function_declaration", "method_declaration", "func_literal", "function_type", "method_elem"];

pub(super) fn binds(round: &[Node<'_>], leaf: Node<'_>) -> Option<(usize, usize)> {
    let parent = *round.last()?;
    let above = &round[..round.len() - 1];
    let is_named =
        || parent.children_by_field_name("name", &mut parent.walk()).any(|name| name.id() == leaf.id());
    let block = |from: usize| nearest(above, &BLOCKS).map(|scope| (scope.id(), from));
    match parent.kind() {
        "parameter_declaration" | "variadic_parameter_declaration" if is_named() => {
            nearest(above, &FUNCTIONS).map(|scope| (scope.id(), 0))
        }
        "type_parameter_declaration" if is_named() => {
            let kinds = ["function_declaration", "type_spec", "type_alias", "method_declaration"];
            nearest(above, &kinds).map(|scope| (scope.id(), 0))
        }
        "var_spec" | "const_spec" if is_named() => block(parent.end_byte()),
        "type_spec" | "type_alias" if is_field(parent, "name", leaf) => block(leaf.start_byte()),
        "function_declaration" if is_field(parent, "name", leaf) => block(0),
        "expression_list" => in_list(above, parent),
        _ => None,
    }
}

/// The left side of a declaration without a keyword.
fn in_list(round: &[Node<'_>], list: Node<'_>) -> Option<(usize, usize)> {
    let (statement, above) = round.split_last()?;
    let declares = || statement.children(&mut statement.walk()).any(|child| child.kind() == ":=");
    let is_left = is_field(*statement, "left", list) || is_field(*statement, "alias", list);
    match statement.kind() {
        "short_var_declaration" if is_left => {
            nearest(above, &BLOCKS).map(|scope| (scope.id(), statement.end_byte()))
        }
        "range_clause" | "receive_statement" if is_left && declares() => {
            nearest(above, &BLOCKS).map(|scope| (scope.id(), statement.end_byte()))
        }
        "type_switch_statement" if is_left => {
            let value = statement.child_by_field_name("value");
            Some((statement.id(), value.map_or(list.end_byte(), |value| value.end_byte())))
        }
        _ => None,
    }
}

pub(super) fn uses(round: &[Node<'_>], leaf: Node<'_>, name: &str) -> Option<FreeName> {
    let parent = *round.last()?;
    let is_name =
        matches!(leaf.kind(), "identifier" | "type_identifier" | "package_identifier") && name != "_";
    let is_other = match parent.kind() {
        "package_clause" | "import_spec" => true,
        "qualified_type" => is_field(parent, "name", leaf),
        _ => false,
    };
    let is_type = leaf.kind() == "type_identifier";
    let is_eager = nearest(round, &FUNCTIONS[..3]).is_none();
    (is_name && !is_other).then(|| FreeName { is_type, is_eager, ..free(leaf) })
}
