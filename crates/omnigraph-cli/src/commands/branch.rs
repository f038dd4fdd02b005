//! `omnigraph branch`

use crate::args::{BranchCommand, MergeArgs, Place};
use crate::failure::Failure;
use crate::render::{self, history, versions};
use crate::session::{Session, commit, micros, state};
use omnigraph::{ChangeStats, Graph, MergeOptions, Snapshot, Target};
use serde_json::json;
use std::sync::Arc;

pub(super) fn run(session: &Session, command: &BranchCommand) -> Result<(), Failure> {
    match command {
        BranchCommand::Create { from, at, name, place } => {
            create(session, (from, at.as_deref()), name, place)
        }
        BranchCommand::List { place } => list(session, place),
        BranchCommand::Merge(args) => merge(session, args),
        BranchCommand::Rename { old, new, place } => rename(session, (old, new), place),
        BranchCommand::Delete { name, place } => delete(session, name, place),
    }
}

fn create(
    session: &Session,
    (from, at): (&str, Option<&str>),
    name: &str,
    place: &Place,
) -> Result<(), Failure> {
    let time = at.map(micros).transpose()?;
    let (graph, uri) = session.open(place)?;
    let base = start(&graph, from, time)?;
    graph.store().create_branch(name, &base, session.actor.as_deref())?;
    if session.json {
        return render::json(&json!({
            "uri": uri,
            "from": from,
            "name": name,
            "actor_id": session.actor,
            "graph_commit_id": base.id(),
        }));
    }
    let at = at.map_or(String::new(), |at| format!(" at {at}"));
    render::line(&format!("created branch {name} from {from}{at}"))
}

/// The commit that a branch starts from.
fn start(graph: &Graph, from: &str, time: Option<i64>) -> Result<Arc<Snapshot>, Failure> {
    let (target, snapshot) = state(graph, from)?;
    match (target, time) {
        (_, None) => Ok(snapshot),
        (Target::Branch(name), Some(time)) => Ok(graph.store().resolve(&Target::At(name, time))?),
        (other, Some(_)) => Err(Failure::usage(format!("{other} is the same at all times"))
            .hint("--at goes with a branch: it names what the branch was")),
    }
}

fn list(session: &Session, place: &Place) -> Result<(), Failure> {
    let (graph, _) = session.open(place)?;
    let branches = graph.store().branches()?;
    if session.json {
        return render::json(&json!({ "branches": branches }));
    }
    render::text(branches.join("\n") + "\n")
}

fn merge(session: &Session, args: &MergeArgs) -> Result<(), Failure> {
    let options = MergeOptions {
        if_commit: commit(args.if_commit.as_deref())?,
        dry_run: args.dry_run,
        ..MergeOptions::default()
    };
    let (graph, uri) = session.open(&args.place)?;
    let report = graph.merge(&args.source, &args.into, &options)?;
    if session.json {
        let mut document = json!({
            "uri": uri,
            "source": args.source,
            "target": args.into,
            "outcome": report.outcome.as_str(),
            "dry_run": args.dry_run,
            "actor_id": session.actor,
            "source_commit_id": report.source.id(),
        });
        history::receipt(&mut document, &report.snapshot, report.committed, &report.changes);
        return render::json(&document);
    }
    let verb = if args.dry_run { "would merge" } else { "merged" };
    let stats = versions::stats_line(&ChangeStats { tables: report.changes });
    let end = match (args.dry_run, report.committed) {
        (true, _) => stats,
        (false, true) => format!("{stats}; {}", history::outcome(true, &report.snapshot)),
        (false, false) => history::outcome(false, &report.snapshot),
    };
    render::line(&format!("{verb} {} into {}: {}; {end}", args.source, args.into, report.outcome.as_str()))
}

fn rename(session: &Session, (old, new): (&str, &str), place: &Place) -> Result<(), Failure> {
    let (graph, uri) = session.open(place)?;
    graph.store().rename_branch(old, new)?;
    if session.json {
        return render::json(&json!({ "uri": uri, "from": old, "name": new, "actor_id": session.actor }));
    }
    render::line(&format!("renamed branch {old} to {new}"))
}

fn delete(session: &Session, name: &str, place: &Place) -> Result<(), Failure> {
    let (graph, uri) = session.open(place)?;
    graph.store().delete_branch(name)?;
    if session.json {
        return render::json(&json!({ "uri": uri, "name": name, "actor_id": session.actor }));
    }
    render::line(&format!("deleted branch {name}"))
}
