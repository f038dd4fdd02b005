//! `cargo xtask bench history`: what the history costs, beside what git alone needs to print the same diffs.
//!
//! Works in a clone that shares the repository's objects. The code index is made first, so that only the history
//! is measured.

use super::stats::{median, percentile};
use crate::args::HistoryBenchArgs;
use crate::child::{self, Cost};
use crate::programs;
use crate::scratch::{self, Source};
use crate::summary;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use xtask::failure::{Failure, fail};
use xtask::project::{self, git, git_command, output};
use xtask::render;

const SUMMARY: &str = "benches/history.md";
/// Symbols that are asked about.
const QUESTIONS: usize = 30;

const HEAD: &str = "# The history, measured

Written by `cargo xtask bench history --write`. Figures are of one machine and one run, with whatever else it did;
compare them with each other, not with those of another day.

- **git floor**: `git log` alone, printing the same diffs to nowhere: one thread.
- **whole walk**: `orbit graph sync --history` with the code index made before and no history.
- **peak**: the most memory that `orbit` itself had; git's processes map the packs and are not counted.
- **one commit**: a function is added and committed, then synced; the time inside `sync` is the history's share.
- **question**: a whole `orbit graph history` process.

";

struct Measured {
    title: String,
    commits: usize,
    floor: Cost,
    walk: Walk,
    blobs: u64,
    database: u64,
    again: Duration,
    one: Vec<(Duration, Duration)>,
    questions: Vec<Duration>,
}

struct Walk {
    wall: Duration,
    cpu: Duration,
    peak: u64,
}

pub(super) fn run(args: &HistoryBenchArgs) -> Result<ExitCode, Failure> {
    let orbit = programs::orbit()?;
    let mut rows = Vec::new();
    for path in &args.repos {
        let source = Source::at(path)?;
        if source.commit.is_none() {
            return Err(fail(format!("{} is not a git repository", path.display())));
        }
        render::note(format!("measuring {}", source.title()));
        rows.push(measure(&orbit, &source, args.commits.max(1))?);
    }
    let text = report(&rows)?;
    summary::publish(SUMMARY, &text, args.write)
}

fn measure(orbit: &Path, source: &Source, commits: usize) -> Result<Measured, Failure> {
    let scratch = scratch::dir()?;
    let dir = scratch.path().join("clone");
    source.clone_to(&dir, &[])?;
    let graph = |args: &[&str]| {
        let mut command = Command::new(orbit);
        command.arg("graph").args(args).current_dir(&dir);
        command
    };
    output(&mut graph(&["sync"]))?;
    let count = git(&dir, &["rev-list", "--count", "HEAD"])?.parse().unwrap_or(0);
    let (floor, _) = child::run(git_command().arg("-C").arg(&dir).args([
        "log",
        "--reverse",
        "--topo-order",
        "--diff-merges=first-parent",
        "--no-renames",
        "--raw",
        "-p",
        "-U0",
    ]))?;
    let (walk, report) = watched(&mut graph(&["sync", "--history", "--json"]))?;
    let history = &report["history"];
    let database = history["database_path"].as_str().map_or(0, |path| scratch::bytes_below(Path::new(path)));
    let (again, _) = child::run(&mut graph(&["sync", "--history", "--json"]))?;
    let one = one_by_one(&dir, commits, &graph)?;
    Ok(Measured {
        title: source.title(),
        commits: count,
        floor,
        blobs: history["blobs_parsed"].as_u64().unwrap_or(0),
        walk,
        database,
        again: again.wall,
        one,
        questions: questions(&dir, &graph)?,
    })
}

/// Runs a program and looks at its own memory while it runs.
fn watched(command: &mut Command) -> Result<(Walk, Value), Failure> {
    let out = tempfile::NamedTempFile::new()?;
    let started = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(out.reopen()?).stderr(Stdio::null()).spawn()?;
    let (status_file, stat_file) =
        (format!("/proc/{}/status", child.id()), format!("/proc/{}/stat", child.id()));
    let (mut peak, mut cpu) = (0, Duration::ZERO);
    let status = loop {
        if let Ok(text) = std::fs::read_to_string(&status_file) {
            peak = kilobytes(&text, "VmHWM:").unwrap_or(peak);
        }
        if let Ok(text) = std::fs::read_to_string(&stat_file) {
            cpu = own_cpu(&text).unwrap_or(cpu);
        }
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    if !status.success() {
        return Err(fail(format!("orbit ended with {status}")));
    }
    let report = serde_json::from_slice(&std::fs::read(out.path())?)?;
    Ok((Walk { wall: started.elapsed(), cpu, peak: peak * 1024 }, report))
}

fn kilobytes(status: &str, key: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// User and system time of a process, from the fields behind its name; a hundred ticks are a second.
fn own_cpu(stat: &str) -> Option<Duration> {
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

/// Adds commits one at a time. Of each, the whole call and the history's share.
fn one_by_one(
    dir: &Path,
    commits: usize,
    graph: &dyn Fn(&[&str]) -> Command,
) -> Result<Vec<(Duration, Duration)>, Failure> {
    let listed = git(dir, &["ls-files", "--", "*.py", "*.rs", "*.go", "*.c", "*.ts", "*.js"])?;
    let files: Vec<PathBuf> = listed.lines().map(|path| dir.join(path)).collect();
    let mut times = Vec::new();
    for n in 0..commits {
        let Some(file) = files.get(n * files.len() / commits) else { break };
        let mut text = std::fs::read_to_string(file).unwrap_or_default();
        let line = match file.extension().and_then(|extension| extension.to_str()) {
            Some("py") => format!("\n\ndef added_{n}():\n    return {n}\n"),
            Some("rs") => format!("\nfn added_{n}() -> u32 {{ {n} }}\n"),
            Some("go") => format!("\nfunc added{n}() int {{ return {n} }}\n"),
            Some("c") => format!("\nint added_{n}(void) {{ return {n}; }}\n"),
            _ => format!("\nfunction added{n}() {{ return {n}; }}\n"),
        };
        text.push_str(&line);
        std::fs::write(file, text)?;
        let identity =
            ["-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false"];
        output(git_command().arg("-C").arg(dir).args(identity).args(["commit", "-qam", "one more"]))?;
        let (cost, text) = child::run(&mut graph(&["sync", "--history", "--json"]))?;
        let report: Value = serde_json::from_str(&text)?;
        let share = Duration::from_millis(report["history"]["duration_ms"].as_u64().unwrap_or(0));
        times.push((cost.wall, share));
    }
    Ok(times)
}

fn questions(dir: &Path, graph: &dyn Fn(&[&str]) -> Command) -> Result<Vec<Duration>, Failure> {
    let mut times = Vec::new();
    for selector in crate::oracle::symbols(dir, graph, QUESTIONS, 1)? {
        let (cost, _) = child::run(&mut graph(&["history", &selector.selector, "--json"]))?;
        times.push(cost.wall);
    }
    Ok(times)
}

fn report(rows: &[Measured]) -> Result<String, Failure> {
    let date = output(Command::new("date").args(["-u", "+%F"]))?;
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown").to_owned();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let commit = git(&project::root(), &["rev-parse", "--short=10", "HEAD"])?;
    let mut out = String::from(HEAD);
    let _ = writeln!(out, "{date}, {cores} cores, load at the end {load}, commit {commit}, release build.\n");
    out.push_str(
        "| repository | commits | whole walk s | commits/s | CPU s | git floor s | peak MB | file versions parsed | database MB \
         | nothing new ms | one commit, whole call p50 / p95 ms | its history p50 / p95 ms | question p50 / p95 ms |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in rows {
        let pair = |times: Vec<Duration>| {
            let p50 = median(times.iter().copied()).as_millis();
            format!("{p50} / {}", percentile(times.iter().copied(), 95).as_millis())
        };
        let _ = writeln!(
            out,
            "| {} | {} | {:.1} | {:.0} | {:.1} | {:.1} | {} | {} | {:.1} | {} | {} | {} | {} |",
            row.title,
            row.commits,
            row.walk.wall.as_secs_f64(),
            row.commits as f64 / row.walk.wall.as_secs_f64().max(0.001),
            row.walk.cpu.as_secs_f64(),
            row.floor.wall.as_secs_f64(),
            row.walk.peak / 1_000_000,
            row.blobs,
            row.database as f64 / 1e6,
            row.again.as_millis(),
            pair(row.one.iter().map(|(whole, _)| *whole).collect()),
            pair(row.one.iter().map(|(_, share)| *share).collect()),
            pair(row.questions.clone()),
        );
    }
    Ok(out)
}
