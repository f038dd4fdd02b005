//! What can be typed.

mod asking;

pub(crate) use asking::{AgentsArgs, AnswersArgs, QueriesArgs, QuestionsArgs};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Developer tasks
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Measure, in release
    Bench(BenchArgs),
    /// Compare incremental syncs with fresh builds over the commits of a repository
    Replay(ReplayArgs),
    /// Compare references with what compilers, or people, say of a repository
    Accuracy(AccuracyArgs),
    /// Count the textual Rust functions of a repository that the index has
    CoverageFn(CoverageArgs),
    /// Count the definitions that are lost in files that a grammar cannot read
    Damage(DamageArgs),
    /// Compare the commits of random functions with those in which their text changed
    HistoryOracle(OracleArgs),
    /// Rename or move random symbols of a project and let its compiler or tests judge
    RefactorJudge(JudgeArgs),
    /// One part of a benchmark, in a process of its own
    #[command(hide = true)]
    Floor(FloorArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    pub(crate) what: Bench,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// The code index against its floors and its peers
    Code(CodeArgs),
    /// How long questions take, beside `git grep`
    Queries(QueriesArgs),
    /// How long answers are, and whether they are whole, beside `git grep`
    Answers(AnswersArgs),
    /// What one answer is worth against compilers' data, beside `git grep` and reading
    Agents(AgentsArgs),
    /// The same questions put to peers
    Questions(QuestionsArgs),
    /// The history: a whole walk, one more commit, nothing new, and questions
    History(HistoryBenchArgs),
    /// Queries, loads and transactions on the shared graph, beside other databases
    Graph(GraphArgs),
    /// Whether atoms say truly how they stand, over the commits of Python repositories
    Staleness(StalenessArgs),
    /// What branches, many commits and maintenance of the shared graph cost
    Versioning(VersioningArgs),
    /// How fast rows are loaded, beside a plain append
    Load(LoadBenchArgs),
    /// What the server of the shared graph bears: many connections, a load beside them
    Server(ServerArgs),
    /// How long the store takes with many atoms and many tasks
    Knowledge(KnowledgeBenchArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GraphArgs {
    /// The directory of the workload: gen.py, bench.py and the peers
    #[arg(long, value_name = "DIR")]
    pub(crate) workload: PathBuf,
    /// Where data, databases and the peers' programs are put
    #[arg(long, value_name = "DIR")]
    pub(crate) scratch: PathBuf,
    /// The size of the data
    #[arg(long, default_value = "M", value_name = "SIZE")]
    pub(crate) size: String,
    /// What runs, by the workload's names
    #[arg(long, default_value = "floor,ladybug,kuzu,duckdb,sqlite,lance,ours", value_name = "NAMES")]
    pub(crate) peers: String,
    /// Write the summary to benches/graph.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct LoadBenchArgs {
    /// Where data and the floor's programs are put
    #[arg(long, value_name = "DIR")]
    pub(crate) scratch: PathBuf,
    /// How many nodes; there are twice as many edges
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    pub(crate) nodes: u64,
    /// How often
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub(crate) rounds: u32,
    /// Use the programs of this directory; they are not built then
    #[arg(long, value_name = "DIR")]
    pub(crate) programs: Option<PathBuf>,
    /// Write the summary to benches/load.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ServerArgs {
    /// How many people the graph has; each knows three
    #[arg(long, default_value_t = 50_000, value_name = "N")]
    pub(crate) people: u64,
    /// How many rows are loaded while others read
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    pub(crate) rows: u64,
    /// For how long reads and writes are mixed
    #[arg(long, default_value_t = 60, value_name = "N")]
    pub(crate) seconds: u64,
    /// How the programs are built
    #[arg(long, default_value = "release", value_name = "NAME")]
    pub(crate) profile: String,
    /// Use the programs of this directory; they are not built then
    #[arg(long, value_name = "DIR")]
    pub(crate) programs: Option<PathBuf>,
    /// Write the summary to benches/server.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct VersioningArgs {
    /// How many commits of one row are made
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub(crate) commits: usize,
    /// How many rows the large table has
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    pub(crate) rows: usize,
    /// Where graphs are made [default: a directory that is removed]
    #[arg(long, value_name = "DIR")]
    pub(crate) scratch: Option<PathBuf>,
    /// How the engine is built
    #[arg(long, default_value = "release", value_name = "NAME")]
    pub(crate) profile: String,
    /// Write the summary to benches/versioning.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct KnowledgeBenchArgs {
    /// How many atoms are made
    #[arg(long, default_value_t = 2_000, value_name = "N")]
    pub(crate) atoms: usize,
    /// How many tasks are made
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub(crate) tasks: usize,
    /// Write the summary to benches/knowledge.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct StalenessArgs {
    /// A git repository of Python code; may be given several times
    #[arg(long = "repo", value_name = "PATH", required = true)]
    pub(crate) repos: Vec<PathBuf>,
    /// The commits that are replayed, counted back from HEAD along first parents
    #[arg(long, default_value_t = 1500, value_name = "N")]
    pub(crate) commits: usize,
    /// How many commits atoms are planted at
    #[arg(long, default_value_t = 30, value_name = "N")]
    pub(crate) bases: usize,
    /// Which commits and areas: another number, others
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,
    /// Name every answer that differs from the truth
    #[arg(long)]
    pub(crate) show: bool,
    /// Write the summary to benches/staleness.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HistoryBenchArgs {
    /// A git repository with commits; may be given several times
    #[arg(long = "repo", value_name = "PATH", required = true)]
    pub(crate) repos: Vec<PathBuf>,
    /// How many commits are added, one at a time
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) commits: usize,
    /// Write the summary to benches/history.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CodeArgs {
    /// A repository or directory to index; may be given several times [default: sources of crates this
    /// workspace depends on]
    #[arg(long = "repo", value_name = "PATH")]
    pub(crate) repos: Vec<PathBuf>,
    /// How often everything is run; the table has medians
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub(crate) runs: usize,
    /// How many files are changed, one at a time
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub(crate) edits: usize,
    /// Run the peers that are installed beside ours
    #[arg(long)]
    pub(crate) peers: bool,
    /// The program of @optave/codegraph
    #[arg(long, value_name = "BIN", requires = "peers")]
    pub(crate) optave: Option<PathBuf>,
    /// The program of @colbymchenry/codegraph
    #[arg(long, value_name = "BIN", requires = "peers")]
    pub(crate) colby: Option<PathBuf>,
    /// Write the summary to benches/code.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReplayArgs {
    /// The git repository
    #[arg(long, value_name = "PATH")]
    pub(crate) repo: PathBuf,
    /// How many commits, counted back from HEAD along first parents
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub(crate) commits: usize,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AccuracyArgs {
    /// The directory with the truth: `<repository>.gt.tsv.gz`
    #[arg(long, value_name = "DIR", required_unless_present = "judged")]
    pub(crate) truth: Option<PathBuf>,
    /// A file of references judged by hand, instead of the truth
    #[arg(long, value_name = "FILE", conflicts_with_all = ["truth", "write"])]
    pub(crate) judged: Option<PathBuf>,
    /// A checkout at the commit of its truth; may be given several times
    #[arg(long = "repo", value_name = "DIR", required = true)]
    pub(crate) repos: Vec<PathBuf>,
    /// Write the summary to benches/accuracy.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OracleArgs {
    /// The git repository
    #[arg(long, value_name = "PATH")]
    pub(crate) repo: PathBuf,
    /// How many symbols
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub(crate) samples: usize,
    /// Which symbols: another number, other symbols
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct JudgeArgs {
    /// The git repository
    #[arg(long, value_name = "PATH")]
    pub(crate) repo: PathBuf,
    /// Where its copy is, or is made; kept, so that what the check has built stays
    #[arg(long, value_name = "DIR")]
    pub(crate) work: PathBuf,
    /// Which symbols
    #[arg(long, value_enum)]
    pub(crate) lang: Judged,
    /// Move them to other files instead of renaming them
    #[arg(long = "move")]
    pub(crate) moves: bool,
    /// Only symbols of files below this path
    #[arg(long, value_name = "PREFIX")]
    pub(crate) under: Option<String>,
    /// Run once in the copy before anything else
    #[arg(long, value_name = "COMMAND")]
    pub(crate) setup: Option<String>,
    /// The judge, instead of the language's usual one
    #[arg(long, value_name = "COMMAND")]
    pub(crate) check: Option<String>,
    /// The program, instead of one built in release
    #[arg(long, value_name = "FILE")]
    pub(crate) orbit: Option<PathBuf>,
    /// How many symbols
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub(crate) samples: usize,
    /// Which symbols: another number, other symbols
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,
}

/// Languages that have a judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Judged {
    Rust,
    Typescript,
    Javascript,
    Python,
    Go,
    Java,
    C,
    Cpp,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CoverageArgs {
    /// The repository or directory
    #[arg(long, value_name = "PATH")]
    pub(crate) repo: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DamageArgs {
    /// A repository or directory; may be given several times
    #[arg(long = "repo", value_name = "DIR", required = true)]
    pub(crate) repos: Vec<PathBuf>,
    /// Write the summary to benches/damage.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct FloorArgs {
    pub(crate) kind: Floor,
    pub(crate) dir: PathBuf,
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    #[arg(long, default_value_t = 0)]
    pub(crate) edits: usize,
}

/// What a child process of the benchmark does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Floor {
    /// Read and parse every file, keep nothing.
    Parse,
    /// Walk, keep nothing.
    Walk,
    /// Sync after each of several edits, without leaving the process.
    Warm,
}

#[cfg(test)]
mod tests {
    use super::Args;
    use clap::CommandFactory;

    #[test]
    fn xtask_lists_the_same_tasks() {
        let command = Args::command();
        let tasks = command.get_subcommands().filter(|task| !task.is_hide_set());
        let told: Vec<(String, String)> = tasks
            .map(|task| {
                (task.get_name().to_owned(), task.get_about().map(ToString::to_string).unwrap_or_default())
            })
            .collect();
        assert_eq!(told, xtask::tasks::MEASURING.map(|(name, about)| (name.to_owned(), about.to_owned())));
    }
}
