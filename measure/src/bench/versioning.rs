//! `cargo xtask bench versioning`: whether branches, opening, reading and scanning cost the same however many rows and
//! commits there are. The example `versionbench` of the engine measures; this runs it and makes a table.

use super::graph::build_example;
use crate::args::VersioningArgs;
use crate::scratch;
use crate::summary;
use serde_json::Value;
use std::fmt::Write as _;
use std::process::{Command, ExitCode};
use xtask::failure::{Context, Failure};
use xtask::project::{self, git, output};
use xtask::render;

const SUMMARY: &str = "benches/versioning.md";

const HEAD: &str = "# What versions cost

Written by `cargo xtask bench versioning --write`. Every line compares something small with something large that ought to
cost the same; *asked* is the greatest ratio that was asked for. Medians in milliseconds on a local disk; both sides of a
line run in turn.

";

pub(super) fn run(args: &VersioningArgs) -> Result<ExitCode, Failure> {
    let driver = build_example("versionbench", &args.profile)?;
    let scratch = scratch::dir()?;
    let dir = args.scratch.clone().unwrap_or_else(|| scratch.path().to_path_buf());
    std::fs::create_dir_all(&dir).context("the scratch directory")?;
    let mut command = Command::new(driver);
    command.arg(&dir).arg(args.commits.to_string()).arg(args.rows.to_string());
    render::note(format!("{} commits, {} rows", args.commits, args.rows));
    let said = output(&mut command)?;
    let text = report(args, &said)?;
    summary::publish(SUMMARY, &text, args.write)
}

fn report(args: &VersioningArgs, said: &str) -> Result<String, Failure> {
    let mut out = String::from(HEAD);
    let commit = git(&project::root(), &["rev-parse", "--short=10", "HEAD"])?;
    let date = output(Command::new("date").args(["-u", "+%F"]))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown");
    let profile = &args.profile;
    let _ = writeln!(out, "- {date}, commit {commit}, profile `{profile}`, {cores} cores, load {load}.\n");
    out.push_str("| | small | large | ratio | asked |\n|---|--:|--:|--:|--:|\n");
    for line in said.lines() {
        let value: Value = serde_json::from_str(line)?;
        let number = |name: &str| value[name].as_f64().unwrap_or_default();
        let case = value["case"].as_str().unwrap_or_default();
        let _ = match value["asked"].as_f64() {
            Some(asked) => writeln!(
                out,
                "| {case} | {:.3} | {:.3} | {:.2} | {asked} |",
                number("small"),
                number("large"),
                number("ratio")
            ),
            None => writeln!(out, "| {case} | | {:.1} | | |", number("large")),
        };
    }
    Ok(out)
}
