//! What a file says about other files, clause by clause: its imports and exports with the place of every part.
//!
//! ```text
//! (path, bytes) ─parse─▶ tree ─outermost statements─▶ Clause
//! ```
//!
//! Extraction says what is imported; this says how it is written, so that who moves a definition can write the same.

mod managed;
mod script;

use crate::builder::{line, span};
use crate::parse::{Grammar, begin_file, parse};
use crate::{ExtractError, Family, Lang, Span};
use tree_sitter::Node;

/// The clauses of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clauses {
    /// The first byte at which an import may stand where there is none: behind `#!`, directives, the package, and comments
    /// about the whole file.
    pub head: u32,
    /// The name of the package that the file says it belongs to.
    pub package: Option<Span>,
    /// In source order.
    pub all: Vec<Clause>,
    /// Whether the file is a module of its own: something in it is imported or exported by the language's own words.
    pub is_module: bool,
}

/// What a clause does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    /// `import … from "module"`, `import "module"`, `import ( … )`.
    Import,
    /// `export { … } from "module"`, `export * from "module"`.
    Reexport,
    /// `export { … }`, of names of the file.
    Export,
}

/// One import or export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What it does.
    pub kind: ClauseKind,
    /// The whole statement.
    pub span: Span,
    /// 1-based, where it begins.
    pub line: u32,
    /// The keyword `type` stands before all of it, or `static` in Java.
    pub is_marked: bool,
    /// Between the quotes.
    pub module: Option<Span>,
    /// The name that is given to the default export.
    pub default: Option<Span>,
    /// Everything as one value: its name, or the `*` itself when it has none.
    pub whole: Option<Span>,
    /// Between the brackets.
    pub list: Option<Span>,
    /// What stands in the list.
    pub items: Vec<ClauseItem>,
}

/// One name of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseItem {
    /// All of it.
    pub span: Span,
    /// The name where it comes from; of Go the path between its quotes.
    pub name: Span,
    /// The name it has here, when that is another one.
    pub alias: Option<Span>,
    /// The keyword `type` stands before it.
    pub is_type: bool,
}

impl ClauseItem {
    /// Where the name stands that the item has outside of its clause.
    pub fn bound(&self) -> Span {
        self.alias.unwrap_or(self.name)
    }
}

/// The clauses of a file of TypeScript, JavaScript, Go or Java; other languages have none.
pub fn clauses(path: &str, lang: Lang, bytes: &[u8]) -> Result<Clauses, ExtractError> {
    let source = std::str::from_utf8(bytes).map_err(|_| ExtractError::NotUtf8)?;
    let Some(grammar) = Grammar::of(path, lang) else { return Ok(Clauses::default()) };
    begin_file();
    let tree = parse(grammar, source)?;
    Ok(match (lang.family(), lang) {
        (Family::Script, _) => script::read(tree.root_node(), source),
        (_, Lang::Go) => managed::go(tree.root_node(), source),
        (_, Lang::Java) => managed::java(tree.root_node(), source),
        _ => Clauses::default(),
    })
}

fn clause(kind: ClauseKind, node: Node<'_>) -> Clause {
    Clause {
        kind,
        span: span(node),
        line: line(node),
        is_marked: false,
        module: None,
        default: None,
        whole: None,
        list: None,
        items: Vec::new(),
    }
}

/// What stands between the first and the last byte of a node: quotes, brackets.
fn inside(node: Node<'_>) -> Span {
    let Span { start, end } = span(node);
    if end - start < 2 { Span { start, end } } else { Span { start: start + 1, end: end - 1 } }
}

/// Behind the end of the line on which a byte stands.
fn next_line(source: &str, at: usize) -> usize {
    source[at..].find('\n').map_or(source.len(), |end| at + end + 1)
}

/// Behind the comments at a place that are about the whole file: a blank line, or nothing, follows them.
fn behind_comments(source: &str, from: usize, comments: &[Node<'_>]) -> usize {
    let mut at = from;
    let mut done = from;
    for comment in comments.iter().filter(|comment| comment.start_byte() >= from) {
        if !source[at..comment.start_byte()].trim().is_empty() {
            break;
        }
        at = next_line(source, comment.end_byte());
        let rest = &source[at..];
        let gap = &rest[..rest.len() - rest.trim_start().len()];
        let is_about_file = gap.contains('\n') || rest.trim().is_empty() || is_pragma(comment, source);
        if is_about_file {
            done = at + gap.rfind('\n').map_or(0, |end| end + 1);
        }
    }
    done
}

/// Comments that tools look for at the top of a file.
fn is_pragma(comment: &Node<'_>, source: &str) -> bool {
    const WORDS: [&str; 10] = [
        "@ts-check",
        "@ts-nocheck",
        "@jsx",
        "@jest-",
        "@vitest-",
        "/* eslint",
        "@flow",
        "@license",
        "Copyright",
        "/// <",
    ];
    let text = &source[comment.byte_range()];
    WORDS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests;
