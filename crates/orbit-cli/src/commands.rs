//! One file per command that is not a question.

mod board;
mod claims;
mod clean;
mod completions;
mod db_path;
mod export;
mod guard;
mod knowledge;
mod mcp;
mod skills;
mod store;
mod version;
mod watch;
mod work;

use crate::args::{Args, Command, GraphArgs, GraphCommand, IndexCommand};
use crate::failure::Failure;

/// Runs what was typed.
pub(crate) fn run(args: Args) -> Result<(), Failure> {
    match args.command {
        Command::Graph(args) => graph(args),
        Command::Project(args) => work::project(args),
        Command::Feature(args) => work::feature(args),
        Command::Task(args) => work::task(args),
        Command::Board(args) => board::run(&args),
        Command::Knowledge(args) => knowledge::run(args),
        Command::Refactor(args) => args.command.0.print(&args.dir, args.json),
        Command::Mcp(args) => mcp::run(args),
        Command::Skills(args) => skills::run(&args),
        Command::Completions { shell } => completions::run(shell),
    }
}

fn graph(args: GraphArgs) -> Result<(), Failure> {
    let GraphArgs { dir, json, command } = args;
    match command {
        GraphCommand::Ask(asked) => asked.print(&dir, json),
        GraphCommand::Index(IndexCommand::Watch(args)) => watch::run(&dir, json, &args),
        GraphCommand::Index(IndexCommand::Export(args)) => export::run(&dir, &args),
        GraphCommand::Index(IndexCommand::Version) => version::run(json),
        GraphCommand::Index(IndexCommand::DbPath) => db_path::run(&dir, json),
        GraphCommand::Index(IndexCommand::Clean(args)) => clean::run(&dir, json, &args),
    }
}
