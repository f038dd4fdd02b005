//! `cargo xtask bench`: [`queries`], [`answers`], [`agents`] and [`questions`] measure what is asked, [`history`] the history,
//! [`staleness`] what atoms say of themselves, [`knowledge`] many of them, [`graph`] the shared graph beside other
//! databases, [`versioning`] its branches and its maintenance, [`server`] many who use it at once, [`load`] how fast rows come in; the rest is `bench code`:
//! what the index costs beside the least it could cost, and beside its peers.
//!
//! ```text
//! Source ─copy─▶ scratch ─rounds (everything once each, in turn)─▶ Measured ─report─▶ Markdown
//! ```
//!
//! - The **parse floor**: the same files read and parsed by the same grammars on as many threads.
//! - The **walk floor**: the same walk, in a process of its own as a sync is.
//!
//! Every floor is a child process ([`floor`]), so that this one stays small: Linux counts the memory of a
//! parent towards the peak of its children. Nothing is asserted; a figure means something beside the others
//! of the same run.

mod agents;
mod answers;
mod edits;
pub(crate) mod floor;
mod graph;
mod history;
mod knowledge;
mod load;
mod peers;
mod queries;
mod questions;
mod registry;
mod report;
mod said;
mod sample;
mod server;
mod staleness;
mod stats;
mod subject;
mod versioning;

use crate::args::{Bench, CodeArgs};
use crate::programs;
use crate::scratch::Source;
use crate::summary;
use peers::Peer;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use xtask::failure::Failure;
use xtask::project::{self, git, output};
use xtask::render;

const SUMMARY: &str = "benches/code.md";

/// The programs that are compared, and how.
pub(crate) struct Setup {
    pub(crate) orbit: PathBuf,
    pub(crate) ctags: bool,
    pub(crate) peers: Vec<Peer>,
    pub(crate) threads: usize,
    pub(crate) runs: usize,
    pub(crate) edits: usize,
}

/// Runs a benchmark.
pub(crate) fn run(what: &Bench) -> Result<ExitCode, Failure> {
    match what {
        Bench::Code(args) => code(args),
        Bench::Queries(args) => queries::run(args),
        Bench::Answers(args) => answers::run(args),
        Bench::Agents(args) => agents::run(args),
        Bench::Questions(args) => questions::run(args),
        Bench::History(args) => history::run(args),
        Bench::Graph(args) => graph::run(args),
        Bench::Knowledge(args) => knowledge::run(args),
        Bench::Staleness(args) => staleness::run(args),
        Bench::Load(args) => load::run(args),
        Bench::Server(args) => server::run(args),
        Bench::Versioning(args) => versioning::run(args),
    }
}

fn code(args: &CodeArgs) -> Result<ExitCode, Failure> {
    let setup = Setup {
        orbit: programs::orbit()?,
        ctags: ctags_version().is_some(),
        peers: if args.peers { peers::installed(args)? } else { Vec::new() },
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        runs: args.runs.max(1),
        edits: args.edits.max(1),
    };
    let sources = if args.repos.is_empty() {
        registry::sources()?
    } else {
        args.repos.iter().map(|path| Source::at(path)).collect::<Result<_, _>>()?
    };
    let mut measured = Vec::new();
    for source in &sources {
        render::note(format!("measuring {}", source.title()));
        measured.push(subject::measure(&setup, source)?);
    }
    let text = report::markdown(&setting(&setup)?, &measured);
    summary::publish(SUMMARY, &text, args.write)
}

/// What was compared, when and on what, as lines of text.
fn setting(setup: &Setup) -> Result<Vec<String>, Failure> {
    let mut lines = setting_lines(&setup.orbit)?;
    lines.push(format!(
        "Medians of {} rounds; in a round everything runs once, in turn, on warm files.",
        setup.runs
    ));
    lines.extend(ctags_version().filter(|_| setup.ctags));
    lines.extend(
        setup.peers.iter().map(|peer| format!("{} {}, `{}`.", peer.name, peer.version, peer.usage())),
    );
    Ok(lines)
}

/// The machine and the program.
fn setting_lines(orbit: &Path) -> Result<Vec<String>, Failure> {
    let root = project::root();
    let commit = git(&root, &["rev-parse", "--short=10", "HEAD"])?;
    let changes = git(&root, &["status", "--porcelain", "--", "crates", "Cargo.toml", "Cargo.lock"])?;
    let changes = if changes.is_empty() { "" } else { " with local changes" };
    let version = output(Command::new(orbit).args(["graph", "version"]))?;
    let date = output(Command::new("date").args(["-u", "+%F"]))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown");
    Ok(vec![
        format!("{date}, {cores} cores, load {load}."),
        format!("{version}, commit {commit}{changes}, release build, {cores} threads."),
    ])
}

/// What kind of ctags there is, if it is the universal one.
fn ctags_version() -> Option<String> {
    let text = output(Command::new("ctags").arg("--version")).ok()?;
    let line = text.lines().next()?.split(',').next()?;
    line.starts_with("Universal").then(|| format!("{line}, `ctags -R`: definitions only."))
}
