//! Pieces of text that many answers share, and what watch and clean did.

use super::buffered;
use crate::failure::Failure;
use orbit_graph::{CleanReport, Confidence, SyncReport};
use orbit_history::Staleness;
use std::io::Write;

/// One line for a sync of a watch; nothing when nothing changed.
pub(crate) fn watched(report: &SyncReport) -> Result<(), Failure> {
    if report.files_changed + report.files_removed == 0 {
        return Ok(());
    }
    super::line(&format!(
        "{} changed, {} removed, {} resolved again in {} ms",
        report.files_changed, report.files_removed, report.files_reresolved, report.duration_ms
    ))
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

/// A path on one line, whatever characters it has.
pub(crate) fn printable(path: &str) -> String {
    if path.chars().any(char::is_control) { format!("{path:?}") } else { path.to_owned() }
}

/// A number of things.
pub(crate) fn some(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// The first digits of a commit.
pub(crate) fn short(sha: &str) -> &str {
    sha.get(..10).unwrap_or(sha)
}

/// Facts are not marked, guesses are.
pub(crate) fn mark(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::FuzzyName => " ?",
        Confidence::Dispatch => " (dispatch)",
        _ => "",
    }
}

/// Says which files of an answer changed since they were indexed.
pub(crate) fn stale(out: &mut dyn Write, files: &[String]) -> Result<(), Failure> {
    if !files.is_empty() {
        writeln!(out, "(changed since the index was made: {}; add --sync)", files.join(", "))?;
    }
    Ok(())
}

/// Says how far the history is behind HEAD.
pub(crate) fn staleness(out: &mut dyn Write, staleness: Option<&Staleness>) -> Result<(), Failure> {
    if let Some(stale) = staleness {
        writeln!(out, "({} behind HEAD; {})", some(stale.commits_behind, "commit"), stale.remedy)?;
    }
    Ok(())
}

pub(crate) fn warnings(out: &mut dyn Write, warnings: &[String]) -> Result<(), Failure> {
    for warning in warnings {
        writeln!(out, "warning: {}", printable(warning))?;
    }
    Ok(())
}
