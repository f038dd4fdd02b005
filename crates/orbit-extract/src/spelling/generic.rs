//! What neighbours tell in any language: a name behind a dot is a member, a name a definition gives is its name, a
//! parameter or a variable binds its own.

use super::{Place, Spelling, is_field, last_name};
use tree_sitter::Node;

pub(super) fn classify(node: Node<'_>) -> Spelling {
    let mut row = Spelling::default();
    let Some(parent) = node.parent() else { return row };
    if is_field(parent, "name", node) {
        let kind = parent.kind();
        row.defines = ["declaration", "definition", "_item", "_spec", "declarator", "_elem"]
            .iter()
            .any(|end| kind.ends_with(end));
    }
    if let Some(before) =
        node.prev_sibling().filter(|before| matches!(before.kind(), "." | "::" | "->" | "?."))
    {
        row.place = Place::Member;
        row.qualifier = before.prev_sibling().and_then(last_name);
    } else if is_key(node, parent) {
        row.place = Place::Key;
    } else if matches!(
        parent.kind(),
        "package_clause" | "labeled_statement" | "goto_statement" | "label_name"
    ) {
        row.place = Place::Label;
    }
    row.is_call = is_called(node, parent);
    row.is_qualifier = node.next_sibling().is_some_and(|after| matches!(after.kind(), "." | "::"));
    row.binds = row.place == Place::Plain && binds(node, parent);
    row
}

/// `name: value` in a literal, `name = value` among arguments.
fn is_key(node: Node<'_>, parent: Node<'_>) -> bool {
    let is_first = node.prev_sibling().is_none();
    match parent.kind() {
        "literal_element" => parent.parent().is_some_and(|pair| {
            pair.kind() == "keyed_element" && pair.child(0).is_some_and(|key| key.id() == parent.id())
        }),
        "keyed_element" | "element_value_pair" => is_first,
        "value_argument" => node.next_sibling().is_some_and(|after| after.kind() == "="),
        "name_colon" => true,
        "argument" => node.next_sibling().is_some_and(|after| after.kind() == ":"),
        _ => false,
    }
}

/// Whether the name, with what stands before it, is called.
fn is_called(node: Node<'_>, parent: Node<'_>) -> bool {
    // Java has no expression for the name of the method that is called.
    if parent.kind() == "method_invocation" {
        return is_field(parent, "name", node);
    }
    let calls = |call: Node<'_>, function: Node<'_>| {
        matches!(call.kind(), "call_expression" | "invocation_expression")
            && call.child(0).is_some_and(|first| first.id() == function.id())
    };
    calls(parent, node) || parent.parent().is_some_and(|call| calls(call, parent))
}

/// Whether a parameter, a variable or a pattern gives the name a meaning of its own in the function round it.
fn binds(node: Node<'_>, parent: Node<'_>) -> bool {
    match parent.kind() {
        "formal_parameter"
        | "catch_formal_parameter"
        | "enhanced_for_statement"
        | "resource"
        | "instanceof_expression"
        | "record_pattern_component"
        | "parameter_declaration"
        | "variadic_parameter_declaration"
        | "type_parameter_declaration"
        | "parameter"
        | "class_parameter"
        | "catch_declaration"
        | "declaration_expression"
        | "declaration_pattern"
        | "var_spec"
        | "variable_declarator"
            if is_field(parent, "name", node) =>
        {
            true
        }
        "type_parameter" | "inferred_parameters" | "variable_declaration" | "implicit_parameter" => true,
        "parameter" => node.prev_named_sibling().is_none(),
        "lambda_expression" => is_field(parent, "parameters", node),
        "foreach_statement" => is_field(parent, "left", node),
        "expression_list" => parent.parent().is_some_and(|outer| {
            matches!(outer.kind(), "short_var_declaration" | "range_clause" | "receive_statement")
                && is_field(outer, "left", parent)
        }),
        "type_switch_statement" => is_field(parent, "alias", node),
        _ => is_declared(node),
    }
}

/// The declarators of C and C++: `int *name[2] = …`.
fn is_declared(node: Node<'_>) -> bool {
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "pointer_declarator"
            | "array_declarator"
            | "reference_declarator"
            | "parenthesized_declarator"
            | "init_declarator"
            | "attributed_declarator" => {
                let is_name = is_field(parent, "declarator", at)
                    || parent.kind() == "reference_declarator"
                    || parent.kind() == "parenthesized_declarator";
                if !is_name {
                    return false;
                }
                at = parent;
            }
            "parameter_declaration" | "optional_parameter_declaration" | "declaration" | "for_range_loop" => {
                return is_field(parent, "declarator", at);
            }
            "structured_binding_declarator" => return true,
            _ => return false,
        }
    }
    false
}
