//! `orbit graph history`: which commits and tasks touched a symbol or file, through every rename.

use super::{Context, Family, Question, open_graph, to_json};
use crate::failure::Failure;
use crate::render;
use crate::render::text::{printable, short, staleness, warnings};
use clap::Args;
use orbit_graph::{GraphError, Selector, SelectorError, ShowOptions};
use orbit_history::{
    CommitRow, HistoryError, HistoryOptions, HistoryReport, Subject, SymbolHistory, git_log_fallback,
};
use owo_colors::OwoColorize;
use serde_json::Value;
use std::io::Write;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct History {
    /// A selector, name, path or path:line; what is gone by its last selector
    selector: String,
    /// At most this many commits
    #[arg(long, default_value_t = 20, value_name = "N")]
    limit: usize,
    /// Bring the history up to HEAD first
    #[arg(long)]
    refresh: bool,
    /// A regular expression for task ids in commit messages; group 1 is the id [default: the one in
    /// .orbit/config.toml]
    #[arg(long, value_name = "REGEX")]
    task_id_pattern: Option<String>,
}

impl Question for History {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "history";
    const ABOUT: &'static str = "Which commits and tasks touched a symbol or file, through every rename";
    const EXAMPLES: &'static [&'static str] = &[
        "graph history Client::connect",
        "graph history file:src/lib.rs --limit 5",
        "graph history src/lib.rs:42 --refresh",
    ];
    const TOOL: Option<&'static str> =
        Some("Commits and tasks that touched a symbol or file, through renames.");
    const ONLY_TYPED: &'static [&'static str] = &["task_id_pattern"];
    const IS_LONG: bool = true;

    type Answer = SymbolHistory;

    fn run(&self, context: &Context<'_>) -> Result<SymbolHistory, Failure> {
        let pattern = self.task_id_pattern.as_deref();
        if self.refresh {
            bring_up_to_head(context.dir, pattern)?;
        }
        let subject = subject(context, &self.selector)?;
        match orbit_history::History::open(context.dir, pattern) {
            Ok(history) => Ok(history.history(&subject, self.limit)?),
            Err(HistoryError::Missing(_)) => {
                Ok(git_log_fallback(context.dir, &subject, pattern, self.limit)?)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn text(&self, answer: &SymbolHistory, out: &mut dyn Write) -> Result<(), Failure> {
        let id = answer.stable_id.as_deref().map(|id| format!(" {id}")).unwrap_or_default();
        writeln!(out, "{}{}", printable(&answer.selector).bold(), id.dimmed())?;
        for row in &answer.commits {
            commit(out, row)?;
        }
        if answer.truncated {
            writeln!(out, "({} of {}; raise --limit)", answer.commits.len(), answer.total)?;
        }
        lineage(out, answer)?;
        if !answer.task_history.is_empty() {
            let tasks = answer.task_history.iter();
            let tasks: Vec<String> =
                tasks.map(|task| format!("{} {}", task.task_id, task.commits.len())).collect();
            writeln!(out, "tasks: {}", tasks.join(", "))?;
        }
        staleness(out, answer.staleness.as_ref())?;
        warnings(out, &answer.warnings)
    }

    fn compact(&self, answer: &SymbolHistory) -> Value {
        let mut answer = answer.clone();
        // The rows of `commits` say the same.
        for task in &mut answer.task_history {
            task.commits.clear();
        }
        to_json(&answer)
    }
}

fn lineage(out: &mut dyn Write, answer: &SymbolHistory) -> Result<(), Failure> {
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
    Ok(())
}

fn commit(out: &mut dyn Write, row: &CommitRow) -> Result<(), Failure> {
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

/// What a text names: a file, a symbol of the index, or one that only the history knows.
pub(super) fn subject(context: &Context<'_>, text: &str) -> Result<Subject, Failure> {
    let (dir, selector) = (context.dir, context.selector(text)?);
    let graph = open_graph(dir, false)?;
    let found = match graph.show(&selector, &ShowOptions::METADATA) {
        Ok(shown) => Selector::parse(&shown.selector).ok().as_ref().and_then(Subject::of),
        // A file that the index leaves out, or a symbol that is gone, may have a history all the same.
        Err(error @ GraphError::NotFound { .. }) => {
            let subject = match &selector {
                Selector::Loose(path) if graph.location()?.root.join(path).is_file() => {
                    Some(Subject::File(path.clone()))
                }
                selector => Subject::of(selector),
            };
            match subject {
                Some(subject) if is_known(dir, &subject) => return Ok(subject),
                _ => return Err(error.into()),
            }
        }
        Err(error) => return Err(error.into()),
    };
    let needed = GraphError::Selector(SelectorError {
        input: text.to_owned(),
        reason: "history is kept for symbols and files",
    });
    Ok(found.ok_or(needed)?)
}

fn is_known(dir: &Path, subject: &Subject) -> bool {
    let known = orbit_history::History::open(dir, None).and_then(|history| history.history(subject, 1));
    known.is_ok_and(|answer| answer.total > 0)
}

/// Brings the history up to HEAD, with a progress bar on a terminal.
pub(super) fn bring_up_to_head(dir: &Path, task_id_pattern: Option<&str>) -> Result<HistoryReport, Failure> {
    let progress = render::progress::Bar::new();
    let options = HistoryOptions { task_id_pattern, progress: &progress, ..HistoryOptions::default() };
    let report = orbit_history::sync(dir, &options)?;
    progress.finish();
    Ok(report)
}
