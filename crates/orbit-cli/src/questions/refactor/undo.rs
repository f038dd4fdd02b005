//! `orbit refactor undo`

use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use clap::Args;
use orbit_refactor::Step;
use serde_json::{Value, json};
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Undo {}

impl Question for Undo {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "undo";
    const ABOUT: &'static str = "Revert the last refactoring, byte for byte";
    const EXAMPLES: &'static [&'static str] = &[];
    const TOOL: Option<&'static str> = Some("Revert the last refactoring, byte for byte.");
    const ONLY_READS: bool = false;

    type Answer = Step;

    fn run(&self, context: &Context<'_>) -> Result<Step, Failure> {
        Ok(context.refactor()?.undo()?)
    }

    fn text(&self, answer: &Step, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "reverted: {}", answer.title)?;
        Ok(())
    }

    fn compact(&self, answer: &Step) -> Value {
        json!({"undone": answer.title})
    }
}
