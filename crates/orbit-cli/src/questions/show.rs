//! `orbit graph show`: the source of a symbol or file.

use super::several::Several;
use super::{Caller, Context, Family, Question, to_json};
use crate::budget;
use crate::failure::Failure;
use crate::render::text::{printable, short};
use clap::Args;
use orbit_graph::{Graph, Lines, Selector, ShowOptions, SymbolAddress};
use orbit_history::{Blame, History};
use owo_colors::OwoColorize;
use serde::Serialize;
use serde_json::Value;
use std::io::Write;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Selectors, names, paths, path:line or path:10-40
    #[arg(required = true, value_name = "SELECTORS")]
    selector: Vec<String>,
    /// Only these lines of the file: 10-40, 10-
    #[arg(long, value_name = "LINES", allow_hyphen_values = true)]
    lines: Option<Lines>,
    /// Cut the source after the last line that ends within this many bytes
    #[arg(long, default_value_t = 65_536, value_name = "N")]
    max_bytes: usize,
    /// Add who touched it, or each symbol of a file, last
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
        "graph show src/lib.rs:10-40",
        "graph show symbol:src/lib.rs#Client:struct",
    ];
    const TOOL: Option<&'static str> =
        Some("Source of a symbol, file or path:10-40. next_lines is the next page.");

    type Answer = Several<Shown>;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        if self.lines.is_some() && self.selector.len() > 1 {
            let message = "--lines goes with one selector".to_owned();
            return Err(Failure::input("bad_argument", message, "give each as path:10-40 instead"));
        }
        let graph = context.graph(self.sync)?;
        let selectors = context.selectors(&self.selector)?;
        let options = ShowOptions { max_bytes: self.max_bytes, lines: self.lines };
        let mut shown = Vec::new();
        for selector in &selectors {
            let show = graph.show(selector, &options)?;
            let blame = self.blame.then(|| blame(context.dir, &show)).transpose()?;
            shown.push(Shown { show, blame });
        }
        let mut shown = Several(shown);
        if let Caller::Agent { max_tokens, .. } = context.caller {
            self.fit(&mut shown, graph, &selectors, budget::room(max_tokens))?;
        }
        Ok(shown)
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
        answer.0.iter().try_for_each(|answer| text(answer, out))
    }

    fn files(&self, answer: &Self::Answer) -> Vec<String> {
        answer.0.iter().map(|shown| shown.show.metadata.file.clone()).collect()
    }

    fn compact(&self, answer: &Self::Answer) -> Value {
        answer.compact(&self.selector, |_, answer| to_json(answer))
    }
}

/// What the keys and numbers of a page take besides its text.
const PAGE: usize = 80;

impl Show {
    /// Makes pages of the sources, so that the whole answer takes no more than `room`. Short sources stay whole.
    fn fit(
        &self,
        shown: &mut Several<Shown>,
        graph: &Graph,
        selectors: &[Selector],
        room: usize,
    ) -> Result<(), Failure> {
        let whole = budget::length(&self.compact(shown));
        if whole <= room {
            return Ok(());
        }
        let source = |shown: &Shown| shown.show.source.as_deref().map_or(0, budget::text_length);
        let around = whole - shown.0.iter().map(source).sum::<usize>() + PAGE * shown.0.len();
        let mut left = room.saturating_sub(around);
        let mut by_length: Vec<usize> = (0..shown.0.len()).collect();
        by_length.sort_by_key(|at| source(&shown.0[*at]));
        for (done, at) in by_length.into_iter().enumerate() {
            let share = left / (shown.0.len() - done);
            let one = &mut shown.0[at];
            if source(one) > share {
                let max_bytes = lines_within(one.show.source.as_deref().unwrap_or_default(), share);
                one.show = graph.show(&selectors[at], &ShowOptions { max_bytes, lines: self.lines })?;
            }
            left = left.saturating_sub(source(one));
        }
        Ok(())
    }
}

/// The bytes of those lines of a text that take so much as JSON, or of a part of the first.
fn lines_within(text: &str, room: usize) -> usize {
    let (mut bytes, mut taken) = (0, 2);
    for line in text.split_inclusive('\n') {
        taken += budget::text_length(line) - 2;
        if taken > room {
            break;
        }
        bytes += line.len();
    }
    // A sign may take two bytes as JSON.
    if bytes == 0 { room / 2 } else { bytes }
}

fn text(answer: &Shown, out: &mut dyn Write) -> Result<(), Failure> {
    let (show, about) = (&answer.show, &answer.show.metadata);
    let (file, selector) = (printable(&about.file), printable(&show.selector));
    let all = format!("{}-{}", about.line, about.end_line);
    writeln!(out, "{}:{} {selector}", file.bold(), show.lines.as_ref().unwrap_or(&all))?;
    if let Some(source) = &show.source {
        writeln!(out, "{}", source.trim_end_matches('\n'))?;
    }
    if let Some(reason) = &show.gone {
        writeln!(out, "({}; add --sync)", printable(reason))?;
    }
    if let Some(line) = show.cut_line {
        writeln!(out, "(line {line} is longer than this; raise --max-bytes)")?;
    }
    if let Some(next) = &show.next_lines {
        writeln!(out, "(of lines {all}; the next page is --lines {next})")?;
    }
    if !show.other_definitions.is_empty() {
        writeln!(out, "(also defined as {})", printable(&show.other_definitions.join(", ")))?;
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
