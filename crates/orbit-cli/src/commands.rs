//! One file per command.

mod clean;
mod db_path;
mod export;
mod overview;
mod search;
mod sync;
mod version;

use crate::args::{Args, Command, GraphArgs, GraphCommand};
use crate::failure::Failure;
use crate::render;
use orbit_graph::{Graph, SyncOptions};

/// Runs what was typed.
pub(crate) fn run(args: Args) -> Result<(), Failure> {
    let Command::Graph(GraphArgs { dir, json, command }) = args.command;
    match command {
        GraphCommand::Sync(args) => sync::run(&dir, json, &args),
        GraphCommand::Search(args) => search::run(&dir, json, &args),
        GraphCommand::Overview(args) => overview::run(&dir, json, &args),
        GraphCommand::Export(args) => export::run(&dir, &args),
        GraphCommand::Version => version::run(json),
        GraphCommand::DbPath => db_path::run(&dir, json),
        GraphCommand::Clean(args) => clean::run(&dir, json, &args),
    }
}

/// The graph for a query: built when there is none, refreshed when asked for.
fn open_for_query(dir: &std::path::Path, sync: bool) -> Result<Graph, Failure> {
    let graph = Graph::open(dir)?;
    if sync || !graph.exists() {
        let progress = render::progress::Bar::new();
        graph.sync(&SyncOptions { progress: &progress, ..SyncOptions::default() })?;
        progress.finish();
    }
    Ok(graph)
}
