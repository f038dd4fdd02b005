//! What sync and clean did, for people.

use super::buffered;
use crate::failure::Failure;
use orbit_graph::{CleanReport, SyncReport};
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
pub(super) fn printable(path: &str) -> String {
    if path.chars().any(char::is_control) { format!("{path:?}") } else { path.to_owned() }
}

/// A number of things.
pub(super) fn some(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}
