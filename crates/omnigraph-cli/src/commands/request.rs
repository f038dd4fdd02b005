//! `omnigraph request`

use crate::args::{Place, RequestCommand};
use crate::failure::Failure;
use crate::render;
use crate::session::Session;
use omnigraph_api::calls::requests::{RequestListRequest, RequestOutput, RequestStopRequest};

pub(super) fn run(session: &Session, command: &RequestCommand) -> Result<(), Failure> {
    match command {
        RequestCommand::List { place } => list(session, place),
        RequestCommand::Stop { id, place } => stop(session, *id, place),
    }
}

fn list(session: &Session, place: &Place) -> Result<(), Failure> {
    let found = session.backend(place)?.call(RequestListRequest {})?;
    if session.json {
        return render::json(&found);
    }
    if found.requests.is_empty() {
        return render::line("no request is under way");
    }
    render::text(found.requests.iter().map(|request| line(request) + "\n").collect::<String>())
}

fn stop(session: &Session, id: u64, place: &Place) -> Result<(), Failure> {
    let stopped = session.backend(place)?.call(RequestStopRequest { request_id: id })?;
    if session.json {
        return render::json(&stopped);
    }
    render::line(&format!("stopping {}", line(&stopped)))
}

fn line(request: &RequestOutput) -> String {
    let RequestOutput { request_id, request, query, actor_id, state, elapsed_ms } = request;
    let seconds = *elapsed_ms as f64 / 1e3;
    let by = actor_id.as_ref().map_or(String::new(), |actor| format!("  {actor}"));
    let query = query.as_ref().map_or(String::new(), |query| format!("  {query}"));
    format!("{request_id}  {state}  {seconds:.1} s{by}  {request}{query}")
}
