//! `orbit refactor diff`

use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use clap::Args;
use serde::Serialize;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Diff {}

/// A unified diff.
#[derive(Serialize)]
pub(crate) struct Unified {
    diff: String,
}

impl Question for Diff {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "diff";
    const ABOUT: &'static str = "What was done since the last commit, as a unified diff";
    const EXAMPLES: &'static [&'static str] = &[];
    const TOOL: Option<&'static str> = Some("The same as a unified diff.");

    type Answer = Unified;

    fn run(&self, context: &Context<'_>) -> Result<Unified, Failure> {
        Ok(Unified { diff: context.refactor()?.diff()? })
    }

    fn text(&self, answer: &Unified, out: &mut dyn Write) -> Result<(), Failure> {
        write!(out, "{}", answer.diff)?;
        Ok(())
    }
}
