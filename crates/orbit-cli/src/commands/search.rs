//! `orbit graph search`

use crate::args::{SearchArgs, SearchKind};
use crate::failure::Failure;
use crate::render;
use orbit_graph::{MatchKind, SearchQuery};
use std::path::Path;

pub(super) fn run(dir: &Path, json: bool, args: &SearchArgs) -> Result<(), Failure> {
    let graph = super::open_for_query(dir, args.sync)?;
    if let Some(task) = &args.task {
        return super::history::search(dir, json, &graph, task, args);
    }
    let kind = args.kind.map(|kind| match kind {
        SearchKind::Symbol => MatchKind::Symbol,
        SearchKind::String => MatchKind::String,
        SearchKind::Config => MatchKind::Config,
    });
    let result = graph.search(&SearchQuery {
        text: args.query.join(" "),
        kind,
        symbol_kind: args.symbol_kind,
        lang: args.lang,
        path: args.path.clone(),
        limit: args.limit,
    })?;
    if json { render::json(&result) } else { render::answers::search(&result) }
}
