//! The calls that are written in a definition and that may have left no reference: of a variable, of an element, of what
//! another call gave. Members and paths always leave one.

use crate::parse::{Grammar, begin_file, parse};
use crate::{Lang, Span};
use tree_sitter::Node;

/// A call of a plain name, or of a value that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueCall {
    /// Where the plain name begins; `None` when the value has no name.
    pub name: Option<u32>,
    /// 1-based.
    pub line: u32,
}

/// The calls of plain names and of values inside a definition, in source order. `None` when the text cannot be parsed.
pub fn value_calls(path: &str, lang: Lang, bytes: &[u8], definition: Span) -> Option<Vec<ValueCall>> {
    let source = std::str::from_utf8(bytes).ok()?;
    begin_file();
    let tree = parse(Grammar::of(path, lang)?, source).ok()?;
    let (start, end) = (definition.start as usize, (definition.end as usize).min(source.len()));
    let mut found = Vec::new();
    let mut open = vec![tree.root_node().descendant_for_byte_range(start, end)?];
    while let Some(node) = open.pop() {
        if node.end_byte() <= start || node.start_byte() >= end {
            continue;
        }
        if let Some(called) = called(node)
            && node.start_byte() >= start
        {
            found.extend(value_call(called, source));
        }
        let mut cursor = node.walk();
        open.extend(node.named_children(&mut cursor));
    }
    found.sort_by_key(|call| (call.line, call.name));
    Some(found)
}

/// What a call calls.
fn called(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "call_expression" | "call" | "invocation_expression" => {
            // Ruby calls methods of receivers, which leave references; Kotlin has no field for what is called.
            let has_method = node.child_by_field_name("method").is_some();
            let field = node.child_by_field_name("function");
            field.or_else(|| node.named_child(0).filter(|_| !has_method))
        }
        _ => None,
    }
}

fn value_call(mut called: Node<'_>, source: &str) -> Option<ValueCall> {
    // `f::<T>(x)`, `f[int](x)` and `f!(x)` name what they call.
    while matches!(called.kind(), "generic_function" | "template_function" | "non_null_expression") {
        called = called.child_by_field_name("function").or_else(|| called.named_child(0))?;
    }
    let line = called.start_position().row as u32 + 1;
    match called.kind() {
        "identifier" | "simple_identifier" => {
            let text = &source[called.byte_range()];
            // Variants and constructors are values of types, not calls of variables.
            let is_type = text.starts_with(char::is_uppercase);
            (!is_type).then_some(ValueCall { name: Some(called.start_byte() as u32), line })
        }
        "subscript_expression"
        | "subscript"
        | "index_expression"
        | "element_access_expression"
        | "indexing_expression"
        | "parenthesized_expression"
        | "call_expression"
        | "call"
        | "invocation_expression"
        | "await_expression"
        | "pointer_expression"
        | "conditional_expression"
        | "ternary_expression" => Some(ValueCall { name: None, line }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lang: Lang, path: &str, source: &str, expected: &[Option<&str>]) {
        let whole = Span { start: 0, end: source.len() as u32 };
        let calls = value_calls(path, lang, source.as_bytes(), whole).expect("a tree");
        let name = |start: u32| {
            let rest = &source[start as usize..];
            &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())]
        };
        let found: Vec<Option<&str>> = calls.iter().map(|call| call.name.map(name)).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn values_that_are_called_are_found_in_every_language() {
        check(Lang::Python, "a.py", "cb(1)\nt[0](2)\nx.y(3)\nf()(4)\n", &[Some("cb"), None, None, Some("f")]);
        check(
            Lang::JavaScript,
            "a.js",
            "cb(1);\nt[0](2);\nx.y(3);\n(a || b)(4);\n",
            &[Some("cb"), None, None],
        );
        check(
            Lang::Rust,
            "a.rs",
            "fn f() {\ncb(1);\nt[0]();\na::b();\ng::<u8>();\nSome(1);\n(self.f)();\n}",
            &[Some("cb"), None, Some("g"), None],
        );
        check(Lang::Go, "a.go", "package a\nfunc f() {\ncb(1)\nt[0]()\nx.Y()\n}\n", &[Some("cb"), None]);
        check(Lang::C, "a.c", "void f(void) {\ncb(1);\nt[0](2);\n(*p)(3);\n}\n", &[Some("cb"), None, None]);
        check(Lang::Kotlin, "a.kt", "fun f() {\ncb(1)\nx.y(2)\n}\n", &[Some("cb")]);
    }
}
