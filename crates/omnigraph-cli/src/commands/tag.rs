//! `omnigraph tag`

use crate::args::{Place, TagCommand};
use crate::failure::Failure;
use crate::render::{self, history};
use crate::session::{Session, state};
use omnigraph::Tag;
use serde_json::{Value, json};

pub(super) fn run(session: &Session, command: &TagCommand) -> Result<(), Failure> {
    match command {
        TagCommand::Create { from, force, name, place } => create(session, (from, name), *force, place),
        TagCommand::List { place } => list(session, place),
        TagCommand::Delete { name, place } => delete(session, name, place),
    }
}

fn document(tag: &Tag) -> Value {
    json!({
        "name": tag.name,
        "graph_commit_id": tag.commit,
        "created_at": tag.created_at,
        "actor_id": tag.actor,
    })
}

fn create(
    session: &Session,
    (from, name): (&str, &str),
    is_move: bool,
    place: &Place,
) -> Result<(), Failure> {
    let (graph, _) = session.open(place)?;
    let (_, at) = state(&graph, from)?;
    let tag = graph.store().create_tag(name, &at, session.actor.as_deref(), is_move)?;
    if session.json {
        return render::json(&document(&tag));
    }
    render::line(&format!("tag {name} names commit {}", tag.commit))
}

fn list(session: &Session, place: &Place) -> Result<(), Failure> {
    let (graph, _) = session.open(place)?;
    let tags = graph.store().tags()?;
    if session.json {
        return render::json(&json!({ "tags": tags.iter().map(document).collect::<Vec<_>>() }));
    }
    let widest = tags.iter().map(|tag| tag.name.chars().count()).max().unwrap_or(0);
    let line =
        |tag: &Tag| format!("{:<widest$}  {}  {}\n", tag.name, tag.commit, history::time(tag.created_at));
    render::text(tags.iter().map(line).collect::<String>())
}

fn delete(session: &Session, name: &str, place: &Place) -> Result<(), Failure> {
    let (graph, _) = session.open(place)?;
    let tag = graph.store().delete_tag(name)?;
    if session.json {
        return render::json(&document(&tag));
    }
    render::line(&format!("deleted tag {name}, which named commit {}", tag.commit))
}
