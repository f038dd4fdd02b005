//! Differences and runs, for people.

use super::history::time;
use omnigraph_api::calls::diff::{ChangeRowOutput, OpChoice};
use omnigraph_api::calls::receipt::ReceiptOutput;
use omnigraph_api::calls::run::RunOutput;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Characters of a value that people see.
const SHOWN: usize = 60;

/// `3 changes: 1 inserted, 2 deleted`
pub(crate) fn stats_line(totals: [u64; 3]) -> String {
    let total = super::counted(totals.iter().sum(), "change");
    let parts = parts(totals);
    if parts.is_empty() { "no differences".to_owned() } else { format!("{total}: {parts}") }
}

/// What a write did, or would do, and the commit that it led to.
pub(crate) fn written(dry_run: bool, receipt: &ReceiptOutput) -> String {
    let stats = stats_line(receipt.totals());
    match (dry_run, receipt.committed) {
        (true, _) => stats,
        (false, true) => format!("{stats}; {}", receipt.outcome()),
        (false, false) => receipt.outcome(),
    }
}

/// `1 inserted, 2 deleted`
pub(crate) fn parts([inserted, updated, deleted]: [u64; 3]) -> String {
    let parts = [(inserted, "inserted"), (updated, "updated"), (deleted, "deleted")];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
    parts.join(", ")
}

/// `~ Person Alice  age: 30 -> 31`
pub(crate) fn change_line(change: &ChangeRowOutput) -> String {
    let sign = match change.op {
        OpChoice::Insert => '+',
        OpChoice::Update => '~',
        OpChoice::Delete => '-',
    };
    let who = match &change.endpoints {
        Some(ends) => format!("{} -> {}", ends.src, ends.dst),
        None => change.id.clone(),
    };
    let mut line = format!("{sign} {} {who}", change.type_name);
    let nothing = Map::new();
    let (before, after) = (change.before.as_ref(), change.after.as_ref());
    let [before, after] = [before, after].map(|values| values.and_then(Option::as_ref).unwrap_or(&nothing));
    if change.op == OpChoice::Update {
        let mut names: Vec<&String> = before.keys().collect();
        names.extend(after.keys().filter(|name| !before.contains_key(*name)));
        for name in names.into_iter().filter(|name| before.get(*name) != after.get(*name)) {
            let _ = write!(line, "  {name}: {} -> {}", value(before.get(name)), value(after.get(name)));
        }
    }
    line
}

/// A value short enough for a line.
fn value(value: Option<&Value>) -> String {
    let text = value.map_or_else(|| "null".to_owned(), Value::to_string);
    if text.chars().count() <= SHOWN { text } else { text.chars().take(SHOWN).chain(['…']).collect() }
}

/// One line: id, time, status, target, who.
pub(crate) fn run_line(run: &RunOutput) -> String {
    let actor = run.actor_id.as_ref().map_or(String::new(), |actor| format!("  by {actor}"));
    let (status, target) = (&run.status, &run.target_branch);
    format!("{}  {}  {status:<9} {target}{actor}", run.run_id, time(run.created_at))
}

/// A run with everything that is known of it.
pub(crate) fn run_text(run: &RunOutput) -> String {
    let mut out = format!("run {}\n", run.run_id);
    let mut member = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(out, "{name:<10}{value}");
        }
    };
    member("status", Some(run.status.clone()));
    member("target", Some(run.target_branch.clone()));
    member("branch", Some(run.run_branch.clone()));
    member("base", Some(run.base_snapshot_id.clone()));
    member("published", run.published_snapshot_id.clone());
    member("operation", run.operation_hash.clone());
    member("actor", run.actor_id.clone());
    member("begun", Some(time(run.created_at)));
    member("updated", Some(time(run.updated_at)));
    out
}
