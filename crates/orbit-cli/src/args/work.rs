//! `orbit project`, `orbit feature`, `orbit task`, `orbit board`

use super::claims::{ClaimArgs, GuardArgs, MineArgs, ReadyArgs, ReleaseArgs, ReserveArgs};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Where the store is, and how it answers.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct StoreArgs {
    /// Work in this directory's worktree instead of the current one
    #[arg(short = 'C', value_name = "DIR", default_value = ".", global = true)]
    pub(crate) dir: PathBuf,
    /// Print exactly one JSON document on standard output: the data of the tool
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The database of tasks and knowledge, instead of the one in the main worktree's .orbit directory
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) db: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ProjectArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(subcommand)]
    pub(crate) command: ProjectCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// Make a project
    #[command(after_help = "Examples:\n  orbit project create Shop --summary 'the web shop'")]
    Create(CreateArgs),
    /// All projects
    #[command(after_help = "Examples:\n  orbit project list\n  orbit project list --query shop --json")]
    List(ListWorkArgs),
    /// One project, with counts of its tasks
    #[command(after_help = "Examples:\n  orbit project show Shop")]
    Show(ShowWorkArgs),
    /// Change what is said about a project
    #[command(after_help = "Examples:\n  orbit project update Shop --summary 'the new web shop'")]
    Update(UpdateArgs),
    /// Delete a project with its knowledge
    #[command(after_help = "Examples:\n  orbit project delete Shop --cascade")]
    Delete(DeleteArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct FeatureArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(subcommand)]
    pub(crate) command: WorkCommand,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TaskArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(subcommand)]
    pub(crate) command: TaskCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TaskCommand {
    #[command(flatten)]
    Work(WorkCommand),
    /// Reserve paths or globs: no other active task can have them while the claim lasts
    #[command(after_help = "Examples:\n  orbit task reserve 3f2a --actor ada 'src/cart/**' src/shop.py")]
    Reserve(ReserveArgs),
    /// Let go of reserved paths
    #[command(after_help = "Examples:\n  orbit task release 3f2a\n  orbit task release 3f2a src/shop.py")]
    Release(ReleaseArgs),
    /// Tell what others have reserved, of some paths or of what is staged; settings decide whether that fails
    #[command(
        after_help = "Examples:\n  orbit task guard src/shop.py\n  orbit task guard --staged\n  orbit task guard --install"
    )]
    Guard(GuardArgs),
    /// All tasks that could be taken, in the order in which they would be
    #[command(after_help = "Examples:\n  orbit task ready\n  orbit task ready --project Shop --limit 5")]
    Ready(ReadyArgs),
    /// What you have in hand: claimed tasks, reserved paths, what you moved last
    #[command(after_help = "Examples:\n  orbit task mine\n  orbit task mine --actor ada")]
    Mine(MineArgs),
}

/// What features and tasks have in common.
#[derive(Debug, Subcommand)]
pub(crate) enum WorkCommand {
    /// Make one
    #[command(
        after_help = "Examples:\n  orbit task create 'Empty carts' --project Shop --priority high --tag cart\n  orbit task create 'Count the lines' --parent 'Empty carts'\n  orbit task create 'Totals are rounded twice' --discovered-from 3f2a"
    )]
    Create(CreateArgs),
    /// Those that fit, as a table
    #[command(after_help = "Examples:\n  orbit task list\n  orbit task list --status new,active --tag cart")]
    List(ListWorkArgs),
    /// One, with its sections and how it came to its state
    #[command(after_help = "Examples:\n  orbit task show 3f2a\n  orbit task show 3f2a --context")]
    Show(ShowWorkArgs),
    /// Change what is said about one
    #[command(after_help = "Examples:\n  orbit task update 3f2a --title 'Empty carts, again' --complexity 4")]
    Update(UpdateArgs),
    /// One state forwards
    #[command(after_help = "Examples:\n  orbit task advance 3f2a\n  orbit task advance 3f2a --actor ada")]
    Advance(MoveArgs),
    /// One state backwards
    #[command(after_help = "Examples:\n  orbit task revert 3f2a --reason 'tests fail'")]
    Revert(MoveArgs),
    /// Give up, for a reason that is kept
    #[command(after_help = "Examples:\n  orbit task terminate 3f2a --reason 'no longer wanted'")]
    Terminate(MoveArgs),
    /// Something must be closed first
    #[command(
        after_help = "Examples:\n  orbit task block 3f2a --by 77c1\n  orbit task block 3f2a --reason 'waits for a key'"
    )]
    Block(BlockArgs),
    /// It need not be closed first
    #[command(after_help = "Examples:\n  orbit task unblock 3f2a --by 77c1\n  orbit task unblock 3f2a")]
    Unblock(BlockArgs),
    /// The one that comes first, and with --claim: taken, for you alone
    #[command(after_help = "Examples:\n  orbit task next\n  orbit task next --claim --actor ada --ttl 1800")]
    Next(NextArgs),
    /// Take up again what had ended
    #[command(after_help = "Examples:\n  orbit task reopen 3f2a --reason 'it came back'")]
    Reopen(MoveArgs),
    /// Take a chosen one, for you alone; again to renew the lease
    #[command(
        after_help = "Examples:\n  orbit task claim 3f2a\n  orbit task claim 3f2a --actor ada --ttl 1800"
    )]
    Claim(ClaimArgs),
    /// Give one back, with the paths that were reserved for it
    #[command(after_help = "Examples:\n  orbit task unclaim 3f2a\n  orbit task unclaim 3f2a --force")]
    Unclaim(ClaimArgs),
    /// Say something about one; anybody may, whoever holds it
    #[command(
        after_help = "Examples:\n  orbit task comment 3f2a 'fails only on the second run'\n  orbit task comment 3f2a --remove 9c1b"
    )]
    Comment(CommentArgs),
    /// Delete one
    #[command(after_help = "Examples:\n  orbit task delete 3f2a")]
    Delete(DeleteArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CommentArgs {
    /// Which: id, beginning of an id, or name
    pub(crate) id: String,
    /// What is to be said
    #[arg(required_unless_present = "remove")]
    pub(crate) text: Option<String>,
    /// Take back the comment that begins so
    #[arg(long, value_name = "ID", conflicts_with = "text")]
    pub(crate) remove: Option<String>,
    /// Who says it [default: `ORBIT_ACTOR` or git's user]
    #[arg(long, value_name = "NAME")]
    pub(crate) actor: Option<String>,
}

/// Who does something.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct WhoArgs {
    /// Who does it [default: `ORBIT_ACTOR` or git's user]
    #[arg(long, value_name = "NAME")]
    pub(crate) actor: Option<String>,
    /// Although somebody else holds it; that is kept
    #[arg(long)]
    pub(crate) force: bool,
}

/// How urgent.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PriorityArg {
    High,
    Medium,
    Low,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CreateArgs {
    /// What it is called
    pub(crate) title: String,
    /// What it is about [default: the title]
    #[arg(long)]
    pub(crate) summary: Option<String>,
    /// More about it
    #[arg(long)]
    pub(crate) description: Option<String>,
    /// The project, by id or name [default: the only one]
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) project: Option<String>,
    /// The feature that a task belongs to, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) feature: Option<String>,
    /// The task that it is a part of, by id or title
    #[arg(long, value_name = "ID|TITLE")]
    pub(crate) parent: Option<String>,
    /// What you worked on when it came up, by id or name; may be given several times
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) discovered_from: Vec<String>,
    /// How urgent it is
    #[arg(long, value_enum, default_value = "medium")]
    pub(crate) priority: PriorityArg,
    /// How hard a task is, 1 to 10
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub(crate) complexity: u8,
    /// A tag; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct UpdateArgs {
    /// Which: id, beginning of an id, or name
    pub(crate) id: String,
    /// What it is called
    #[arg(long, visible_alias = "name")]
    pub(crate) title: Option<String>,
    /// What it is about
    #[arg(long)]
    pub(crate) summary: Option<String>,
    /// More about it; empty removes it
    #[arg(long)]
    pub(crate) description: Option<String>,
    /// How urgent it is
    #[arg(long, value_enum)]
    pub(crate) priority: Option<PriorityArg>,
    /// How hard a task is, 1 to 10
    #[arg(long, value_name = "N")]
    pub(crate) complexity: Option<u8>,
    /// The feature that a task belongs to; empty takes it out
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) feature: Option<String>,
    /// The task that it is a part of; empty takes it out
    #[arg(long, value_name = "ID|TITLE")]
    pub(crate) parent: Option<String>,
    /// All tags; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Fail unless it is at this version
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<i64>,
    #[command(flatten)]
    pub(crate) who: WhoArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ListWorkArgs {
    /// Only with this text
    #[arg(long)]
    pub(crate) query: Option<String>,
    /// Only in these states; ! before one excludes it
    #[arg(long, value_name = "STATE,…")]
    pub(crate) status: Option<String>,
    /// Only with one of these tags; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Only of this project, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) project: Option<String>,
    /// Only of this feature, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) feature: Option<String>,
    /// At most this many
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) limit: u32,
    /// Leave out this many first
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) offset: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ShowWorkArgs {
    /// Which: id, beginning of an id, or name
    pub(crate) id: String,
    /// Of a task, what is known about its Context Files
    #[arg(long)]
    pub(crate) context: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DeleteArgs {
    /// Which: id, beginning of an id, or name
    pub(crate) id: String,
    /// With everything in it
    #[arg(long)]
    pub(crate) cascade: bool,
    /// Fail unless it is at this version
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<i64>,
    #[command(flatten)]
    pub(crate) who: WhoArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MoveArgs {
    /// Which: id, beginning of an id, or name
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) who: WhoArgs,
    /// Why
    #[arg(long)]
    pub(crate) reason: Option<String>,
    /// Of a feature that is given up: its tasks too
    #[arg(long)]
    pub(crate) cascade: bool,
    /// Fail unless it is at this version
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<i64>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BlockArgs {
    /// Which: id, beginning of an id, or name
    pub(crate) id: String,
    /// What must be closed first; may be given several times. Without it, something outside of the store
    #[arg(long = "by", value_name = "ID|NAME")]
    pub(crate) by: Vec<String>,
    /// Why
    #[arg(long)]
    pub(crate) reason: Option<String>,
    /// Fail unless it is at this version
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<i64>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct NextArgs {
    /// Of this project, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) project: Option<String>,
    /// Of this feature, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) feature: Option<String>,
    /// Take it: nobody else is given it while the lease lasts
    #[arg(long)]
    pub(crate) claim: bool,
    /// Who takes it [default: `ORBIT_ACTOR` or git's user]
    #[arg(long, value_name = "NAME")]
    pub(crate) actor: Option<String>,
    /// Seconds that the lease lasts
    #[arg(long, default_value_t = 900, value_name = "SECONDS")]
    pub(crate) ttl: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BoardArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// The project, by id or name [default: the only one]
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) project: Option<String>,
    /// Rows of each state
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,
}
