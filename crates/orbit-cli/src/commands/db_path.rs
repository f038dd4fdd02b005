//! `orbit graph db-path`

use crate::failure::Failure;
use crate::render;
use orbit_graph::Graph;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct DbPath<'g> {
    path: String,
    branch: &'g str,
    extractor_version: u32,
    exists: bool,
}

pub(super) fn run(dir: &Path, json: bool) -> Result<(), Failure> {
    let graph = Graph::open(dir)?;
    let path = graph.location().database.to_string_lossy().into_owned();
    if !json {
        return render::line(&path);
    }
    let extractor_version = orbit_graph::EXTRACTOR_VERSION;
    render::json(&DbPath {
        path,
        branch: graph.location().branch(),
        extractor_version,
        exists: graph.exists(),
    })
}
