//! Branches, commits, snapshots.

use super::{Place, When};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum BranchCommand {
    /// Make a branch; nothing is copied
    #[command(
        after_help = "Examples:\n  omnigraph branch create --from main review/monday ./team.omni\n  omnigraph branch create --from 01KA3G… before-the-import ./team.omni"
    )]
    Create {
        /// The branch, tag or commit that it starts from
        #[arg(long, value_name = "SRC", default_value = "main", value_parser = NonEmptyStringValueParser::new())]
        from: String,
        /// The branch as it was at this time: `2026-11-01T12:00:00Z` or `2026-11-01`
        #[arg(long, value_name = "TIME", value_parser = NonEmptyStringValueParser::new())]
        at: Option<String>,
        /// Of the new branch
        #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
        name: String,
        #[command(flatten)]
        place: Place,
    },
    /// List the branches
    #[command(after_help = "Examples:\n  omnigraph branch list ./team.omni")]
    List {
        #[command(flatten)]
        place: Place,
    },
    /// Merge a branch, tag or commit into a branch
    #[command(
        after_help = "Examples:\n  omnigraph branch merge review/monday --into main ./team.omni\n  omnigraph branch merge review/monday --into main --dry-run --json ./team.omni\n  omnigraph branch merge review/monday --into main --resolve sides.json --ours ./team.omni"
    )]
    Merge(MergeArgs),
    /// Give a branch another name
    #[command(
        after_help = "Examples:\n  omnigraph branch rename review/monday review/2026-11-02 ./team.omni"
    )]
    Rename {
        /// Of the branch
        #[arg(value_name = "OLD", value_parser = NonEmptyStringValueParser::new())]
        old: String,
        /// Its new name
        #[arg(value_name = "NEW", value_parser = NonEmptyStringValueParser::new())]
        new: String,
        #[command(flatten)]
        place: Place,
    },
    /// Delete a branch; its commits can still be read by their ids
    #[command(
        after_help = "Examples:\n  omnigraph branch delete review/monday ./team.omni\n  omnigraph branch delete --force review/monday ./team.omni"
    )]
    Delete {
        /// Also when branches were made from it, which stay, or runs are under way, which are aborted
        #[arg(long)]
        force: bool,
        /// Of the branch
        #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
        name: String,
        #[command(flatten)]
        place: Place,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MergeArgs {
    /// The branch, tag or commit that is merged
    #[arg(value_name = "SRC", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) source: String,
    /// The branch that it is merged into
    #[arg(long, value_name = "DST", default_value = "main", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) into: String,
    /// Only say what would happen
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Refuse unless this is the newest commit of the branch that is merged into
    #[arg(long, value_name = "COMMIT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) if_commit: Option<String>,
    #[command(flatten)]
    pub(crate) sides: Sides,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Whose row is taken where both sides changed it.
#[derive(Debug, ClapArgs)]
pub(crate) struct Sides {
    /// Take the target's row of every conflict that --resolve does not list
    #[arg(long, conflicts_with = "theirs")]
    pub(crate) ours: bool,
    /// Take the source's row of every conflict that --resolve does not list
    #[arg(long)]
    pub(crate) theirs: bool,
    /// A file that says whose row is taken, conflict by conflict: JSON with `table_key`, `row_id` and `take` (`ours` or
    /// `theirs`) for each, which may be the conflicts that --json prints; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) resolve: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RevertArgs {
    /// The commit: its id, or a tag
    #[arg(value_name = "COMMIT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) commit: String,
    /// The branch that gets the new commit [default: `cli.branch` of omnigraph.yaml, or main]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) branch: Option<String>,
    /// Only say what would happen
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Refuse unless this is the newest commit of the branch
    #[arg(long, value_name = "COMMIT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) if_commit: Option<String>,
    #[command(flatten)]
    pub(crate) sides: Sides,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ResetArgs {
    /// The state: a branch, a tag, a commit, `manifest:BRANCH:vN`, or `BRANCH@TIME`
    #[arg(value_name = "STATE", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) to: String,
    /// The branch [default: `cli.branch` of omnigraph.yaml, or main]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) branch: Option<String>,
    /// Only say what would happen
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Refuse unless this is the newest commit of the branch
    #[arg(long, value_name = "COMMIT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) if_commit: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CommitCommand {
    /// List the commits of a branch, newest first
    #[command(
        after_help = "Examples:\n  omnigraph commit list ./team.omni\n  omnigraph commit list --branch review/monday --limit 5 --json ./team.omni"
    )]
    List {
        /// The branch [default: `cli.branch` of omnigraph.yaml, or main]
        #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
        branch: Option<String>,
        /// At most this many
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u32,
        #[command(flatten)]
        place: Place,
    },
    /// Show a commit: who, when, and how many rows of which tables
    #[command(after_help = "Examples:\n  omnigraph commit show 01KA3G… ./team.omni")]
    Show {
        /// Its id, a branch, a tag, or `manifest:BRANCH:vN`
        #[arg(value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
        id: String,
        #[command(flatten)]
        place: Place,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SnapshotArgs {
    #[command(flatten)]
    pub(crate) at: When,
    #[command(flatten)]
    pub(crate) place: Place,
}
