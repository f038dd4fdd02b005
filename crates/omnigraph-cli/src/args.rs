//! What can be typed.

mod blob;
mod data;
mod graphs;
mod history;
mod maintain;
mod place;
mod policy;
mod requests;
mod texts;
mod versions;

pub(crate) use blob::{BlobArgs, BlobCommand};
pub(crate) use data::{EmbedArgs, ExportArgs, IngestArgs, LoadArgs, LoadInput, Mode};
pub(crate) use graphs::GraphCommand;
pub(crate) use history::{
    BranchCommand, CommitCommand, MergeArgs, ResetArgs, RevertArgs, Sides, SnapshotArgs,
};
pub(crate) use maintain::{CleanupArgs, CloneArgs, OptimizeArgs, SchemaApplyArgs, SchemaPlanArgs};
pub(crate) use place::{Place, When};
pub(crate) use policy::{PolicyAsk, PolicyCommand, PolicyFile};
pub(crate) use requests::RequestCommand;
pub(crate) use texts::{
    AskArgs, ChangeArgs, ExplainArgs, FormatArgs, FormatChoice, LintArgs, QueryCommand, ReadArgs,
    SchemaCommand, SchemaSource, ShellArgs,
};
pub(crate) use versions::{
    ChangesArgs, DiffArgs, DiffFormat, EntityArgs, KindChoice, OpChoice, RunCommand, TagCommand,
};

use clap::{Args as ClapArgs, Parser, Subcommand};
use std::path::PathBuf;

/// A shared, typed graph: schema, queries, branches, history, on a disk or in S3.
#[derive(Debug, Parser)]
#[command(
    name = "omnigraph",
    version,
    disable_version_flag = true,
    arg_required_else_help = true,
    subcommand_value_name = "COMMAND",
    after_help = "URI is a path, `file://…`, `s3://bucket/prefix`, or the address of omnigraph-server: `http://host:8080`, \
                  or `http://host:8080/graphs/NAME` where it has several graphs. It can be left out where `--uri`, \
                  `--target` or `cli.graph` of ./omnigraph.yaml name the graph. A server is shown the token of \
                  `bearer_token_env` of the graph, or that of the variable `OMNIGRAPH_BEARER_TOKEN`. An alias of \
                  omnigraph.yaml is a command too: `omnigraph ALIAS ARGS…`."
)]
pub(crate) struct Args {
    /// Print exactly one JSON document on standard output, and errors as JSON on standard error
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The configuration [default: omnigraph.yaml in the current directory, if there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Who writes, for the history; a server knows it by the token [default: the variable `OMNIGRAPH_ACTOR`]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) actor: Option<String>,
    /// Print the version
    #[arg(short = 'v', short_alias = 'V', long, action = clap::ArgAction::Version)]
    version: Option<bool>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// Whether errors are JSON. Behind an alias, options are words of the alias.
    pub(crate) fn wants_json(&self) -> bool {
        let of_alias = |words: &[String]| words.iter().any(|word| word == "--json");
        self.json || matches!(&self.command, Command::Alias(words) if of_alias(words))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a graph without rows
    #[command(
        after_help = "Examples:\n  omnigraph init --schema schema.pg ./team.omni\n  omnigraph init --schema schema.pg s3://bucket/team.omni"
    )]
    Init(InitArgs),
    /// Load a file into a branch: all of its rows or, when any does not fit, none
    #[command(
        after_help = "Examples:\n  omnigraph load --data seed.jsonl --mode overwrite ./team.omni\n  omnigraph load --data people.csv --type Person --mode merge ./team.omni\n  zcat seed.jsonl.gz | omnigraph load --data - --mode append ./team.omni"
    )]
    Load(LoadArgs),
    /// Load a file into a branch that is made when it is missing
    #[command(
        after_help = "Examples:\n  omnigraph ingest --branch review/monday --data batch.jsonl ./team.omni\n  omnigraph ingest --branch review/monday --from main --data batch.jsonl ./team.omni"
    )]
    Ingest(IngestArgs),
    /// Run a query that reads
    #[command(
        after_help = "Examples:\n  omnigraph read --query people.gq --name friends_of --params '{\"name\":\"Alice\"}' ./team.omni\n  omnigraph read --query people.gq --name adults --at 2026-11-01T00:00:00Z --format csv ./team.omni\n  omnigraph read --query people.gq --name adults https://graphs.example.com\n  omnigraph read -e 'query all() { match { $p: Person } return { $p.name } }' ./team.omni\n  omnigraph read --alias friends Alice"
    )]
    Read(ReadArgs),
    /// Run a query that changes the graph: all of its statements or none
    #[command(
        visible_alias = "mutate",
        after_help = "Examples:\n  omnigraph change --query people.gq --name add_person --params '{\"name\":\"Eve\",\"age\":29}' ./team.omni\n  omnigraph change --query people.gq --name add_person --params-file eve.json --branch review/monday ./team.omni"
    )]
    Change(ChangeArgs),
    /// Print how a query runs; with --analyze run it, with rows and time per operator
    #[command(
        after_help = "Examples:\n  omnigraph explain --query people.gq --name friends_of ./team.omni\n  omnigraph explain --query people.gq --name friends_of --params '{\"name\":\"Alice\"}' --analyze ./team.omni\n  omnigraph explain --query people.gq --name friends_of --schema schema.pg"
    )]
    Explain(ExplainArgs),
    /// Print the tables of a graph: version and number of rows
    #[command(
        after_help = "Examples:\n  omnigraph snapshot ./team.omni\n  omnigraph snapshot --branch review/monday --json ./team.omni"
    )]
    Snapshot(SnapshotArgs),
    /// Print the rows of a graph as JSON lines that `load` reads back
    #[command(
        after_help = "Examples:\n  omnigraph export ./team.omni > team.jsonl\n  omnigraph export --branch review/monday --type Person --type Knows ./team.omni"
    )]
    Export(ExportArgs),
    /// Branches: lines of history that do not see each other
    #[command(subcommand)]
    Branch(BranchCommand),
    /// Commits: the history of a branch
    #[command(subcommand)]
    Commit(CommitCommand),
    /// Take back what a commit did, as a commit of its own
    #[command(
        after_help = "Examples:\n  omnigraph revert 01KA3G… ./team.omni\n  omnigraph revert 01KA3G… --branch review/monday --dry-run ./team.omni\n  omnigraph revert 01KA3G… --theirs ./team.omni"
    )]
    Revert(RevertArgs),
    /// Make a branch what another state is, as a commit: what came since stays in its history
    #[command(
        after_help = "Examples:\n  omnigraph reset 01KA3G… ./team.omni\n  omnigraph reset main@2026-11-01 --branch main --dry-run ./team.omni\n  omnigraph reset main --branch review/monday ./team.omni"
    )]
    Reset(ResetArgs),
    /// Tags: names for commits
    #[command(subcommand)]
    Tag(TagCommand),
    /// Print what differs between two states
    #[command(
        after_help = "Examples:\n  omnigraph diff main review/monday ./team.omni\n  omnigraph diff v1 main --type Person --op update ./team.omni\n  omnigraph diff main review/monday --format jsonl ./team.omni > patch.jsonl"
    )]
    Diff(DiffArgs),
    /// Print what commits of a branch changed since one of them
    #[command(
        after_help = "Examples:\n  omnigraph changes --since 01KA3G… ./team.omni\n  omnigraph changes --since 01KA3G… --limit 100 --json ./team.omni"
    )]
    Changes(ChangesArgs),
    /// Print one row, now or as it was
    #[command(
        after_help = "Examples:\n  omnigraph entity Person Alice ./team.omni\n  omnigraph entity Person Alice --snapshot v1 --json ./team.omni"
    )]
    Entity(EntityArgs),
    /// Bytes of rows
    #[command(subcommand)]
    Blob(BlobCommand),
    /// Which graphs there are
    #[command(subcommand, visible_alias = "graphs")]
    Graph(GraphCommand),
    /// Runs: writes that are published together, or not at all
    #[command(subcommand)]
    Run(RunCommand),
    /// Type queries and changes one after the other, with history and completion
    #[command(
        after_help = "Examples:\n  omnigraph shell ./team.omni\n  omnigraph shell --branch review/monday http://127.0.0.1:8080\n  omnigraph shell ./team.omni < statements.txt"
    )]
    Shell(ShellArgs),
    /// What a server is working on
    #[command(subcommand)]
    Request(RequestCommand),
    /// The schema of a graph
    #[command(subcommand)]
    Schema(SchemaCommand),
    /// Check and format files of queries, without a graph
    #[command(subcommand)]
    Query(QueryCommand),
    /// The same as `query lint`
    #[command(hide = true)]
    Lint(LintArgs),
    /// Compute the vectors of a JSONL file, without a graph
    #[command(
        after_help = "Examples:\n  omnigraph embed --seed seed.yaml\n  omnigraph embed --input raw.jsonl --output seed.jsonl --spec embed.json\n  omnigraph embed --seed seed.yaml --select Decision:slug=dec-1\n  omnigraph embed --seed seed.yaml --clean"
    )]
    Embed(EmbedArgs),
    /// Rewrite small files and deleted rows, as a commit that changes no row
    #[command(
        after_help = "Examples:\n  omnigraph optimize ./team.omni\n  omnigraph optimize --branch review/monday --json ./team.omni"
    )]
    Optimize(OptimizeArgs),
    /// Remove what no branch, tag, run or kept commit needs; without --confirm only say what that is
    #[command(
        after_help = "Examples:\n  omnigraph cleanup --keep 10 --older-than 7d ./team.omni\n  omnigraph cleanup --keep 10 --older-than 7d --confirm ./team.omni"
    )]
    Cleanup(CleanupArgs),
    /// Copy a graph to another place with all branches and their history, or bring such a copy up to date
    #[command(
        visible_alias = "push",
        after_help = "Examples:\n  omnigraph clone --to ./backup.omni ./team.omni\n  omnigraph clone --to s3://bucket/backup.omni s3://bucket/team.omni"
    )]
    Clone(CloneArgs),
    /// Look at every commit, table, file and row, and say what is wrong; exit code 1 if something is
    #[command(
        after_help = "Examples:\n  omnigraph fsck ./team.omni\n  omnigraph fsck --json s3://bucket/team.omni"
    )]
    Fsck(Place),
    /// Who may do what: check a policy, test it, ask it
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Say whether the store can be used, and what is set up
    #[command(
        after_help = "Examples:\n  omnigraph doctor ./team.omni\n  omnigraph doctor s3://bucket/team.omni\n  omnigraph doctor https://graphs.example.com"
    )]
    Doctor(Place),
    /// Answer an agent over MCP, on standard input and output
    #[command(
        after_help = "Examples:\n  omnigraph mcp ./team.omni\n  omnigraph mcp --config omnigraph.yaml --target team\n  omnigraph mcp https://graphs.example.com"
    )]
    Mcp(Place),
    /// Print the version
    Version,
    /// Print completions for a shell
    #[command(
        after_help = "Examples:\n  omnigraph completions bash > ~/.local/share/bash-completion/completions/omnigraph"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// An alias of omnigraph.yaml and its arguments
    #[command(external_subcommand)]
    Alias(Vec<String>),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct InitArgs {
    /// The schema, in the language `.pg`
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: PathBuf,
    #[command(flatten)]
    pub(crate) place: Place,
}
