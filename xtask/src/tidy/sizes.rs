//! Files and functions small enough to read in one go. Functions are found by our own extractor.

use super::tree::{Tree, TreeFile};
use super::{Check, Finding};
use crate::rust_text::literals;
use orbit_extract::{Lang, Span};
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
    let facts = match orbit_extract::extract(&file.path, Lang::Rust, file.text.as_bytes()) {
        Ok(facts) => facts,
        Err(error) => {
            let message = format!("cannot be read: {}", error.as_str());
            return vec![Finding::new(Check::FunctionSize, &file.path, 1, message)];
        }
    };
    let texts = literals(&file.text);
    let functions = facts.symbols.iter().filter(|symbol| symbol.kind.is_callable());
    let findings = functions.filter_map(|symbol| {
        let lines = (symbol.end_line - symbol.line + 1) as usize - text_lines(file, symbol.span, &texts);
        let item = facts.names.get(symbol.path).to_owned();
        let message = format!("`{item}` has {lines} lines, {FUNCTION_LINES} are allowed");
        let finding = Finding::new(Check::FunctionSize, &file.path, symbol.line as usize, message);
        (lines > FUNCTION_LINES).then_some(Finding { item: Some(item), size: Some(lines), ..finding })
    });
    findings.collect()
}

/// How many line ends of a function lie inside of literals.
fn text_lines(file: &TreeFile, span: Span, texts: &[Range<usize>]) -> usize {
    let (start, end) = (span.start as usize, span.end as usize);
    let inside = texts.iter().filter(|text| text.start >= start && text.end <= end);
    inside.map(|text| file.text[text.clone()].matches('\n').count()).sum()
}
