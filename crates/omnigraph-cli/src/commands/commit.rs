//! `omnigraph commit`

use crate::args::{CommitCommand, Place};
use crate::failure::Failure;
use crate::render::{self, history};
use crate::session::{Session, state};
use serde_json::json;

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
        let commits: Vec<_> = commits.iter().map(|commit| history::commit(&commit.record)).collect();
        return render::json(&json!({ "commits": commits, "has_more": is_cut }));
    }
    let lines = commits.iter().map(|commit| format!("{}\n", history::commit_line(&commit.record)));
    render::text(lines.collect::<String>())?;
    if is_cut {
        render::remark("there are more: --limit N lists them");
    }
    Ok(())
}

fn show(session: &Session, id: &str, place: &Place) -> Result<(), Failure> {
    let (graph, _) = session.open(place)?;
    let (_, snapshot) = state(&graph, id)?;
    if session.json {
        let mut document = history::commit(&snapshot.record);
        document["schema_id"] = snapshot.record.schema.clone().into();
        document["changes"] = history::changes(&snapshot.record.changes);
        return render::json(&document);
    }
    render::text(history::commit_text(&snapshot.record))
}
