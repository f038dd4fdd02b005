//! Where imports stand in a file: at its top, for type checkers only, or inside of a function.

use super::{Subject, refuse};
use crate::edit::Edit;
use crate::error::RefactorError;
use crate::moves::statement::{indent, line_start};
use orbit_extract::{Lang, Load, LoadStep, Span, When, parts};
use orbit_graph::SymbolFacts;
use std::collections::BTreeSet;

/// Where one more import goes: behind the last one before a place, or behind what the file says about itself.
pub(super) fn top(text: &str, steps: &[LoadStep], before: u32) -> usize {
    let is_import = |step: &&LoadStep| matches!(step.load, Load::Module { .. } | Load::Name { .. });
    let imports = steps.iter().filter(is_import);
    let imports = imports.filter(|step| step.when == When::Always && step.span.end <= before);
    let ends = imports.map(|step| line_end(text, step.span.end as usize));
    let future = text.match_indices("from __future__ import").map(|(at, _)| at);
    let future = future.filter(|at| line_start(text, *at) == *at).map(|at| line_end(text, at));
    ends.chain(future).max().unwrap_or_else(|| behind_docstring(text))
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

fn behind_docstring(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n').take_while(|line| line.starts_with('#') || line.trim().is_empty())
    {
        at += line.len();
    }
    docstring_end(text, at).map_or(at, |end| line_end(text, end))
}

/// Where a docstring ends that begins at a place.
fn docstring_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let quotes = rest.trim_start_matches(['r', 'R', 'u', 'U']);
    let from = at + rest.len() - quotes.len();
    let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| quotes.starts_with(quote))?;
    let mut end = from + quote.len();
    loop {
        let close = end + text[end..].find(quote)?;
        let slashes = text[..close].len() - text[..close].trim_end_matches('\\').len();
        if slashes.is_multiple_of(2) {
            return Some(close + quote.len());
        }
        end = close + 1;
    }
}

/// Imports that only type checkers see, behind those that there are.
pub(super) fn typing(text: &str, steps: &[LoadStep], lines: &BTreeSet<String>) -> Option<Edit> {
    if lines.is_empty() {
        return None;
    }
    let known = steps.iter().filter(|step| step.when == When::Typing && step.load.bound().is_some());
    let place = known
        .map(|step| (line_end(text, step.span.end as usize), line_start(text, step.span.start as usize)))
        .next();
    if let Some((at, line)) = place {
        let indent = indent(text, line);
        let lines = indented(lines.iter().map(String::as_str), indent);
        return Some(Edit::new(at as u32, at as u32, lines));
    }
    let at = top(text, steps, u32::MAX) as u32;
    let has_word = steps.iter().any(|step| step.load.bound() == Some("TYPE_CHECKING"));
    let word = if has_word { "" } else { "from typing import TYPE_CHECKING\n" };
    let lines = indented(lines.iter().map(String::as_str), "    ");
    Some(Edit::new(at, at, format!("{word}\nif TYPE_CHECKING:\n{lines}")))
}

fn indented<'l>(lines: impl Iterator<Item = &'l str>, indent: &str) -> String {
    lines.flat_map(|line| [indent, line]).collect()
}

/// A statement at the beginning of a function, behind its docstring.
pub(super) fn inside(
    path: &str,
    text: &str,
    function: (u32, u32),
    lines: &str,
) -> Result<Edit, RefactorError> {
    let span = Span { start: function.0, end: function.1 };
    let body = parts(path, Lang::Python, text.as_bytes(), span).and_then(|parts| parts.body);
    let start = body.map_or(function.0, |body| body.start) as usize;
    let line = line_start(text, start);
    if body.is_none() || !text[line..start].trim().is_empty() {
        return Err(refuse("circular_import", "a function of one line has no place for an import"));
    }
    let indent = text[line..start].to_owned();
    let at = docstring_end(text, start).map_or(line, |end| line_end(text, end));
    let end = if at == text.len() && !text.ends_with('\n') { "\n" } else { "" };
    let lines = indented(lines.split_inclusive('\n'), &indent);
    Ok(Edit::new(at as u32, at as u32, format!("{end}{lines}")))
}

/// The functions of a file that stand in no other one, each with where its body begins: what stands before that, runs or is
/// read with the file.
pub(super) fn bodies(path: &str, text: &str, symbols: &[SymbolFacts]) -> Vec<((u32, u32), u32)> {
    let mut found: Vec<((u32, u32), u32)> = Vec::new();
    for symbol in symbols.iter().filter(|symbol| symbol.kind.is_callable()) {
        if found.iter().any(|(round, _)| round.0 <= symbol.span.0 && symbol.span.1 <= round.1) {
            continue;
        }
        let span = Span { start: symbol.span.0, end: symbol.span.1 };
        let body = parts(path, Lang::Python, text.as_bytes(), span).and_then(|parts| parts.body);
        found.push((symbol.span, body.map_or(symbol.span.1, |body| body.start)));
    }
    found
}

/// Whether a place stands in the body of a function.
pub(super) fn is_in_body(bodies: &[((u32, u32), u32)], at: u32) -> bool {
    bodies.iter().any(|(span, start)| *start <= at && at < span.1)
}

/// The functions of a file round some places, each once; `None` when a place is outside of all functions.
pub(super) fn functions(
    subject: &Subject<'_>,
    file: &str,
    places: &[u32],
) -> Result<Option<BTreeSet<(u32, u32)>>, RefactorError> {
    let symbols = subject.facts.of_file(file)?;
    let round = |at: u32| {
        let mut round = symbols.iter().filter(|symbol| symbol.span.0 <= at && at < symbol.span.1);
        round.find(|symbol| symbol.kind.is_callable()).map(|symbol| symbol.span)
    };
    Ok(places.iter().map(|at| round(*at)).collect())
}
