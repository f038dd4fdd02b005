//! `orbit refactor status`

use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use crate::render::text::printable;
use clap::Args;
use orbit_refactor::Step;
use serde::Serialize;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Status {}

/// What was done since the last commit, in order.
#[derive(Serialize)]
pub(crate) struct Steps {
    steps: Vec<Step>,
}

impl Question for Status {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "status";
    const ABOUT: &'static str = "What was done since the last commit";
    const EXAMPLES: &'static [&'static str] = &[];
    const TOOL: Option<&'static str> = Some("What was done since the last commit.");

    type Answer = Steps;

    fn run(&self, context: &Context<'_>) -> Result<Steps, Failure> {
        Ok(Steps { steps: context.refactor()?.status()? })
    }

    fn text(&self, answer: &Steps, out: &mut dyn Write) -> Result<(), Failure> {
        for step in &answer.steps {
            writeln!(out, "{} {} ({} files)", step.id, printable(&step.title), step.files.len())?;
        }
        if answer.steps.is_empty() {
            writeln!(out, "nothing since the last commit")?;
        }
        Ok(())
    }
}
