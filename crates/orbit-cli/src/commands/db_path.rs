//! `orbit graph db-path`

use crate::failure::Failure;
use crate::render;
use orbit_graph::Location;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct DbPath<'l> {
    path: String,
    branch: &'l str,
    extractor_version: u32,
    exists: bool,
}

pub(super) fn run(dir: &Path, json: bool) -> Result<(), Failure> {
    let location = Location::of(dir)?;
    let path = location.database.to_string_lossy().into_owned();
    if !json {
        return render::line(&path);
    }
    let extractor_version = orbit_graph::EXTRACTOR_VERSION;
    render::json(&DbPath {
        path,
        branch: location.branch(),
        extractor_version,
        exists: location.database.exists(),
    })
}
