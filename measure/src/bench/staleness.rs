//! `cargo xtask bench staleness`: whether atoms say truly how they stand, over the commits of a repository: its Python code
//! and its configuration.
//!
//! ```text
//! commit i ─random areas─▶ atoms ─checkout i + k─▶ freshness ┐
//!                                  Python's own parser ─▶ truth ┴─▶ recall and precision per grade
//! ```
//!
//! The truth never sees our prints or our parser: `truth.py` compares syntax trees of Python itself, and
//! what parsers of JSON, TOML and YAML read, from git.

mod areas;
mod score;

use crate::args::StalenessArgs;
use crate::mcp::Client;
use crate::programs;
use crate::scratch::{self, Source};
use crate::summary;
use areas::{Area, Dice};
use score::Score;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use xtask::failure::{Context, Failure, fail};
use xtask::project::{git, output};
use xtask::render;

const SUMMARY: &str = "benches/staleness.md";
const TRUTH: &str = include_str!("staleness/truth.py");
/// How many commits later is asked.
const LATER: [usize; 4] = [1, 5, 20, 60];
/// Larger than any answer.
const ALL_TOKENS: u64 = 100_000_000;

pub(super) fn run(args: &StalenessArgs) -> Result<ExitCode, Failure> {
    let orbit = programs::orbit()?;
    let mut scores = Vec::new();
    for path in &args.repos {
        let source = Source::at(path)?;
        if source.commit.is_none() {
            return Err(fail(format!("{} is not a git repository", path.display())));
        }
        render::note(format!("replaying {}", source.title()));
        scores.push((source.title(), replay(&orbit, &source, args)?));
    }
    let setting = super::setting_lines(&orbit)?;
    let text = score::report(&setting, &scores, args.seed);
    summary::publish(SUMMARY, &text, args.write)
}

fn replay(orbit: &Path, source: &Source, args: &StalenessArgs) -> Result<Score, Failure> {
    let scratch = scratch::dir()?;
    let dir = scratch.path().join("clone");
    source.clone_to(&dir, &[])?;
    output(Command::new(orbit).args(["graph", "sync", "--history"]).current_dir(&dir))?;
    let count = args.commits.to_string();
    let listed = git(&dir, &["rev-list", "--first-parent", "-n", &count, "HEAD"])?;
    let commits: Vec<&str> = listed.lines().collect();
    let mut truth = Truth::start(&dir)?;
    let mut server = Server::start(orbit, &dir)?;
    let mut dice = Dice::new(args.seed);
    let mut score = Score::default();
    for base in 0..args.bases {
        let at =
            LATER[LATER.len() - 1] + dice.below(commits.len().saturating_sub(LATER[LATER.len() - 1]).max(1));
        let Some(commit) = commits.get(at) else { return Err(fail("there are too few commits")) };
        checkout(&dir, commit)?;
        let areas = areas::choose(&dir, commit, &mut dice, &mut truth)?;
        let planted = server.plant(&format!("base {base}"), &areas)?;
        for later in LATER.iter().filter_map(|steps| commits.get(at.checked_sub(*steps)?)) {
            checkout(&dir, later)?;
            let told = server.ask(&planted)?;
            let question = json!({"base": commit, "later": later, "areas": areas.iter().map(Area::question).collect::<Value>()});
            let judged = truth.ask(&question)?;
            for (at, area) in areas.iter().enumerate() {
                let Some(said) = told.get(&at.to_string()) else { continue };
                if !score.add(said, &judged[at]) && args.show {
                    render::note(format!(
                        "{commit} {later} {}: {said}, truly {}",
                        area.question(),
                        judged[at]["grade"]
                    ));
                }
            }
        }
    }
    Ok(score)
}

fn checkout(dir: &Path, commit: &str) -> Result<(), Failure> {
    git(dir, &["checkout", "-q", "--force", "--detach", commit]).map(drop)
}

/// A running `truth.py`.
pub(crate) struct Truth {
    child: Child,
    input: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Truth {
    fn start(dir: &Path) -> Result<Truth, Failure> {
        let mut child = Command::new("python3")
            .args(["-W", "ignore", "-c", TRUTH])
            .current_dir(dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("python3")?;
        let (input, answers) = (child.stdin.take(), child.stdout.take());
        let answers = answers.ok_or_else(|| fail("a child without standard output"))?;
        Ok(Truth { child, input, answers: BufReader::new(answers) })
    }

    fn ask(&mut self, question: &Value) -> Result<Value, Failure> {
        let input = self.input.as_mut().ok_or_else(|| fail("the truth is gone"))?;
        writeln!(input, "{question}")?;
        input.flush()?;
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err(fail("the truth went away"));
        }
        serde_json::from_str(&line).map_err(|error| fail(error.to_string()))
    }
}

impl Drop for Truth {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait(); // it ends with its input
    }
}

/// A server of knowledge, as an agent has it.
struct Server {
    client: Client,
}

impl Server {
    fn start(orbit: &Path, dir: &Path) -> Result<Server, Failure> {
        let mut command = Command::new(orbit);
        command.args(["mcp", "--toolset", "knowledge,tasks"]).current_dir(dir);
        Ok(Server { client: Client::start(&mut command)? })
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, Failure> {
        let answer = self.client.call(tool, arguments)?;
        let envelope: Value = serde_json::from_str(&answer.text).map_err(|error| fail(error.to_string()))?;
        if answer.is_error {
            return Err(fail(format!("{tool}: {}", envelope["message"])));
        }
        Ok(envelope["data"].clone())
    }

    /// Makes an atom per area, called by its place in the list. Gives the project.
    fn plant(&mut self, name: &str, areas: &[Area]) -> Result<String, Failure> {
        let id = |value: &Value| value["id"].as_str().unwrap_or_default().to_owned();
        let made = self.call(
            "manage_container",
            &json!({"operation": "create", "containerType": "project", "name": name, "summary": "s"}),
        )?;
        let project = id(&made["project"]);
        let made = self.call(
            "manage_container",
            &json!({"operation": "create", "containerType": "task", "title": "t",
            "summary": "s", "priority": "LOW", "complexity": 1, "projectId": project}),
        )?;
        let task = id(&made["task"]);
        for (at, area) in areas.iter().enumerate() {
            let mut arguments = area.arguments();
            arguments["operation"] = "create".into();
            arguments["entityType"] = "atom".into();
            arguments["projectId"] = project.as_str().into();
            arguments["createdByTaskId"] = task.as_str().into();
            arguments["name"] = at.to_string().into();
            if let Err(failure) = self.call("manage_graph", &arguments) {
                render::note(format!("left out {}: {failure}", area.question()));
            }
        }
        Ok(project)
    }

    /// What each atom of a project says of itself.
    fn ask(&mut self, project: &str) -> Result<std::collections::BTreeMap<String, String>, Failure> {
        let found = self.call(
            "query_graph",
            &json!({"operation": "search", "entityType": "atom", "projectId": project,
            "limit": 100, "includeChangelog": false, "max_tokens": ALL_TOKENS}),
        )?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let items = found["items"].as_array().into_iter().flatten();
        Ok(items.map(|it| (text(&it["name"]), text(&it["freshness"]))).collect())
    }
}
