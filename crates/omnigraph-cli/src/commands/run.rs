//! `omnigraph run`

use crate::args::{Place, RunCommand};
use crate::failure::Failure;
use crate::render::{self, versions};
use crate::session::Session;
use omnigraph_api::calls::run::{
    RunAbortRequest, RunBeginRequest, RunListRequest, RunPublishRequest, RunShowRequest,
};

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
    let begun = session.backend(place)?.call(RunBeginRequest {
        branch: Some(session.branch(branch)),
        operation_hash: hash.map(str::to_owned),
    })?;
    if session.json {
        return render::json(&begun);
    }
    let verb = if begun.begun { "begun" } else { "found" };
    render::line(&format!("{verb} run {}; write to branch {}", begun.run.run_id, begun.run.run_branch))
}

fn list(session: &Session, place: &Place) -> Result<(), Failure> {
    let found = session.backend(place)?.call(RunListRequest::default())?;
    if session.json {
        return render::json(&found);
    }
    render::text(found.runs.iter().map(|run| versions::run_line(run) + "\n").collect::<String>())
}

fn show(session: &Session, id: &str, place: &Place) -> Result<(), Failure> {
    let run = session.backend(place)?.call(RunShowRequest { run_id: id.to_owned() })?;
    if session.json { render::json(&run) } else { render::text(versions::run_text(&run)) }
}

fn publish(session: &Session, id: &str, place: &Place) -> Result<(), Failure> {
    let published = session.backend(place)?.call(RunPublishRequest { run_id: id.to_owned() })?;
    if session.json {
        return render::json(&published);
    }
    let run = &published.run;
    let commit = run.published_snapshot_id.as_ref().map_or(String::new(), |id| format!(" as commit {id}"));
    render::line(&format!("published run {} on branch {}{commit}", run.run_id, run.target_branch))
}

fn abort(session: &Session, id: &str, place: &Place) -> Result<(), Failure> {
    let run = session.backend(place)?.call(RunAbortRequest { run_id: id.to_owned() })?;
    if session.json {
        return render::json(&run);
    }
    render::line(&format!("aborted run {}", run.run_id))
}
