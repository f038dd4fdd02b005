//! Benchmarks that ask questions.

use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct QuestionsArgs {
    /// A repository that `benches/questions.tsv` asks about; may be given several times
    #[arg(long = "repo", value_name = "PATH", required = true)]
    pub(crate) repos: Vec<PathBuf>,
    /// The program of @colbymchenry/codegraph
    #[arg(long, value_name = "BIN")]
    pub(crate) colby: Option<PathBuf>,
    /// The program of tokensave
    #[arg(long, value_name = "BIN")]
    pub(crate) tokensave: Option<PathBuf>,
    /// Write the summary to benches/questions.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AnswersArgs {
    /// A git repository to ask about; may be given several times
    #[arg(long = "repo", value_name = "PATH", required = true)]
    pub(crate) repos: Vec<PathBuf>,
    /// How many symbols are asked about
    #[arg(long, default_value_t = 30, value_name = "N")]
    pub(crate) samples: usize,
    /// Write the summary to benches/answers.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AgentsArgs {
    /// The directory with the truth: `<repository>.gt.tsv.gz`; of a repository without one, only accounts are checked
    #[arg(long, value_name = "DIR")]
    pub(crate) truth: Option<PathBuf>,
    /// A checkout at the commit of its truth; may be given several times
    #[arg(long = "repo", value_name = "PATH", required = true)]
    pub(crate) repos: Vec<PathBuf>,
    /// How many questions of each kind are asked
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub(crate) samples: usize,
    /// How many names of the index have their account checked
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub(crate) names: usize,
    /// Which questions: another number, others
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,
    /// The program, instead of one built in release
    #[arg(long, value_name = "FILE")]
    pub(crate) orbit: Option<PathBuf>,
    /// A remark that the summary keeps; may be given several times
    #[arg(long = "note", value_name = "TEXT")]
    pub(crate) notes: Vec<String>,
    /// Name every answer that differs from the truth
    #[arg(long)]
    pub(crate) show: bool,
    /// Write the summary to benches/agents.md as well
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct QueriesArgs {
    /// A repository to ask about; may be given several times
    #[arg(long = "repo", value_name = "PATH", required = true)]
    pub(crate) repos: Vec<PathBuf>,
    /// How many symbols are asked about
    #[arg(long, default_value_t = 300, value_name = "N")]
    pub(crate) samples: usize,
    /// Write the summary to benches/queries.md as well
    #[arg(long)]
    pub(crate) write: bool,
}
