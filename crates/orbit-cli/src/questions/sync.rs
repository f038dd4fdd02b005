//! `orbit graph sync`: make the index, and the history when asked for, say what is there now.

use super::history::bring_up_to_head;
use super::{Caller, Context, Family, Question};
use crate::failure::Failure;
use crate::render;
use crate::render::text::{printable, some, warnings};
use clap::Args;
use orbit_graph::{Graph, SyncMode, SyncOptions, SyncPolicy, SyncReport};
use orbit_history::HistoryReport;
use serde::Serialize;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Sync {
    /// Read and extract every file again, from nothing
    #[arg(long)]
    full: bool,
    /// How many threads to use [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Bring the history up to HEAD as well
    #[arg(long)]
    history: bool,
    /// A regular expression for task ids in commit messages; group 1 is the id [default: the one in
    /// .orbit/config.toml]
    #[arg(long, value_name = "REGEX", requires = "history")]
    task_id_pattern: Option<String>,
}

/// What a sync did.
#[derive(Serialize)]
pub(crate) struct Synced {
    #[serde(flatten)]
    code: SyncReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<HistoryReport>,
}

impl Question for Sync {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "sync";
    const ABOUT: &'static str = "Make the index say what is on disk now";
    const EXAMPLES: &'static [&'static str] =
        &["graph sync", "graph sync --full", "graph sync --json -C ../other"];
    const TOOL: Option<&'static str> = Some("Make the index say what is on disk now. Call after edits.");
    const ONLY_TYPED: &'static [&'static str] = &["threads", "task_id_pattern"];
    const IS_LONG: bool = true;

    type Answer = Synced;

    fn run(&self, context: &Context<'_>) -> Result<Synced, Failure> {
        let progress = render::progress::Bar::new();
        let mode = if self.full { SyncMode::Full } else { SyncMode::Auto };
        let mut options = SyncOptions { mode, progress: &progress, ..SyncOptions::default() };
        if let Some(threads) = self.threads {
            options.threads = threads.max(1);
        }
        let code = match context.caller {
            // Opening it the usual way would sync it once before.
            Caller::CommandLine => Graph::open(context.dir, SyncPolicy::Manual)?.sync(&options)?,
            Caller::Agent { .. } => context.graph(false)?.sync(&options)?,
        };
        progress.finish();
        let pattern = self.task_id_pattern.as_deref();
        let history = self.history.then(|| bring_up_to_head(context.dir, pattern)).transpose()?;
        Ok(Synced { code, history })
    }

    fn text(&self, answer: &Synced, out: &mut dyn Write) -> Result<(), Failure> {
        let report = &answer.code;
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
        let Some(report) = &answer.history else { return Ok(()) };
        writeln!(
            out,
            "{} in the history, {} added, {} parsed in {} ms",
            some(report.commits, "commit"),
            report.commits_added,
            some(report.blobs_parsed, "file version"),
            report.duration_ms
        )?;
        if report.submodules_skipped > 0 {
            writeln!(out, "({} changes of submodules have no files here)", report.submodules_skipped)?;
        }
        warnings(out, &report.warnings)
    }
}
