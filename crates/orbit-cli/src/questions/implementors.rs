//! `orbit graph implementors`: what implements a trait or interface, or extends a class.

use super::account;
use super::compact::{finish, name, place, push};
use super::{Context, Family, Question};
use crate::failure::Failure;
use crate::render::rows::Rows;
use crate::render::text::{mark, printable, stale};
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Implementors {
    /// A selector, name or path:line
    selector: String,
    /// At most this many
    #[arg(long, default_value_t = 200, value_name = "N")]
    limit: usize,
    /// Sync first
    #[arg(long)]
    sync: bool,
}

impl Question for Implementors {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "implementors";
    const ABOUT: &'static str = "What implements a trait or interface, or extends a class";
    const EXAMPLES: &'static [&'static str] =
        &["graph implementors AsyncRead", "graph implementors std::fmt::Display"];
    const TOOL: Option<&'static str> = Some("What implements a trait or interface, or extends a class.");
    const IS_GROUPED: bool = true;

    type Answer = orbit_graph::Implementors;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        Ok(context.graph(self.sync)?.implementors(&context.selector(&self.selector)?, self.limit)?)
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
        let mut rows = Rows::default();
        for found in &answer.implementors {
            let what = printable(found.selector.as_deref().unwrap_or(&found.type_qualified));
            rows.push(&found.file, found.line, found.kind, &format!("{what}{}", mark(found.confidence)));
        }
        rows.print(out)?;
        if answer.total == 0 {
            writeln!(out, "nothing implements {}", answer.trait_name)?;
        }
        if answer.truncated {
            writeln!(out, "({} of {}; raise --limit)", answer.implementors.len(), answer.total)?;
        }
        if let Some(account) = &answer.account {
            writeln!(out, "{}", account::sentence(account, &answer.trait_name, 0))?;
        }
        stale(out, &answer.stale)
    }

    /// `{kind: {file: ["type:line"]}}`.
    fn compact(&self, answer: &Self::Answer) -> Value {
        let mut groups = json!({});
        for row in &answer.implementors {
            let of = row.selector.as_deref().map_or_else(|| row.type_qualified.clone(), name);
            push(&mut groups[row.kind][&row.file], place(&of, row.line, row.confidence));
        }
        let mut out = Map::new();
        out.insert("targets".into(), json!(answer.targets));
        out.insert("implementors".into(), groups);
        if let Some(account) = &answer.account {
            out.insert("account".into(), account::compact_open(account));
        }
        finish(out, answer.truncated.then_some(answer.total), &answer.stale)
    }
}
