//! What can be typed about refactoring.

use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

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
    pub(crate) dry_run: bool,
    /// Change files that have uncommitted changes too
    #[arg(long, global = true)]
    pub(crate) allow_dirty: bool,
    #[command(subcommand)]
    pub(crate) command: RefactorCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RefactorCommand {
    /// Give a symbol another name, wherever it is used
    #[command(
        after_help = "Examples:\n  orbit refactor rename Client::connect dial\n  orbit refactor rename src/lib.rs:42 total --dry-run"
    )]
    Rename(RenameArgs),
    /// What was done since the last commit
    Status,
    /// What was done since the last commit, as a unified diff
    Diff,
    /// Take the last refactoring back, byte for byte
    Undo,
    /// Take back everything since the last commit
    Abort,
    /// Commit exactly the touched files, and write down which symbol became what
    #[command(after_help = "Examples:\n  orbit refactor commit -m 'Say gross when we mean gross'")]
    Commit(CommitArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RenameArgs {
    /// A selector, name or path:line
    pub(crate) selector: String,
    /// The new name
    pub(crate) new_name: String,
    /// Change places too that may mean something else
    #[arg(long, conflicts_with = "skip_fuzzy")]
    pub(crate) include_fuzzy: bool,
    /// Leave places as they are that may mean something else, instead of refusing
    #[arg(long)]
    pub(crate) skip_fuzzy: bool,
    /// Change comments and strings too
    #[arg(long)]
    pub(crate) comments: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CommitArgs {
    /// The message
    #[arg(short = 'm', long, value_name = "TEXT")]
    pub(crate) message: String,
    /// The agent that asked for the edits, for the operation log
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The agent's model, for the operation log
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
}
