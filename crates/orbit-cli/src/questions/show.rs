//! `orbit graph show`: the source of a symbol or file.

use super::several::Several;
use super::{Context, Family, Question, to_json};
use crate::failure::Failure;
use crate::render::text::{printable, short};
use clap::Args;
use orbit_graph::SymbolAddress;
use orbit_history::{Blame, History};
use owo_colors::OwoColorize;
use serde::Serialize;
use serde_json::Value;
use std::io::Write;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Selectors, names, paths or path:line
    #[arg(required = true, value_name = "SELECTORS")]
    selector: Vec<String>,
    /// Cut the source after this many bytes
    #[arg(long, default_value_t = 65_536, value_name = "N")]
    max_bytes: usize,
    /// Add who touched it last: commit, author, tasks; of a file, for each of its symbols
    #[arg(long)]
    blame: bool,
    /// Sync first
    #[arg(long)]
    sync: bool,
}

/// The source, and who touched it last when that was asked for.
#[derive(Serialize)]
pub(crate) struct Shown {
    #[serde(flatten)]
    show: orbit_graph::Show,
    #[serde(skip_serializing_if = "Option::is_none")]
    blame: Option<Vec<Blame>>,
}

impl Question for Show {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "show";
    const ABOUT: &'static str = "The source of a symbol or file";
    const EXAMPLES: &'static [&'static str] = &[
        "graph show Client::connect",
        "graph show src/lib.rs:42",
        "graph show symbol:src/lib.rs#Client:struct",
    ];
    const TOOL: Option<&'static str> = Some("Source of a symbol or file.");

    type Answer = Several<Shown>;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        let graph = context.graph(self.sync)?;
        let mut shown = Vec::new();
        for selector in context.selectors(&self.selector)? {
            let show = graph.show(&selector, self.max_bytes)?;
            let blame = self.blame.then(|| blame(context.dir, &show)).transpose()?;
            shown.push(Shown { show, blame });
        }
        Ok(Several(shown))
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
        answer.0.iter().try_for_each(|answer| text(answer, out))
    }

    fn compact(&self, answer: &Self::Answer) -> Value {
        answer.compact(&self.selector, |_, answer| to_json(answer))
    }
}

fn text(answer: &Shown, out: &mut dyn Write) -> Result<(), Failure> {
    let (show, about) = (&answer.show, &answer.show.metadata);
    let (file, selector) = (printable(&about.file), printable(&show.selector));
    writeln!(out, "{}:{}-{} {selector}", file.bold(), about.line, about.end_line)?;
    match &show.source {
        Some(source) => writeln!(out, "{}", source.trim_end_matches('\n'))?,
        None => writeln!(out, "(the file is gone)")?,
    }
    if about.truncated {
        writeln!(out, "(cut; raise --max-bytes)")?;
    }
    if !show.other_definitions.is_empty() {
        writeln!(out, "(also defined as {})", printable(&show.other_definitions.join(", ")))?;
    }
    if about.stale {
        writeln!(out, "(the file changed since it was indexed; add --sync)")?;
    }
    answer.blame.as_deref().map_or(Ok(()), |rows| blame_text(out, rows))
}

/// Who touched what is shown last: the symbol, or each symbol of the file.
fn blame(dir: &Path, shown: &orbit_graph::Show) -> Result<Vec<Blame>, Failure> {
    let mut blame = History::open(dir, None)?.blame(&shown.metadata.file)?;
    if shown.metadata.kind != "file" {
        blame.retain(|row| row.selector == shown.selector);
    }
    Ok(blame)
}

fn blame_text(out: &mut dyn Write, rows: &[Blame]) -> Result<(), Failure> {
    for row in rows {
        let symbol = match row.selector.parse::<SymbolAddress>() {
            Ok(SymbolAddress { local, kind, .. }) => format!("{local}:{}", kind.as_str()),
            Err(_) => row.selector.clone(),
        };
        let day = row.commit.date.get(..10).unwrap_or(&row.commit.date);
        let tasks =
            if row.task_ids.is_empty() { String::new() } else { format!(" [{}]", row.task_ids.join(", ")) };
        writeln!(
            out,
            "{} {day} {} {}x {}{tasks}",
            short(&row.commit.sha).yellow(),
            printable(&row.commit.author),
            row.commits,
            printable(&symbol).bold()
        )?;
    }
    if rows.is_empty() {
        writeln!(out, "(no commit that HEAD can see has this yet)")?;
    }
    Ok(())
}
