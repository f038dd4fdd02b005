//! What a refactoring did or would do.

use super::buffered;
use super::text::printable;
use crate::failure::Failure;
use orbit_refactor::{Committed, Entry, Plan, Review, Step};
use serde::Serialize;
use std::io::Write;

/// One refactoring.
#[derive(Serialize)]
pub(crate) struct Outcome {
    title: String,
    subject: String,
    applied: bool,
    step: Option<u64>,
    files: Vec<ChangedFile>,
    operations: Vec<Entry>,
    review: Vec<Review>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

#[derive(Serialize)]
struct ChangedFile {
    path: String,
    edits: usize,
}

impl Outcome {
    pub(crate) fn new(plan: Plan, step: Option<u64>, diff: Option<String>) -> Outcome {
        let files = plan.files.into_iter();
        let files =
            files.map(|file| ChangedFile { edits: file.edits.len().max(1), path: file.path }).collect();
        let Plan { title, subject, entries, review, .. } = plan;
        Outcome { title, subject, applied: step.is_some(), step, files, operations: entries, review, diff }
    }
}

#[derive(Serialize)]
pub(crate) struct Status {
    pub(crate) steps: Vec<Step>,
}

#[derive(Serialize)]
pub(crate) struct Diff {
    pub(crate) diff: String,
}

#[derive(Serialize)]
pub(crate) struct Aborted {
    pub(crate) steps: usize,
}

pub(crate) fn outcome(outcome: &Outcome) -> Result<(), Failure> {
    let mut out = buffered();
    if let Some(diff) = &outcome.diff {
        write!(out, "{diff}")?;
    } else {
        let edits: usize = outcome.files.iter().map(|file| file.edits).sum();
        writeln!(out, "{}: {edits} edits in {} files", printable(&outcome.title), outcome.files.len())?;
        for file in &outcome.files {
            writeln!(out, "  {} {}", printable(&file.path), file.edits)?;
        }
    }
    let left: Vec<&Review> = outcome.review.iter().filter(|review| !review.edited).collect();
    if outcome.diff.is_none() && !left.is_empty() {
        writeln!(out, "look at, nothing was changed there:")?;
        for review in left {
            writeln!(out, "  {}:{} {}", printable(&review.file), review.line, review.reason)?;
        }
    }
    out.flush()?;
    Ok(())
}

pub(crate) fn status(steps: &[Step]) -> Result<(), Failure> {
    let mut out = buffered();
    for step in steps {
        writeln!(out, "{} {} ({} files)", step.id, printable(&step.title), step.files.len())?;
    }
    if steps.is_empty() {
        writeln!(out, "nothing since the last commit")?;
    }
    out.flush()?;
    Ok(())
}

pub(crate) fn diff(text: &str) -> Result<(), Failure> {
    let mut out = buffered();
    write!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Tells that something was taken back, on standard error.
pub(crate) fn recovered() {
    let mut out = anstream::stderr().lock();
    let _ = writeln!(out, "a refactoring that was cut short has been taken back"); // nobody is left to tell
}

pub(crate) fn committed(committed: &Committed) -> Result<(), Failure> {
    let mut out = buffered();
    let short = &committed.commit[..committed.commit.len().min(10)];
    writeln!(
        out,
        "{short} {} files, {} operations in {}",
        committed.files.len(),
        committed.operations.len(),
        committed.log
    )?;
    for operation in &committed.operations {
        writeln!(out, "  {} {}", operation.name(), operation.stable_ids().join(" "))?;
    }
    for warning in &committed.warnings {
        writeln!(out, "warning: {}", printable(warning))?;
    }
    out.flush()?;
    Ok(())
}
