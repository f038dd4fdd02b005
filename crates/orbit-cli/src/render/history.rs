//! History for people and for agents behind a shell: one line per row, newest first.

use super::buffered;
use super::text::{printable, some};
use crate::failure::Failure;
use orbit_graph::{SearchResult, Show, SyncReport};
use orbit_history::{Blame, Cochange, CommitRow, HistoryReport, Staleness, SymbolHistory, TaskSymbols};
use owo_colors::OwoColorize;
use serde::Serialize;
use std::io::Write;

/// What `sync --history` did.
#[derive(Serialize)]
pub(crate) struct Synced {
    #[serde(flatten)]
    pub(crate) code: SyncReport,
    pub(crate) history: HistoryReport,
}

/// What `show --blame` found.
#[derive(Serialize)]
pub(crate) struct Blamed {
    #[serde(flatten)]
    pub(crate) show: Show,
    pub(crate) blame: Vec<Blame>,
}

/// What `search --task` found.
#[derive(Serialize)]
pub(crate) struct TaskSearch {
    #[serde(flatten)]
    pub(crate) search: SearchResult,
    pub(crate) task: TaskSymbols,
}

pub(crate) fn synced(report: &HistoryReport) -> Result<(), Failure> {
    let mut out = buffered();
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
    warnings(&mut out, &report.warnings)
}

pub(crate) fn history(answer: &SymbolHistory) -> Result<(), Failure> {
    let mut out = buffered();
    let id = answer.stable_id.as_deref().map(|id| format!(" {id}")).unwrap_or_default();
    writeln!(out, "{}{}", printable(&answer.selector).bold(), id.dimmed())?;
    for row in &answer.commits {
        commit(&mut out, row)?;
    }
    if answer.truncated {
        writeln!(out, "({} of {}; raise --limit)", answer.commits.len(), answer.total)?;
    }
    if !answer.lineage.is_empty() || !answer.operations.is_empty() {
        writeln!(out, "lineage:")?;
    }
    for hop in &answer.lineage {
        writeln!(
            out,
            "  {} {} {} -> {} ({})",
            short(&hop.commit),
            hop.change,
            printable(hop.from.as_deref().unwrap_or("?")),
            printable(hop.to.as_deref().unwrap_or("?")),
            hop.known_by
        )?;
    }
    for operation in &answer.operations {
        writeln!(out, "  {} {} (operation log)", short(&operation.commit), operation.op)?;
    }
    if !answer.task_history.is_empty() {
        let tasks = answer.task_history.iter();
        let tasks: Vec<String> =
            tasks.map(|task| format!("{} {}", task.task_id, task.commits.len())).collect();
        writeln!(out, "tasks: {}", tasks.join(", "))?;
    }
    stale(&mut out, answer.staleness.as_ref())?;
    warnings(&mut out, &answer.warnings)
}

fn commit(out: &mut impl Write, row: &CommitRow) -> Result<(), Failure> {
    // What the summary says already is not said twice.
    let unsaid = row.task_ids.iter().filter(|task| !row.summary.contains(task.as_str()));
    let unsaid: Vec<&str> = unsaid.map(String::as_str).collect();
    let tasks = if unsaid.is_empty() { String::new() } else { format!(" [{}]", unsaid.join(", ")) };
    let day = row.date.get(..10).unwrap_or(&row.date);
    writeln!(
        out,
        "{} {day} {} {}: {}{tasks}",
        short(&row.sha).yellow(),
        row.change,
        printable(&row.author),
        printable(&row.summary)
    )?;
    Ok(())
}

pub(crate) fn blame(rows: &[Blame]) -> Result<(), Failure> {
    let mut out = buffered();
    for row in rows {
        let symbol = row.selector.split_once('#').map_or(row.selector.as_str(), |(_, symbol)| symbol);
        let day = row.commit.date.get(..10).unwrap_or(&row.commit.date);
        let tasks =
            if row.task_ids.is_empty() { String::new() } else { format!(" [{}]", row.task_ids.join(", ")) };
        writeln!(
            out,
            "{} {day} {} {}x {}{tasks}",
            short(&row.commit.sha).yellow(),
            printable(&row.commit.author),
            row.commits,
            printable(symbol).bold()
        )?;
    }
    if rows.is_empty() {
        writeln!(out, "(no commit that HEAD can see has this yet)")?;
    }
    out.flush()?;
    Ok(())
}

pub(crate) fn task(touched: &TaskSymbols) -> Result<(), Failure> {
    let mut out = buffered();
    writeln!(
        out,
        "{}: {}, {}, {}",
        touched.task_id,
        some(touched.commits, "commit"),
        some(touched.symbols.len(), "symbol"),
        some(touched.files.len(), "file")
    )?;
    stale(&mut out, touched.staleness.as_ref())?;
    out.flush()?;
    Ok(())
}

pub(crate) fn cochange(answer: &Cochange) -> Result<(), Failure> {
    let mut out = buffered();
    writeln!(out, "{} {}", printable(&answer.selector).bold(), some(answer.commits, "commit"))?;
    for row in &answer.companions {
        writeln!(out, "{:.2} {}/{} {}", row.score, row.together, row.commits, printable(&row.selector))?;
    }
    if answer.companions.is_empty() {
        writeln!(out, "nothing changes together with it")?;
    }
    if answer.large_commits > 0 {
        writeln!(out, "({} commits that touch very much are left out)", answer.large_commits)?;
    }
    if answer.truncated {
        writeln!(out, "({} of {}; raise --limit)", answer.companions.len(), answer.total)?;
    }
    stale(&mut out, answer.staleness.as_ref())?;
    warnings(&mut out, &answer.warnings)
}

fn short(sha: &str) -> &str {
    sha.get(..10).unwrap_or(sha)
}

fn stale(out: &mut impl Write, staleness: Option<&Staleness>) -> Result<(), Failure> {
    if let Some(stale) = staleness {
        writeln!(out, "({} behind HEAD; {})", some(stale.commits_behind, "commit"), stale.remedy)?;
    }
    Ok(())
}

fn warnings(out: &mut impl Write, warnings: &[String]) -> Result<(), Failure> {
    for warning in warnings {
        writeln!(out, "warning: {}", printable(warning))?;
    }
    out.flush()?;
    Ok(())
}
