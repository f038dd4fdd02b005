//! `orbit graph watch`

use crate::args::WatchArgs;
use crate::failure::Failure;
use crate::render;
use orbit_graph::{Graph, SyncPolicy};
use std::path::Path;
use std::time::Duration;

/// Syncs after every change until the program is ended. Prints one line per sync that changed something.
pub(super) fn run(dir: &Path, json: bool, args: &WatchArgs) -> Result<(), Failure> {
    let graph = Graph::open(dir, SyncPolicy::Manual)?;
    let (failed, failure) = std::sync::mpsc::channel::<Failure>();
    let on_sync = move |synced: &Result<orbit_graph::SyncReport, orbit_graph::GraphError>| {
        let printed = match synced {
            Ok(report) if json => render::json(report),
            Ok(report) => render::text::watched(report),
            Err(error) => render::line(&format!("sync failed: {error}")),
        };
        if let Err(failure) = printed {
            let _ = failed.send(failure); // the main thread is ending already
        }
    };
    let watching = graph.watch(Duration::from_millis(args.debounce), Box::new(on_sync))?;
    let ended = failure.recv();
    drop(watching);
    match ended {
        Ok(failure) => Err(failure),
        Err(_) => Ok(()),
    }
}
