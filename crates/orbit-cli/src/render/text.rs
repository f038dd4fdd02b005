//! Answers for people and for agents behind a shell: one line per row, `path:line` first.

use super::buffered;
use crate::failure::Failure;
use orbit_graph::{CleanReport, MatchKind, Overview, SearchResult, SyncReport};
use owo_colors::OwoColorize;
use std::io::Write;

pub(crate) fn sync(report: &SyncReport) -> Result<(), Failure> {
    let mut out = buffered();
    writeln!(
        out,
        "{} files indexed, {} changed, {} removed in {} ms",
        report.files_indexed, report.files_changed, report.files_removed, report.duration_ms
    )?;
    for note in &report.notes {
        writeln!(out, "note: {note}")?;
    }
    for skipped in &report.skipped {
        writeln!(out, "skipped {}: {}", printable(&skipped.path), skipped.reason)?;
    }
    for failed in &report.failed {
        writeln!(out, "failed {}: {}", printable(&failed.path), failed.error)?;
    }
    out.flush()?;
    Ok(())
}

pub(crate) fn search(result: &SearchResult) -> Result<(), Failure> {
    let mut out = buffered();
    for hit in &result.matches {
        let place = format!("{}:{}", printable(&hit.path), hit.line);
        match hit.kind {
            MatchKind::Symbol => {
                let (kind, selector) =
                    (hit.symbol_kind.as_deref().unwrap_or(""), hit.selector.as_deref().unwrap_or(""));
                writeln!(out, "{} {kind} {selector}", place.bold())?;
            }
            MatchKind::String => {
                writeln!(out, "{} string {:?}", place.bold(), hit.value.as_deref().unwrap_or(""))?;
            }
            MatchKind::Config => {
                writeln!(out, "{} config {}", place.bold(), hit.value.as_deref().unwrap_or(""))?;
            }
        }
    }
    if result.matches.is_empty() {
        writeln!(out, "nothing found")?;
    } else if result.truncated {
        writeln!(out, "(more; raise --limit)")?;
    }
    out.flush()?;
    Ok(())
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
            writeln!(
                out,
                "  {}:{} {} {}",
                printable(&file.path),
                symbol.line,
                symbol.kind,
                symbol.qualified
            )?;
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

pub(crate) fn clean(report: &CleanReport) -> Result<(), Failure> {
    let mut out = buffered();
    let verb = if report.applied { "removed" } else { "would remove" };
    for file in &report.files {
        writeln!(out, "{verb} {}", printable(&file.path))?;
    }
    if report.files.is_empty() {
        writeln!(out, "nothing to remove in {}", report.graph_dir)?;
    } else if !report.applied {
        writeln!(out, "nothing was removed; add --confirm")?;
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

/// A path on one line, whatever characters it has.
fn printable(path: &str) -> String {
    if path.chars().any(char::is_control) { format!("{path:?}") } else { path.to_owned() }
}
