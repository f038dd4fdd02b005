//! Diagnostics as plain text, with the source line and a caret. Colour is the caller's business.

use crate::diagnostic::{Diagnostic, Diagnostics, Label};
use crate::source::Source;
use std::fmt::Write as _;

/// Lines longer than this are shown in part.
const WIDTH: usize = 120;

/// Every diagnostic, separated by blank lines.
///
/// ```text
/// error[T4]: unknown edge `knws`
///  --> friends.gq:3:8
///   |
/// 3 |     $p knws $f
///   |        ^^^^ no edge has this name
///   = help: did you mean `knows`?
/// ```
pub fn render(diagnostics: &Diagnostics, source: &Source) -> String {
    let parts: Vec<String> = diagnostics.iter().map(|found| render_one(found, source)).collect();
    parts.join("\n")
}

/// One diagnostic; ends with a line end.
pub fn render_one(diagnostic: &Diagnostic, source: &Source) -> String {
    let mut out = String::new();
    let severity = diagnostic.severity.as_str();
    let _ = writeln!(out, "{severity}[{}]: {}", diagnostic.code.as_str(), diagnostic.message);
    let at = source.position(diagnostic.primary.span.start);
    let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.further);
    let widest = labels.map(|label| source.position(label.span.start).line).max().unwrap_or(1);
    let gutter = widest.to_string().len();
    let _ = writeln!(out, "{:gutter$}--> {}:{}:{}", "", source.name(), at.line, at.column);
    let _ = writeln!(out, "{:gutter$} |", "");
    excerpt(&mut out, &diagnostic.primary, '^', gutter, source);
    for label in &diagnostic.further {
        excerpt(&mut out, label, '-', gutter, source);
    }
    if let Some(hint) = &diagnostic.hint {
        let _ = writeln!(out, "{:gutter$} = help: {hint}", "");
    }
    out
}

/// The line of a label and the marks below it.
fn excerpt(out: &mut String, label: &Label, mark: char, gutter: usize, source: &Source) {
    let at = source.position(label.span.start);
    let line: String = source.line(at.line).replace('\t', " ");
    let column = at.column as usize - 1;
    let skipped = column.saturating_sub(WIDTH / 2);
    let skipped = if line.chars().count() > WIDTH { skipped } else { 0 };
    let shown: String = line.chars().skip(skipped).take(WIDTH).collect();
    let covered = source.slice(label.span).lines().next().unwrap_or_default().chars().count();
    let room = shown.chars().count().saturating_sub(column - skipped).max(1);
    let marks = mark.to_string().repeat(covered.clamp(1, room));
    let _ = writeln!(out, "{:>gutter$} | {}", at.line, shown.trim_end());
    let indent = column - skipped;
    let text = format!("{:gutter$} | {:indent$}{marks} {}", "", "", label.text);
    let _ = writeln!(out, "{}", text.trim_end());
}
