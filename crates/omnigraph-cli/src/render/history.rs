//! Commits and changes, for programs and for people.

use super::counted;
use omnigraph::rows::write_datetime;
use omnigraph::{CommitRecord, Snapshot, TableChange};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How a write ended, in words.
pub(crate) fn outcome(committed: bool, snapshot: &Snapshot) -> String {
    if committed { format!("commit {}", snapshot.id()) } else { "nothing changed".to_owned() }
}

/// Adds what every write says of itself: its commit, whether there is a new one, and what it did to which tables, with
/// the versions that they have now.
pub(crate) fn receipt(
    document: &mut Value,
    snapshot: &Snapshot,
    committed: bool,
    changed: &BTreeMap<String, TableChange>,
) {
    document["graph_commit_id"] = json!(snapshot.id());
    document["manifest_version"] = json!(snapshot.record.version);
    document["committed"] = committed.into();
    let mut tables = changes(changed);
    for change in tables.as_array_mut().into_iter().flatten() {
        let entry = change["table_key"].as_str().and_then(|key| snapshot.table(key));
        change["table_version"] = entry.map_or(Value::Null, |entry| super::safe(entry.version));
        change["row_count"] = entry.map_or(0, |entry| entry.rows).into();
    }
    document["changes"] = tables;
}

/// A commit as programs see it in lists.
pub(crate) fn commit(record: &CommitRecord) -> Value {
    let mut document = json!({
        "graph_commit_id": record.id,
        "manifest_branch": record.branch,
        "manifest_version": record.version,
        "parent_commit_id": record.parent,
        "merged_parent_commit_id": record.merge_parent,
        "actor_id": record.actor,
        "created_at": record.created_at,
        "operation": record.operation,
    });
    if record.released_at.is_some() {
        document["cleaned_up"] = true.into();
    }
    document
}

/// What a write did to each table.
pub(crate) fn changes(changes: &BTreeMap<String, TableChange>) -> Value {
    let tables = changes.iter().map(|(key, change)| {
        json!({
            "table_key": key,
            "inserted": change.inserted,
            "updated": change.updated,
            "deleted": change.deleted,
        })
    });
    tables.collect()
}

/// One line: id, time, version, operation, branch, who.
pub(crate) fn commit_line(record: &CommitRecord) -> String {
    let actor = record.actor.as_ref().map_or(String::new(), |actor| format!("  by {actor}"));
    let gone = if record.released_at.is_some() { "  (cleaned up)" } else { "" };
    format!(
        "{}  {}  v{:<5} {:<8} {}{actor}{gone}",
        record.id,
        time(record.created_at),
        record.version,
        record.operation,
        record.branch
    )
}

/// A commit with everything that is known of it.
pub(crate) fn commit_text(record: &CommitRecord) -> String {
    let mut out = format!("commit {}\n", record.id);
    let mut member = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(out, "{name:<10}{value}");
        }
    };
    member("parent", record.parent.as_ref().map(ToString::to_string));
    member("merged", record.merge_parent.as_ref().map(ToString::to_string));
    member("branch", Some(record.branch.clone()));
    member("version", Some(record.version.to_string()));
    member("operation", Some(record.operation.clone()));
    member("actor", record.actor.clone());
    member("time", Some(time(record.created_at)));
    member("rows", record.released_at.map(|_| "cleaned up".to_owned()));
    for (key, change) in &record.changes {
        let parts = [(change.inserted, "inserted"), (change.updated, "updated"), (change.deleted, "deleted")];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
        let _ = writeln!(out, "  {key}: {}", parts.join(", "));
    }
    if record.changes.is_empty() {
        let _ = writeln!(out, "  {}", counted(record.tables.len() as u64, "table"));
    }
    out
}

/// Microseconds since 1970 as people write times.
pub(crate) fn time(micros: i64) -> String {
    let mut out = String::new();
    write_datetime(micros.div_euclid(1_000), &mut out);
    out
}
