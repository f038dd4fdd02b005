//! Conflicts, differences and runs, for programs and for people.

use super::history::time;
use omnigraph::{ChangeOp, ChangeStats, EntityChange, MergeConflict, RunRecord};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Characters of a value that people see.
const SHOWN: usize = 60;

/// A conflict as programs see it.
pub(crate) fn conflict(found: &MergeConflict) -> Value {
    json!({
        "table_key": found.table_key,
        "row_id": found.row_id,
        "kind": found.kind.as_str(),
        "message": found.message,
    })
}

/// All conflicts, one per line.
pub(crate) fn conflicts_text(found: &[MergeConflict]) -> String {
    let count = super::counted(found.len() as u64, "merge conflict");
    let mut out = format!("error: {count}\n");
    for conflict in found {
        let row = conflict.row_id.as_ref().map_or(String::new(), |row| format!(":{row}"));
        let _ =
            writeln!(out, "  {}{row}  {}: {}", conflict.table_key, conflict.kind.as_str(), conflict.message);
    }
    out
}

/// A changed row as programs see it; values only when they were asked for.
pub(crate) fn change(change: &EntityChange, with_rows: bool) -> Value {
    let ends = change.endpoints.as_ref().map(|ends| json!({ "src": ends.src, "dst": ends.dst }));
    let mut document = json!({
        "table_key": change.table_key,
        "kind": change.kind.as_str(),
        "type_name": change.type_name,
        "id": change.id,
        "op": change.op.as_str(),
        "manifest_version": change.manifest_version,
        "endpoints": ends,
    });
    if with_rows {
        document["before"] = json!(change.before);
        document["after"] = json!(change.after);
    }
    document
}

/// Numbers of changes as programs see them.
pub(crate) fn stats(stats: &ChangeStats) -> Value {
    let [inserted, updated, deleted] = stats.totals();
    json!({
        "inserted": inserted,
        "updated": updated,
        "deleted": deleted,
        "tables": super::history::changes(&stats.tables),
    })
}

/// `3 changes: 1 inserted, 2 deleted`
pub(crate) fn stats_line(stats: &ChangeStats) -> String {
    let [inserted, updated, deleted] = stats.totals();
    let parts = [(inserted, "inserted"), (updated, "updated"), (deleted, "deleted")];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
    let total = super::counted(inserted + updated + deleted, "change");
    if parts.is_empty() { "no differences".to_owned() } else { format!("{total}: {}", parts.join(", ")) }
}

/// `~ Person Alice  age: 30 -> 31`
pub(crate) fn change_line(change: &EntityChange) -> String {
    let sign = match change.op {
        ChangeOp::Insert => '+',
        ChangeOp::Update => '~',
        ChangeOp::Delete => '-',
    };
    let who = match &change.endpoints {
        Some(ends) => format!("{} -> {}", ends.src, ends.dst),
        None => change.id.clone(),
    };
    let mut line = format!("{sign} {} {who}", change.type_name);
    let nothing = Map::new();
    let (before, after) =
        (change.before.as_ref().unwrap_or(&nothing), change.after.as_ref().unwrap_or(&nothing));
    if change.op == ChangeOp::Update {
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

/// A run as programs see it.
pub(crate) fn run(run: &RunRecord) -> Value {
    json!({
        "run_id": run.run_id,
        "target_branch": run.target_branch,
        "run_branch": run.run_branch,
        "base_snapshot_id": run.base_snapshot_id,
        "base_manifest_version": run.base_manifest_version,
        "operation_hash": run.operation_hash,
        "actor_id": run.actor_id,
        "status": run.status.as_str(),
        "published_snapshot_id": run.published_snapshot_id,
        "created_at": run.created_at,
        "updated_at": run.updated_at,
    })
}

/// One line: id, time, status, target, who.
pub(crate) fn run_line(run: &RunRecord) -> String {
    let actor = run.actor_id.as_ref().map_or(String::new(), |actor| format!("  by {actor}"));
    let (status, target) = (run.status.as_str(), &run.target_branch);
    format!("{}  {}  {status:<9} {target}{actor}", run.run_id, time(run.created_at))
}

/// A run with everything that is known of it.
pub(crate) fn run_text(run: &RunRecord) -> String {
    let mut out = format!("run {}\n", run.run_id);
    let mut member = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(out, "{name:<10}{value}");
        }
    };
    member("status", Some(run.status.as_str().to_owned()));
    member("target", Some(run.target_branch.clone()));
    member("branch", Some(run.run_branch.clone()));
    member("base", Some(run.base_snapshot_id.to_string()));
    member("published", run.published_snapshot_id.as_ref().map(ToString::to_string));
    member("operation", run.operation_hash.clone());
    member("actor", run.actor_id.clone());
    member("begun", Some(time(run.created_at)));
    member("updated", Some(time(run.updated_at)));
    out
}
