//! Measuring what the workspace builds; started by `cargo xtask`, which lists these tasks with its own.
//!
//! ```text
//! words ─args─▶ Task ─(again in release, where time counts)─▶ Source ─copy─▶ scratch ─a task─▶ lines, benches/*.md
//! ```
//!
//! - [`mod@bench`]: the index measured against its floors and its peers, as ratios.
//! - [`summary`]: the end of each: its table printed, and kept below `benches/` on demand.
//! - [`replay`]: incremental = full, over the commits of a real repository.
//! - [`accuracy`]: the index against what compilers and people say of real repositories.
//! - [`coverage`]: how many of a repository's textual Rust functions the index has.
//! - [`damage`]: how many definitions are lost in files that a grammar cannot read.
//! - [`oracle`]: the history of functions against their text in every commit.
//! - [`judge`]: refactorings of real projects, judged by their compilers and tests.
//!
//! Repositories are copied before anything is written, and no figure is asserted.

mod args;
mod programs;
mod scratch;
mod child;
mod mcp;
mod summary;

mod bench;
mod replay;
mod accuracy;
mod coverage;
mod damage;
mod oracle;
mod judge;

use args::{Args, Task};
use clap::Parser;
use std::process::ExitCode;
use xtask::failure::Failure;
use xtask::render;

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
    let is_timed = !matches!(task, Task::RefactorJudge(_) | Task::Damage(_));
    if is_timed && cfg!(debug_assertions) {
        return programs::rerun_in_release();
    }
    match task {
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
