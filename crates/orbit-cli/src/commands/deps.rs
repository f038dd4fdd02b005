//! `orbit graph deps`

use crate::args::ListArgs;
use crate::failure::Failure;
use crate::render;
use std::path::Path;

pub(super) fn run(dir: &Path, json: bool, args: &ListArgs) -> Result<(), Failure> {
    let graph = super::open_for_query(dir, args.sync)?;
    let answer = graph.deps(&super::selector(&args.selector)?, args.limit)?;
    if json { render::json(&answer) } else { render::answers::deps(&answer) }
}
