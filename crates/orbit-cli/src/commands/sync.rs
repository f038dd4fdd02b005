//! `orbit graph sync`

use crate::args::SyncArgs;
use crate::failure::Failure;
use crate::render;
use orbit_graph::{Graph, SyncMode, SyncOptions, SyncPolicy};
use std::path::Path;

pub(super) fn run(dir: &Path, json: bool, args: &SyncArgs) -> Result<(), Failure> {
    let graph = Graph::open(dir, SyncPolicy::Manual)?;
    let progress = render::progress::Bar::new();
    let mode = if args.full { SyncMode::Full } else { SyncMode::Auto };
    let mut options = SyncOptions { mode, progress: &progress, ..SyncOptions::default() };
    if let Some(threads) = args.threads {
        options.threads = threads.max(1);
    }
    let report = graph.sync(&options)?;
    progress.finish();
    if json { render::json(&report) } else { render::text::sync(&report) }
}
