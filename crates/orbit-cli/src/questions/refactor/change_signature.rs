//! `orbit refactor change-signature`

use super::{Manner, Outcome, finish, outcome_text};
use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use clap::Args;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct ChangeSignature {
    /// A selector, name or path:line
    selector: String,
    /// The new signature, without the body
    signature: String,
    #[command(flatten)]
    manner: Manner,
}

impl Question for ChangeSignature {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "change-signature";
    const ABOUT: &'static str = "Give a symbol another signature; calls that no longer fit are listed";
    const EXAMPLES: &'static [&'static str] = &["refactor change-signature total 'def total(items, rate=0)'"];
    const TOOL: Option<&'static str> =
        Some("Give a symbol another signature; calls that no longer fit are listed.");
    const ONLY_READS: bool = false;

    type Answer = Outcome;

    fn run(&self, context: &Context<'_>) -> Result<Outcome, Failure> {
        let refactor = context.refactor()?;
        let plan = refactor.change_signature(&context.selector(&self.selector)?, &self.signature)?;
        finish(&refactor, plan, self.manner)
    }

    fn text(&self, answer: &Outcome, out: &mut dyn Write) -> Result<(), Failure> {
        outcome_text(answer, out)
    }
}
