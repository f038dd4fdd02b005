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
    /// Put a definition into another file; imports and paths follow
    #[command(
        after_help = "Examples:\n  orbit refactor move total shop/money.py\n  orbit refactor move src/lib.rs:42 src/net.rs --dry-run"
    )]
    Move(MoveArgs),
    /// Put a definition at the end of a file
    #[command(
        after_help = "Examples:\n  orbit refactor create src/money.py round_up --kind function --body @round_up.py\n  orbit refactor create src/lib.rs LIMIT --body 'pub const LIMIT: usize = 8;'"
    )]
    Create(CreateArgs),
    /// Remove a definition; refuses while it is used
    #[command(
        after_help = "Examples:\n  orbit refactor delete old_total\n  orbit refactor delete Client::ping --force"
    )]
    Delete(DeleteArgs),
    /// Give a symbol another signature; calls that no longer fit are listed
    #[command(after_help = "Examples:\n  orbit refactor change-signature total 'def total(items, rate=0)'")]
    ChangeSignature(ChangeSignatureArgs),
    /// Give a symbol another body
    #[command(
        after_help = "Examples:\n  orbit refactor change-body total 'return sum(items)'\n  orbit refactor change-body total @body.txt\n  orbit refactor change-body total - < body.txt"
    )]
    ChangeBody(ChangeBodyArgs),
    /// Make several definitions out of one
    #[command(
        after_help = "Examples:\n  orbit refactor split run --into '[{\"name\": \"load\", \"body\": \"def load(): ...\"}, {\"file\": \"b.py\", \"name\": \"save\", \"body\": \"def save(): ...\"}]'"
    )]
    Split(SplitArgs),
    /// Make one definition out of several
    #[command(
        after_help = "Examples:\n  orbit refactor merge load_a load_b --into '{\"name\": \"load\", \"body\": \"def load(): ...\"}'"
    )]
    Merge(MergeArgs),
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

#[derive(Debug, ClapArgs)]
pub(crate) struct CreateArgs {
    /// The file; made when it is not there
    pub(crate) file: String,
    /// The name of what is defined
    pub(crate) name: String,
    /// What it is
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// The definition: text, @file, or - for standard input
    #[arg(long, value_name = "TEXT")]
    pub(crate) body: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DeleteArgs {
    /// A selector, name or path:line
    pub(crate) selector: String,
    /// Even while it is used
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ChangeSignatureArgs {
    /// A selector, name or path:line
    pub(crate) selector: String,
    /// The new signature, without the body
    pub(crate) signature: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ChangeBodyArgs {
    /// A selector, name or path:line
    pub(crate) selector: String,
    /// The new body: text, @file, or - for standard input
    #[arg(allow_hyphen_values = true)]
    pub(crate) body: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SplitArgs {
    /// A selector, name or path:line
    pub(crate) selector: String,
    /// A JSON list of {file?, name, kind?, body}: text, @file, or - for standard input
    #[arg(long, value_name = "SPEC")]
    pub(crate) into: String,
    /// Even while it is used
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MergeArgs {
    /// Selectors, names or path:line
    #[arg(required = true, num_args = 2..)]
    pub(crate) selectors: Vec<String>,
    /// A JSON object {file?, name, kind?, body}: text, @file, or - for standard input
    #[arg(long, value_name = "SPEC")]
    pub(crate) into: String,
    /// Even while they are used
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MoveArgs {
    /// A selector, name or path:line
    pub(crate) selector: String,
    /// The file, relative to the worktree
    pub(crate) file: String,
}
