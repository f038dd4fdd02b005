//! `orbit refactor abort`

use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use clap::Args;
use serde::Serialize;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Abort {}

/// How many refactorings were reverted.
#[derive(Serialize)]
pub(crate) struct Aborted {
    steps: usize,
}

impl Question for Abort {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "abort";
    const ABOUT: &'static str = "Revert everything since the last commit";
    const EXAMPLES: &'static [&'static str] = &[];
    const TOOL: Option<&'static str> = Some("Revert everything since the last commit.");
    const ONLY_READS: bool = false;

    type Answer = Aborted;

    fn run(&self, context: &Context<'_>) -> Result<Aborted, Failure> {
        Ok(Aborted { steps: context.refactor()?.abort()? })
    }

    fn text(&self, answer: &Aborted, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{} reverted", answer.steps)?;
        Ok(())
    }
}
