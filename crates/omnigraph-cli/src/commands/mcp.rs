//! `omnigraph mcp`

use crate::args::Place;
use crate::failure::Failure;
use crate::render;
use crate::session::Session;
use omnigraph_api::mcp::serve_stdio;
use omnigraph_api::saved::Saved;

/// Answers until the agent goes away.
pub(super) fn run(session: &Session, place: &Place) -> Result<(), Failure> {
    let graph = session.backend(place)?;
    graph.stay();
    let saved = Saved::load(&session.config);
    for problem in &saved.problems {
        render::remark(&format!("not among the tools: {problem}"));
    }
    serve_stdio(graph, saved)
        .map_err(|error| Failure::new("io", format!("the conversation broke off: {error}")))
}
