//! `orbit graph trace`

use crate::args::TraceArgs;
use crate::failure::Failure;
use crate::render;
use std::path::Path;

pub(super) fn run(dir: &Path, json: bool, args: &TraceArgs) -> Result<(), Failure> {
    let graph = super::open_for_query(dir, args.sync)?;
    let answer = graph.trace(&args.command, args.depth, args.confidence.confidence())?;
    if json { render::json(&answer) } else { render::answers::trace(&answer) }
}
