//! `orbit graph deps`: what files import.

use super::{Context, Family, Question};
use crate::failure::Failure;
use crate::render::text::{printable, stale};
use clap::Args;
use owo_colors::OwoColorize;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Deps {
    /// A file or directory
    selector: String,
    /// At most this many
    #[arg(long, default_value_t = 200, value_name = "N")]
    limit: usize,
    /// Sync first
    #[arg(long)]
    sync: bool,
}

impl Question for Deps {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "deps";
    const ABOUT: &'static str = "What a file, or the files of a directory, import";
    const EXAMPLES: &'static [&'static str] = &["graph deps file:src/lib.rs", "graph deps dir:src"];
    const TOOL: Option<&'static str> = Some("What a file or directory imports.");

    type Answer = orbit_graph::Deps;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        Ok(context.graph(self.sync)?.deps(&context.place(&self.selector)?, self.limit)?)
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
        for row in &answer.imports {
            let place = format!("{}:{}", printable(&row.from_file), row.line);
            let symbol = row.target_symbol.as_deref().map(|symbol| format!(" {symbol}")).unwrap_or_default();
            let file = row.resolved_file.as_deref().map(|file| format!(" -> {}", printable(file)));
            writeln!(out, "{} {}{symbol}{}", place.bold(), row.target_path, file.unwrap_or_default())?;
        }
        if answer.truncated {
            writeln!(out, "({} of {}; raise --limit)", answer.imports.len(), answer.total)?;
        }
        stale(out, &answer.stale)
    }
}
