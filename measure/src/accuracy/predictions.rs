//! What the index says, from `orbit graph export`.

use super::truth::short;
use serde::Deserialize;
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use xtask::failure::{Context, Failure, fail};

/// A symbol.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Symbol {
    pub(super) file: String,
    pub(super) name: String,
    pub(super) line: u32,
}

/// A reference.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Edge {
    pub(super) file: String,
    pub(super) line: u32,
    span_start: usize,
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) confidence: Level,
    pub(super) target_file: Option<String>,
    pub(super) target_line: Option<u32>,
    /// 1-based, in bytes.
    #[serde(default)]
    pub(super) column: u32,
}

impl Edge {
    /// The target, unless only its name is known.
    pub(super) fn target(&self) -> Option<(&str, u32)> {
        Some((self.target_file.as_deref()?, self.target_line?))
            .filter(|_| self.confidence != Level::FuzzyName)
    }
}

/// How sure an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Level {
    Exact,
    ImportResolved,
    SameModule,
    FuzzyName,
}

impl Level {
    /// Those that answers show by themselves.
    pub(super) const VISIBLE: [Level; 3] = [Level::Exact, Level::ImportResolved, Level::SameModule];

    pub(super) fn name(self) -> &'static str {
        match self {
            Level::Exact => "exact",
            Level::ImportResolved => "import_resolved",
            Level::SameModule => "same_module",
            Level::FuzzyName => "fuzzy_name",
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Predictions {
    pub(super) symbols: Vec<Symbol>,
    pub(super) edges: Vec<Edge>,
}

/// Indexes a directory and reads what the index holds.
pub(super) fn read(orbit: &Path, root: &Path) -> Result<Predictions, Failure> {
    let mut command = Command::new(orbit);
    command.args(["graph", "export", "--sync", "-C"]).arg(root).stdout(Stdio::piped());
    let mut child = command.spawn().context("orbit")?;
    let stdout = child.stdout.take().ok_or_else(|| fail("no output of orbit"))?;
    let mut found = Predictions::default();
    let mut starts = LineStarts { root, files: HashMap::new() };
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        if line.starts_with(r#"{"type":"symbol""#) {
            let mut symbol: Symbol = serde_json::from_str(&line).context("orbit graph export")?;
            let name = short(&symbol.name).to_owned();
            symbol.name = name;
            found.symbols.push(symbol);
        } else if line.starts_with(r#"{"type":"ref""#) {
            let mut edge: Edge = serde_json::from_str(&line).context("orbit graph export")?;
            edge.column = starts.column(&edge.file, edge.line, edge.span_start);
            let name = short(&edge.name).to_owned();
            edge.name = name;
            found.edges.push(edge);
        }
    }
    if child.wait()?.success() { Ok(found) } else { Err(fail("orbit graph export failed")) }
}

/// Where the lines of files start.
struct LineStarts<'r> {
    root: &'r Path,
    files: HashMap<String, Vec<usize>>,
}

impl LineStarts<'_> {
    fn column(&mut self, file: &str, line: u32, offset: usize) -> u32 {
        let starts = self.files.entry(file.to_owned()).or_insert_with(|| {
            let bytes = std::fs::read(self.root.join(file)).unwrap_or_default();
            let breaks = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(breaks).collect()
        });
        let start = starts.get(line as usize - 1).copied().unwrap_or(offset);
        (offset.saturating_sub(start) + 1) as u32
    }
}
