//! `orbit mcp`

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct McpArgs {
    /// Serve this directory's worktree instead of the current one; given again, serve several, the first unless a question
    /// names another
    #[arg(short = 'C', value_name = "DIR", default_value = ".", global = true)]
    pub(crate) dir: Vec<PathBuf>,
    /// Serve every worktree of the clone, also those that are made later
    #[arg(long)]
    pub(crate) all_worktrees: bool,
    /// Which families of tools to list
    #[arg(long, value_enum, value_delimiter = ',', default_value = "code")]
    pub(crate) toolset: Vec<Toolset>,
    /// The database of tasks and knowledge, instead of the one in the main worktree's .orbit directory
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Option<McpCommand>,
}

/// Families of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Toolset {
    /// The code graph
    Code,
    /// What is known about the code: molecules, atoms, changelog
    Knowledge,
    /// Projects, features and tasks
    Tasks,
    /// Changes of code by symbols; these tools write files
    Refactor,
}

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Print the config that makes a client start this server, or write it
    Install {
        /// The client
        #[arg(long, value_enum)]
        client: Client,
        /// Write it into the client's config file in this worktree
        #[arg(long)]
        write: bool,
    },
}

/// Clients whose config is known.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Client {
    ClaudeCode,
    Cursor,
    Codex,
    Gemini,
    Vscode,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SkillsArgs {
    /// Work in this directory's worktree instead of the current one
    #[arg(short = 'C', value_name = "DIR", default_value = ".", global = true)]
    pub(crate) dir: PathBuf,
    #[command(subcommand)]
    pub(crate) command: SkillsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SkillsCommand {
    /// Write the files where a client looks for them, in this worktree
    #[command(
        after_help = "Examples:\n  orbit skills install --client claude-code\n  orbit skills install --client cursor --print"
    )]
    Install {
        /// The client
        #[arg(long, value_enum)]
        client: Client,
        /// Print what would be written instead
        #[arg(long)]
        print: bool,
    },
}
