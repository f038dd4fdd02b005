//! Answers for people and for agents behind a shell: one line per row, `path:line` first, nothing said twice.

use super::buffered;
use super::text::printable;
use crate::failure::Failure;
use orbit_graph::{
    Callees, Confidence, Deps, Impact, Implementors, MatchKind, Overview, Refs, SearchResult, Show, Touched,
    Trace, TraceNode,
};
use owo_colors::OwoColorize;
use std::io::Write;

pub(crate) fn search(result: &SearchResult) -> Result<(), Failure> {
    let mut out = buffered();
    for hit in &result.matches {
        let place = format!("{}:{}", printable(&hit.path), hit.line);
        let value = hit.value.as_deref().unwrap_or("");
        match hit.kind {
            MatchKind::Symbol => {
                writeln!(
                    out,
                    "{} {} {}",
                    place.bold(),
                    hit.symbol_kind.unwrap_or(""),
                    printable(&hit.selector)
                )?;
            }
            MatchKind::String => writeln!(out, "{} string {value:?}", place.bold())?,
            MatchKind::Config => writeln!(out, "{} config {}", place.bold(), printable(value))?,
        }
    }
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
    for target in &answer.targets {
        writeln!(
            out,
            "{}:{} {} {} refs",
            printable(&target.file).bold(),
            target.line,
            target.selector,
            target.refs
        )?;
    }
    let mut last = String::new();
    for row in &answer.refs {
        let from = row.from_selector.split_once('#').map_or("", |(_, symbol)| symbol);
        if row.file != last {
            writeln!(out, "{}", printable(&row.file).bold())?;
            last.clone_from(&row.file);
        }
        writeln!(out, "  {} {} {}{}", row.line, row.kind, from, mark(row.confidence))?;
    }
    for row in &answer.relations {
        writeln!(
            out,
            "{}:{} {} {}{}",
            printable(&row.file).bold(),
            row.line,
            row.kind,
            row.from,
            mark(row.confidence)
        )?;
    }
    if answer.truncated {
        writeln!(out, "({} of {}; raise --limit)", answer.refs.len(), answer.total)?;
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

pub(crate) fn callees(answer: &Callees) -> Result<(), Failure> {
    let mut out = buffered();
    for row in &answer.callees {
        let target = printable(row.selector.as_deref().unwrap_or(&row.target_name));
        let times = if row.count > 1 { format!(" x{}", row.count) } else { String::new() };
        writeln!(out, "{} {target}{times}{}", row.line, mark(row.confidence))?;
    }
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
        "{} touched, {} tests, from {} symbols",
        answer.touched.len(),
        answer.tests.len(),
        answer.start.len()
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
        writeln!(out, "(of {}; narrow --depth or raise --limit)", answer.total)?;
    }
    stale(&mut out, &answer.stale)
}

fn touched(out: &mut impl Write, rows: &[Touched]) -> Result<(), Failure> {
    for row in rows {
        let place = format!("{}:{}", printable(&row.file), row.line);
        writeln!(
            out,
            "{} {} {} {}{}",
            row.distance,
            place.bold(),
            row.edge_kind,
            row.selector,
            mark(row.confidence)
        )?;
    }
    Ok(())
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
    out.flush()?;
    Ok(())
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
    for row in &answer.implementors {
        let place = format!("{}:{}", printable(&row.file), row.line);
        let what = printable(row.selector.as_deref().unwrap_or(&row.type_qualified));
        writeln!(out, "{} {} {what}{}", place.bold(), row.kind, mark(row.confidence))?;
    }
    if answer.implementors.is_empty() {
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
    writeln!(out, "{scope}: {} files, {} symbols", overview.total_files, overview.total_symbols)?;
    writeln!(out, "languages: {}", counted(&overview.languages))?;
    writeln!(out, "symbols: {}", counted(&overview.symbol_kinds))?;
    for file in &overview.files {
        writeln!(out, "{} {} {} symbols", printable(&file.path).bold(), file.lang, file.symbol_count)?;
        for symbol in file.symbols.iter().flatten() {
            writeln!(out, "  {} {} {}", symbol.line, symbol.kind, symbol.qualified)?;
        }
    }
    if overview.truncated {
        writeln!(
            out,
            "({} of {} files; --format full lists all)",
            overview.files.len(),
            overview.total_files
        )?;
    }
    out.flush()?;
    Ok(())
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
    if confidence == Confidence::FuzzyName { " ?" } else { "" }
}

fn stale(out: &mut impl Write, files: &[String]) -> Result<(), Failure> {
    if !files.is_empty() {
        writeln!(out, "(changed since the index was made: {}; add --sync)", files.join(", "))?;
    }
    out.flush()?;
    Ok(())
}
