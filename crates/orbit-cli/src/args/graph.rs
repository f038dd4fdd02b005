//! `orbit graph`

use crate::history_args::{CochangeArgs, HistoryArgs, PackArgs, SyncHistoryArgs};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use orbit_graph::{Confidence, Lang, SymbolKind};
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

#[derive(Debug, Subcommand)]
pub(crate) enum GraphCommand {
    /// Make the index say what is on disk now
    #[command(
        after_help = "Examples:\n  orbit graph sync\n  orbit graph sync --full\n  orbit graph sync --json -C ../other"
    )]
    Sync(SyncArgs),
    /// Find symbols, strings and config keys by words or by name
    #[command(
        after_help = "Examples:\n  orbit graph search 'due scheduler'\n  orbit graph search runDue --symbol-kind function\n  orbit graph search server.port --kind config\n  orbit graph search Client --lang python --path 'src/**'"
    )]
    Search(SearchArgs),
    /// The source of a symbol or file
    #[command(
        after_help = "Examples:\n  orbit graph show Client::connect\n  orbit graph show src/lib.rs:42\n  orbit graph show symbol:src/lib.rs#Client:struct"
    )]
    Show(ShowArgs),
    /// Who uses a symbol: calls, types, imports, and what extends or implements it
    #[command(
        after_help = "Examples:\n  orbit graph refs get_resolver\n  orbit graph refs Client::connect --kind call\n  orbit graph refs send --confidence fuzzy"
    )]
    Refs(RefsArgs),
    /// What a symbol calls
    #[command(
        after_help = "Examples:\n  orbit graph callees Client::connect\n  orbit graph callees src/lib.rs:42 --confidence fuzzy"
    )]
    Callees(CalleesArgs),
    /// What a change can reach, nearest first, tests apart
    #[command(
        after_help = "Examples:\n  orbit graph impact Client::connect\n  orbit graph impact --diff worktree\n  orbit graph impact --diff main..HEAD --depth 2"
    )]
    Impact(ImpactArgs),
    /// What a command of a command-line program does, as a tree of calls
    #[command(
        after_help = "Examples:\n  orbit graph trace 'task update'\n  orbit graph trace sync --depth 3"
    )]
    Trace(TraceArgs),
    /// The shape of the repository, or of a directory or file in it
    #[command(after_help = "Examples:\n  orbit graph overview\n  orbit graph overview dir:src --format full")]
    Overview(OverviewArgs),
    /// What implements a trait or interface, or extends a class
    #[command(
        after_help = "Examples:\n  orbit graph implementors AsyncRead\n  orbit graph implementors std::fmt::Display"
    )]
    Implementors(ListArgs),
    /// What a file, or the files of a directory, import
    #[command(after_help = "Examples:\n  orbit graph deps file:src/lib.rs\n  orbit graph deps dir:src")]
    Deps(ListArgs),
    /// Which commits and tasks touched a symbol or file, through every rename
    #[command(
        after_help = "Examples:\n  orbit graph history Client::connect\n  orbit graph history file:src/lib.rs --limit 5\n  orbit graph history src/lib.rs:42 --refresh"
    )]
    History(HistoryArgs),
    /// What changes together with a symbol or file, by their commits
    #[command(
        after_help = "Examples:\n  orbit graph cochange Client::connect\n  orbit graph cochange file:src/lib.rs --limit 10"
    )]
    Cochange(CochangeArgs),
    /// Context for a prompt, below a number of tokens: sources, then callers and callees
    #[command(
        after_help = "Examples:\n  orbit graph pack Client::connect file:src/lib.rs\n  orbit graph pack Client --max-tokens 2000"
    )]
    Pack(PackArgs),
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

#[derive(Debug, ClapArgs)]
pub(crate) struct WatchArgs {
    /// Milliseconds of quiet before a sync
    #[arg(long, default_value_t = 250, value_name = "MS")]
    pub(crate) debounce: u64,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ShowArgs {
    /// A selector, name, path or path:line
    pub(crate) selector: String,
    /// Cut the source after this many bytes
    #[arg(long, default_value_t = 65_536, value_name = "N")]
    pub(crate) max_bytes: usize,
    /// Add who touched it last: commit, author, tasks; of a file, for each of its symbols
    #[arg(long)]
    pub(crate) blame: bool,
    /// Sync first
    #[arg(long)]
    pub(crate) sync: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RefsArgs {
    /// A selector, name or path:line; all symbols of a name are covered
    pub(crate) selector: String,
    /// List edges down to this rung; weaker ones are counted
    #[arg(long, value_enum, default_value = "same-module")]
    pub(crate) confidence: Floor,
    /// Only this kind
    #[arg(long, value_enum)]
    pub(crate) kind: Option<RefKindArg>,
    /// At most this many
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub(crate) limit: usize,
    /// Sync first
    #[arg(long)]
    pub(crate) sync: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CalleesArgs {
    /// A selector, name or path:line
    pub(crate) selector: String,
    /// List edges down to this rung; weaker ones are counted
    #[arg(long, value_enum, default_value = "same-module")]
    pub(crate) confidence: Floor,
    /// At most this many
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub(crate) limit: usize,
    /// Sync first
    #[arg(long)]
    pub(crate) sync: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ImpactArgs {
    /// Selectors, names, paths or path:line
    #[arg(required_unless_present = "diff", conflicts_with = "diff")]
    pub(crate) selectors: Vec<String>,
    /// Start from the symbols that this diff touches: a revision range, or `worktree`
    #[arg(long, value_name = "RANGE")]
    pub(crate) diff: Option<String>,
    /// Steps from the start
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub(crate) depth: usize,
    /// Which way edges are followed
    #[arg(long, value_enum, default_value = "inbound")]
    pub(crate) direction: DirectionArg,
    /// Follow edges down to this rung
    #[arg(long, value_enum, default_value = "dispatch")]
    pub(crate) confidence: Floor,
    /// At most this many rows of each list
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub(crate) limit: usize,
    /// Sync first
    #[arg(long)]
    pub(crate) sync: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TraceArgs {
    /// The command, with the names of its groups: `task update`
    pub(crate) command: String,
    /// Levels of calls
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub(crate) depth: usize,
    /// Follow edges down to this rung
    #[arg(long, value_enum, default_value = "same-module")]
    pub(crate) confidence: Floor,
    /// Sync first
    #[arg(long)]
    pub(crate) sync: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ListArgs {
    /// A selector, name or path
    pub(crate) selector: String,
    /// At most this many
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub(crate) limit: usize,
    /// Sync first
    #[arg(long)]
    pub(crate) sync: bool,
}

/// The rungs of the confidence ladder.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Floor {
    Exact,
    #[value(alias = "import_resolved")]
    Import,
    #[value(alias = "same-module")]
    SameModule,
    Dispatch,
    #[value(alias = "fuzzy_name")]
    Fuzzy,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum RefKindArg {
    Call,
    Type,
    Use,
    TraitBound,
    Value,
    Impl,
    Extends,
    Implements,
    Overrides,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum DirectionArg {
    Inbound,
    Outbound,
    Both,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SyncArgs {
    /// Read and extract every file again, from nothing
    #[arg(long)]
    pub(crate) full: bool,
    /// How many threads to use [default: one per core]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) history: SyncHistoryArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SearchArgs {
    /// Words or a name; every word is a prefix. Several words need no quotes
    #[arg(required_unless_present = "task", value_name = "QUERY")]
    pub(crate) query: Vec<String>,
    /// Only symbols that commits of this task touched
    #[arg(long, value_name = "ID")]
    pub(crate) task: Option<String>,
    /// Only this kind of thing
    #[arg(long, value_enum)]
    pub(crate) kind: Option<SearchKind>,
    /// Only symbols of this kind: function, method, class, …
    #[arg(long, value_name = "KIND", value_parser = symbol_kind)]
    pub(crate) symbol_kind: Option<SymbolKind>,
    /// Only this language: rust, python, …
    #[arg(long, value_name = "LANG", value_parser = lang)]
    pub(crate) lang: Option<Lang>,
    /// Only paths that match this glob
    #[arg(long, value_name = "GLOB")]
    pub(crate) path: Option<String>,
    /// At most this many
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: usize,
    /// Sync first
    #[arg(long)]
    pub(crate) sync: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SearchKind {
    Symbol,
    String,
    Config,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OverviewArgs {
    /// A directory or file: `dir:src`, `file:src/lib.rs`, or a plain path [default: everything]
    pub(crate) scope: Option<String>,
    /// How much to list
    #[arg(long, value_enum, default_value = "summary")]
    pub(crate) format: OverviewFormat,
    /// Sync first
    #[arg(long)]
    pub(crate) sync: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OverviewFormat {
    Summary,
    Full,
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

fn symbol_kind(text: &str) -> Result<SymbolKind, String> {
    let kinds = SymbolKind::ALL.map(SymbolKind::as_str).join(", ");
    SymbolKind::parse(text).ok_or_else(|| format!("kinds are {kinds}"))
}

fn lang(text: &str) -> Result<Lang, String> {
    let langs = Lang::ALL.map(Lang::as_str).join(", ");
    Lang::parse(text).ok_or_else(|| format!("languages are {langs}"))
}

impl Floor {
    pub(crate) fn confidence(self) -> Confidence {
        match self {
            Floor::Exact => Confidence::Exact,
            Floor::Import => Confidence::ImportResolved,
            Floor::SameModule => Confidence::SameModule,
            Floor::Dispatch => Confidence::Dispatch,
            Floor::Fuzzy => Confidence::FuzzyName,
        }
    }
}
