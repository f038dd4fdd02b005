//! Answers for people and for agents behind a shell: one line per row, `path:line` first, nothing said twice.

use super::buffered;
use super::rows::Rows;
use super::text::{printable, some};
use crate::failure::Failure;
use orbit_graph::{
    Callees, Confidence, Deps, Impact, Implementors, MatchKind, Overview, Refs, SearchResult, Show, Touched,
    Trace, TraceNode,
};
use owo_colors::OwoColorize;
use std::io::Write;

pub(crate) fn search(result: &SearchResult) -> Result<(), Failure> {
    let mut out = buffered();
    let mut rows = Rows::default();
    for hit in &result.matches {
        let value = hit.value.as_deref().unwrap_or("");
        let (kind, what) = match hit.kind {
            MatchKind::Symbol => (hit.symbol_kind.unwrap_or(""), printable(&hit.selector)),
            MatchKind::String => ("string", format!("{value:?}")),
            MatchKind::Config => ("config", printable(value)),
        };
        rows.push(&hit.path, hit.line, kind, &what);
    }
    rows.print(&mut out)?;
    if !result.did_you_mean.is_empty() {
        writeln!(out, "did you mean: {}", result.did_you_mean.join(", "))?;
    } else if result.matches.is_empty() {
        writeln!(out, "nothing found")?;
    }
    if result.truncated {
        let total = result.total.map_or_else(|| "more".to_owned(), |total| total.to_string());
        writeln!(out, "({} of {total}; raise --limit)", result.matches.len())?;
    }
    stale(&mut out, &result.stale)
}

pub(crate) fn show(answer: &Show) -> Result<(), Failure> {
    let mut out = buffered();
    let about = &answer.metadata;
    writeln!(
        out,
        "{}:{}-{} {}",
        printable(&about.file).bold(),
        about.line,
        about.end_line,
        printable(&answer.selector)
    )?;
    match &answer.source {
        Some(source) => writeln!(out, "{}", source.trim_end_matches('\n'))?,
        None => writeln!(out, "(the file is gone)")?,
    }
    if about.truncated {
        writeln!(out, "(cut; raise --max-bytes)")?;
    }
    if about.stale {
        writeln!(out, "(the file changed since it was indexed; add --sync)")?;
    }
    out.flush()?;
    Ok(())
}

pub(crate) fn refs(answer: &Refs) -> Result<(), Failure> {
    let mut out = buffered();
    let mut rows = Rows::default();
    for target in &answer.targets {
        let about = format!("{}, {}", printable(&target.selector), some(target.refs, "ref"));
        rows.push(&target.file, target.line, "defines", &about);
    }
    for used in &answer.refs {
        let from = format!("{}{}", printable(&used.from_selector), mark(used.confidence));
        rows.push(&used.file, used.line, used.kind, &from);
    }
    for related in &answer.relations {
        let from = related.from_selector.as_deref().unwrap_or(&related.from);
        let from = format!("{}{}", printable(from), mark(related.confidence));
        rows.push(&related.file, related.line, related.kind, &from);
    }
    rows.print(&mut out)?;
    if answer.truncated {
        writeln!(out, "({} of {}; raise --limit)", answer.refs.len(), answer.total)?;
    }
    for through in answer.through.iter().filter(|through| through.refs > 0 && !is_listed(answer)) {
        writeln!(
            out,
            "({} of {}, which it overrides; --confidence dispatch lists them)",
            some(through.refs, "more use"),
            printable(&through.selector)
        )?;
    }
    if answer.skipped_low_confidence > 0 {
        writeln!(
            out,
            "({} more match by name only; --confidence fuzzy lists them)",
            answer.skipped_low_confidence
        )?;
    }
    stale(&mut out, &answer.stale)
}

/// Whether the uses that may be dispatched are among the rows.
fn is_listed(answer: &Refs) -> bool {
    answer.refs.iter().any(|row| row.confidence >= Confidence::Dispatch)
}

pub(crate) fn callees(answer: &Callees) -> Result<(), Failure> {
    let mut out = buffered();
    let file = answer.selector.strip_prefix("symbol:").and_then(|rest| rest.split('#').next()).unwrap_or("");
    let mut rows = Rows::default();
    for callee in &answer.callees {
        let target = printable(callee.selector.as_deref().unwrap_or(&callee.target_name));
        let times = if callee.count > 1 { format!(" x{}", callee.count) } else { String::new() };
        let others = match callee.overridden_by {
            0 => String::new(),
            count => format!(" (overridden {count} times)"),
        };
        rows.push(file, callee.line, "call", &format!("{target}{times}{others}{}", mark(callee.confidence)));
    }
    rows.print(&mut out)?;
    if answer.truncated {
        writeln!(out, "({} of {}; raise --limit)", answer.callees.len(), answer.total)?;
    }
    if answer.hidden_unresolved > 0 {
        writeln!(out, "({} calls are unresolved; --confidence fuzzy lists them)", answer.hidden_unresolved)?;
    }
    stale(&mut out, &answer.stale)
}

pub(crate) fn impact(answer: &Impact) -> Result<(), Failure> {
    let mut out = buffered();
    writeln!(
        out,
        "{} touched, {}, from {}",
        answer.touched.len(),
        some(answer.tests.len(), "test"),
        some(answer.start.len(), "symbol")
    )?;
    touched(&mut out, &answer.touched)?;
    if !answer.tests.is_empty() {
        writeln!(out, "tests:")?;
        touched(&mut out, &answer.tests)?;
    }
    if !answer.unmapped.is_empty() {
        writeln!(out, "changed outside of any symbol: {}", answer.unmapped.join(", "))?;
    }
    if answer.truncated {
        let least = if answer.complete { "" } else { "at least " };
        writeln!(out, "(of {least}{}; narrow --depth or raise --limit)", answer.total)?;
    }
    if answer.uncertain > 0 {
        writeln!(
            out,
            "({} by name only; --confidence fuzzy follows them)",
            some(answer.uncertain, "more use")
        )?;
    }
    if !answer.complete {
        writeln!(out, "(not complete)")?;
    }
    stale(&mut out, &answer.stale)
}

fn touched(out: &mut impl Write, rows: &[Touched]) -> Result<(), Failure> {
    let mut lines = Rows::default();
    for reached in rows {
        let what = format!(
            "{} depth {}{}",
            printable(&reached.selector),
            reached.distance,
            mark(reached.confidence)
        );
        lines.push(&reached.file, reached.line, reached.edge_kind, &what);
    }
    lines.print(out)
}

pub(crate) fn trace(answer: &Trace) -> Result<(), Failure> {
    let mut out = buffered();
    writeln!(out, "{}:{} command {}", printable(&answer.file).bold(), answer.line, answer.command)?;
    match &answer.root {
        Some(root) => tree(&mut out, root, 0)?,
        None => writeln!(out, "(its handler is not known)")?,
    }
    if answer.truncated {
        writeln!(out, "(cut at {} nodes; trace a part of it, or change --depth)", answer.visited_nodes)?;
    }
    stale(&mut out, &answer.stale)
}

fn tree(out: &mut impl Write, node: &TraceNode, level: usize) -> Result<(), Failure> {
    let remark = match (node.recursive, node.shown_above && !node.children.is_empty()) {
        (true, _) => " (recursive)",
        (_, true) => " (above)",
        _ => "",
    };
    let confidence = node.confidence.map_or("", mark);
    writeln!(
        out,
        "{}{}:{} {}{remark}{confidence}",
        "  ".repeat(level),
        printable(&node.file),
        node.line,
        node.qualified_name
    )?;
    for child in &node.children {
        tree(out, child, level + 1)?;
    }
    Ok(())
}

pub(crate) fn implementors(answer: &Implementors) -> Result<(), Failure> {
    let mut out = buffered();
    let mut rows = Rows::default();
    for found in &answer.implementors {
        let what = printable(found.selector.as_deref().unwrap_or(&found.type_qualified));
        rows.push(&found.file, found.line, found.kind, &format!("{what}{}", mark(found.confidence)));
    }
    rows.print(&mut out)?;
    if answer.total == 0 {
        writeln!(out, "nothing implements {}", answer.trait_name)?;
    }
    if answer.truncated {
        writeln!(out, "({} of {}; raise --limit)", answer.implementors.len(), answer.total)?;
    }
    stale(&mut out, &answer.stale)
}

pub(crate) fn deps(answer: &Deps) -> Result<(), Failure> {
    let mut out = buffered();
    for row in &answer.imports {
        let place = format!("{}:{}", printable(&row.from_file), row.line);
        let symbol = row.target_symbol.as_deref().map(|symbol| format!(" {symbol}")).unwrap_or_default();
        let file =
            row.resolved_file.as_deref().map(|file| format!(" -> {}", printable(file))).unwrap_or_default();
        writeln!(out, "{} {}{symbol}{file}", place.bold(), row.target_path)?;
    }
    if answer.truncated {
        writeln!(out, "({} of {}; raise --limit)", answer.imports.len(), answer.total)?;
    }
    stale(&mut out, &answer.stale)
}

pub(crate) fn overview(overview: &Overview) -> Result<(), Failure> {
    let mut out = buffered();
    let scope = overview.scope.as_deref().unwrap_or("everything");
    let (files, symbols) = (some(overview.total_files, "file"), some(overview.total_symbols, "symbol"));
    writeln!(out, "{scope}: {files}, {symbols}")?;
    writeln!(out, "languages: {}", counted(&overview.languages))?;
    writeln!(out, "symbols: {}", counted(&overview.symbol_kinds))?;
    for file in &overview.files {
        let symbols = some(file.symbol_count, "symbol");
        writeln!(out, "{} {} {symbols}", printable(&file.path).bold(), file.lang)?;
        let mut rows = Rows::default();
        for symbol in file.symbols.iter().flatten() {
            rows.push(&symbol.file, symbol.line, &symbol.kind, &printable(&symbol.selector));
        }
        rows.print(&mut out)?;
    }
    if overview.truncated {
        writeln!(
            out,
            "({} of {} files; --format full lists all)",
            overview.files.len(),
            overview.total_files
        )?;
    }
    stale(&mut out, &overview.stale)
}

/// Most frequent first.
fn counted(counts: &std::collections::BTreeMap<String, usize>) -> String {
    let mut rows: Vec<(&String, &usize)> = counts.iter().collect();
    rows.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let rows: Vec<String> = rows.into_iter().map(|(name, count)| format!("{name} {count}")).collect();
    rows.join(", ")
}

/// Facts are not marked, guesses are.
fn mark(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::FuzzyName => " ?",
        Confidence::Dispatch => " (dispatch)",
        _ => "",
    }
}

fn stale(out: &mut impl Write, files: &[String]) -> Result<(), Failure> {
    if !files.is_empty() {
        writeln!(out, "(changed since the index was made: {}; add --sync)", files.join(", "))?;
    }
    out.flush()?;
    Ok(())
}
