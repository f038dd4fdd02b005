//! `cargo xtask bench knowledge`: how long the store takes with many atoms and many tasks, through MCP, beside the
//! plain walk that tries every glob on every path.

use super::stats::{median, percentile};
use crate::args::KnowledgeBenchArgs;
use crate::mcp::Client;
use crate::programs;
use crate::scratch;
use crate::summary;
use globset::GlobBuilder;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use xtask::failure::{Failure, fail};
use xtask::project::git;
use xtask::render;

const SUMMARY: &str = "benches/knowledge.md";
/// How often each question is asked.
const ASKED: usize = 40;
/// Files of the repository; all are asked about at once.
const PATHS: usize = 500;

const HEAD: &str = "# Many atoms, many tasks

Written by `cargo xtask bench knowledge --write`. One `orbit mcp` process on a repository of 500 Python files, asked again and
again, so everything is warm; the time is that of the whole call, transport included.

- **context**: `query_graph context` with all 500 paths, and with one.
- **walk of all globs**: compiling every glob and trying it on every path, in memory, without a store, an answer or freshness.
- **next task**: `get_next_task` without and with a claim.

";

pub(super) fn run(args: &KnowledgeBenchArgs) -> Result<ExitCode, Failure> {
    let orbit = programs::orbit()?;
    let scratch = scratch::dir()?;
    let dir = scratch.path().join("repo");
    repository(&dir)?;
    let mut command = Command::new(&orbit);
    command.args(["mcp", "--toolset", "knowledge,tasks"]).current_dir(&dir);
    let mut desk = Desk { client: Client::start(&mut command)?, project: String::new(), task: String::new() };
    desk.begin()?;
    render::note(format!("making {} atoms", args.atoms));
    let globs = desk.atoms(args.atoms)?;
    let mut text = String::from(HEAD);
    for line in super::setting_lines(&orbit)? {
        let _ = writeln!(text, "{line}");
    }
    text.push_str("\n| question | p50 ms | p95 ms |\n|---|--:|--:|\n");
    let paths: Vec<String> = (0..PATHS).map(path).collect();
    let context = |paths: &[String]| json!({"operation": "context", "paths": paths});
    let atoms = args.atoms;
    row(
        &mut text,
        &format!("context, {atoms} atoms, {PATHS} paths"),
        &desk.time("query_graph", &context(&paths))?,
    );
    row(
        &mut text,
        &format!("context, {atoms} atoms, 1 path"),
        &desk.time("query_graph", &context(&paths[..1]))?,
    );
    row(
        &mut text,
        &format!("walk of all globs, {} globs, {PATHS} paths", globs.len()),
        &walk(&globs, &paths),
    );
    render::note(format!("making {} tasks", args.tasks));
    desk.tasks(args.tasks)?;
    row(&mut text, &format!("next task of {}", args.tasks), &desk.time("get_next_task", &json!({}))?);
    let claim = json!({"claim": true, "actor": "bench"});
    row(&mut text, &format!("next task of {}, claimed", args.tasks), &desk.time("get_next_task", &claim)?);
    summary::publish(SUMMARY, &text, args.write)
}

fn row(text: &mut String, what: &str, times: &[Duration]) {
    let millis = |time: Duration| time.as_secs_f64() * 1000.0;
    let (middle, tail) = (median(times.iter().copied()), percentile(times.iter().copied(), 95));
    let _ = writeln!(text, "| {what} | {:.1} | {:.1} |", millis(middle), millis(tail));
}

fn path(number: usize) -> String {
    format!("src/area_{:02}/module_{number}.py", number / 10)
}

fn repository(dir: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(dir)?;
    git(dir, &["init", "-q", "-b", "main"])?;
    for number in 0..PATHS {
        let file = dir.join(path(number));
        std::fs::create_dir_all(file.parent().unwrap_or(dir))?;
        std::fs::write(file, format!("def run_{number}(value):\n    return value + {number}\n"))?;
    }
    git(dir, &["add", "-A"])?;
    git(dir, &["-c", "user.name=bench", "-c", "user.email=bench@example.org", "commit", "-q", "-m", "files"])
        .map(drop)
}

/// Every glob on every path.
fn walk(globs: &[String], paths: &[String]) -> Vec<Duration> {
    let once = || {
        let started = Instant::now();
        let mut found = 0_usize;
        for glob in globs {
            let compiled = GlobBuilder::new(glob).literal_separator(true).build();
            let Ok(matcher) = compiled.map(|glob| glob.compile_matcher()) else { continue };
            found += paths.iter().filter(|path| matcher.is_match(path)).count();
        }
        black_box(found);
        started.elapsed()
    };
    (0..5).map(|_| once()).collect()
}

struct Desk {
    client: Client,
    project: String,
    task: String,
}

impl Desk {
    fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, Failure> {
        let answer = self.client.call(tool, arguments)?;
        let envelope: Value = serde_json::from_str(&answer.text).map_err(|error| fail(error.to_string()))?;
        if answer.is_error {
            return Err(fail(format!("{tool}: {}", envelope["message"])));
        }
        Ok(envelope["data"].clone())
    }

    fn begin(&mut self) -> Result<(), Failure> {
        let id = |value: &Value| value["id"].as_str().unwrap_or_default().to_owned();
        let project =
            json!({"operation": "create", "containerType": "project", "name": "bench", "summary": "s"});
        self.project = id(&self.call("manage_container", &project)?["project"]);
        self.task = id(&self.new_task(0)?["task"]);
        Ok(())
    }

    fn new_task(&mut self, number: usize) -> Result<Value, Failure> {
        let priority = ["HIGH", "MEDIUM", "LOW"][number % 3];
        let arguments = json!({"operation": "create", "containerType": "task", "title": format!("task {number}"),
            "summary": "s", "priority": priority, "complexity": 1 + number % 10, "projectId": self.project});
        self.call("manage_container", &arguments)
    }

    fn tasks(&mut self, count: usize) -> Result<(), Failure> {
        (1..count).try_for_each(|number| self.new_task(number).map(drop))
    }

    /// Atoms with two globs each: of a quarter one matches a file, of others a directory that is there or is not.
    fn atoms(&mut self, count: usize) -> Result<Vec<String>, Failure> {
        let mut globs = Vec::new();
        for number in 0..count {
            let first = match number % 4 {
                0 => path(number / 4 % PATHS),
                1 => format!("src/area_{:02}/*_{}.py", number / 4 % 50, number % PATHS),
                _ => format!("lib/part_{number}/**"),
            };
            let own = vec![first, format!("docs/part_{number}/**/*.md")];
            let arguments = json!({"operation": "create", "entityType": "atom", "projectId": self.project,
                "name": format!("atom {number}"), "createdByTaskId": self.task, "paths": own, "knowledge": "k".repeat(400)});
            self.call("manage_graph", &arguments)?;
            globs.extend(own);
        }
        Ok(globs)
    }

    fn time(&mut self, tool: &str, arguments: &Value) -> Result<Vec<Duration>, Failure> {
        let mut arguments = arguments.clone();
        arguments["projectId"] = self.project.as_str().into();
        let mut times = Vec::new();
        for round in 0..=ASKED {
            let answer = self.client.call(tool, &arguments)?;
            if answer.is_error {
                return Err(fail(answer.text));
            }
            if round > 0 {
                times.push(answer.took);
            }
        }
        Ok(times)
    }
}
