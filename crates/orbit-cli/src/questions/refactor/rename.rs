//! `orbit refactor rename`

use super::{Manner, Outcome, finish, outcome_text};
use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use clap::Args;
use orbit_refactor::{Doubts, RenameOptions};
use std::io::Write;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Rename {
    /// A selector, name or path:line
    selector: String,
    /// The new name
    new_name: String,
    /// Change places too that may mean something else
    #[arg(long, conflicts_with = "skip_fuzzy")]
    include_fuzzy: bool,
    /// Leave places as they are that may mean something else, instead of refusing
    #[arg(long)]
    skip_fuzzy: bool,
    /// Change comments and strings too
    #[arg(long)]
    comments: bool,
    /// Change a name too that others derive theirs from: keys of JSON, flags, columns
    #[arg(long)]
    allow_derived: bool,
    #[command(flatten)]
    manner: Manner,
}

impl Question for Rename {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "rename";
    const ABOUT: &'static str = "Give a symbol another name, wherever it is used";
    const EXAMPLES: &'static [&'static str] =
        &["refactor rename Client::connect dial", "refactor rename src/lib.rs:42 total --dry-run"];
    const TOOL: Option<&'static str> = Some(
        "Rename a symbol wherever it is used. Refuses, with the places, when a use may mean something else.",
    );
    const ONLY_READS: bool = false;

    type Answer = Outcome;

    fn run(&self, context: &Context<'_>) -> Result<Outcome, Failure> {
        let refactor = context.refactor()?;
        let Rename { include_fuzzy, skip_fuzzy, comments, allow_derived, .. } = *self;
        let doubts = match (include_fuzzy, skip_fuzzy) {
            (true, _) => Doubts::Change,
            (_, true) => Doubts::Leave,
            _ => Doubts::Refuse,
        };
        let options = RenameOptions { doubts, comments, allow_derived };
        let plan = refactor.rename(&context.selector(&self.selector)?, &self.new_name, options)?;
        finish(&refactor, plan, self.manner)
    }

    fn text(&self, answer: &Outcome, out: &mut dyn Write) -> Result<(), Failure> {
        outcome_text(answer, out)
    }
}
