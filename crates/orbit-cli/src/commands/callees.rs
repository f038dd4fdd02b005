//! `orbit graph callees`

use crate::args::CalleesArgs;
use crate::failure::Failure;
use crate::render;
use std::path::Path;

pub(super) fn run(dir: &Path, json: bool, args: &CalleesArgs) -> Result<(), Failure> {
    let graph = super::open_for_query(dir, args.sync)?;
    let answer =
        graph.callees(&super::selector(&args.selector)?, args.confidence.confidence(), args.limit)?;
    if json { render::json(&answer) } else { render::answers::callees(&answer) }
}
