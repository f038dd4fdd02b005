//! `orbit refactor change-body`

use super::{Manner, Outcome, finish, outcome_text};
use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use clap::Args;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct ChangeBody {
    /// A selector, name or path:line
    selector: String,
    /// The new body: text, @file, or - for standard input
    #[arg(allow_hyphen_values = true)]
    body: String,
    #[command(flatten)]
    manner: Manner,
}

impl Question for ChangeBody {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "change-body";
    const ABOUT: &'static str = "Give a symbol another body";
    const EXAMPLES: &'static [&'static str] = &[
        "refactor change-body total 'return sum(items)'",
        "refactor change-body total @body.txt",
        "refactor change-body total - < body.txt",
    ];
    const TOOL: Option<&'static str> = Some("Give a symbol another body.");
    const ONLY_READS: bool = false;

    type Answer = Outcome;

    fn run(&self, context: &Context<'_>) -> Result<Outcome, Failure> {
        let refactor = context.refactor()?;
        let plan = refactor.change_body(&context.selector(&self.selector)?, &context.text(&self.body)?)?;
        finish(&refactor, plan, self.manner)
    }

    fn text(&self, answer: &Outcome, out: &mut dyn Write) -> Result<(), Failure> {
        outcome_text(answer, out)
    }

    fn schema(argument: &str) -> Option<serde_json::Value> {
        super::text_schema("body", "The new body", argument)
    }
}
