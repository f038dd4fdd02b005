//! `orbit refactor merge`

use super::{Manner, Outcome, PART, finish, outcome_text, parts};
use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// Selectors, names or path:line
    #[arg(required = true, num_args = 2.., value_name = "SELECTORS")]
    selector: Vec<String>,
    /// A JSON object {file?, name, kind?, body}: text, @file, or - for standard input
    #[arg(long, value_name = "SPEC")]
    into: String,
    /// Even while they are used
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    manner: Manner,
}

impl Question for Merge {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "merge";
    const ABOUT: &'static str = "Make one definition out of several";
    const EXAMPLES: &'static [&'static str] =
        &["refactor merge load_a load_b --into '{\"name\": \"load\", \"body\": \"def load(): ...\"}'"];
    const TOOL: Option<&'static str> = Some("Make one definition out of several.");
    const ONLY_READS: bool = false;

    type Answer = Outcome;

    fn run(&self, context: &Context<'_>) -> Result<Outcome, Failure> {
        let refactor = context.refactor()?;
        let plan =
            refactor.merge(&context.selectors(&self.selector)?, &parts(context, &self.into)?, self.force)?;
        finish(&refactor, plan, self.manner)
    }

    fn text(&self, answer: &Outcome, out: &mut dyn Write) -> Result<(), Failure> {
        outcome_text(answer, out)
    }

    fn schema(argument: &str) -> Option<Value> {
        match argument {
            "selector" => Some(json!({"type": "array", "items": {"type": "string"}})),
            "into" => Some(json!({"type": "object", "description": PART})),
            _ => None,
        }
    }
}
