//! `omnigraph commit`

use crate::args::{CommitCommand, Place};
use crate::failure::Failure;
use crate::render::{self, history};
use crate::session::Session;
use omnigraph_api::calls::commit::{CommitListRequest, CommitShowRequest};

pub(super) fn run(session: &Session, command: &CommitCommand) -> Result<(), Failure> {
    match command {
        CommitCommand::List { branch, limit, place } => list(session, branch.as_deref(), *limit, place),
        CommitCommand::Show { id, place } => show(session, id, place),
    }
}

fn list(session: &Session, branch: Option<&str>, limit: u32, place: &Place) -> Result<(), Failure> {
    let request =
        CommitListRequest { branch: Some(session.branch(branch)), limit: Some(limit), before: None };
    let found = session.backend(place)?.call(request)?;
    if session.json {
        return render::json(&found);
    }
    let lines = found.commits.iter().map(|commit| format!("{}\n", history::commit_line(commit)));
    render::text(lines.collect::<String>())?;
    if let Some(oldest) = &found.oldest_readable_commit_id {
        render::remark(&format!("commits before {oldest} were cleaned up: their rows are gone"));
    }
    if found.has_more {
        render::remark("there are more: --limit N lists them");
    }
    Ok(())
}

fn show(session: &Session, id: &str, place: &Place) -> Result<(), Failure> {
    let shown = session.backend(place)?.call(CommitShowRequest { commit_id: id.to_owned() })?;
    if session.json {
        return render::json(&shown);
    }
    render::text(history::commit_text(&shown))
}
