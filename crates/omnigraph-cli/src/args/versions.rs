//! States of the graph beside each other: tags, diffs, the feed, runs, single rows.

use super::{Place, When};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use omnigraph_api::calls::diff;

#[derive(Debug, Subcommand)]
pub(crate) enum TagCommand {
    /// Name a commit
    #[command(
        after_help = "Examples:\n  omnigraph tag create v1 ./team.omni\n  omnigraph tag create --from 01KA3G… before-the-import ./team.omni\n  omnigraph tag create --force v1 ./team.omni"
    )]
    Create {
        /// The state that is named: a branch, a commit, a tag, or `BRANCH@TIME`
        #[arg(long, value_name = "SRC", default_value = "main", value_parser = NonEmptyStringValueParser::new())]
        from: String,
        /// Move a tag that is there already
        #[arg(long)]
        force: bool,
        /// Of the tag
        #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
        name: String,
        #[command(flatten)]
        place: Place,
    },
    /// List the tags
    #[command(after_help = "Examples:\n  omnigraph tag list ./team.omni")]
    List {
        #[command(flatten)]
        place: Place,
    },
    /// Delete a tag; what it named stays
    #[command(after_help = "Examples:\n  omnigraph tag delete v1 ./team.omni")]
    Delete {
        /// Of the tag
        #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
        name: String,
        #[command(flatten)]
        place: Place,
    },
}

/// Which changes.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct ChangeChoice {
    /// Only this node or edge type; can be given again
    #[arg(long = "type", value_name = "TYPE", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) types: Vec<String>,
    /// Only rows that this happened to; can be given again
    #[arg(long = "op", value_enum, value_name = "OP")]
    pub(crate) ops: Vec<OpChoice>,
    /// Only nodes, or only edges
    #[arg(long = "kind", value_enum, value_name = "KIND")]
    pub(crate) kinds: Vec<KindChoice>,
    /// With the values of the rows, before and behind
    #[arg(long)]
    pub(crate) rows: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OpChoice {
    Insert,
    Update,
    Delete,
}

impl From<OpChoice> for diff::OpChoice {
    fn from(op: OpChoice) -> diff::OpChoice {
        match op {
            OpChoice::Insert => diff::OpChoice::Insert,
            OpChoice::Update => diff::OpChoice::Update,
            OpChoice::Delete => diff::OpChoice::Delete,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindChoice {
    Node,
    Edge,
}

impl From<KindChoice> for diff::KindChoice {
    fn from(kind: KindChoice) -> diff::KindChoice {
        match kind {
            KindChoice::Node => diff::KindChoice::Node,
            KindChoice::Edge => diff::KindChoice::Edge,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// A line per row, for people
    Text,
    /// One document
    Json,
    /// Lines that `load --mode merge` applies
    Jsonl,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DiffArgs {
    /// The state before: a branch, a tag, a commit, `manifest:BRANCH:vN`, or `BRANCH@TIME`
    #[arg(value_name = "FROM", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) from: String,
    /// The state behind
    #[arg(value_name = "TO", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) to: String,
    #[command(flatten)]
    pub(crate) choice: ChangeChoice,
    /// How to print it
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<DiffFormat>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ChangesArgs {
    /// The commit behind which it begins, or the cursor of an earlier answer
    #[arg(long, value_name = "COMMIT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) since: String,
    /// At most this many changes
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) limit: u32,
    /// The branch [default: `cli.branch` of omnigraph.yaml, or main]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) branch: Option<String>,
    #[command(flatten)]
    pub(crate) choice: ChangeChoice,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EntityArgs {
    /// The node or edge type, or the table: `Person`, `node:Person`
    #[arg(value_name = "TYPE", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) type_name: String,
    /// The id of the row
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) at: When,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunCommand {
    /// Begin a run: a private branch that is published as one commit, or thrown away
    #[command(
        after_help = "Examples:\n  omnigraph run begin ./team.omni\n  omnigraph run begin --branch main --operation-hash import-2026-11-01 --json ./team.omni"
    )]
    Begin {
        /// Where it will be published [default: `cli.branch` of omnigraph.yaml, or main]
        #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
        branch: Option<String>,
        /// Names the operation: a second try with the same hash gets the same run
        #[arg(long, value_name = "HASH", value_parser = NonEmptyStringValueParser::new())]
        operation_hash: Option<String>,
        #[command(flatten)]
        place: Place,
    },
    /// List the runs, newest first
    #[command(after_help = "Examples:\n  omnigraph run list ./team.omni")]
    List {
        #[command(flatten)]
        place: Place,
    },
    /// Show a run
    #[command(after_help = "Examples:\n  omnigraph run show 01KA3G… ./team.omni")]
    Show {
        /// Of the run
        #[arg(value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
        id: String,
        #[command(flatten)]
        place: Place,
    },
    /// Put what a run wrote onto its target
    #[command(after_help = "Examples:\n  omnigraph run publish 01KA3G… ./team.omni")]
    Publish {
        /// Of the run
        #[arg(value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
        id: String,
        #[command(flatten)]
        place: Place,
    },
    /// Throw a run away
    #[command(after_help = "Examples:\n  omnigraph run abort 01KA3G… ./team.omni")]
    Abort {
        /// Of the run
        #[arg(value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
        id: String,
        #[command(flatten)]
        place: Place,
    },
}
