//! `orbit refactor delete`

use super::{Manner, Outcome, finish, outcome_text};
use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use clap::Args;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Delete {
    /// A selector, name or path:line
    selector: String,
    /// Even while it is used
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    manner: Manner,
}

impl Question for Delete {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "delete";
    const ABOUT: &'static str = "Remove a definition; refuses while it is used";
    const EXAMPLES: &'static [&'static str] =
        &["refactor delete old_total", "refactor delete Client::ping --force"];
    const TOOL: Option<&'static str> = Some("Remove a definition; refuses while it is used.");
    const ONLY_READS: bool = false;

    type Answer = Outcome;

    fn run(&self, context: &Context<'_>) -> Result<Outcome, Failure> {
        let refactor = context.refactor()?;
        let plan = refactor.delete(&context.selector(&self.selector)?, self.force)?;
        finish(&refactor, plan, self.manner)
    }

    fn text(&self, answer: &Outcome, out: &mut dyn Write) -> Result<(), Failure> {
        outcome_text(answer, out)
    }
}
