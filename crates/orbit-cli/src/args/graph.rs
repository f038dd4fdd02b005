//! `orbit graph` and `orbit refactor`: the questions, and what is done with the index itself.

use crate::questions::{Asked, Family};
use clap::{ArgMatches, Args as ClapArgs, Command, FromArgMatches, Subcommand, ValueEnum};
use std::path::PathBuf;

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

#[derive(Debug)]
pub(crate) enum GraphCommand {
    Ask(Asked),
    Index(IndexCommand),
}

/// What is done with the index itself.
#[derive(Debug, Subcommand)]
pub(crate) enum IndexCommand {
    /// Stay up and sync whenever files change; one line per sync
    #[command(after_help = "Examples:\n  orbit graph watch\n  orbit graph watch --json --debounce 100")]
    Watch(WatchArgs),
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

impl FromArgMatches for GraphCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<GraphCommand, clap::Error> {
        match Asked::of(Family::Graph, matches) {
            Some(asked) => Ok(GraphCommand::Ask(asked)),
            None => IndexCommand::from_arg_matches(matches).map(GraphCommand::Index),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = GraphCommand::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for GraphCommand {
    fn augment_subcommands(command: Command) -> Command {
        let command = Asked::augment(Family::Graph, command);
        IndexCommand::augment_subcommands(command).subcommand_required(true).arg_required_else_help(true)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        GraphCommand::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Family::Graph.questions().any(|question| question.name() == name)
            || IndexCommand::has_subcommand(name)
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RefactorArgs {
    /// Work in this directory's worktree instead of the current one
    #[arg(short = 'C', value_name = "DIR", default_value = ".", global = true)]
    pub(crate) dir: PathBuf,
    /// Print exactly one JSON document on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Show what would change as a unified diff, and change nothing
    #[arg(long, global = true)]
    dry_run: bool,
    /// Change files that have uncommitted changes too
    #[arg(long, global = true)]
    allow_dirty: bool,
    #[command(subcommand)]
    pub(crate) command: RefactorCommand,
}

#[derive(Debug)]
pub(crate) struct RefactorCommand(pub(crate) Asked);

impl FromArgMatches for RefactorCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<RefactorCommand, clap::Error> {
        Asked::required(Family::Refactor, matches).map(RefactorCommand)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = RefactorCommand::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for RefactorCommand {
    fn augment_subcommands(command: Command) -> Command {
        Asked::augment(Family::Refactor, command).subcommand_required(true).arg_required_else_help(true)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        RefactorCommand::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Family::Refactor.questions().any(|question| question.name() == name)
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct WatchArgs {
    /// Milliseconds of quiet before a sync
    #[arg(long, default_value_t = 250, value_name = "MS")]
    pub(crate) debounce: u64,
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
