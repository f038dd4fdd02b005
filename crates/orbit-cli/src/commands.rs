//! One file per command.

mod board;
mod callees;
mod clean;
mod cochange;
mod completions;
mod db_path;
mod deps;
mod export;
pub(crate) mod history;
mod impact;
mod implementors;
mod knowledge;
mod mcp;
mod overview;
mod pack;
pub(crate) mod refactor;
mod refs;
mod search;
mod show;
mod skills;
mod store;
mod sync;
mod trace;
mod version;
mod watch;
mod work;

use crate::args::{Args, Command, GraphArgs, GraphCommand};
use crate::failure::Failure;
use crate::render;
use orbit_graph::{Graph, GraphError, Selector, SyncOptions, SyncPolicy};

/// Runs what was typed.
pub(crate) fn run(args: Args) -> Result<(), Failure> {
    match args.command {
        Command::Graph(args) => graph(args),
        Command::Project(args) => work::project(args),
        Command::Feature(args) => work::feature(args),
        Command::Task(args) => work::task(args),
        Command::Board(args) => board::run(&args),
        Command::Knowledge(args) => knowledge::run(args),
        Command::Refactor(args) => refactor::run(args),
        Command::Mcp(args) => mcp::run(args),
        Command::Skills(args) => skills::run(&args),
        Command::Completions { shell } => completions::run(shell),
    }
}

fn graph(args: GraphArgs) -> Result<(), Failure> {
    let GraphArgs { dir, json, command } = args;
    match command {
        GraphCommand::Sync(args) => sync::run(&dir, json, &args),
        GraphCommand::Search(args) => search::run(&dir, json, &args),
        GraphCommand::Show(args) => show::run(&dir, json, &args),
        GraphCommand::Refs(args) => refs::run(&dir, json, &args),
        GraphCommand::Callees(args) => callees::run(&dir, json, &args),
        GraphCommand::Impact(args) => impact::run(&dir, json, &args),
        GraphCommand::Trace(args) => trace::run(&dir, json, &args),
        GraphCommand::Overview(args) => overview::run(&dir, json, &args),
        GraphCommand::Implementors(args) => implementors::run(&dir, json, &args),
        GraphCommand::Deps(args) => deps::run(&dir, json, &args),
        GraphCommand::History(args) => history::run(&dir, json, &args),
        GraphCommand::Cochange(args) => cochange::run(&dir, json, &args),
        GraphCommand::Pack(args) => pack::run(&dir, json, &args),
        GraphCommand::Watch(args) => watch::run(&dir, json, &args),
        GraphCommand::Export(args) => export::run(&dir, &args),
        GraphCommand::Version => version::run(json),
        GraphCommand::DbPath => db_path::run(&dir, json),
        GraphCommand::Clean(args) => clean::run(&dir, json, &args),
    }
}

/// A selector as typed.
pub(crate) fn selector(text: &str) -> Result<Selector, Failure> {
    Ok(Selector::parse(text).map_err(GraphError::from)?)
}

/// The graph for a query: built when there is none, refreshed when asked for.
fn open_for_query(dir: &std::path::Path, sync: bool) -> Result<Graph, Failure> {
    let graph = Graph::open(dir, SyncPolicy::Manual)?;
    if sync || !graph.location()?.database.exists() {
        let progress = render::progress::Bar::new();
        graph.sync(&SyncOptions { progress: &progress, ..SyncOptions::default() })?;
        progress.finish();
    }
    Ok(graph)
}
