//! Second readings of files that the grammar cannot read.
//!
//! The grammar stops at things that are fine in Kotlin, and loses the rest of the file there: a class body
//! whose last member and closing brace share a line, a modifier used as a name (`open()`, `final = true`),
//! a primary constructor on a line of its own, annotated accessors and classes, strings with a
//! prefix of `$$`. These are rewritten in a copy without moving anything, so that all positions stay those of the
//! file. What then
//! still has errors is read one declaration at a time.

use crate::parse::{Grammar, parse, parse_range};
use crate::{ExtractError, Span};
use tree_sitter::{Point, Range, Tree};

/// How a file is read, from plain to patient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// As it is.
    Plain,
    /// Rewritten.
    Rewritten,
    /// Rewritten, one top-level declaration at a time.
    Apart,
}

/// The trees of a file; `None` when this reading has errors and there is a more patient one.
pub(super) fn read(source: &str, reading: Reading) -> Result<Option<Vec<Tree>>, ExtractError> {
    let whole = Span { start: 0, end: source.len() as u32 };
    let tree = match reading {
        Reading::Plain => parse(Grammar::Kotlin, source)?,
        Reading::Rewritten => parse(Grammar::Kotlin, &rewrite(source))?,
        Reading::Apart => return Ok(Some(read_members(source, whole, 0))),
    };
    Ok((!tree.root_node().has_error()).then(|| vec![tree]))
}

/// The trees of the declarations that stand in `span`, whose first line is `row`, each read on its own.
pub(super) fn read_members(source: &str, span: Span, row: usize) -> Vec<Tree> {
    let text = rewrite(source);
    let ranges = cut(&text, span, row).into_iter();
    ranges.filter_map(|range| parse_range(Grammar::Kotlin, &text, range).ok()).collect()
}

fn rewrite(source: &str) -> String {
    let mut out = source.as_bytes().to_vec();
    end_members(source, &mut out);
    mend_multi_dollar_strings(source, &mut out);
    rename_keywords(source, &mut out);
    drop_constructor_modifiers(source, &mut out);
    mend_accessors(source, &mut out);
    drop_class_modifiers(source, &mut out);
    String::from_utf8(out).unwrap_or_else(|_| source.to_owned())
}

/// Puts `;` before closing braces that end a line's code.
fn end_members(source: &str, out: &mut [u8]) {
    for (at, _) in source.match_indices(" }") {
        let before = source[..at].trim_end_matches([' ', '\t']);
        let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        let is_code = !before.is_empty() && !before.ends_with(['{', ';', '\n', '\r', ',', '>']);
        // In a string template a `;` would be an error of its own.
        if is_code && !line.contains("${") && !line.contains("//") {
            out[at] = b';';
        }
    }
}

/// `$$"a $b"` is a string in which a single `$` is plain text: the prefix goes, and so does every such `$`.
fn mend_multi_dollar_strings(source: &str, out: &mut [u8]) {
    for (quote, _) in source.match_indices("$\"") {
        let quote = quote + 1;
        let prefix = source[..quote].bytes().rev().take_while(|byte| *byte == b'$').count();
        if prefix < 2 {
            continue;
        }
        out[quote - prefix..quote].fill(b' ');
        let text = &source[quote..];
        let fence = if text.starts_with("\"\"\"") { "\"\"\"" } else { "\"" };
        let content = &text[fence.len()..];
        let content = &content[..content.find(fence).unwrap_or(0)];
        for (at, _) in content.match_indices('$') {
            out[quote + fence.len() + at] = b'_';
        }
    }
}

/// Words that are modifiers before a declaration and names elsewhere, though not to the grammar.
const SOFT_KEYWORDS: [&str; 20] = [
    "open",
    "final",
    "by",
    "abstract",
    "inline",
    "infix",
    "external",
    "override",
    "lateinit",
    "sealed",
    "tailrec",
    "public",
    "private",
    "protected",
    "internal",
    "noinline",
    "crossinline",
    "dynamic",
    "delegate",
    "suspend",
];

/// A soft keyword followed by punctuation is a name: its last letter is changed.
fn rename_keywords(source: &str, out: &mut [u8]) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    for keyword in SOFT_KEYWORDS {
        for (at, _) in source.match_indices(keyword) {
            let end = at + keyword.len();
            let rest = &source.as_bytes()[end..];
            let starts_word = at == 0 || !is_word(source.as_bytes()[at - 1]);
            let next = rest.iter().find(|byte| **byte != b' ').copied();
            let is_name = match keyword {
                "suspend" => next == Some(b'{'),
                _ => next.is_some_and(|next| b"(.=,):;[?!+*/&|}".contains(&next)),
            };
            if starts_word && is_name && !rest.first().is_some_and(|byte| is_word(*byte)) {
                out[end - 1] = b'_';
            }
        }
    }
}

/// `internal` or `@PublishedApi`.
fn is_modifier(word: &str) -> bool {
    let name = word.strip_prefix('@').unwrap_or(word);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || name.len() < word.len())
}

/// Blanks modifiers and annotations before a `constructor` that starts the line behind a class name, and puts it behind
/// the name: in the body of a class, the grammar takes the end of the line for the end of the class.
fn drop_constructor_modifiers(source: &str, out: &mut [u8]) {
    const CONSTRUCTOR: &str = "constructor(";
    let mut offset = 0;
    let mut name_end = None;
    for line in source.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        if let (Some(name_end), Some(at)) = (name_end, line.find("constructor"))
            && line[indent..at].split_whitespace().all(is_modifier)
        {
            out[offset + indent..offset + at].fill(b' ');
            let end = offset + at + CONSTRUCTOR.len();
            let breaks = source[name_end..offset].matches('\n').count();
            let behind = name_end + 1 + CONSTRUCTOR.len();
            if line[at..].starts_with(CONSTRUCTOR) && behind + breaks <= end {
                out[name_end..end].fill(b' ');
                out[name_end + 1..behind].copy_from_slice(CONSTRUCTOR.as_bytes());
                out[behind..behind + breaks].fill(b'\n');
            }
        }
        if !line.trim().is_empty() {
            let is_name = line.contains("class ") && !line.contains(['{', '(']) && !line.contains("//");
            name_end = is_name.then(|| offset + line.trim_end().len());
        }
        offset += line.len();
    }
}

/// Blanks the modifiers of an annotated class, which the grammar may take for names: behind `@Foo(…)`,
/// `actual class A` is a call of `class` to it.
fn drop_class_modifiers(source: &str, out: &mut [u8]) {
    let mut offset = 0;
    let mut is_annotated = false;
    for line in source.split_inclusive('\n') {
        let before = line.find("class ").filter(|_| is_annotated);
        if let Some(before) = before
            && line[..before].bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ')
        {
            out[offset..offset + before].fill(b' ');
        }
        if !line.trim().is_empty() {
            is_annotated = line.trim_start().starts_with(['@', ')']);
        }
        offset += line.len();
    }
}

/// Blanks annotations before a `get()` or `set(…)`, on the same line or the line before.
fn mend_accessors(source: &str, out: &mut [u8]) {
    let mut offset = 0;
    let mut annotation = None;
    for line in source.split_inclusive('\n') {
        let code = line.trim_start();
        let start = offset + line.len() - code.len();
        // `get(x)` behind a local variable is a call, though an accessor to the grammar.
        if code.starts_with("get(") && !code.starts_with("get()") {
            out[start + 2] = b'_';
        }
        if let (true, Some(range)) =
            (code.starts_with("get()") || code.starts_with("set("), annotation.take())
        {
            out[std::ops::Range::clone(&range)].fill(b' ');
        }
        if code.starts_with('@') {
            let accessor = line.find(" get()").or_else(|| line.find(" set("));
            match accessor {
                Some(at) => out[start..offset + at].fill(b' '),
                None => annotation = Some(start..start + code.trim_end().len()),
            }
        }
        offset += line.len();
    }
}

/// A part of the file, whose first line is `row`, cut before every line that starts a declaration and is
/// indented like the first that does, and before lines indented less.
fn cut(source: &str, span: Span, row: usize) -> Vec<Range> {
    let text = source.get(span.start as usize..span.end as usize).unwrap_or("");
    let mut cuts = vec![(span.start as usize, row)];
    let mut offset = span.start as usize;
    let mut row = row;
    let mut depth = None;
    let mut in_header = false;
    for line in text.split_inclusive('\n') {
        let code = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - code.len();
        let starts = starts_declaration(code) && *depth.get_or_insert(indent) == indent;
        let closes = !code.trim().is_empty() && depth.is_some_and(|depth| indent < depth);
        if (starts || closes) && !in_header && offset > span.start as usize {
            cuts.push((offset, row));
        }
        // The line behind an annotation belongs to what it annotates.
        in_header = starts && code.starts_with('@');
        offset += line.len();
        row += 1;
    }
    let ends = cuts.iter().skip(1).copied().chain([(offset, row)]);
    let point = |row: usize| Point { row, column: 0 };
    cuts.iter()
        .zip(ends)
        .map(|(start, end)| Range {
            start_byte: start.0,
            end_byte: end.0,
            start_point: point(start.1),
            end_point: point(end.1),
        })
        .collect()
}

fn starts_declaration(line: &str) -> bool {
    if line.contains("constructor") && !line.contains("class ") {
        return false;
    }
    if line.starts_with('@') {
        return !line.starts_with("@file");
    }
    let word = line.split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or("");
    matches!(word, "class" | "interface" | "object" | "fun" | "val" | "var" | "typealias")
        || matches!(word, "enum" | "sealed" | "data" | "abstract" | "annotation" | "value" | "const")
        || matches!(word, "private" | "internal" | "public" | "expect" | "actual" | "lateinit")
        || matches!(word, "inline" | "suspend" | "operator" | "infix" | "tailrec" | "external")
        || (word == "open" && line.starts_with("open "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewrites_in_place() {
        for (source, expected) in [
            ("interface I { fun f() }", "interface I { fun f();}"),
            ("val s = \"${ x }\"\nclass E { }", "val s = \"${ x }\"\nclass E { }"),
            ("final = open()\nopen class A", "fina_ = ope_()\nopen class A"),
            ("class A\ninternal constructor(", "class A constructor(\n        "),
            ("class A\n@B internal constructor(", "class A constructor(\n           "),
            ("class A\nconstructor(", "class A\nconstructor("),
            ("@A($$\"f$d\")", "@A(  \"f_d\")"),
            ("val x\n  @A(1) get() = 1", "val x\n        get() = 1"),
            ("@A(1)\npublic data class A", "@A(1)\n            class A"),
            ("val x = 1\nget(x)", "val x = 1\nge_(x)"),
            ("val x\n  @A\n  get() = 1", "val x\n    \n  get() = 1"),
        ] {
            assert_eq!(rewrite(source), expected);
        }
    }

    #[test]
    fn cuts_at_declarations() {
        let source = "package a\n\n@Foo\nclass A {\n  val x = 1\n}\nfun f() {}\n";
        let whole = Span { start: 0, end: source.len() as u32 };
        let starts: Vec<usize> = cut(source, whole, 0).iter().map(|range| range.start_point.row).collect();
        assert_eq!(starts, [0, 2, 6]);
    }
}
