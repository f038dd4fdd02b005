//! `omnigraph commit`

use crate::args::{CommitCommand, Place};
use crate::failure::Failure;
use crate::render::{self, history};
use crate::session::{Session, state};
use omnigraph::{Snapshot, Target};
use serde_json::json;
use std::sync::Arc;

pub(super) fn run(session: &Session, command: &CommitCommand) -> Result<(), Failure> {
    match command {
        CommitCommand::List { branch, limit, place } => list(session, branch.as_deref(), *limit, place),
        CommitCommand::Show { id, place } => show(session, id, place),
    }
}

fn list(session: &Session, branch: Option<&str>, limit: usize, place: &Place) -> Result<(), Failure> {
    let (graph, _) = session.open(place)?;
    let branch = session.branch(branch);
    let commits = graph.store().history(&graph.store().head(&branch)?, limit)?;
    let is_cut = commits.last().is_some_and(|last| last.record.parent.is_some());
    if session.json {
        let cut: Vec<_> = oldest_readable(&commits).iter().map(|commit| commit.id().clone()).collect();
        let commits: Vec<_> = commits.iter().map(|commit| history::commit(&commit.record)).collect();
        let mut document = json!({ "commits": commits, "has_more": is_cut });
        if let Some(oldest) = cut.first() {
            document["oldest_readable_commit_id"] = oldest.as_str().into();
        }
        return render::json(&document);
    }
    let lines = commits.iter().map(|commit| format!("{}\n", history::commit_line(&commit.record)));
    render::text(lines.collect::<String>())?;
    if let Some(oldest) = oldest_readable(&commits) {
        render::remark(&format!("commits before {} were cleaned up: their rows are gone", oldest.id()));
    }
    if is_cut {
        render::remark("there are more: --limit N lists them");
    }
    Ok(())
}

/// The last commit before those that were cleaned up; `None` when none was.
fn oldest_readable(commits: &[Arc<Snapshot>]) -> Option<&Arc<Snapshot>> {
    let at = commits.iter().position(|commit| commit.record.released_at.is_some())?;
    commits.get(at.checked_sub(1)?)
}

fn show(session: &Session, id: &str, place: &Place) -> Result<(), Failure> {
    let (graph, _) = session.open(place)?;
    let snapshot = match Target::snapshot(id) {
        // What is known of a commit outlives its rows.
        Ok(Target::Commit(id)) => graph.store().look_up(&id)?,
        _ => state(&graph, id)?.1,
    };
    if session.json {
        let mut document = history::commit(&snapshot.record);
        document["schema_id"] = snapshot.record.schema.clone().into();
        document["changes"] = history::changes(&snapshot.record.changes);
        return render::json(&document);
    }
    render::text(history::commit_text(&snapshot.record))
}
