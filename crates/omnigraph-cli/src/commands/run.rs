//! `omnigraph run`

use crate::args::{Place, RunCommand};
use crate::failure::Failure;
use crate::render::{self, history, versions};
use crate::session::Session;
use serde_json::json;

pub(super) fn run(session: &Session, command: &RunCommand) -> Result<(), Failure> {
    match command {
        RunCommand::Begin { branch, operation_hash, place } => {
            begin(session, branch.as_deref(), operation_hash.as_deref(), place)
        }
        RunCommand::List { place } => list(session, place),
        RunCommand::Show { id, place } => show(session, id, place),
        RunCommand::Publish { id, place } => publish(session, id, place),
        RunCommand::Abort { id, place } => abort(session, id, place),
    }
}

fn begin(session: &Session, branch: Option<&str>, hash: Option<&str>, place: &Place) -> Result<(), Failure> {
    let (graph, _) = session.open(place)?;
    let begun = graph.begin_run(&session.branch(branch), hash)?;
    if session.json {
        let mut document = versions::run(&begun.run);
        document["begun"] = begun.is_new.into();
        return render::json(&document);
    }
    let verb = if begun.is_new { "begun" } else { "found" };
    render::line(&format!("{verb} run {}; write to branch {}", begun.run.run_id, begun.run.run_branch))
}

fn list(session: &Session, place: &Place) -> Result<(), Failure> {
    let (graph, _) = session.open(place)?;
    let runs = graph.store().runs()?;
    if session.json {
        return render::json(&json!({ "runs": runs.iter().map(versions::run).collect::<Vec<_>>() }));
    }
    render::text(runs.iter().map(|run| versions::run_line(run) + "\n").collect::<String>())
}

fn show(session: &Session, id: &str, place: &Place) -> Result<(), Failure> {
    let (graph, _) = session.open(place)?;
    let run = graph.store().run(id)?;
    if session.json { render::json(&versions::run(&run)) } else { render::text(versions::run_text(&run)) }
}

fn publish(session: &Session, id: &str, place: &Place) -> Result<(), Failure> {
    let (graph, _) = session.open(place)?;
    let published = graph.publish_run(id)?;
    let run = &published.run;
    if session.json {
        let mut document = versions::run(run);
        if let Some(report) = &published.report {
            document["outcome"] = report.outcome.as_str().into();
            history::receipt(&mut document, &report.snapshot, report.committed, &report.changes);
        }
        return render::json(&document);
    }
    let commit = run.published_snapshot_id.as_ref().map_or(String::new(), |id| format!(" as commit {id}"));
    render::line(&format!("published run {} on branch {}{commit}", run.run_id, run.target_branch))
}

fn abort(session: &Session, id: &str, place: &Place) -> Result<(), Failure> {
    let (graph, _) = session.open(place)?;
    let run = graph.abort_run(id)?;
    if session.json {
        return render::json(&versions::run(&run));
    }
    render::line(&format!("aborted run {}", run.run_id))
}
