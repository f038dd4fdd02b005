//! Commits and their changes, for people.

use super::counted;
use omnigraph::rows::write_datetime;
use omnigraph_api::calls::commit::{CommitOutput, CommitShowOutput};
use std::fmt::Write as _;

/// One line: id, time, version, operation, branch, who.
pub(crate) fn commit_line(commit: &CommitOutput) -> String {
    let actor = commit.actor_id.as_ref().map_or(String::new(), |actor| format!("  by {actor}"));
    let gone = if commit.cleaned_up { "  (cleaned up)" } else { "" };
    format!(
        "{}  {}  v{:<5} {:<8} {}{actor}{gone}",
        commit.graph_commit_id,
        time(commit.created_at),
        commit.manifest_version,
        commit.operation,
        commit.manifest_branch
    )
}

/// A commit with everything that is known of it.
pub(crate) fn commit_text(shown: &CommitShowOutput) -> String {
    let commit = &shown.commit;
    let mut out = format!("commit {}\n", commit.graph_commit_id);
    let mut member = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(out, "{name:<10}{value}");
        }
    };
    member("parent", commit.parent_commit_id.clone());
    member("merged", commit.merged_parent_commit_id.clone());
    member("branch", Some(commit.manifest_branch.clone()));
    member("version", Some(commit.manifest_version.to_string()));
    member("operation", Some(commit.operation.clone()));
    member("actor", commit.actor_id.clone());
    member("time", Some(time(commit.created_at)));
    member("rows", commit.cleaned_up.then(|| "cleaned up".to_owned()));
    for change in &shown.changes {
        let parts = super::versions::parts([change.inserted, change.updated, change.deleted]);
        let _ = writeln!(out, "  {}: {parts}", change.table_key);
    }
    if shown.changes.is_empty() {
        let _ = writeln!(out, "  {}", counted(shown.table_count, "table"));
    }
    out
}

/// Microseconds since 1970 as people write times.
pub(crate) fn time(micros: i64) -> String {
    let mut out = String::new();
    write_datetime(micros.div_euclid(1_000), &mut out);
    out
}
