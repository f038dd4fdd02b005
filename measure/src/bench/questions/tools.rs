//! The servers: how each is started and asked, and how its answers are read.

use super::Question;
use crate::args::QuestionsArgs;
use crate::bench::said::said;
use crate::child;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::failure::Failure;
use xtask::project::output;

/// A server under comparison.
pub(super) struct Tool {
    pub(super) name: &'static str,
    program: PathBuf,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Orbit,
    Colby,
    Tokensave,
}

/// An entry of an answer.
pub(super) struct Entry {
    pub(super) file: String,
    /// The caller's or type's own name.
    pub(super) name: String,
    /// The lines it gives for the calls; of an implementation, its own.
    pub(super) lines: Vec<u32>,
}

impl Tool {
    pub(super) fn chosen(orbit: &Path, args: &QuestionsArgs) -> Vec<Tool> {
        let mut tools = vec![Tool { name: "orbit", program: orbit.to_owned(), kind: Kind::Orbit }];
        if let Some(program) = &args.colby {
            let program = program.clone();
            tools.push(Tool { name: "@colbymchenry/codegraph", program, kind: Kind::Colby });
        }
        if let Some(program) = &args.tokensave {
            tools.push(Tool { name: "tokensave", program: program.clone(), kind: Kind::Tokensave });
        }
        tools
    }

    pub(super) fn version(&self) -> Result<String, Failure> {
        let text = output(Command::new(&self.program).arg("--version"))?;
        Ok(text.rsplit(' ').next().unwrap_or_default().to_owned())
    }

    /// Makes the index.
    pub(super) fn index(&self, repo: &Path, home: &Path) -> Result<(), Failure> {
        let words: &[&str] = match self.kind {
            Kind::Orbit => &["graph", "sync"],
            Kind::Colby => &["init", "--yes"],
            Kind::Tokensave => &["init", "--no-git-hook"],
        };
        child::run(self.command(home).args(words).current_dir(repo)).map(drop)
    }

    pub(super) fn server(&self, repo: &Path, home: &Path) -> Command {
        let words: &[&str] = match self.kind {
            Kind::Orbit => &["mcp"],
            Kind::Colby => &["serve", "--mcp", "--path", "."],
            Kind::Tokensave => &["serve", "--path", "."],
        };
        let mut command = self.command(home);
        command.args(words).current_dir(repo);
        command
    }

    /// In a home of its own, without reporting to anyone and without leaving servers behind.
    fn command(&self, home: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.env("HOME", home).env("CODEGRAPH_TELEMETRY", "0").env("CODEGRAPH_NO_DAEMON", "1");
        command.env("CODEGRAPH_MCP_TOOLS", "explore,callers,impact,search");
        command
    }

    /// The tool that answers a question, with its arguments.
    pub(super) fn question(&self, question: &Question) -> Option<(&'static str, Value)> {
        let symbol = question.symbol.as_str();
        Some(match (self.kind, question.is_callers) {
            // References by name count as callers, as they do for the others.
            (Kind::Orbit, true) => ("graph_refs", json!({"selector": symbol})),
            (Kind::Orbit, false) => ("graph_implementors", json!({"selector": symbol})),
            (Kind::Colby, true) => ("codegraph_callers", json!({"symbol": symbol, "limit": 100})),
            (Kind::Colby, false) => return None,
            (Kind::Tokensave, true) => ("tokensave_callers", json!({"symbol": symbol})),
            (Kind::Tokensave, false) => ("tokensave_impls", json!({"trait": symbol, "limit": 200})),
        })
    }

    /// What an answer says.
    pub(super) fn entries(&self, text: &str, question: &Question) -> Vec<Entry> {
        match (self.kind, question.is_callers) {
            (Kind::Orbit, true) => grouped_lines(text),
            (Kind::Orbit, false) => grouped_names(text),
            (Kind::Colby, _) => listed(text),
            (Kind::Tokensave, true) => callers(text),
            (Kind::Tokensave, false) => impls(text),
        }
    }
}

/// `{refs: {kind: {file: "symbol:line,line"}}}`, without imports and guesses.
fn grouped_lines(text: &str) -> Vec<Entry> {
    let answer: Value = serde_json::from_str(text).unwrap_or_default();
    let mut entries = Vec::new();
    for (kind, files) in answer["refs"].as_object().into_iter().flatten() {
        if kind == "use" {
            continue;
        }
        for one in said(files) {
            entries.push(Entry { name: last(&one.name), file: one.file, lines: one.lines });
        }
    }
    entries
}

/// `{implementors: {kind: {file: ["type:line"]}}}`; a trait that extends another does not implement it.
fn grouped_names(text: &str) -> Vec<Entry> {
    let answer: Value = serde_json::from_str(text).unwrap_or_default();
    let mut entries = Vec::new();
    let kinds = answer["implementors"].as_object().into_iter().flatten();
    for (_, files) in kinds.filter(|(kind, _)| kind.as_str() != "extends") {
        for (file, names) in files.as_object().into_iter().flatten() {
            for entry in names.as_array().into_iter().flatten().filter_map(Value::as_str) {
                let (name, line) = entry.rsplit_once(':').unwrap_or((entry, ""));
                let lines = line.parse().into_iter().collect();
                entries.push(Entry { file: file.clone(), name: last(name), lines });
            }
        }
    }
    entries
}

/// `- name (kind) - path:line — via call`; a file that imports is not a caller.
fn listed(text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("- ")) {
        let Some((name, rest)) = line.split_once(" (") else { continue };
        let Some((kind, place)) = rest.split_once(") - ") else { continue };
        let place = place.split(' ').next().unwrap_or("");
        if kind != "file" {
            let file = place.rsplit_once(':').map_or(place, |(file, _)| file);
            entries.push(Entry { file: file.to_owned(), name: last(name), lines: Vec::new() });
        }
    }
    entries
}

fn callers(text: &str) -> Vec<Entry> {
    let answer: Value = serde_json::from_str(text).unwrap_or_default();
    let matches = answer["matches"].as_array().into_iter().flatten();
    let callers = matches.flat_map(|one| one["callers"].as_array().into_iter().flatten());
    callers.map(|caller| entry_of(caller, "name", numbers(&caller["lines"]))).collect()
}

fn impls(text: &str) -> Vec<Entry> {
    let answer: Value = serde_json::from_str(text).unwrap_or_default();
    let impls = answer["impls"].as_array().into_iter().flatten();
    impls.map(|one| entry_of(one, "type", numbers(&json!([one["start_line"]])))).collect()
}

fn entry_of(row: &Value, name: &str, lines: Vec<u32>) -> Entry {
    let text = |key: &str| row[key].as_str().unwrap_or("").to_owned();
    Entry { file: text("file"), name: last(&text(name)), lines }
}

fn numbers(list: &Value) -> Vec<u32> {
    let numbers = list.as_array().into_iter().flatten().filter_map(Value::as_u64);
    numbers.map(|number| number as u32).collect()
}

/// The last part of a qualified name.
fn last(name: &str) -> String {
    name.rsplit(['.', ':']).next().unwrap_or(name).to_owned()
}
