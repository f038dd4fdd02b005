//! The real `omnigraph`, run by a shell in a directory of its own.

use regex::Regex;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Four people, two companies, who knows whom, who works where.
pub(crate) const SCHEMA: &str = include_str!("fixture/test.pg");
pub(crate) const DATA: &str = include_str!("fixture/test.jsonl");
pub(crate) const QUERIES: &str = include_str!("fixture/test.gq");

/// A directory with a schema, data and queries; it goes with the value.
pub(crate) struct Place {
    dir: tempfile::TempDir,
    env: Vec<(String, String)>,
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The exit code; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    /// With `schema.pg`, `seed.jsonl` and `queries.gq`.
    pub(crate) fn new() -> Place {
        let place = Place { dir: tempfile::tempdir().expect("a directory"), env: Vec::new() };
        place.write("schema.pg", SCHEMA);
        place.write("seed.jsonl", DATA);
        place.write("queries.gq", QUERIES);
        place
    }

    /// With a graph `g.omni` that holds the data.
    pub(crate) fn loaded() -> Place {
        let place = Place::new();
        place.run("omnigraph init --schema schema.pg g.omni").success();
        place.run("omnigraph load --data seed.jsonl --mode overwrite g.omni").success();
        place
    }

    /// Sets a variable for all runs.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.env.push((name.to_owned(), value.to_owned()));
    }

    /// The variables of all runs.
    pub(crate) fn env(&self) -> &[(String, String)] {
        &self.env
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("below the directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }

    /// The shell that would run a line, untouched by the settings of the user who runs the tests.
    pub(crate) fn shell(&self, line: &str) -> Command {
        let program = Path::new(env!("CARGO_BIN_EXE_omnigraph"));
        let programs = program.parent().expect("it is in a directory").display();
        let mut command = Command::new("sh");
        command.arg("-c").arg(line).current_dir(self.dir.path()).stdin(Stdio::null());
        command.env_clear().env("PATH", format!("{programs}:/usr/local/bin:/usr/bin:/bin"));
        command.env("HOME", "/nonexistent").env("OMNIGRAPH_FSYNC", "0");
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a line.
    pub(crate) fn run(&self, line: &str) -> Outcome {
        outcome(self.shell(line).output().expect("the shell runs"))
    }

    /// Runs a line that must succeed and gives the one JSON document it prints.
    pub(crate) fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.run(line).success()).expect("exactly one JSON document")
    }

    /// The values of the first column of a query.
    pub(crate) fn column(&self, line: &str) -> Vec<String> {
        let answer = self.json(&format!("omnigraph read --json {line}"));
        let column = answer["columns"][0].as_str().expect("a column").to_owned();
        let rows = answer["rows"].as_array().expect("rows");
        rows.iter()
            .map(|row| row[&column].as_str().map_or_else(|| row[&column].to_string(), str::to_owned))
            .collect()
    }

    /// What a user sees of some lines: output as it is, errors marked, ids, times and names of directories replaced.
    pub(crate) fn transcript(&self, lines: &[&str]) -> String {
        let mut out = String::new();
        for line in lines {
            let outcome = self.run(line);
            out.extend(["$ ", line, "\n", &outcome.stdout]);
            out.extend(outcome.stderr.lines().map(|line| format!("! {line}").trim_end().to_owned() + "\n"));
            out.extend(outcome.code.filter(|code| *code != 0).map(|code| format!("[exit code {code}]\n")));
        }
        self.without_chance(&out)
    }

    fn without_chance(&self, text: &str) -> String {
        let text = text.replace(&self.dir.path().display().to_string(), "<dir>");
        let mut text = text;
        for (pattern, name) in [
            (r"__run__01[0-9A-HJKMNP-TV-Z]{24}", "__run__<run>"),
            (r"\b01[0-9A-HJKMNP-TV-Z]{24}\b", "<commit>"),
            (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "<time>"),
            (r"tables/[0-9A-Z]{16}", "tables/<dir>"),
            (r#"version "?\d{15,20}"?"#, "version <version>"),
            (r"in \d+ ms", "in <n> ms"),
            (r"\d+\.\d{3} ms", "<n> ms"),
            (r"\d+\.\d [KMGT]iB|\b\d+ B\b", "<size>"),
        ] {
            text = Regex::new(pattern).expect("a pattern").replace_all(&text, name).into_owned();
        }
        text
    }
}

pub(crate) fn outcome(output: Output) -> Outcome {
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Outcome {
    /// Standard output of a run that succeeded.
    pub(crate) fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self.stdout
    }

    /// The error document of a run with `--json` that failed, after its shape is checked.
    pub(crate) fn error(&self) -> Value {
        assert_eq!(self.code, Some(1), "{self:#?}");
        assert_eq!(self.stdout, "", "an error leaves standard output empty");
        let document: Value =
            serde_json::from_str(&self.stderr).expect("one JSON document on standard error");
        let error = document["error"].clone();
        let keys: Vec<&String> = error.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["code", "message", "diagnostics", "merge_conflicts"]);
        assert!(error["code"].is_string() && error["message"].is_string(), "{error}");
        error
    }
}
