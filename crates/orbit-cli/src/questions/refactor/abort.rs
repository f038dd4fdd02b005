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
    /// Files that others changed since; they stay as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<String>,
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
        let orbit_refactor::Aborted { steps, left } = context.refactor()?.abort()?;
        Ok(Aborted { steps, left })
    }

    fn text(&self, answer: &Aborted, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{} reverted", answer.steps)?;
        for file in &answer.left {
            writeln!(out, "{file} was changed since and stays as it is")?;
        }
        Ok(())
    }
}
