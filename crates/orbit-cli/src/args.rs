//! What can be typed.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// A living knowledge graph of your code, for AI agents and the people who run them.
#[derive(Debug, Parser)]
#[command(name = "orbit", version, propagate_version = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The code graph of this worktree: symbols, references, strings, config keys
    Graph(GraphArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GraphArgs {
    /// Work in this directory's worktree instead of the current one
    #[arg(short = 'C', value_name = "DIR", default_value = ".", global = true)]
    pub(crate) dir: PathBuf,
    /// Print exactly one JSON document on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: GraphCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GraphCommand {
    /// Make the index say what is on disk now
    #[command(
        after_help = "Examples:\n  orbit graph sync\n  orbit graph sync --full\n  orbit graph sync --json -C ../other"
    )]
    Sync(SyncArgs),
    /// Find symbols, strings and config keys by words or by name
    #[command(
        after_help = "Examples:\n  orbit graph search 'due scheduler'\n  orbit graph search runDue --kind symbol\n  orbit graph search server.port --kind config"
    )]
    Search(SearchArgs),
    /// The shape of the repository, or of a directory or file in it
    #[command(after_help = "Examples:\n  orbit graph overview\n  orbit graph overview dir:src --format full")]
    Overview(OverviewArgs),
    /// The whole index as sorted JSON lines, without ids and times
    #[command(after_help = "Examples:\n  orbit graph export --format jsonl > graph.jsonl")]
    Export(ExportArgs),
    /// The versions of this program and of its extractor
    Version,
    /// Where the index of this worktree is
    DbPath,
    /// Remove the index; lists what it would remove unless --confirm is given
    Clean(CleanArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SyncArgs {
    /// Read and extract every file again, from nothing
    #[arg(long)]
    pub(crate) full: bool,
    /// How many threads to use [default: one per core]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SearchArgs {
    /// Words or a name; every word is a prefix
    pub(crate) query: String,
    /// Only this kind of thing [default: symbols and strings]
    #[arg(long, value_enum)]
    pub(crate) kind: Option<SearchKind>,
    /// At most this many
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: usize,
    /// Sync first
    #[arg(long)]
    pub(crate) sync: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SearchKind {
    Symbol,
    String,
    Config,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OverviewArgs {
    /// A directory or file: `dir:src`, `file:src/lib.rs`, or a plain path [default: everything]
    pub(crate) scope: Option<String>,
    /// How much to list
    #[arg(long, value_enum, default_value = "summary")]
    pub(crate) format: OverviewFormat,
    /// Sync first
    #[arg(long)]
    pub(crate) sync: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OverviewFormat {
    Summary,
    Full,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExportArgs {
    /// The form of the export
    #[arg(long, value_enum, default_value = "jsonl")]
    pub(crate) format: ExportFormat,
    /// Sync first
    #[arg(long)]
    pub(crate) sync: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ExportFormat {
    Jsonl,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CleanArgs {
    /// Really delete
    #[arg(long)]
    pub(crate) confirm: bool,
}

impl Args {
    /// Whether answers and errors are JSON.
    pub(crate) fn json(&self) -> bool {
        let Command::Graph(graph) = &self.command;
        graph.json
    }
}
