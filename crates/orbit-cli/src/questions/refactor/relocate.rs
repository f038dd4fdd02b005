//! `orbit refactor move`

use super::{Manner, Outcome, finish, outcome_text};
use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use clap::Args;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Move {
    /// A selector, name or path:line
    selector: String,
    /// The file, relative to the worktree
    file: String,
    #[command(flatten)]
    manner: Manner,
}

impl Question for Move {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "move";
    const ABOUT: &'static str = "Put a definition into another file; imports and paths follow";
    const EXAMPLES: &'static [&'static str] =
        &["refactor move total shop/money.py", "refactor move src/lib.rs:42 src/net.rs --dry-run"];
    const TOOL: Option<&'static str> =
        Some("Move a function, type or constant to another file; imports and paths follow.");
    const ONLY_READS: bool = false;

    type Answer = Outcome;

    fn run(&self, context: &Context<'_>) -> Result<Outcome, Failure> {
        let refactor = context.refactor()?;
        let plan = refactor.relocate(&context.selector(&self.selector)?, &self.file)?;
        finish(&refactor, plan, self.manner)
    }

    fn text(&self, answer: &Outcome, out: &mut dyn Write) -> Result<(), Failure> {
        outcome_text(answer, out)
    }
}
