//! What says nothing where it stands: comments, trailing commas, needless parentheses, ends of statements.

use super::python;
use crate::Lang;
use tree_sitter::Node;

pub(super) fn is_script(lang: Lang) -> bool {
    matches!(lang, Lang::JavaScript | Lang::TypeScript | Lang::Tsx)
}

/// Comments, and what is written like one. Not every *extra* of a grammar is one: the body of a heredoc and what
/// could not be parsed are extras too.
pub(super) fn is_comment(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind.ends_with("comment") || matches!(kind, "line_continuation" | "preproc_region" | "preproc_endregion")
}

/// Whether a comment is read by a compiler, an interpreter or the shell.
pub(super) fn is_directive(lang: Lang, node: Node<'_>, text: &str) -> bool {
    if node.start_byte() == 0 && text.starts_with("#!") {
        return true;
    }
    match lang {
        Lang::Go => {
            let is_named = ["//go:", "// +build", "//export ", "//line ", "#cgo"];
            is_named.iter().any(|start| text.starts_with(start)) || is_before_import_c(node)
        }
        Lang::Ruby => {
            let keys =
                ["frozen_string_literal", "encoding", "coding", "warn_indent", "shareable_constant_value"];
            let word = text.trim_start_matches(['#', ' ', '-', '*']);
            keys.iter()
                .any(|key| word.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with(':')))
        }
        _ if is_script(lang) => text.starts_with("/// <"),
        _ => false,
    }
}

/// The C code in front of Go's `import "C"`.
fn is_before_import_c(node: Node<'_>) -> bool {
    let mut next = node.next_sibling();
    while let Some(it) = next {
        if is_comment(it) {
            next = it.next_sibling();
            continue;
        }
        // `import "C"`, as nothing else of this length is a declaration that can follow with one path of three bytes.
        let path = it.named_child(0).and_then(|spec| spec.child_by_field_name("path"));
        let is_c = path.is_some_and(|path| path.end_byte() - path.start_byte() == 3);
        return it.kind() == "import_declaration" && is_c;
    }
    false
}

/// What stands in front of a definition and belongs to it.
pub(super) fn is_mark(node: Node<'_>) -> bool {
    matches!(node.kind(), "attribute_item" | "decorator" | "annotation" | "attribute_list")
}

/// `#ifndef X` with `#define X` as its first line.
pub(super) fn is_include_guard(node: Node<'_>, source: &str) -> bool {
    if node.kind() != "preproc_ifdef" {
        return false;
    }
    let name = |node: Node<'_>| node.child_by_field_name("name").and_then(|it| source.get(it.byte_range()));
    let mut cursor = node.walk();
    let first =
        node.named_children(&mut cursor).find(|child| !is_comment(*child) && child.kind() != "identifier");
    first.is_some_and(|first| first.kind() == "preproc_def" && name(first) == name(node))
}

/// Parentheses that only group: what they do shows in the tree.
pub(super) fn has_needless_parentheses(lang: Lang, node: Node<'_>, source: &str) -> bool {
    if node.kind() != "parenthesized_expression" {
        return false;
    }
    // `(a?.b).c` is not `a?.b.c`, and in Rust `(a.f)(x)` is not `a.f(x)`.
    let cuts_chain = source.get(node.byte_range()).is_some_and(|text| text.contains("?."));
    let is_called = node.parent().is_some_and(|parent| {
        parent.kind() == "call_expression" && parent.child_by_field_name("function") == Some(node)
    });
    !(cuts_chain || lang == Lang::Rust && is_called)
}

/// Punctuation that says nothing where it stands; `children` are those of `parent` without comments.
pub(super) fn is_layout(lang: Lang, parent: Node<'_>, children: &[Node<'_>], at: usize) -> bool {
    let next = children.get(at + 1).map(Node::kind);
    match children[at].kind() {
        "," => {
            next.is_none_or(|next| matches!(next, ")" | "]" | "}" | ">" | "|"))
                && is_trailing(lang, parent, children, at)
        }
        ";" => is_script(lang) && !matches!(parent.kind(), "for_statement" | "empty_statement"),
        "(" | ")" => {
            // Where these count, the kind of the parent is written.
            parent.kind() == "parenthesized_expression"
                || lang == Lang::Python && python::has_needless_parentheses(parent.kind())
        }
        _ => false,
    }
}

/// Whether a comma before an end could be left out: not where it makes a tuple, a hole, or an argument of a macro.
fn is_trailing(lang: Lang, parent: Node<'_>, children: &[Node<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).map(|at| children[at].kind());
    if matches!(before, None | Some("," | "[")) || parent.kind() == "token_tree" {
        return false;
    }
    let is_only = !children[..at].iter().any(|child| child.kind() == ",");
    let makes_tuple = lang == Lang::Rust && parent.kind().contains("tuple")
        || lang == Lang::Python && parent.kind() == "subscript";
    !(makes_tuple && is_only)
}
