//! `orbit graph path`: the shortest way from one symbol to another along calls.

use super::compact::finish;
use super::options::Threshold;
use super::{Context, Family, Question};
use crate::failure::Failure;
use crate::render::text::{mark, printable, some, stale};
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Path {
    /// Where the way begins: a selector, name or path:line
    from: String,
    /// Where it ends
    to: String,
    /// Follow calls down to this confidence level; weaker ones are counted
    #[arg(long, value_enum, default_value = "dispatch")]
    confidence: Threshold,
    /// Sync first
    #[arg(long)]
    sync: bool,
}

impl Question for Path {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "path";
    const ABOUT: &'static str = "The shortest way from one symbol to another along calls";
    const EXAMPLES: &'static [&'static str] =
        &["graph path main Store::save", "graph path handle_request connect --confidence fuzzy"];
    const TOOL: Option<&'static str> =
        Some("How one symbol comes to call another: the shortest way, with the line of each call.");
    const IS_GROUPED: bool = true;

    type Answer = orbit_graph::CallPath;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        let (from, to) = (context.selector(&self.from)?, context.selector(&self.to)?);
        Ok(context.graph(self.sync)?.path(&from, &to, self.confidence.confidence())?)
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
        for step in &answer.steps {
            write!(out, "{}:{} {}", printable(&step.file), step.line, printable(&step.selector))?;
            if let Some(next) = &step.next {
                write!(out, ", call in line {}{}", next.line, mark(next.confidence))?;
            }
            writeln!(out)?;
        }
        if answer.steps.is_empty() {
            writeln!(out, "found no way from {} to {}", printable(&self.from), printable(&self.to))?;
        }
        if answer.steps.is_empty() && answer.weaker > 0 {
            let calls = some(answer.weaker, "call");
            writeln!(out, "(left out {calls} below this confidence level; --confidence fuzzy follows them)")?;
        }
        if answer.truncated {
            writeln!(out, "(the search ended before it had looked at all callers)")?;
        }
        stale(out, &answer.stale)
    }

    /// `path: ["file:line name -> line of the call"]`; with none, what was not followed.
    fn compact(&self, answer: &Self::Answer) -> Value {
        let steps = answer.steps.iter().map(|step| {
            let call = step.next.as_ref().map(|next| format!(" -> {}{}", next.line, mark(next.confidence)));
            json!(format!("{}:{} {}{}", step.file, step.line, step.qualified, call.unwrap_or_default()))
        });
        let mut out = Map::new();
        out.insert("path".into(), steps.collect());
        if answer.steps.is_empty() {
            out.insert("weaker".into(), json!(answer.weaker));
            out.insert("truncated".into(), json!(answer.truncated));
        }
        finish(out, None, &answer.stale)
    }
}
