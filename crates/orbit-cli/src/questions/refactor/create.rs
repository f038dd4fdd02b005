//! `orbit refactor create`

use super::{Manner, Outcome, finish, outcome_text};
use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use clap::Args;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Create {
    /// The file; made when it is not there
    file: String,
    /// The name of what is defined
    name: String,
    /// What it is
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// The definition: text, @file, or - for standard input
    #[arg(long, value_name = "TEXT")]
    body: String,
    #[command(flatten)]
    manner: Manner,
}

impl Question for Create {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "create";
    const ABOUT: &'static str = "Put a definition at the end of a file";
    const EXAMPLES: &'static [&'static str] = &[
        "refactor create src/money.py round_up --kind function --body @round_up.py",
        "refactor create src/lib.rs LIMIT --body 'pub const LIMIT: usize = 8;'",
    ];
    const TOOL: Option<&'static str> = Some("Put a new definition at the end of a file.");
    const ONLY_READS: bool = false;

    type Answer = Outcome;

    fn run(&self, context: &Context<'_>) -> Result<Outcome, Failure> {
        let refactor = context.refactor()?;
        let body = context.text(&self.body)?;
        let plan = refactor.create(&self.file, &self.name, self.kind.as_deref(), &body)?;
        finish(&refactor, plan, self.manner)
    }

    fn text(&self, answer: &Outcome, out: &mut dyn Write) -> Result<(), Failure> {
        outcome_text(answer, out)
    }

    fn schema(argument: &str) -> Option<serde_json::Value> {
        super::text_schema("body", "The whole definition", argument)
    }
}
