//! What formatters of Python change without changing the program.

use tree_sitter::Node;

pub(super) fn is_string(kind: &str) -> bool {
    matches!(kind, "string" | "concatenated_string")
}

/// `a, b` and `(a, b)` are one thing.
pub(super) fn is_tuple(kind: &str) -> bool {
    matches!(kind, "tuple" | "expression_list" | "pattern_list" | "tuple_pattern")
}

pub(super) fn has_needless_parentheses(parent: &str) -> bool {
    is_tuple(parent) || matches!(parent, "import_from_statement" | "with_clause" | "future_import_statement")
}

/// The empty parentheses of `class A():`.
pub(super) fn is_noise(node: Node<'_>) -> bool {
    node.kind() == "argument_list"
        && node.named_child_count() == 0
        && node.parent().is_some_and(|parent| parent.kind() == "class_definition")
}

/// What a string literal, or several in a row, says: prefix and content, whatever the quotes. `None` for one with
/// expressions in it.
pub(super) fn string(node: Node<'_>, source: &str) -> Option<String> {
    if node.kind() == "string" {
        let (prefix, content) = literal(node, source)?;
        return Some(format!("{prefix}\0{content}"));
    }
    let mut cursor = node.walk();
    let mut all: Option<(String, String)> = None;
    for part in node.named_children(&mut cursor).filter(|part| !part.is_extra()) {
        let (prefix, content) = literal(part, source)?;
        match &mut all {
            None => all = Some((prefix, content)),
            Some((first, text)) if *first == prefix => text.push_str(&content),
            Some(_) => return None,
        }
    }
    all.map(|(prefix, content)| format!("{prefix}\0{content}"))
}

fn literal(node: Node<'_>, source: &str) -> Option<(String, String)> {
    let text = source.get(node.byte_range())?;
    let quote = text.find(['"', '\''])?;
    let prefix = text[..quote].to_lowercase().replace('u', "");
    if prefix.contains(['f', 't']) {
        return None;
    }
    let rest = &text[quote..];
    let width = if rest.starts_with("\"\"\"") || rest.starts_with("'''") { 3 } else { 1 };
    let content = rest.get(width..rest.len().checked_sub(width)?)?;
    if !content.contains('\\') {
        return Some((prefix.replace('r', ""), content.to_owned()));
    }
    if prefix.contains('r') {
        return Some((prefix, content.to_owned()));
    }
    Some((prefix, without_needless_escapes(content)))
}

/// Quotes need no backslash in other quotes, and a line may go on behind one.
fn without_needless_escapes(content: &str) -> String {
    let mut out = String::with_capacity(content.len());
    let mut letters = content.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('\n') => {}
            Some(quote @ ('\'' | '"')) => out.push(quote),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}
