//! `omnigraph tag`

use crate::args::{Place, TagCommand};
use crate::failure::Failure;
use crate::render::{self, history};
use crate::session::Session;
use omnigraph_api::calls::tag::{TagCreateRequest, TagDeleteRequest, TagListRequest, TagOutput};

pub(super) fn run(session: &Session, command: &TagCommand) -> Result<(), Failure> {
    match command {
        TagCommand::Create { from, force, name, place } => create(session, (from, name), *force, place),
        TagCommand::List { place } => list(session, place),
        TagCommand::Delete { name, place } => delete(session, name, place),
    }
}

fn create(
    session: &Session,
    (from, name): (&str, &str),
    is_move: bool,
    place: &Place,
) -> Result<(), Failure> {
    let request = TagCreateRequest { from: Some(from.to_owned()), force: is_move, name: name.to_owned() };
    let tag = session.backend(place)?.call(request)?;
    if session.json {
        return render::json(&tag);
    }
    render::line(&format!("tag {} names commit {}", tag.name, tag.graph_commit_id))
}

fn list(session: &Session, place: &Place) -> Result<(), Failure> {
    let found = session.backend(place)?.call(TagListRequest::default())?;
    if session.json {
        return render::json(&found);
    }
    let widest = found.tags.iter().map(|tag| tag.name.chars().count()).max().unwrap_or(0);
    let line = |tag: &TagOutput| {
        format!("{:<widest$}  {}  {}\n", tag.name, tag.graph_commit_id, history::time(tag.created_at))
    };
    render::text(found.tags.iter().map(line).collect::<String>())
}

fn delete(session: &Session, name: &str, place: &Place) -> Result<(), Failure> {
    let tag = session.backend(place)?.call(TagDeleteRequest { tag: name.to_owned() })?;
    if session.json {
        return render::json(&tag);
    }
    render::line(&format!("deleted tag {}, which named commit {}", tag.name, tag.graph_commit_id))
}
