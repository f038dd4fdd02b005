//! Between what is on the wire and what the engine knows.

use super::answer::Failed;
use crate::wire::{ChangesOutput, CommitOutput, LoadMode, safe};
use crate::wire::{SnapshotOutput, TableOutput};
use omnigraph::{Branch, CommitId, CommitRecord, Described, TableChange, Target};
use omnigraph_compiler::{parse_date, parse_datetime};
use std::collections::BTreeMap;

/// What to read: at most one of snapshot and time, and a branch.
pub(crate) fn target(
    branch: Option<&str>,
    snapshot: Option<&str>,
    at: Option<&str>,
) -> Result<Target, Failed> {
    match (branch, snapshot, at) {
        (Some(_), Some(_), _) => Err(Failed::bad_request("give a branch or a snapshot, not both")),
        (_, Some(_), Some(_)) => Err(Failed::bad_request("give a snapshot or a time, not both")),
        (None, Some(snapshot), None) => Ok(Target::snapshot(snapshot).map_err(omnigraph::Error::from)?),
        (branch, None, None) => Ok(Target::Branch(named(branch))),
        (branch, None, Some(time)) => Ok(Target::At(named(branch), micros(time)?)),
    }
}

/// `main` if nothing is said.
pub(crate) fn named(branch: Option<&str>) -> String {
    branch.unwrap_or(Branch::MAIN).to_owned()
}

/// A time as microseconds since 1970, to the end of the millisecond.
fn micros(text: &str) -> Result<i64, Failed> {
    const DAY: i64 = 86_400_000_000;
    let moment = parse_datetime(text).map(|millis| millis * 1_000 + 999);
    let day = || parse_date(text).map(|days| i64::from(days) * DAY);
    moment
        .or_else(day)
        .ok_or_else(|| Failed::bad_request(format!("`{text}` is no time: write 2026-11-01T12:00:00Z")))
}

/// An id as it was given.
pub(crate) fn commit_id(text: Option<&str>) -> Result<Option<CommitId>, Failed> {
    let parse = |text: &str| {
        text.parse().map_err(|()| Failed::bad_request(format!("`{text}` is no commit id")))
    };
    text.map(parse).transpose()
}

pub(crate) fn changes(changes: &BTreeMap<String, TableChange>) -> Vec<ChangesOutput> {
    let table = |(key, change): (&String, &TableChange)| ChangesOutput {
        table_key: key.clone(),
        inserted: change.inserted,
        updated: change.updated,
        deleted: change.deleted,
    };
    changes.iter().map(table).collect()
}

pub(crate) fn commit(record: &CommitRecord) -> CommitOutput {
    CommitOutput {
        graph_commit_id: record.id.to_string(),
        manifest_branch: record.branch.clone(),
        manifest_version: record.version,
        parent_commit_id: record.parent.as_ref().map(ToString::to_string),
        merged_parent_commit_id: record.merge_parent.as_ref().map(ToString::to_string),
        actor_id: record.actor.clone(),
        created_at: record.created_at,
        operation: record.operation.clone(),
    }
}

pub(crate) fn snapshot(described: &Described, branch: &str) -> SnapshotOutput {
    let record = &described.snapshot.record;
    let tables = described.tables.iter().map(|table| TableOutput {
        table_key: table.key.clone(),
        table_path: table.path.clone(),
        table_version: safe(table.version),
        table_branch: None,
        row_count: table.rows,
    });
    SnapshotOutput {
        branch: branch.to_owned(),
        manifest_version: record.version,
        graph_commit_id: record.id.to_string(),
        created_at: record.created_at,
        tables: tables.collect(),
    }
}

impl From<LoadMode> for omnigraph::LoadMode {
    fn from(mode: LoadMode) -> omnigraph::LoadMode {
        match mode {
            LoadMode::Merge => omnigraph::LoadMode::Merge,
            LoadMode::Append => omnigraph::LoadMode::Append,
            LoadMode::Overwrite => omnigraph::LoadMode::Overwrite,
        }
    }
}
