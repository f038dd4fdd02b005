//! `orbit graph clean`

use crate::args::CleanArgs;
use crate::failure::Failure;
use crate::render;
use std::path::Path;

pub(super) fn run(dir: &Path, json: bool, args: &CleanArgs) -> Result<(), Failure> {
    let report = orbit_graph::clean(dir, args.confirm)?;
    if json { render::json(&report) } else { render::text::clean(&report) }
}
