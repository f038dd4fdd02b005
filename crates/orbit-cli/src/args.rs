//! What can be typed.

mod claims;
mod graph;
mod knowledge;
mod mcp;
mod work;

use clap::{Parser, Subcommand};

pub(crate) use claims::*;
pub(crate) use graph::*;
pub(crate) use knowledge::*;
pub(crate) use mcp::{Client, McpArgs, McpCommand, SkillsArgs, SkillsCommand, Toolset};
pub(crate) use work::*;

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
    /// Projects: boards of features and tasks, and the home of what is known about the code
    Project(ProjectArgs),
    /// Features: parts of a project that end when their tasks do
    Feature(FeatureArgs),
    /// Tasks: pieces of work, taken one at a time
    Task(TaskArgs),
    /// The tasks of a project by state
    #[command(after_help = "Examples:\n  orbit board\n  orbit board --project shop")]
    Board(BoardArgs),
    /// What is known about the code: molecules, atoms, their changelog, and whether they still hold
    Knowledge(KnowledgeArgs),
    /// Change code by symbols, as operations that the history follows
    Refactor(RefactorArgs),
    /// Serve the graph to an agent over MCP, on standard input and output
    #[command(
        after_help = "Examples:\n  orbit mcp\n  orbit mcp --toolset code,knowledge,tasks\n  orbit mcp install --client claude-code\n  orbit mcp install --client cursor --write"
    )]
    Mcp(McpArgs),
    /// Files that teach an agent the habits of discovery, planning and execution
    Skills(SkillsArgs),
    /// Print completions for a shell
    #[command(
        after_help = "Examples:\n  orbit completions bash > ~/.local/share/bash-completion/completions/orbit"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

impl Args {
    /// Whether answers and errors are JSON.
    pub(crate) fn json(&self) -> bool {
        match &self.command {
            Command::Graph(args) => args.json,
            Command::Project(args) => args.store.json,
            Command::Feature(args) => args.store.json,
            Command::Task(args) => args.store.json,
            Command::Board(args) => args.store.json,
            Command::Knowledge(args) => args.store.json,
            Command::Refactor(args) => args.json,
            Command::Mcp(_) | Command::Skills(_) | Command::Completions { .. } => false,
        }
    }
}
