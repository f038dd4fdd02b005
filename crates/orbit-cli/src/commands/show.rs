//! `orbit graph show`

use crate::args::ShowArgs;
use crate::failure::Failure;
use crate::render;
use std::path::Path;

pub(super) fn run(dir: &Path, json: bool, args: &ShowArgs) -> Result<(), Failure> {
    let graph = super::open_for_query(dir, args.sync)?;
    let answer = graph.show(&super::selector(&args.selector)?, args.max_bytes)?;
    if !args.blame {
        return if json { render::json(&answer) } else { render::answers::show(&answer) };
    }
    let blame = super::history::blame(dir, &answer)?;
    if json {
        return render::json(&render::history::Blamed { show: answer, blame });
    }
    render::answers::show(&answer)?;
    render::history::blame(&blame)
}
