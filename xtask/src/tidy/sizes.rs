//! Files and functions small enough to read in one go.

use super::tree::{Tree, TreeFile};
use super::{Check, Finding};
use crate::functions;
use crate::rust_text::{literals, mask};
use std::ops::Range;

pub(super) const FILE_LINES: usize = 400;
pub(super) const TEST_FILE_LINES: usize = 600;
pub(super) const FUNCTION_LINES: usize = 60;

/// No Rust file is too long.
pub(super) fn files(tree: &Tree) -> Vec<Finding> {
    let long = tree.rust().filter_map(|file| {
        let lines = file.text.lines().count();
        let limit = if file.is_test() { TEST_FILE_LINES } else { FILE_LINES };
        let message = format!("{lines} lines, {limit} are allowed");
        let finding = Finding::new(Check::FileSize, &file.path, 1, message);
        (lines > limit).then_some(Finding { size: Some(lines), ..finding })
    });
    long.collect()
}

/// No Rust function is too long, from the line of its name to its end. The lines of a text in it, such as a
/// fixture, do not count.
pub(super) fn functions(tree: &Tree) -> Vec<Finding> {
    tree.rust().flat_map(functions_of).collect()
}

fn functions_of(file: &TreeFile) -> Vec<Finding> {
    let (masked, texts) = (mask(&file.text), literals(&file.text));
    let findings = functions::functions(&masked).into_iter().filter_map(|function| {
        let lines = 1 + line_ends(file, &function.span) - text_lines(file, &function.span, &texts);
        let item = match function.owner {
            Some(owner) => format!("{owner}::{}", function.name),
            None => function.name.to_owned(),
        };
        let message = format!("`{item}` has {lines} lines, {FUNCTION_LINES} are allowed");
        let finding = Finding::new(Check::FunctionSize, &file.path, function.line, message);
        (lines > FUNCTION_LINES).then_some(Finding { item: Some(item), size: Some(lines), ..finding })
    });
    findings.collect()
}

fn line_ends(file: &TreeFile, span: &Range<usize>) -> usize {
    file.text[span.clone()].matches('\n').count()
}

/// How many line ends of a function lie inside of literals.
fn text_lines(file: &TreeFile, span: &Range<usize>, texts: &[Range<usize>]) -> usize {
    let inside = texts.iter().filter(|text| text.start >= span.start && text.end <= span.end);
    inside.map(|text| line_ends(file, text)).sum()
}
