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
    let history = if args.history.history { Some(super::history::sync(dir, &args.history)?) } else { None };
    match history {
        Some(history) if json => render::json(&render::history::Synced { code: report, history }),
        Some(history) => {
            render::text::sync(&report)?;
            render::history::synced(&history)
        }
        None if json => render::json(&report),
        None => render::text::sync(&report),
    }
}
