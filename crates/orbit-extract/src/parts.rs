//! The parts of a definition: where its head begins behind decorators and attributes, and where its body is.

use crate::builder::span;
use crate::parse::{Grammar, begin_file, parse};
use crate::{Lang, Span};
use tree_sitter::Node;

/// The parts of one definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// From the first word of the definition, decorators and attributes aside, up to its end.
    pub item: Span,
    /// The block, the class body, the value: what stands behind the signature.
    pub body: Option<Span>,
}

/// The parts of the definition that has this span.
pub fn parts(path: &str, lang: Lang, bytes: &[u8], definition: Span) -> Option<Parts> {
    let source = std::str::from_utf8(bytes).ok()?;
    begin_file();
    let tree = parse(Grammar::of(path, lang)?, source).ok()?;
    let (start, end) = (definition.start as usize, definition.end as usize);
    let mut node = tree.root_node().descendant_for_byte_range(start, end)?;
    // Of several nodes with the same span the outermost is the definition.
    while let Some(parent) = node.parent().filter(|parent| parent.byte_range() == (start..end)) {
        node = parent;
    }
    let mut item = node;
    let mut body = None;
    loop {
        if let Some(found) = node.child_by_field_name("body").or_else(|| kotlin_body(node)) {
            body = Some(found);
            break;
        }
        let Some(inner) = inner(node) else { break };
        if node.kind() == "decorated_definition" {
            item = inner;
        }
        node = inner;
    }
    let body = body.or_else(|| node.child_by_field_name("value")).map(span);
    let mut item = span(item);
    item.end = definition.end;
    Some(Parts { item, body })
}

/// The block of a Kotlin function, or the value that it is; its grammar has no field for either.
fn kotlin_body(node: Node<'_>) -> Option<Node<'_>> {
    let body = node.named_children(&mut node.walk()).find(|child| child.kind() == "function_body")?;
    body.named_child(0)
}

/// What a definition wraps: the declaration behind `export`, the function behind `const f =`.
fn inner(node: Node<'_>) -> Option<Node<'_>> {
    let named =
        ["definition", "declaration", "value"].iter().find_map(|field| node.child_by_field_name(field));
    if named.is_some() {
        return named;
    }
    let is_declaration =
        matches!(node.kind(), "lexical_declaration" | "variable_declaration" | "expression_statement");
    is_declaration.then(|| node.named_child(0)).flatten()
}
