//! Python: attributes, keyword arguments, parameters, assignments and imports.

use super::{Place, Spelling, is_field, last_name};
use tree_sitter::Node;

pub(super) fn classify(node: Node<'_>) -> Spelling {
    let mut row = Spelling::default();
    let Some(parent) = node.parent() else { return row };
    match parent.kind() {
        "attribute" if is_field(parent, "attribute", node) => {
            row.place = Place::Member;
            row.is_call = is_called(parent);
            row.qualifier = parent.child_by_field_name("object").and_then(last_name);
        }
        "attribute" => row.is_qualifier = true,
        "keyword_argument" if is_field(parent, "name", node) => {
            row.place = Place::Key;
            let call = parent.parent().and_then(|arguments| arguments.parent());
            row.qualifier = call.and_then(|call| call.child_by_field_name("function")).and_then(last_name);
        }
        "function_definition" | "class_definition" if is_field(parent, "name", node) => row.defines = true,
        "default_parameter" | "typed_default_parameter" => row.binds = is_field(parent, "name", node),
        "parameters"
        | "lambda_parameters"
        | "typed_parameter"
        | "list_splat_pattern"
        | "dictionary_splat_pattern"
        | "as_pattern_target"
        | "keyword_pattern"
        | "case_pattern" => row.binds = true,
        "named_expression" => row.binds = is_field(parent, "name", node),
        "dotted_name" => in_dotted_name(node, parent, &mut row),
        "aliased_import" => (row.in_import, row.binds) = (true, true),
        _ => row.is_call = is_called(node),
    }
    row.binds |= is_target(node);
    row
}

fn is_called(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| parent.kind() == "call" && is_field(parent, "function", node))
}

/// The parts of a module's name, and what is taken from it.
fn in_dotted_name(node: Node<'_>, name: Node<'_>, row: &mut Spelling) {
    let outer = name
        .parent()
        .map(|outer| if outer.kind() == "aliased_import" { outer.parent().unwrap_or(outer) } else { outer });
    let Some(outer) = outer else { return };
    row.in_import = matches!(
        outer.kind(),
        "import_statement" | "import_from_statement" | "relative_import" | "future_import_statement"
    );
    let is_module = outer.kind() == "relative_import"
        || outer.kind() == "import_statement"
        || is_field(outer, "module_name", name);
    row.is_qualifier = row.in_import && is_module;
    if let Some(before) = node.prev_named_sibling() {
        row.place = Place::Member;
        row.qualifier = last_name(before);
    } else if row.in_import && !is_module {
        row.place = Place::Path;
        row.qualifier = outer.child_by_field_name("module_name").and_then(|module| {
            let last = u32::try_from(module.named_child_count()).ok()?.checked_sub(1)?;
            let last = module.named_child(last)?;
            if last.child_count() == 0 { last_name(last) } else { last_name(last.named_child(0)?) }
        });
    }
}

/// Whether a statement gives the name a value.
fn is_target(node: Node<'_>) -> bool {
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern" | "expression_list" => {
                at = parent;
            }
            "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" => {
                return is_field(parent, "left", at);
            }
            _ => return false,
        }
    }
    false
}

/// What a bound name is local to. A comprehension keeps the names of its loops, and not those that `:=` binds.
pub(super) fn scope(node: Node<'_>) -> Option<Node<'_>> {
    let parent = node.parent()?;
    let is_walrus = parent.kind() == "named_expression";
    let names_definition =
        matches!(parent.kind(), "function_definition" | "class_definition") && is_field(parent, "name", node);
    let mut at = if names_definition { parent.parent() } else { Some(parent) };
    while let Some(round) = at {
        match round.kind() {
            "function_definition" | "lambda" => return Some(round),
            "list_comprehension"
            | "set_comprehension"
            | "dictionary_comprehension"
            | "generator_expression"
                if !is_walrus =>
            {
                return Some(round);
            }
            _ => at = round.parent(),
        }
    }
    None
}
