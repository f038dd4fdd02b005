//! `orbit refactor`: changes of code by symbols, and what was done since the last commit.

pub(super) mod abort;
pub(super) mod change_body;
pub(super) mod change_signature;
pub(super) mod commit;
pub(super) mod create;
pub(super) mod delete;
pub(super) mod diff;
pub(super) mod merge;
pub(super) mod relocate;
pub(super) mod rename;
pub(super) mod split;
pub(super) mod status;
pub(super) mod undo;

use super::Context;
use crate::failure::Failure;
use crate::guard;
use crate::render;
use crate::render::text::printable;
use clap::Args;
use orbit_refactor::{Entry, Plan, Refactor, Review};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::io::Write;

/// What every change can be told.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Manner {
    /// Show what would change as a unified diff, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Change files that have uncommitted changes too
    #[arg(long)]
    allow_dirty: bool,
}

/// What a change did or would do.
#[derive(Serialize)]
pub(crate) struct Outcome {
    title: String,
    subject: String,
    applied: bool,
    step: Option<u64>,
    files: Vec<ChangedFile>,
    operations: Vec<Entry>,
    review: Vec<Review>,
    /// Files that tasks of others have reserved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reserved: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

#[derive(Serialize)]
struct ChangedFile {
    path: String,
    edits: usize,
}

/// Shows a plan, or applies it and says what was done.
fn finish(refactor: &Refactor, plan: Plan, manner: Manner) -> Result<Outcome, Failure> {
    let paths: Vec<String> = plan.files.iter().map(|file| file.path.clone()).collect();
    let guarded = guard::look(refactor.root(), &paths, None)?;
    if !manner.dry_run {
        guarded.refusal()?;
    }
    let (step, diff) = if manner.dry_run {
        (None, Some(refactor.preview(&plan)?))
    } else {
        (Some(refactor.apply(&plan, manner.allow_dirty)?.id), None)
    };
    let files = plan.files.into_iter();
    let files = files.map(|file| ChangedFile { edits: file.edits.len().max(1), path: file.path }).collect();
    let Plan { title, subject, entries, review, .. } = plan;
    let (applied, operations, reserved) = (step.is_some(), entries, guarded.warnings());
    Ok(Outcome { title, subject, applied, step, files, operations, review, reserved, diff })
}

fn outcome_text(outcome: &Outcome, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(diff) = &outcome.diff {
        write!(out, "{diff}")?;
        return Ok(());
    }
    let edits: usize = outcome.files.iter().map(|file| file.edits).sum();
    writeln!(out, "{}: {edits} edits in {} files", printable(&outcome.title), outcome.files.len())?;
    for file in &outcome.files {
        writeln!(out, "  {} {}", printable(&file.path), file.edits)?;
    }
    render::text::warnings(out, &outcome.reserved)?;
    let left: Vec<&Review> = outcome.review.iter().filter(|review| !review.edited).collect();
    if !left.is_empty() {
        writeln!(out, "look at, nothing was changed there:")?;
        for review in left {
            writeln!(out, "  {}:{} {}", printable(&review.file), review.line, review.reason)?;
        }
    }
    Ok(())
}

/// The members of what a split or merge makes, for agents.
const PART: &str = "{file?, name, kind?, body}";

/// An agent gives texts themselves, never files that hold them.
fn text_schema(name: &str, description: &str, argument: &str) -> Option<Value> {
    (argument == name).then(|| json!({"type": "string", "description": description}))
}

/// What a split or merge makes, as JSON.
fn parts<T: DeserializeOwned>(context: &Context<'_>, text: &str) -> Result<T, Failure> {
    let hint =
        "it is JSON: {\"file\": …, \"name\": …, \"kind\": …, \"body\": …}; file and kind may be left out";
    let text = context.text(text)?;
    serde_json::from_str(&text).map_err(|error| Failure::input("bad_spec", error.to_string(), hint))
}
