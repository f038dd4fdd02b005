//! `orbit refactor split`

use super::{Manner, Outcome, PART, finish, outcome_text, parts};
use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use clap::Args;
use orbit_refactor::Part;
use serde_json::{Value, json};
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Split {
    /// A selector, name or path:line
    selector: String,
    /// A JSON list of {file?, name, kind?, body}: text, @file, or - for standard input
    #[arg(long, value_name = "SPEC")]
    into: String,
    /// Even while it is used
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    manner: Manner,
}

impl Question for Split {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "split";
    const ABOUT: &'static str = "Make several definitions out of one";
    const EXAMPLES: &'static [&'static str] = &[
        "refactor split run --into '[{\"name\": \"load\", \"body\": \"def load(): ...\"}, {\"file\": \"b.py\", \"name\": \"save\", \"body\": \"def save(): ...\"}]'",
    ];
    const TOOL: Option<&'static str> = Some("Make several definitions out of one.");
    const ONLY_READS: bool = false;

    type Answer = Outcome;

    fn run(&self, context: &Context<'_>) -> Result<Outcome, Failure> {
        let refactor = context.refactor()?;
        let parts: Vec<Part> = parts(context, &self.into)?;
        let plan = refactor.split(&context.selector(&self.selector)?, &parts, self.force)?;
        finish(&refactor, plan, self.manner)
    }

    fn text(&self, answer: &Outcome, out: &mut dyn Write) -> Result<(), Failure> {
        outcome_text(answer, out)
    }

    fn schema(argument: &str) -> Option<Value> {
        (argument == "into")
            .then(|| json!({"type": "array", "items": {"type": "object"}, "description": PART}))
    }
}
