//! Developer tasks: `cargo xtask <task>`.
//!
//! - [`tidy`]: rules that the compiler does not check. Also a test.
//! - [`mod@bench`]: the index measured against its floors and its peers, as ratios.
//! - [`replay`]: incremental = full, over the commits of a real repository.
//! - [`accuracy`]: the index against what compilers and people say of real repositories.
//! - [`oracle`]: the history of functions against their text in every commit.
//! - [`judge`]: refactorings of real projects, judged by their compilers and tests.
//! - [`coverage`]: how many of a repository's textual Rust functions the index has.
//! - [`damage`]: how many definitions are lost in files that a grammar cannot read.
//!
//! [`render`] is the only module that prints.

mod accuracy;
mod args;
mod bench;
mod child;
mod coverage;
mod damage;
mod failure;
mod judge;
mod mcp;
mod oracle;
mod project;
mod render;
mod replay;
mod rust_text;
mod scratch;
mod tidy;

use args::{Args, Task};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

// The program that is measured uses the same, so that floors are as low as they can be.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = Args::parse();
    match run(args.task) {
        Ok(code) => code,
        Err(failure) => {
            render::error(&failure);
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<ExitCode, Failure> {
    let is_timed = !matches!(task, Task::Tidy | Task::RefactorJudge(_) | Task::Damage(_));
    if is_timed && cfg!(debug_assertions) {
        return project::rerun_in_release();
    }
    match task {
        Task::Tidy => tidy::run(),
        Task::Bench(args) => bench::run(&args.what),
        Task::Replay(args) => replay::run(&args),
        Task::Accuracy(args) => accuracy::run(&args),
        Task::CoverageFn(args) => coverage::run(&args),
        Task::Damage(args) => damage::run(&args),
        Task::HistoryOracle(args) => oracle::run(&args),
        Task::RefactorJudge(args) => judge::run(&args),
        Task::Floor(args) => bench::floor::run(&args),
    }
}
