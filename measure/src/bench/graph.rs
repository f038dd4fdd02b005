//! `cargo xtask bench graph`: one workload on our engine and on the databases a user would pick instead, in one run.
//!
//! The workload is a directory of its own with a generator, a runner that takes turns between the databases and checks
//! every answer against an exact floor, and peers. Ours is the example `graphbench` of the engine behind lines of JSON;
//! `graph/ours.py` and `graph/queries.gq` ask it what the peers are asked.

use crate::args::GraphArgs;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use xtask::failure::{Context, Failure, fail};
use xtask::project::{self, git, output};
use xtask::render;

const SUMMARY: &str = "benches/graph.md";

/// Beside the queries that the workload has for languages without aggregates of distinct values.
const QUERIES: &str = "ours.gq";

const HEAD: &str = "# Queries on a graph, side by side

Written by `cargo xtask bench graph … --write`. Every database is a process of its own and holds the same data; for each
class of query they run one after the other, and answers are checked against an exact floor. Figures are medians of warm
queries in milliseconds, as the client sees them; *ratio* is ours divided by what the target names. Ours is asked through
a pipe and answers in JSON; the others are libraries in the client's process.

";

/// A class of queries, what ours is compared with, and the greatest ratio that was asked for.
const TARGETS: [(&str, &str, &[&str], f64); 13] = [
    ("a", "point lookup", &["ladybug", "kuzu", "duckdb"], 0.5),
    ("b", "filtered scan, order, limit", &["duckdb"], 1.0),
    ("c1", "neighbours, 1 hop", &["ladybug"], 1.0),
    ("c2", "neighbours, 2 hops", &["ladybug"], 1.0),
    ("c3", "neighbours, 3 hops", &["ladybug", "kuzu", "duckdb", "sqlite"], 0.5),
    ("d", "1..3 hops with a filter", &["ladybug", "kuzu", "duckdb", "sqlite"], 0.25),
    ("e", "anti-join", &["duckdb"], 1.0),
    ("f", "group by", &["duckdb"], 1.0),
    ("g", "BM25, best 20", &["lance"], 1.3),
    ("h", "vector, best 20", &["lance"], 1.3),
    ("i", "hybrid", &["lance"], 1.3),
    ("j1", "text inside a pattern", &["kuzu", "sqlite"], 0.5),
    ("j2", "vector inside a pattern", &["ladybug", "kuzu", "duckdb", "sqlite"], 0.5),
];

pub(super) fn run(args: &GraphArgs) -> Result<ExitCode, Failure> {
    let driver = build_example("graphbench", "release")?;
    let python = environment(&args.scratch)?;
    let scratch = std::path::absolute(&args.scratch).context("the scratch directory")?;
    let workload = workload(&args.workload, &scratch)?;
    let script = |name: &str| workload.join(name);
    if !scratch.join("data").join(&args.size).join("params.json").is_file() {
        render::note(format!("generating {}", args.size));
        checked(Command::new(&python).arg(script("gen.py")).arg(&args.size).env("GRAPHBENCH_DIR", &scratch))?;
    }
    let results = scratch.join("results");
    let _ = std::fs::remove_dir_all(&results);
    for phase in ["load", "query", "tx"] {
        render::note(format!("{phase} {}", args.size));
        let mut command = Command::new(&python);
        command.arg(script("bench.py")).args([phase, &args.size, "--peers", &args.peers]);
        command.env("GRAPHBENCH_DIR", &scratch).env("OURS_DRV", &driver).env("OURS_DURABLE", "fsync");
        command.env("OURS_GQ", workload.join(QUERIES));
        checked(&mut command)?;
    }
    let graph = scratch.join("db").join(&args.size).join("ours/g.omni");
    let writers = writers(&driver, &workload.join(QUERIES), &graph)?;
    let text = report(&results, &args.size, writers)?;
    render::line(text.trim_end());
    if args.write {
        std::fs::write(project::root().join(SUMMARY), text).context(SUMMARY)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A copy of the workload with our side of it.
fn workload(from: &Path, scratch: &Path) -> Result<PathBuf, Failure> {
    let to = scratch.join("workload");
    checked(Command::new("rm").arg("-rf").arg(&to))?;
    std::fs::create_dir_all(scratch).context("the scratch directory")?;
    checked(Command::new("cp").arg("-r").args([from, to.as_path()]))?;
    let peers = to.join("peers");
    std::fs::rename(peers.join("ours.py"), peers.join("ours_plain.py")).context("peers/ours.py")?;
    std::fs::write(peers.join("ours.py"), include_str!("graph/ours.py")).context("peers/ours.py")?;
    std::fs::write(to.join(QUERIES), include_str!("graph/queries.gq")).context(QUERIES)?;
    Ok(to)
}

/// Durable transactions of one row per second: one writer, and eight beside each other.
fn writers(driver: &Path, queries: &Path, graph: &Path) -> Result<(f64, f64), Failure> {
    let mut child = Command::new(driver)
        .arg(queries)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("the driver")?;
    let mut requests = format!("{}\n", json!({ "op": "open", "uri": graph }));
    for (count, seconds, prefix) in [(1, 1, "warm"), (1, 5, "one"), (8, 5, "eight")] {
        let request = json!({ "op": "writers", "count": count, "seconds": seconds, "prefix": prefix });
        let _ = writeln!(requests, "{request}");
    }
    child.stdin.take().ok_or_else(|| fail("no pipe"))?.write_all(requests.as_bytes())?;
    let output = child.wait_with_output().context("the driver")?;
    let rates: Vec<f64> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok()?["ok"].as_f64())
        .collect();
    match rates.as_slice() {
        [_, one, eight] => Ok((*one, *eight)),
        _ => Err(fail("the driver did not measure its writers")),
    }
}

/// Builds an example of the engine and says where it is.
pub(super) fn build_example(name: &str, profile: &str) -> Result<PathBuf, Failure> {
    let mut command = project::cargo();
    // In development the features are those of the whole workspace, as everything else is built with.
    let of = if profile == "dev" { &["--workspace"][..] } else { &["-p", "omnigraph"] };
    checked(command.args(["build", "-q", "--profile", profile]).args(of).args(["--example", name]))?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| project::root().join("target"), PathBuf::from);
    let directory = if profile == "dev" { "debug" } else { profile };
    Ok(target.join(directory).join("examples").join(name))
}

/// A Python with the peers; those that do not install are skipped by the runner.
pub(super) fn environment(scratch: &Path) -> Result<PathBuf, Failure> {
    let python = scratch.join("v/bin/python");
    if !python.is_file() {
        std::fs::create_dir_all(scratch).context("the scratch directory")?;
        checked(Command::new("python3").args(["-m", "venv"]).arg(scratch.join("v")))?;
        for package in ["numpy pyarrow psutil", "ladybug", "kuzu", "duckdb", "pylance", "apsw sqlite-vec"] {
            let install = ["-m", "pip", "install", "-q"];
            if checked(Command::new(&python).args(install).args(package.split(' '))).is_err() {
                render::note(format!("{package} does not install"));
            }
        }
    }
    Ok(std::path::absolute(python)?)
}

fn checked(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().context(command.get_program().to_string_lossy().into_owned())?;
    if status.success() { Ok(()) } else { Err(fail(format!("{command:?}: {status}"))) }
}

fn report(results: &Path, size: &str, (one, eight): (f64, f64)) -> Result<String, Failure> {
    let read = |phase: &str| -> Result<Value, Failure> {
        let path = results.join(format!("{size}-{phase}-r1.json"));
        let text = std::fs::read_to_string(&path).context(path.display())?;
        Ok(serde_json::from_str(&text)?)
    };
    let (queries, loads, changes) = (read("query")?, read("load")?, read("tx")?);
    let mut out = String::from(HEAD);
    let commit = git(&project::root(), &["rev-parse", "--short=10", "HEAD"])?;
    let date = output(Command::new("date").args(["-u", "+%F"]))?;
    let _ = writeln!(out, "- {date}, commit {commit}, size {size}.\n");
    classes(&queries["q"], &mut out);
    let head = "| | load, seconds | rows only, seconds | memory, MB | disk, MB |\n|---|--:|--:|--:|--:|";
    let _ = writeln!(out, "\n{head}");
    for (peer, load) in loads.as_object().into_iter().flatten().filter(|(_, load)| load["s"].is_number()) {
        let rows = load["phases"].get("tables").or(load["phases"].get("load"));
        let rows = rows.map_or("-".to_owned(), Value::to_string);
        let _ =
            writeln!(out, "| {peer} | {} | {rows} | {} | {} |", load["s"], load["rss_mb"], load["disk_mb"]);
    }
    let _ = writeln!(
        out,
        "\nTransactions of one row per second:\n\n| | insert | update | edge | delete |\n|---|--:|--:|--:|--:|"
    );
    for (peer, ops) in changes.as_object().into_iter().flatten() {
        let cell = |op: &str| ops[op]["tps"].as_f64().map_or("-".to_owned(), |tps| format!("{tps:.0}"));
        let _ = writeln!(
            out,
            "| {peer} | {} | {} | {} | {} |",
            cell("ins"),
            cell("upd"),
            cell("edge"),
            cell("del")
        );
    }
    let _ = writeln!(
        out,
        "\nInserts of one row per second in one process of ours, on the disk when they are acknowledged: one writer {one:.0}, \
         eight writers {eight:.0} together ({:.1} times as many).",
        eight / one
    );
    Ok(out)
}

fn classes(queries: &Value, out: &mut String) {
    let _ = writeln!(
        out,
        "| | ours | compared with | theirs | ratio | asked | right |\n|---|--:|---|--:|--:|--:|--:|"
    );
    for (class, name, peers, asked) in TARGETS {
        let p50 = |peer: &str| queries[class][peer]["p50"].as_f64();
        let best =
            peers.iter().filter_map(|peer| Some((p50(peer)?, *peer))).min_by(|a, b| a.0.total_cmp(&b.0));
        let right = &queries[class]["ours"]["ok"];
        let cells = match (p50("ours"), best) {
            (Some(ours), Some((theirs, peer))) => {
                format!("{ours:.3} | {peer} | {theirs:.3} | {:.2} | {asked}", ours / theirs)
            }
            (Some(ours), None) => format!("{ours:.3} | - | - | - | {asked}"),
            _ => format!("- | - | - | - | {asked}"),
        };
        let _ = writeln!(out, "| {class} {name} | {cells} | {right} |");
    }
}
