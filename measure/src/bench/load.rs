//! `cargo xtask bench load`: loading lines of JSON with all checks, against an append of the same rows that are in memory.

use super::graph::environment;
use crate::args::LoadBenchArgs;
use crate::summary;
use serde_json::Value;
use std::fmt::Write as _;
use std::process::{Command, ExitCode};
use xtask::failure::{Context, Failure, fail};
use xtask::project::{self, git, output};

const SUMMARY: &str = "benches/load.md";

const HEAD: &str = "# What loading costs

Written by `cargo xtask bench load --write`. The floor appends rows that are in memory as Arrow with Lance's own API; ours is
`omnigraph load` of the same rows as lines of JSON, from the start of the program to its end: parsing, every check, ids, one
durable commit. *of the floor* is the rate of ours by that of the floor; a third was asked for.

";

pub(super) fn run(args: &LoadBenchArgs) -> Result<ExitCode, Failure> {
    let (program, _) = super::server::programs(args.programs.as_deref(), "release")?;
    let python = environment(&args.scratch)?;
    let script = project::root().join("measure/src/bench/load/append.py");
    let dir = args.scratch.join("load");
    let mut command = Command::new(python);
    command.arg(script).arg(std::path::absolute(program)?).arg(std::path::absolute(&dir)?);
    let said = output(command.args([args.nodes.to_string(), args.rounds.to_string()]))?;
    std::fs::remove_dir_all(&dir).context("the scratch directory")?;
    let text = report(args, &said)?;
    summary::publish(SUMMARY, &text, args.write)
}

fn report(args: &LoadBenchArgs, said: &str) -> Result<String, Failure> {
    let mut out = String::from(HEAD);
    let commit = git(&project::root(), &["rev-parse", "--short=10", "HEAD"])?;
    let date = output(Command::new("date").args(["-u", "+%F"]))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let nodes = args.nodes;
    let _ = writeln!(
        out,
        "- {date}, commit {commit}, profile `release`, {cores} cores; {nodes} nodes and {} edges.\n",
        nodes * 2
    );
    out.push_str("| round | floor, s | ours, s | of the floor | peak of ours, MB |\n|--:|--:|--:|--:|--:|\n");
    let rounds: Vec<Value> = said.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    if rounds.is_empty() {
        return Err(fail("nothing was measured"));
    }
    for (at, round) in rounds.iter().enumerate() {
        let number = |name: &str| round[name].as_f64().unwrap_or_default();
        let _ = writeln!(
            out,
            "| {} | {:.2} | {:.2} | {:.2} | {} |",
            at + 1,
            number("floor"),
            number("ours"),
            number("ratio"),
            round["peak"]
        );
    }
    Ok(out)
}
