//! `orbit graph pack`: context for a prompt.

use super::{Context, Family, Question};
use crate::failure::Failure;
use crate::pack::{self, Level, PackOptions};
use crate::render::text::printable;
use clap::Args;
use owo_colors::OwoColorize;
use std::io::Write;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct Pack {
    /// Selectors, names, paths or path:line; what comes first gets room first
    #[arg(required = true, value_name = "SELECTORS")]
    selector: Vec<String>,
    /// Stay below this many tokens
    #[arg(long, default_value_t = 8_000, value_name = "N")]
    max_tokens: usize,
    /// Stop gathering after this time
    #[arg(long, default_value_t = 15_000, value_name = "MS")]
    timeout_ms: u64,
    /// Sync first instead of reading the index as it is
    #[arg(long)]
    refresh: bool,
}

impl Question for Pack {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "pack";
    const ABOUT: &'static str =
        "Context for a prompt, below a number of tokens: sources, then callers and callees";
    const EXAMPLES: &'static [&'static str] =
        &["graph pack Client::connect file:src/lib.rs", "graph pack Client --max-tokens 2000"];
    const TOOL: Option<&'static str> = Some("Sources of these, then callers and callees, below max_tokens.");
    const IS_LONG: bool = true;

    type Answer = pack::Pack;

    fn run(&self, context: &Context<'_>) -> Result<pack::Pack, Failure> {
        if self.max_tokens < pack::LEAST_TOKENS {
            let message = format!("{} tokens are too few for a pack", self.max_tokens);
            let hint = format!("give --max-tokens {} or more", pack::LEAST_TOKENS);
            return Err(Failure::input("bad_argument", message, &hint));
        }
        let graph = context.graph(self.refresh)?;
        let options = PackOptions {
            max_tokens: self.max_tokens,
            timeout: Duration::from_millis(self.timeout_ms),
            is_refreshed: self.refresh,
        };
        let texts = self.selector.iter().map(|text| context.located(text)).collect::<Result<Vec<_>, _>>()?;
        pack::pack(graph, &texts, &options)
    }

    /// Goes into a prompt as it is.
    fn text(&self, answer: &pack::Pack, out: &mut dyn Write) -> Result<(), Failure> {
        for entry in &answer.entries {
            let mark = if entry.level == Level::Omitted { " (omitted)" } else { "" };
            writeln!(out, "{}{mark}", format!("## {}", printable(&entry.selector)).bold())?;
            if !entry.text.is_empty() {
                writeln!(out, "{}", entry.text.trim_end_matches('\n'))?;
            }
        }
        for row in &answer.unresolved {
            writeln!(out, "unresolved {}: {}", printable(&row.selector), printable(&row.reason))?;
        }
        if answer.left_out > 0 {
            writeln!(out, "({} more; raise --max-tokens)", answer.left_out)?;
        }
        if answer.timed_out {
            writeln!(out, "(out of time; raise --timeout-ms)")?;
        }
        writeln!(out, "({} of {} tokens)", answer.budget.used, answer.budget.max)?;
        Ok(())
    }
}
