//! `orbit graph pack`

use crate::failure::Failure;
use crate::history_args::PackArgs;
use crate::pack::{self, PackOptions};
use crate::render;
use std::path::Path;
use std::time::Duration;

pub(super) fn run(dir: &Path, json: bool, args: &PackArgs) -> Result<(), Failure> {
    let graph = super::open_for_query(dir, args.refresh)?;
    let options = PackOptions {
        max_tokens: args.max_tokens,
        timeout: Duration::from_millis(args.timeout_ms),
        is_refreshed: args.refresh,
    };
    let answer = pack::pack(&graph, &args.selectors, &options)?;
    if json { render::json(&answer) } else { render::pack::pack(&answer) }
}
