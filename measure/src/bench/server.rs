//! `cargo xtask bench server`: what HTTP adds, whether many connections of reads and writes are answered, and whether reads
//! go on while the graph is loaded and kept. `wrk` sends; the floor is a route that does nothing.

use crate::args::ServerArgs;
use crate::scratch;
use crate::summary;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;
use xtask::failure::{Context, Failure, fail};
use xtask::project::{self, git, output};
use xtask::render;

const SUMMARY: &str = "benches/server.md";

const HEAD: &str = "# What the server bears

Written by `cargo xtask bench server --write`. `wrk` and the server share the machine, over loopback, with 64 connections.
*reads* are 90 % one row by its key and 10 % neighbourhoods of one and two hops; *mixed* are 10 % changes of one row
(durable, each its own commit or one of a group) among them. The floor is `GET /healthz`, in the same run. Times in
milliseconds; *refused* are structured conflicts (409) and *other* everything else that is not 200.

";

/// A graph being served.
struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill(); // it may be gone already
        let _ = self.child.wait();
    }
}

pub(super) fn run(args: &ServerArgs) -> Result<ExitCode, Failure> {
    output(Command::new("sh").args(["-c", "command -v wrk"]))
        .map_err(|_| fail("wrk is missing: apt-get install wrk"))?;
    let (program, binary) = programs(args.programs.as_deref(), &args.profile)?;
    let scratch = scratch::dir()?;
    let dir = scratch.path();
    prepare(&program, dir, args.people)?;
    let served = serve(&binary, dir)?;
    let mut table = Table::default();
    let short = args.seconds.div_ceil(4).max(2);
    table.add("floor", &wrk(&served, dir, short, &["0", "1", "plain"], args.people)?, served.memory());
    table.add("reads", &wrk(&served, dir, short, &["0"], args.people)?, served.memory());
    table.add("mixed", &wrk(&served, dir, args.seconds, &["0.1"], args.people)?, served.memory());
    table.add("mixed, again", &wrk(&served, dir, args.seconds, &["0.1"], args.people)?, served.memory());
    let rows = rows_file(dir, args.rows)?;
    let load = beside(
        &served,
        &["-X", "POST", "--data-binary", &format!("@{}", rows.display())],
        "/load?branch=bulk&from=main",
    );
    table.add(
        &format!("reads while {} rows are loaded", args.rows),
        &while_running(load?, &served, dir, args.people)?,
        served.memory(),
    );
    let optimize =
        beside(&served, &["-X", "POST", "-H", "content-type: application/json", "-d", "{}"], "/optimize");
    table.add(
        "reads during optimize",
        &while_running(optimize?, &served, dir, args.people)?,
        served.memory(),
    );
    let clean = r#"{"keep":1,"grace":0,"confirm":true}"#;
    let cleanup =
        beside(&served, &["-X", "POST", "-H", "content-type: application/json", "-d", clean], "/cleanup");
    table.add("reads during cleanup", &while_running(cleanup?, &served, dir, args.people)?, served.memory());
    let text = report(args, &table)?;
    summary::publish(SUMMARY, &text, args.write)
}

/// `omnigraph` and `omnigraph-server`: those of a directory, or built now.
pub(super) fn programs(directory: Option<&Path>, profile: &str) -> Result<(PathBuf, PathBuf), Failure> {
    if let Some(directory) = directory {
        let directory = std::path::absolute(directory)?;
        return Ok((directory.join("omnigraph"), directory.join("omnigraph-server")));
    }
    let of: &[&str] =
        if profile == "dev" { &["--workspace"] } else { &["-p", "omnigraph-cli", "-p", "omnigraph-server"] };
    output(project::cargo().args(["build", "-q", "--profile", profile]).args(of))?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| project::root().join("target"), PathBuf::from);
    let directory = target.join(if profile == "dev" { "debug" } else { profile });
    Ok((directory.join("omnigraph"), directory.join("omnigraph-server")))
}

/// A graph of people who each know three others, with the queries beside it.
fn prepare(program: &Path, dir: &Path, people: u64) -> Result<(), Failure> {
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("queries/bench.gq"), include_str!("server/queries.gq"))?;
    std::fs::write(dir.join("mix.lua"), include_str!("server/mix.lua"))?;
    std::fs::write(dir.join("schema.pg"), include_str!("server/schema.pg"))?;
    std::fs::write(dir.join("bench.yaml"), "graphs: { g: { uri: g.omni } }\nquery: { roots: [queries] }\n")?;
    let mut file = std::io::BufWriter::new(std::fs::File::create(dir.join("people.jsonl"))?);
    for at in 0..people {
        writeln!(file, r#"{{"type":"Person","data":{{"name":"p{at}","age":{}}}}}"#, at % 90)?;
    }
    for at in 0..people {
        for step in [1, 7, 49] {
            writeln!(file, r#"{{"edge":"Knows","from":"p{at}","to":"p{}"}}"#, (at * 3 + step) % people)?;
        }
    }
    file.flush()?;
    output(Command::new(program).current_dir(dir).args(["init", "--schema", "schema.pg", "g.omni"]))?;
    let load = ["load", "--data", "people.jsonl", "--mode", "append", "g.omni"];
    output(Command::new(program).current_dir(dir).args(load))?;
    Ok(())
}

/// Rows that are loaded while others read.
fn rows_file(dir: &Path, rows: u64) -> Result<PathBuf, Failure> {
    let path = dir.join("rows.jsonl");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path)?);
    for at in 0..rows {
        writeln!(file, r#"{{"type":"Person","data":{{"name":"new-{at}","age":{}}}}}"#, at % 90)?;
    }
    file.flush()?;
    Ok(path)
}

fn serve(server: &Path, dir: &Path) -> Result<Served, Failure> {
    let mut command = Command::new(server);
    command.current_dir(dir).args(["--config", "bench.yaml", "--bind", "127.0.0.1:0"]);
    // A line per request would measure the log.
    command
        .env("OMNIGRAPH_LOG", "warn,omnigraph_server::start=info")
        .env_remove("OMNIGRAPH_SERVER_BEARER_TOKEN");
    let mut child = command.stderr(Stdio::piped()).spawn().context("omnigraph-server")?;
    let log = BufReader::new(child.stderr.take().ok_or_else(|| fail("the server has no log"))?);
    let mut lines = log.lines();
    let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, rest) = line.split_once("http://")?;
        Some(format!("http://{}", rest.split(' ').next()?))
    });
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(render::note));
    Ok(Served { child, address: address.ok_or_else(|| fail("the server did not start"))? })
}

impl Served {
    /// Resident, in MB.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        kib.unwrap_or_default() / 1024
    }
}

fn wrk(served: &Served, dir: &Path, seconds: u64, mix: &[&str], people: u64) -> Result<Value, Failure> {
    let duration = format!("{seconds}s");
    let mut command = Command::new("wrk");
    command.args(["-t", "2", "-c", "64", "--timeout", "30s", "-d", &duration, "-s"]).arg(dir.join("mix.lua"));
    command.arg(&served.address).arg("--");
    match mix {
        [share] => command.args([share, people.to_string().as_str()]),
        more => command.args(more),
    };
    let said = output(&mut command)?;
    let line = said.lines().find(|line| line.starts_with('{')).ok_or_else(|| fail("wrk said nothing"))?;
    Ok(serde_json::from_str(line)?)
}

/// A request that takes long.
fn beside(served: &Served, args: &[&str], path: &str) -> Result<Child, Failure> {
    let mut command = Command::new("curl");
    command.args(["-sS", "--fail-with-body"]).args(args).arg(format!("{}{path}", served.address));
    command.stdout(Stdio::null()).spawn().context("curl")
}

/// Reads in rounds of a second until a request is answered; the worst of the rounds stands for all.
fn while_running(mut long: Child, served: &Served, dir: &Path, people: u64) -> Result<Value, Failure> {
    let mut worst: Option<Value> = None;
    let (mut requests, mut seconds) = (0, 0.0);
    loop {
        let round = wrk(served, dir, 1, &["0"], people)?;
        requests += round["requests"].as_u64().unwrap_or_default();
        seconds += round["seconds"].as_f64().unwrap_or_default();
        let p99 = |value: &Value| value["p99"].as_f64().unwrap_or_default();
        let is_other =
            round["statuses"].as_object().is_some_and(|all| all.keys().any(|status| status != "200"));
        if worst.as_ref().is_none_or(|worst| is_other || p99(&round) > p99(worst)) {
            worst = Some(round);
        }
        if let Some(status) = long.try_wait()? {
            if !status.success() {
                return Err(fail(format!("the request beside the reads failed: {status}")));
            }
            let mut worst = worst.unwrap_or_default();
            worst["requests"] = requests.into();
            worst["seconds"] = seconds.into();
            return Ok(worst);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// What was measured.
#[derive(Default)]
struct Table {
    rows: Vec<(String, Value, u64)>,
}

impl Table {
    fn add(&mut self, name: &str, said: &Value, memory: u64) {
        render::note(format!("{name}: {said}, {memory} MB"));
        self.rows.push((name.to_owned(), said.clone(), memory));
    }
}

fn report(args: &ServerArgs, table: &Table) -> Result<String, Failure> {
    let mut out = String::from(HEAD);
    let commit = git(&project::root(), &["rev-parse", "--short=10", "HEAD"])?;
    let date = output(Command::new("date").args(["-u", "+%F"]))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown");
    let (profile, people, seconds) = (&args.profile, args.people, args.seconds);
    let _ = writeln!(
        out,
        "- {date}, commit {commit}, profile `{profile}`, {cores} cores, load {load}; {people} people, {} edges; mixed for \
         {seconds} s.\n",
        people * 3
    );
    out.push_str("| | requests/s | of the floor | p50 | p99 | max | refused | other | memory, MB |\n");
    out.push_str("|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    let rate = |said: &Value| {
        said["requests"].as_f64().unwrap_or_default() / said["seconds"].as_f64().unwrap_or(1.0).max(0.001)
    };
    let floor = table.rows.first().map_or(1.0, |(_, said, _)| rate(said));
    for (name, said, memory) in &table.rows {
        let number = |name: &str| said[name].as_f64().unwrap_or_default();
        let statuses = said["statuses"].as_object();
        let count = |wanted: &dyn Fn(&str) -> bool| -> u64 {
            let found = statuses.into_iter().flatten().filter(|(status, _)| wanted(status));
            found.filter_map(|(_, count)| count.as_u64()).sum()
        };
        let refused = count(&|status| status == "409");
        let other =
            count(&|status| status != "409" && status != "200") + said["broken"].as_u64().unwrap_or_default();
        let _ = writeln!(
            out,
            "| {name} | {:.0} | {:.2} | {:.2} | {:.2} | {:.1} | {refused} | {other} | {memory} |",
            rate(said),
            rate(said) / floor,
            number("p50"),
            number("p99"),
            number("max"),
        );
    }
    Ok(out)
}
