//! `omnigraph branch`

use super::sides;
use crate::args::{BranchCommand, MergeArgs, Place};
use crate::failure::Failure;
use crate::render::{self, versions};
use crate::session::{Session, check_time};
use omnigraph_api::calls::branch::{
    BranchCreateRequest, BranchDeleteRequest, BranchListRequest, BranchMergeRequest, BranchRenameRequest,
};

pub(super) fn run(session: &Session, command: &BranchCommand) -> Result<(), Failure> {
    match command {
        BranchCommand::Create { from, at, name, place } => {
            create(session, (from, at.as_deref()), name, place)
        }
        BranchCommand::List { place } => list(session, place),
        BranchCommand::Merge(args) => merge(session, args),
        BranchCommand::Rename { old, new, place } => rename(session, (old, new), place),
        BranchCommand::Delete { force, name, place } => delete(session, name, *force, place),
    }
}

fn create(
    session: &Session,
    (from, at): (&str, Option<&str>),
    name: &str,
    place: &Place,
) -> Result<(), Failure> {
    check_time(at)?;
    let created = session.backend(place)?.call(BranchCreateRequest {
        from: Some(from.to_owned()),
        at: at.map(str::to_owned),
        name: name.to_owned(),
    })?;
    if session.json {
        return render::json(&created);
    }
    let at = at.map_or(String::new(), |at| format!(" at {at}"));
    render::line(&format!("created branch {} from {}{at}", created.name, created.from))
}

fn list(session: &Session, place: &Place) -> Result<(), Failure> {
    let found = session.backend(place)?.call(BranchListRequest::default())?;
    if session.json {
        return render::json(&found);
    }
    render::text(found.branches.join("\n") + "\n")
}

fn merge(session: &Session, args: &MergeArgs) -> Result<(), Failure> {
    let (take, resolutions) = sides::read(&args.sides)?;
    let merged = session.backend(&args.place)?.call(BranchMergeRequest {
        source: args.source.clone(),
        target: Some(args.into.clone()),
        dry_run: args.dry_run,
        if_commit: args.if_commit.clone(),
        take,
        resolutions,
    })?;
    if session.json {
        return render::json(&merged);
    }
    let verb = if merged.dry_run { "would merge" } else { "merged" };
    let end = versions::written(merged.dry_run, &merged.receipt);
    let taken = sides::taken(&merged.resolved);
    render::line(&format!(
        "{verb} {} into {}: {}{taken}; {end}",
        merged.source, merged.target, merged.outcome
    ))
}

fn rename(session: &Session, (old, new): (&str, &str), place: &Place) -> Result<(), Failure> {
    let request = BranchRenameRequest { from: old.to_owned(), name: new.to_owned() };
    let renamed = session.backend(place)?.call(request)?;
    if session.json {
        return render::json(&renamed);
    }
    render::line(&format!("renamed branch {} to {}", renamed.from, renamed.name))
}

fn delete(session: &Session, name: &str, force: bool, place: &Place) -> Result<(), Failure> {
    let request = BranchDeleteRequest { branch: name.to_owned(), force };
    let deleted = session.backend(place)?.call(request)?;
    if session.json {
        return render::json(&deleted);
    }
    let mut lines = vec![format!("deleted branch {}\n", deleted.name)];
    let stays = |branch: &String| format!("  branch {branch} was made from it and stays\n");
    lines.extend(deleted.descendants.iter().map(stays));
    lines.extend(deleted.aborted_runs.iter().map(|run| format!("  run {run} is aborted\n")));
    render::text(lines.concat())
}
