//! `omnigraph branch`

use crate::args::{BranchCommand, Place};
use crate::failure::Failure;
use crate::render;
use crate::session::Session;
use omnigraph::{Graph, Snapshot, Target};
use omnigraph_store::Error as StoreError;
use serde_json::json;
use std::sync::Arc;

pub(super) fn run(session: &Session, command: &BranchCommand) -> Result<(), Failure> {
    match command {
        BranchCommand::Create { from, name, place } => create(session, from, name, place),
        BranchCommand::List { place } => list(session, place),
        BranchCommand::Delete { name, place } => delete(session, name, place),
    }
}

fn create(session: &Session, from: &str, name: &str, place: &Place) -> Result<(), Failure> {
    let (graph, uri) = session.open(place)?;
    let base = start(&graph, from)?;
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
    render::line(&format!("created branch {name} from {from}"))
}

/// The commit that a branch starts from: the newest of a branch, or one that is named itself.
fn start(graph: &Graph, from: &str) -> Result<Arc<Snapshot>, Failure> {
    match (graph.store().head(from), Target::snapshot(from)) {
        (Ok(head), _) => Ok(head),
        (Err(StoreError::NoBranch { .. } | StoreError::BranchName { .. }), Ok(target)) => {
            Ok(graph.store().resolve(&target)?)
        }
        (Err(error), _) => Err(error.into()),
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

fn delete(session: &Session, name: &str, place: &Place) -> Result<(), Failure> {
    let (graph, uri) = session.open(place)?;
    graph.store().delete_branch(name)?;
    if session.json {
        return render::json(&json!({ "uri": uri, "name": name, "actor_id": session.actor }));
    }
    render::line(&format!("deleted branch {name}"))
}
