//! `orbit graph cochange`: what changes together with a symbol or file.

use super::history::{bring_up_to_head, subject};
use super::{Context, Family, Question};
use crate::failure::Failure;
use crate::render::text::{printable, some, staleness, warnings};
use clap::Args;
use orbit_history::History;
use owo_colors::OwoColorize;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Cochange {
    /// A selector, name, path or path:line
    selector: String,
    /// At most this many
    #[arg(long, default_value_t = 20, value_name = "N")]
    limit: usize,
    /// Bring the history up to HEAD first
    #[arg(long)]
    refresh: bool,
}

impl Question for Cochange {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "cochange";
    const ABOUT: &'static str = "What changes together with a symbol or file, by their commits";
    const EXAMPLES: &'static [&'static str] =
        &["graph cochange Client::connect", "graph cochange file:src/lib.rs --limit 10"];
    const TOOL: Option<&'static str> = None;

    type Answer = orbit_history::Cochange;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        if self.refresh {
            bring_up_to_head(context.dir, None)?;
        }
        let subject = subject(context, &self.selector)?;
        Ok(History::open(context.dir, None)?.cochange(&subject, self.limit)?)
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
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
        staleness(out, answer.staleness.as_ref())?;
        warnings(out, &answer.warnings)
    }
}
