//! `orbit graph callees`: what a symbol calls.

use super::account;
use super::compact::{add_line, finish, name, push};
use super::options::Threshold;
use super::places;
use super::several::Several;
use super::{Context, Family, Question};
use crate::failure::Failure;
use crate::render::rows::Rows;
use crate::render::text::{mark, printable, some, stale};
use clap::Args;
use orbit_graph::{CalleesAccount, SymbolAddress};
use serde_json::{Map, Value, json};
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Callees {
    /// Selectors, names or path:line
    #[arg(required = true, value_name = "SELECTORS")]
    selector: Vec<String>,
    /// List edges down to this confidence level; weaker ones are counted
    #[arg(long, value_enum, default_value = "same_module")]
    confidence: Threshold,
    /// At most this many
    #[arg(long, default_value_t = 200, value_name = "N")]
    limit: usize,
    /// Sync first
    #[arg(long)]
    sync: bool,
}

impl Question for Callees {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "callees";
    const ABOUT: &'static str = "What a symbol calls";
    const EXAMPLES: &'static [&'static str] =
        &["graph callees Client::connect", "graph callees src/lib.rs:42 --confidence fuzzy"];
    const TOOL: Option<&'static str> = Some("What a symbol calls.");
    const IS_GROUPED: bool = true;

    type Answer = Several<orbit_graph::Callees>;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        let graph = context.graph(self.sync)?;
        let threshold = self.confidence.confidence();
        let selectors = context.selectors(&self.selector)?;
        let answers = selectors.iter().map(|selector| graph.callees(selector, threshold, self.limit));
        Ok(Several(answers.collect::<Result<_, _>>()?))
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
        answer.0.iter().try_for_each(|answer| text(answer, out))
    }

    fn compact(&self, answer: &Self::Answer) -> Value {
        answer.compact(&self.selector, |_, answer| compact(answer))
    }
}

fn text(answer: &orbit_graph::Callees, out: &mut dyn Write) -> Result<(), Failure> {
    let file = answer.selector.parse::<SymbolAddress>().map(|caller| caller.path).unwrap_or_default();
    let mut rows = Rows::default();
    for callee in &answer.callees {
        let target = printable(callee.selector.as_deref().unwrap_or(&callee.target_name));
        let times = if callee.count > 1 { format!(" x{}", callee.count) } else { String::new() };
        let others = match callee.overridden_by {
            0 => String::new(),
            count => format!(" (overridden {count} times)"),
        };
        let what = format!("{target}{times}{others}{}", mark(callee.confidence));
        rows.push(&file, callee.line, "call", &what);
    }
    rows.print(out)?;
    if answer.truncated {
        writeln!(out, "({} of {}; raise --limit)", answer.callees.len(), answer.total)?;
    }
    if let Some(account) = &answer.account {
        writeln!(out, "{}", sentence(account, answer.uncertain.len()))?;
    }
    let mut rows = Rows::default();
    for open in &answer.uncertain {
        let name = open.name.as_deref().unwrap_or("(a value)");
        rows.push(&file, open.line, "perhaps", &format!("{}  ({})", printable(name), open.reason));
    }
    rows.print(out)?;
    if !answer.other_definitions.is_empty() {
        writeln!(out, "(also defined as {})", printable(&answer.other_definitions.join(", ")))?;
    }
    stale(out, &answer.stale)
}

/// `12 calls · 8 resolved · 3 leave the repository · 1 uncertain, below`.
fn sentence(account: &CalleesAccount, listed: usize) -> String {
    let mut parts = vec![some(account.calls, "call"), format!("{} resolved", account.resolved)];
    if account.external > 0 {
        parts.push(format!("{} leave the repository", account.external));
    }
    match account.uncertain {
        0 => {}
        n if n <= listed => parts.push(format!("{n} uncertain, below")),
        n => parts.push(format!("{n} uncertain, {listed} of them below (--confidence fuzzy)")),
    }
    parts.join(" · ") + if account.complete { " · complete" } else { "" }
}

/// `{file of the callee: "callee:line,line of the calls"}`; what is not of this repository under `?`.
fn compact(answer: &orbit_graph::Callees) -> Value {
    let mut callees = json!({});
    for row in &answer.callees {
        let file = row.file.as_deref().unwrap_or("?");
        let callee = row.selector.as_deref().map_or_else(|| row.target_name.clone(), name);
        let callee = match row.overridden_by {
            0 => callee,
            count => format!("{callee} (+{count} overriding)"),
        };
        add_line(&mut callees[file][callee], row.line);
    }
    let mut out = Map::new();
    out.insert("selector".into(), json!(answer.selector));
    out.insert("callees".into(), places::texts(&callees));
    let mut uncertain = json!({});
    for open in &answer.uncertain {
        let name = open.name.as_deref().unwrap_or("");
        push(&mut uncertain[open.reason], json!(format!("{name}:{}", open.line)));
    }
    if !answer.uncertain.is_empty() {
        out.insert("uncertain".into(), uncertain);
    }
    if let Some(account) = &answer.account {
        let mut counts = account::open(account.complete, account.uncertain, 0);
        if account.external > 0 {
            counts["external"] = json!(account.external);
        }
        out.insert("account".into(), counts);
    }
    if !answer.other_definitions.is_empty() {
        out.insert("other_definitions".into(), json!(answer.other_definitions));
    }
    finish(out, answer.truncated.then_some(answer.total), &answer.stale)
}
