//! The real `orbit`, run in a directory.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What a run left.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The exit code; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// `orbit graph …`, ready to be run in a directory, untouched by the settings of the user who runs the tests.
pub(crate) fn command(dir: &Path, args: &[&str]) -> Command {
    command_of(Path::new(env!("CARGO_BIN_EXE_orbit")), dir, args)
}

/// As [`command`], for a copy of the program.
pub(crate) fn command_of(program: &Path, dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.arg("graph").args(args).current_dir(dir).stdin(Stdio::null());
    command.env("HOME", "/nonexistent").env("GIT_CONFIG_NOSYSTEM", "1").env_remove("XDG_CONFIG_HOME");
    command
}

/// Runs `orbit graph …` in a directory.
pub(crate) fn orbit(dir: &Path, args: &[&str]) -> Outcome {
    outcome(command(dir, args).output().expect("the program runs"))
}

pub(crate) fn outcome(output: Output) -> Outcome {
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
    }
}

/// Runs a command that must succeed and gives the one JSON document it prints.
pub(crate) fn json(dir: &Path, args: &[&str]) -> Value {
    let mut args = args.to_vec();
    args.push("--json");
    orbit(dir, &args).json()
}

/// The export of a worktree.
pub(crate) fn export(dir: &Path) -> String {
    orbit(dir, &["export"]).success()
}

impl Outcome {
    /// Standard output of a run that succeeded.
    pub(crate) fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self.stdout
    }

    /// The one JSON document of a run that succeeded.
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.success()).expect("exactly one JSON document")
    }

    /// The error document of a run with `--json` that failed, after its shape is checked.
    pub(crate) fn error(&self) -> Value {
        assert_eq!(self.code, Some(1), "{self:#?}");
        assert_eq!(self.stdout, "", "an error leaves standard output empty");
        let document: Value =
            serde_json::from_str(&self.stderr).expect("one JSON document on standard error");
        let keys = |value: &Value| -> Vec<String> {
            value.as_object().expect("an object").keys().cloned().collect()
        };
        assert_eq!(keys(&document), ["error"]);
        let error = document["error"].clone();
        assert_eq!(keys(&error), ["code", "message", "hint", "candidates"]);
        assert!(error["code"].is_string() && error["message"].is_string(), "{error}");
        error
    }
}

/// The `(path, reason)` of everything a sync skipped.
pub(crate) fn skipped(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let rows = report["skipped"].as_array().expect("a list");
    rows.iter().map(|row| (text(&row["path"]), text(&row["reason"]))).collect()
}

/// The values of one key in the rows of one type of an export.
pub(crate) fn column(export: &str, section: &str, key: &str) -> Vec<String> {
    let rows = export.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON lines"));
    let of_section = rows.filter(|row| row["type"] == section);
    of_section.map(|row| row[key].as_str().expect("a text").to_owned()).collect()
}

/// The paths of an export.
pub(crate) fn indexed(dir: &Path) -> Vec<String> {
    column(&export(dir), "file", "path")
}
