//! `orbit knowledge`

use super::work::StoreArgs;
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct KnowledgeArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// The project, by id or name [default: the only one]
    #[arg(long, value_name = "ID|NAME", global = true)]
    pub(crate) project: Option<String>,
    #[command(subcommand)]
    pub(crate) command: KnowledgeCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KnowledgeCommand {
    /// What is known about paths, a diff, symbols or a task, and whether it still holds
    #[command(
        after_help = "Examples:\n  orbit knowledge context src/shop.py\n  orbit knowledge context --diff main..HEAD --max-tokens 4000\n  orbit knowledge context --selector Cart.total\n  orbit knowledge context --task 3f2a"
    )]
    Context(ContextArgs),
    /// Groups of atoms and what holds for all of them
    #[command(subcommand)]
    Molecule(MoleculeCommand),
    /// What must be known about an area of the code
    #[command(subcommand)]
    Atom(AtomCommand),
    /// How an atom or molecule came to be what it is
    #[command(subcommand)]
    Changelog(ChangelogCommand),
    /// How much of the code is covered by atoms that still hold, and where one is missed most
    #[command(
        after_help = "Examples:\n  orbit knowledge coverage\n  orbit knowledge coverage --limit 50 --json"
    )]
    Coverage(CoverageArgs),
    /// Draft atoms for what nothing covers, from imports and commits; they stay proposed until promoted
    #[command(
        after_help = "Examples:\n  orbit knowledge suggest\n  orbit knowledge suggest --write --task 3f2a\n  orbit knowledge atom list --proposed"
    )]
    Suggest(SuggestArgs),
    /// Write anchors down where the code has moved to, and tell what could not be followed
    #[command(after_help = "Examples:\n  orbit knowledge follow")]
    Follow,
    /// Write one Markdown file per molecule and atom, and where that is wanted per feature and task
    #[command(
        after_help = "Examples:\n  orbit knowledge export --dir .orbit/knowledge\n  orbit knowledge export --tasks"
    )]
    Export(KnowledgeExportArgs),
    /// Read back what export wrote, and what people and merges made of it
    #[command(after_help = "Examples:\n  orbit knowledge import --dir .orbit/knowledge")]
    Import(DirArgs),
    /// Copy the whole database, tasks too, while others go on writing
    #[command(after_help = "Examples:\n  orbit knowledge backup ../knowledge-backup.db")]
    Backup {
        /// A file that does not exist yet
        file: PathBuf,
    },
    /// Put a backup in the place of the database, which is set aside; one is made every day
    #[command(
        after_help = "Examples:\n  orbit knowledge restore --list\n  orbit knowledge restore\n  orbit knowledge restore ../knowledge-backup.db"
    )]
    Restore {
        /// The backup [default: the newest of .orbit/backups]
        file: Option<PathBuf>,
        /// Only say which backups there are
        #[arg(long)]
        list: bool,
    },
    /// Merge two versions of a file of an export; git calls it
    #[command(after_help = "Examples:\n  orbit knowledge merge-driver --install")]
    MergeDriver(DriverArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DriverArgs {
    /// The common version, ours, theirs, and the path in the worktree, as git gives them
    #[arg(num_args = 0..=4)]
    pub(crate) files: Vec<String>,
    /// Make git use it in this clone, for the files of an export
    #[arg(long)]
    pub(crate) install: bool,
    /// The directory of the export
    #[arg(long = "dir", value_name = "DIR", default_value = ".orbit/knowledge")]
    pub(crate) target: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ContextArgs {
    /// Paths of files
    pub(crate) paths: Vec<String>,
    /// What this changes: a revision range, or `worktree`
    #[arg(long, value_name = "RANGE")]
    pub(crate) diff: Option<String>,
    /// A symbol or file; may be given several times
    #[arg(long = "selector", value_name = "SELECTOR")]
    pub(crate) selectors: Vec<String>,
    /// A task: its Context Files, or else its commits
    #[arg(long, value_name = "ID|TITLE")]
    pub(crate) task: Option<String>,
    /// Stay below this many tokens, with a digest of everything first
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<i64>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MoleculeCommand {
    /// Make one
    #[command(
        after_help = "Examples:\n  orbit knowledge molecule create Pages --task 3f2a --knowledge @pages.md"
    )]
    Create(MakeArgs),
    /// All, by name
    #[command(after_help = "Examples:\n  orbit knowledge molecule list")]
    List(ListUnitArgs),
    /// One, with its atoms
    #[command(after_help = "Examples:\n  orbit knowledge molecule show Pages")]
    Show(UnitArgs),
    /// Change one
    #[command(after_help = "Examples:\n  orbit knowledge molecule update Pages --knowledge @pages.md")]
    Update(ChangeArgs),
    /// Delete one; its atoms become orphans unless --cascade
    #[command(after_help = "Examples:\n  orbit knowledge molecule delete Pages --cascade")]
    Delete(DropArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum AtomCommand {
    /// Make one
    #[command(
        after_help = "Examples:\n  orbit knowledge atom create Checkout --task 3f2a --path 'src/checkout/**' --knowledge 'prices are in cents'\n  orbit knowledge atom create Cart --task 3f2a --path src/cart.py --anchor Cart.total --knowledge -"
    )]
    Create(MakeArgs),
    /// Those that fit, by name, with how fresh they are
    #[command(after_help = "Examples:\n  orbit knowledge atom list\n  orbit knowledge atom list --proposed")]
    List(ListUnitArgs),
    /// One, with what changed since it was written
    #[command(after_help = "Examples:\n  orbit knowledge atom show Checkout")]
    Show(UnitArgs),
    /// Change one
    #[command(
        after_help = "Examples:\n  orbit knowledge atom update Checkout --append 'refunds go through the gateway' --task 3f2a"
    )]
    Update(ChangeArgs),
    /// It still holds, though its code changed
    #[command(after_help = "Examples:\n  orbit knowledge atom reaffirm Checkout")]
    Reaffirm(DropArgs),
    /// Agree to a proposed one
    #[command(after_help = "Examples:\n  orbit knowledge atom promote 'src/cart'")]
    Promote(DropArgs),
    /// Delete one
    #[command(after_help = "Examples:\n  orbit knowledge atom delete Checkout")]
    Delete(DropArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MakeArgs {
    /// What it is called
    pub(crate) name: String,
    /// The task that is the reason, by id or title
    #[arg(long, value_name = "ID|TITLE")]
    pub(crate) task: String,
    /// The text; @file reads a file, - standard input
    #[arg(long, value_name = "TEXT|@FILE|-")]
    pub(crate) knowledge: Option<String>,
    /// Of an atom: a glob that says where it belongs; may be given several times
    #[arg(long = "path", value_name = "GLOB")]
    pub(crate) paths: Vec<String>,
    /// Of an atom: a symbol or file that matters most; may be given several times
    #[arg(long = "anchor", value_name = "SELECTOR")]
    pub(crate) anchors: Vec<String>,
    /// Of an atom: its molecule, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) molecule: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ChangeArgs {
    /// Which: id, beginning of an id, or name
    pub(crate) id: String,
    /// What it is called
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// The whole text; @file reads a file, - standard input
    #[arg(long, value_name = "TEXT|@FILE|-", conflicts_with = "append")]
    pub(crate) knowledge: Option<String>,
    /// More text below the one that is there; needs --task
    #[arg(long, value_name = "TEXT|@FILE|-", requires = "task")]
    pub(crate) append: Option<String>,
    /// Of an atom: all of its globs
    #[arg(long = "path", value_name = "GLOB")]
    pub(crate) paths: Vec<String>,
    /// Of an atom: all of its anchors; empty removes them
    #[arg(long = "anchor", value_name = "SELECTOR")]
    pub(crate) anchors: Vec<String>,
    /// Of an atom: its molecule; empty takes it out
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) molecule: Option<String>,
    /// The task that is the reason, by id or title
    #[arg(long, value_name = "ID|TITLE")]
    pub(crate) task: Option<String>,
    /// Fail unless it is at this version
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<i64>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ListUnitArgs {
    /// Only with this text in name or knowledge
    #[arg(long)]
    pub(crate) query: Option<String>,
    /// Only atoms of this molecule
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) molecule: Option<String>,
    /// Only atoms without a molecule
    #[arg(long)]
    pub(crate) orphans: bool,
    /// Proposed atoms instead of confirmed ones
    #[arg(long)]
    pub(crate) proposed: bool,
    /// At most this many
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) limit: u32,
    /// Leave out this many first
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) offset: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct UnitArgs {
    /// Which: id, beginning of an id, or name
    pub(crate) id: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DropArgs {
    /// Which: id, beginning of an id, or name
    pub(crate) id: String,
    /// Of a molecule: its atoms too
    #[arg(long)]
    pub(crate) cascade: bool,
    /// The task that is the reason, by id or title
    #[arg(long, value_name = "ID|TITLE")]
    pub(crate) task: Option<String>,
    /// Fail unless it is at this version
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<i64>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ChangelogCommand {
    /// Add an entry to an atom, or with --molecule to a molecule
    #[command(
        after_help = "Examples:\n  orbit knowledge changelog append Checkout --task 3f2a 'prices became integers'"
    )]
    Append {
        /// Which: id, beginning of an id, or name
        id: String,
        /// What changed and why
        summary: String,
        /// The task behind it, by id or title
        #[arg(long, value_name = "ID|TITLE")]
        task: String,
        /// It is a molecule
        #[arg(long)]
        molecule: bool,
    },
    /// The entries of an atom, or with --molecule of a molecule, the latest first
    #[command(after_help = "Examples:\n  orbit knowledge changelog list Checkout --limit 5")]
    List {
        /// Which: id, beginning of an id, or name
        id: String,
        /// It is a molecule
        #[arg(long)]
        molecule: bool,
        /// At most this many
        #[arg(long, default_value_t = 20, value_name = "N")]
        limit: u32,
        /// Leave out this many first
        #[arg(long, default_value_t = 0, value_name = "N")]
        offset: u32,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CoverageArgs {
    /// Rows of the worklist
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SuggestArgs {
    /// Keep the drafts as proposed atoms
    #[arg(long, requires = "task")]
    pub(crate) write: bool,
    /// The task that is the reason, by id or title
    #[arg(long, value_name = "ID|TITLE")]
    pub(crate) task: Option<String>,
    /// At most this many
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) limit: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct KnowledgeExportArgs {
    #[command(flatten)]
    pub(crate) dir: DirArgs,
    /// Features and tasks, too; from then on every export into this directory keeps them
    #[arg(long)]
    pub(crate) tasks: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DirArgs {
    /// The directory, relative to the worktree
    #[arg(long = "dir", value_name = "DIR", default_value = ".orbit/knowledge")]
    pub(crate) target: PathBuf,
}
