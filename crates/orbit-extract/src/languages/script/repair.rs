//! Second readings of files that the grammar cannot read.
//!
//! The grammar stops at things that are fine in TypeScript and may lose the rest of the file there: members of an
//! interface that are separated by a line break alone when the next one begins with `<` or `in`, `export type *`,
//! `in` and `out` before a type parameter, `import("m").Foo` with type arguments. These are rewritten in a copy without moving anything, so that all
//! positions stay those of the file. What then still has errors is read one top-level statement at a time, if that
//! leaves less unread: what cannot be read ends with its statement.

use super::jsdoc::name_imports;
use crate::ExtractError;
use crate::parse::{Grammar, parse, parse_range};
use tree_sitter::{Node, Point, Range, Tree};

/// The trees of a file, in its order: one, or one for each top-level statement.
pub(super) fn read(grammar: Grammar, source: &str) -> Result<Vec<Tree>, ExtractError> {
    let plain = parse(grammar, source)?;
    if !plain.root_node().has_error() {
        return Ok(vec![plain]);
    }
    repair(grammar, source, plain)
}

/// The best reading of a file whose plain reading has errors.
pub(super) fn repair(grammar: Grammar, source: &str, plain: Tree) -> Result<Vec<Tree>, ExtractError> {
    let text = rewrite(grammar, source);
    let whole =
        if text == source { plain } else { best(vec![plain], vec![parse(grammar, &text)?]).remove(0) };
    if !whole.root_node().has_error() {
        return Ok(vec![whole]);
    }
    let mut apart = Vec::new();
    for range in statements(&text) {
        apart.push(parse_range(grammar, &text, range)?);
    }
    Ok(best(vec![whole], apart))
}

/// The reading that leaves less of the file unread; the first of two that are as good.
fn best(first: Vec<Tree>, second: Vec<Tree>) -> Vec<Tree> {
    let unread = |trees: &[Tree]| trees.iter().map(|tree| unread_bytes(tree.root_node())).sum::<usize>();
    if unread(&second) < unread(&first) { second } else { first }
}

/// How many bytes the parser could make nothing of.
fn unread_bytes(node: Node<'_>) -> usize {
    let mut unread = 0;
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if node.is_error() {
            unread += node.byte_range().len();
        } else if node.is_missing() {
            unread += 1;
        } else if node.has_error() {
            let mut cursor = node.walk();
            open.extend(node.children(&mut cursor));
        }
    }
    unread
}

// ── rewriting ───────────────────────────────────────────────────────────────────────────────────────────

fn rewrite(grammar: Grammar, source: &str) -> String {
    let mut out = source.as_bytes().to_vec();
    end_members(grammar, source, &mut out);
    drop_variance(source, &mut out);
    for (at, text) in source.match_indices("export type *") {
        let at = at + text.len() - "type *".len();
        out[at..at + "type".len()].fill(b' ');
    }
    let text = String::from_utf8(out).unwrap_or_else(|_| source.to_owned());
    name_imports(&text, is_type_of_module)
}

/// Whether what stands behind `import("m")` takes a type from it: `.Foo<T>`, not `.then(…)`.
fn is_type_of_module(rest: &str) -> bool {
    let Some(name) = rest.strip_prefix('.') else { return false };
    let behind = name.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
    behind.len() < name.len() && !behind.starts_with(['(', '`'])
}

/// Puts `;` before a member of a type that begins a line with `<`, or with a name that begins with `in`: the grammar
/// takes both for operators that go on with the line before.
fn end_members(grammar: Grammar, source: &str, out: &mut [u8]) {
    let mut offset = 0;
    let mut before = None;
    let mut inside = false;
    for line in source.split_inclusive('\n') {
        let code = line.trim_start();
        let start = offset + line.len() - code.len();
        let begins = code.starts_with('<') && is_type_parameters(grammar, code) || is_in_member(code);
        let continues = before.is_none_or(|last| b"({[,;=|&?:<+-*/!".contains(&last));
        if begins && !continues && !inside && start > offset {
            out[start - 1] = b';';
        }
        inside = match (inside, code.starts_with("/*")) {
            (true, _) | (_, true) => !code.contains("*/"),
            _ => false,
        };
        let is_prose = inside || code.starts_with("//") || code.starts_with("/*") || code.starts_with('*');
        if !is_prose {
            let code = code.split(" //").next().unwrap_or(code).trim_end();
            before = code.bytes().last().or(before);
        }
        offset += line.len();
    }
}

/// Whether `<` begins a list of type parameters; where there is JSX, only one that no element looks like.
fn is_type_parameters(grammar: Grammar, code: &str) -> bool {
    let inside = code[1..].trim_end();
    let starts_name = inside.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'));
    match grammar {
        Grammar::TypeScript => inside.is_empty() || starts_name,
        _ => starts_name && (inside.contains(" extends ") || inside.contains(">(") && inside.contains("):")),
    }
}

/// `in?: string`, `in2: number`.
fn is_in_member(code: &str) -> bool {
    let Some(rest) = code.strip_prefix("in") else { return false };
    let rest = rest.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
    rest.trim_start_matches('?').trim_start().starts_with(':')
}

/// Blanks `in` and `out` before the name of a type parameter.
fn drop_variance(source: &str, out: &mut [u8]) {
    let bytes = source.as_bytes();
    for word in ["in", "out"] {
        for (at, _) in source.match_indices(word) {
            let before = source[..at].trim_end();
            let before = before.strip_suffix("in").map_or(before, str::trim_end);
            let is_first = before.ends_with(['<', ',']);
            let end = at + word.len();
            let is_word = at > 0 && bytes[at - 1].is_ascii_whitespace() || source[..at].ends_with(['<', ',']);
            let rest = source[end..].trim_start();
            let names = rest.len() < source.len() - end
                && rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
                && !rest.starts_with("extends ");
            if is_first && is_word && names {
                out[at..end].fill(b' ');
            }
        }
    }
}

// ── top-level statements ────────────────────────────────────────────────────────────────────────────────

/// The file cut before every line that begins a declaration at its first column, outside of comments and templates.
fn statements(source: &str) -> Vec<Range> {
    let mut cuts = vec![(0, 0)];
    let mut text = Text::Code;
    let mut offset = 0;
    let mut is_decorated = false;
    for (row, line) in source.split_inclusive('\n').enumerate() {
        if text == Text::Code && offset > 0 && begins_statement(line) {
            if !is_decorated {
                cuts.push((offset, row));
            }
            is_decorated = line.starts_with('@');
        }
        text = text.behind(line);
        offset += line.len();
    }
    let rows = source.split_inclusive('\n').count();
    let ends = cuts.iter().skip(1).copied().chain([(offset, rows)]);
    let point = |row: usize| Point { row, column: 0 };
    cuts.iter()
        .zip(ends)
        .filter(|(start, end)| start.0 < end.0)
        .map(|(start, end)| Range {
            start_byte: start.0,
            end_byte: end.0,
            start_point: point(start.1),
            end_point: point(end.1),
        })
        .collect()
}

fn begins_statement(line: &str) -> bool {
    const WORDS: [&str; 17] = [
        "export",
        "import",
        "declare",
        "function",
        "async",
        "class",
        "abstract",
        "interface",
        "type",
        "enum",
        "namespace",
        "module",
        "const",
        "let",
        "var",
        "if",
        "describe",
    ];
    let word = line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
    line.starts_with('@') || line.len() > word.len() && WORDS.contains(&word)
}

/// What the text at the end of a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    Code,
    Comment,
    Template,
}

impl Text {
    /// What the next line begins in.
    fn behind(mut self, line: &str) -> Text {
        let mut quote = None;
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match (self, quote, c) {
                (_, _, '\\') => {
                    chars.next();
                }
                (Text::Comment, _, '*') if chars.peek() == Some(&'/') => self = Text::Code,
                (Text::Comment, ..) => {}
                (Text::Template, _, '`') => self = Text::Code,
                (Text::Template, ..) => {}
                (_, Some(open), _) if c == open => quote = None,
                (_, Some(_), _) => {}
                (_, None, '"' | '\'') => quote = Some(c),
                (_, None, '`') => self = Text::Template,
                (_, None, '/') if chars.peek() == Some(&'/') => break,
                (_, None, '/') if chars.peek() == Some(&'*') => self = Text::Comment,
                _ => {}
            }
        }
        self
    }
}
