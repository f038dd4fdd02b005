//! `orbit graph trace`: what a command of a command-line program or an HTTP route does.

use super::options::Threshold;
use super::{Context, Family, Question};
use crate::failure::Failure;
use crate::render::text::{mark, printable, stale};
use clap::Args;
use orbit_graph::TraceNode;
use owo_colors::OwoColorize;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Trace {
    /// A command with its groups, `task update`, or a route, `GET /users/{id}`
    #[arg(value_name = "COMMAND")]
    selector: String,
    /// Levels of calls
    #[arg(long, default_value_t = 5, value_name = "N")]
    depth: usize,
    /// Follow edges down to this confidence level
    #[arg(long, value_enum, default_value = "same_module")]
    confidence: Threshold,
    /// Sync first
    #[arg(long)]
    sync: bool,
}

impl Question for Trace {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "trace";
    const ABOUT: &'static str =
        "What a command of a command-line program or an HTTP route does, as a tree of calls";
    const EXAMPLES: &'static [&'static str] =
        &["graph trace 'task update'", "graph trace sync --depth 3", "graph trace 'GET /users/{id}'"];
    const TOOL: Option<&'static str> =
        Some("Call tree of the handler of a CLI command or HTTP route (`GET /users/{id}`).");

    type Answer = orbit_graph::Trace;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        let graph = context.graph(self.sync)?;
        Ok(graph.trace(&self.selector, self.depth, self.confidence.confidence())?)
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(
            out,
            "{}:{} {} {}",
            printable(&answer.file).bold(),
            answer.line,
            answer.kind,
            answer.command
        )?;
        match (&answer.root, &answer.look_at) {
            (Some(root), _) => tree(out, root, 0)?,
            (None, Some(place)) if place.starts_with("symbol:") => {
                writeln!(
                    out,
                    "(its handler is not known; `orbit graph refs '{place}'` lists where it is used)"
                )?;
            }
            (None, Some(place)) => writeln!(out, "(its handler is not known; see {place})")?,
            (None, None) => writeln!(out, "(handled in place, not by one function)")?,
        }
        for code in &answer.runs {
            let within = code.within.as_deref().unwrap_or("outside of all symbols");
            writeln!(out, "{}:{} code in {}", printable(&code.file), code.line, printable(within))?;
            for call in &code.calls {
                tree(out, call, 1)?;
            }
        }
        if answer.truncated {
            writeln!(out, "(cut at {} nodes; trace a part of it, or change --depth)", answer.visited_nodes)?;
        }
        stale(out, &answer.stale)
    }
}

fn tree(out: &mut dyn Write, node: &TraceNode, level: usize) -> Result<(), Failure> {
    let remark = match (node.recursive, node.shown_above && !node.children.is_empty()) {
        (true, _) => " (recursive)",
        (_, true) => " (above)",
        _ => "",
    };
    let indent = "  ".repeat(level);
    let confidence = node.confidence.map_or("", mark);
    let (file, name) = (printable(&node.file), &node.qualified_name);
    writeln!(out, "{indent}{file}:{} {name}{remark}{confidence}", node.line)?;
    for child in &node.children {
        tree(out, child, level + 1)?;
    }
    Ok(())
}
