//! TypeScript and JavaScript: members, keys, shorthands, patterns, module clauses.

use super::{Place, Spelling, is_field, last_name, partner};
use tree_sitter::Node;

pub(super) fn classify(node: Node<'_>) -> Spelling {
    let mut row = Spelling::default();
    let Some(parent) = node.parent() else { return row };
    match node.kind() {
        "shorthand_property_identifier" => row.shorthand = true,
        "shorthand_property_identifier_pattern" => (row.shorthand, row.binds) = (true, true),
        "statement_identifier" => row.place = Place::Label,
        _ => {}
    }
    match parent.kind() {
        // In `typeof a.b` the grammar does not say which part is which.
        "member_expression"
            if is_field(parent, "property", node)
                || node.kind() == "property_identifier" && node.prev_named_sibling().is_some() =>
        {
            row.place = Place::Member;
            row.is_call = is_called(parent);
            row.qualifier = parent.named_child(0).and_then(last_name);
        }
        "nested_type_identifier" | "nested_identifier"
            if is_field(parent, "name", node) || is_field(parent, "property", node) =>
        {
            row.place = Place::Member;
            row.qualifier = parent.named_child(0).and_then(last_name);
        }
        "member_expression" | "nested_type_identifier" | "nested_identifier" => row.is_qualifier = true,
        "pair" | "pair_pattern" if is_field(parent, "key", node) => row.place = Place::Key,
        "jsx_attribute" => row.place = Place::Key,
        "import_specifier" | "export_specifier" => in_specifier(node, parent, &mut row),
        "import_clause" | "namespace_import" | "namespace_export" => {
            (row.in_import, row.binds) = (true, true);
        }
        "type_parameter" => row.binds = is_field(parent, "name", node),
        "infer_type" | "mapped_type_clause" => row.binds = true,
        _ if is_field(parent, "name", node) => named(parent, &mut row),
        "enum_body" => (row.defines, row.place) = (true, Place::Key),
        _ => row.is_call = is_called(node),
    }
    if matches!(parent.kind(), "pair" | "pair_pattern") {
        row.partner = partner(parent, ["key", "value"], node);
    }
    row.binds |= row.place == Place::Plain && !row.in_import && is_bound(node);
    row
}

fn is_called(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| match parent.kind() {
        "call_expression" => is_field(parent, "function", node),
        "new_expression" => is_field(parent, "constructor", node),
        _ => false,
    })
}

fn named(parent: Node<'_>, row: &mut Spelling) {
    match parent.kind() {
        "property_signature"
        | "method_signature"
        | "abstract_method_signature"
        | "method_definition"
        | "public_field_definition"
        | "field_definition"
        | "enum_assignment" => {
            (row.defines, row.place) = (true, Place::Key);
        }
        "required_parameter" | "optional_parameter" => row.binds = true,
        kind if kind.ends_with("_declaration")
            || matches!(
                kind,
                "variable_declarator"
                    | "function_signature"
                    | "class"
                    | "function_expression"
                    | "internal_module"
                    | "module"
            ) =>
        {
            row.defines = true;
        }
        _ => {}
    }
}

/// `name as alias`: in an import the last one is bound here, in an export the first one means something here.
fn in_specifier(node: Node<'_>, parent: Node<'_>, row: &mut Spelling) {
    row.in_import = true;
    let is_alias = is_field(parent, "alias", node);
    row.binds = is_alias;
    row.place = if is_alias { Place::Plain } else { Place::Path };
}

/// Whether a parameter or pattern binds the name.
fn is_bound(node: Node<'_>) -> bool {
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "object_pattern" | "array_pattern" | "rest_pattern" => at = parent,
            "pair_pattern" => {
                if !is_field(parent, "value", at) {
                    return false;
                }
                at = parent;
            }
            "assignment_pattern" | "object_assignment_pattern" => {
                if !is_field(parent, "left", at) {
                    return false;
                }
                at = parent;
            }
            "required_parameter" | "optional_parameter" => return is_field(parent, "pattern", at),
            "variable_declarator" => return is_field(parent, "name", at),
            "formal_parameters" => return true,
            "arrow_function" | "catch_clause" => return is_field(parent, "parameter", at),
            "for_in_statement" => return is_field(parent, "left", at),
            _ => return false,
        }
    }
    false
}

/// What a bound name is local to: a block or a loop, or for `var` the function.
pub(super) fn scope(node: Node<'_>) -> Option<Node<'_>> {
    let parent = node.parent()?;
    let is_declared = parent.kind().ends_with("_declaration") && is_field(parent, "name", node);
    let mut at = if is_declared { parent.parent() } else { Some(parent) };
    let mut is_var = false;
    while let Some(round) = at {
        match round.kind() {
            "variable_declaration" => is_var = true,
            "function_declaration"
            | "function_expression"
            | "generator_function"
            | "generator_function_declaration"
            | "arrow_function"
            | "method_definition" => return Some(round),
            "statement_block" | "switch_body" | "catch_clause" | "for_statement" | "for_in_statement"
            | "class_static_block"
                if !is_var =>
            {
                return Some(round);
            }
            _ => {}
        }
        at = round.parent();
    }
    None
}
