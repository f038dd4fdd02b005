//! `orbit graph cycles`: files that import each other in a circle.

use super::compact::finish;
use super::{Context, Family, Question};
use crate::failure::Failure;
use crate::render::text::{printable, some, stale};
use clap::Args;
use owo_colors::OwoColorize;
use serde_json::{Map, Value, json};
use std::io::Write;

/// So many files beside those on the way round are shown to people.
const SHOWN: usize = 5;

#[derive(Debug, Args)]
pub(crate) struct Cycles {
    /// A directory [default: everything]
    #[arg(value_name = "SCOPE")]
    selector: Option<String>,
    /// At most this many
    #[arg(long, default_value_t = 20, value_name = "N")]
    limit: usize,
    /// Sync first
    #[arg(long)]
    sync: bool,
}

impl Question for Cycles {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "cycles";
    const ABOUT: &'static str = "Files that import each other in a circle, with a shortest way round";
    const EXAMPLES: &'static [&'static str] = &["graph cycles", "graph cycles dir:src --limit 5"];
    const TOOL: Option<&'static str> = Some("Files that import each other in a circle.");
    const IS_GROUPED: bool = true;

    type Answer = orbit_graph::Cycles;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        let scope = self.selector.as_deref().map(|text| context.place(text)).transpose()?;
        Ok(context.graph(self.sync)?.cycles(scope.as_ref(), self.limit)?)
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
        for cycle in &answer.cycles {
            let steps: Vec<String> =
                cycle.path.iter().map(|step| format!("{}:{}", printable(&step.file), step.line)).collect();
            let back = cycle.path.first().map(|step| printable(&step.file)).unwrap_or_default();
            writeln!(out, "{} {} -> {back}", some(cycle.files.len(), "file").bold(), steps.join(" -> "))?;
            let is_other = |file: &&String| cycle.path.iter().all(|step| &step.file != *file);
            for file in cycle.files.iter().filter(is_other).take(SHOWN) {
                writeln!(out, "  and {}", printable(file))?;
            }
            let left = cycle.files.len().saturating_sub(cycle.path.len() + SHOWN);
            if left > 0 {
                writeln!(out, "  and {left} more; --json lists all")?;
            }
        }
        if answer.total == 0 {
            writeln!(out, "no imports lead in a circle")?;
        }
        if answer.truncated {
            writeln!(out, "({} of {}; raise --limit)", answer.cycles.len(), answer.total)?;
        }
        stale(out, &answer.stale)
    }

    /// `cycles: [{path: ["file:line"], others: [file]}]`.
    fn compact(&self, answer: &Self::Answer) -> Value {
        let cycles = answer.cycles.iter().map(|cycle| {
            let path: Vec<String> =
                cycle.path.iter().map(|step| format!("{}:{}", step.file, step.line)).collect();
            let is_other = |file: &&String| cycle.path.iter().all(|step| &step.file != *file);
            let others: Vec<&String> = cycle.files.iter().filter(is_other).collect();
            json!({"path": path, "others": Some(others).filter(|others| !others.is_empty())})
        });
        let mut out = Map::new();
        out.insert("cycles".into(), cycles.collect());
        finish(out, answer.truncated.then_some(answer.total), &answer.stale)
    }
}
