//! Symbols picked at random, the same ones in every run on the same code.

use crate::scratch;
use serde::Deserialize;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use xtask::failure::{Context, Failure, fail};

/// A symbol of the index under test.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Symbol {
    pub(crate) file: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    qualified: String,
    pub(crate) line: u32,
}

impl Symbol {
    pub(crate) fn selector(&self) -> String {
        format!("symbol:{}#{}:{}", self.file, self.qualified, self.kind)
    }

    pub(crate) fn is_callable(&self) -> bool {
        matches!(self.kind.as_str(), "function" | "method" | "constructor" | "macro")
    }

    pub(crate) fn is_type(&self) -> bool {
        matches!(self.kind.as_str(), "class" | "struct" | "trait" | "interface" | "enum" | "union")
    }
}

/// Every symbol of an index, in the order of the export.
pub(crate) fn symbols(orbit: &Path, repo: &Path) -> Result<Vec<Symbol>, Failure> {
    let mut command = Command::new(orbit);
    command.args(["graph", "export", "-C"]).arg(repo).stdout(Stdio::piped());
    let mut child = command.spawn().context("orbit graph export")?;
    let output = child.stdout.take().ok_or_else(|| fail("a child without standard output"))?;
    let mut found = Vec::new();
    for line in BufReader::new(output).lines() {
        let line = line?;
        if line.starts_with("{\"type\":\"symbol\"") {
            found.push(serde_json::from_str(&line).context("a line of the export")?);
        }
    }
    if !child.wait()?.success() {
        return Err(fail("orbit graph export failed"));
    }
    Ok(found)
}

/// `count` of the items, spread by a fixed sequence of numbers.
pub(crate) fn pick<T>(items: Vec<T>, count: usize) -> Vec<T> {
    let mut keyed: Vec<(u64, T)> =
        items.into_iter().enumerate().map(|(number, item)| (scatter(number as u64), item)).collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().take(count).map(|(_, item)| item).collect()
}

/// As [`pick`]; another seed, other items.
pub(crate) fn pick_seeded<T>(items: Vec<T>, count: usize, seed: u64) -> Vec<T> {
    let start = scatter(seed);
    let mut keyed: Vec<(u64, T)> =
        items.into_iter().enumerate().map(|(number, item)| (scatter(start ^ number as u64), item)).collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().take(count).map(|(_, item)| item).collect()
}

/// A number whose bits have nothing to do with those of its neighbours (splitmix64).
fn scatter(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A copy of a repository with an index made by the program under test.
pub(crate) struct Indexed {
    pub(crate) copy: std::path::PathBuf,
    _scratch: tempfile::TempDir,
}

impl Indexed {
    pub(crate) fn make(orbit: &Path, source: &scratch::Source) -> Result<Indexed, Failure> {
        let scratch = scratch::dir()?;
        let copy = scratch.path().join("repository");
        source.copy(&copy)?;
        crate::child::run(Command::new(orbit).args(["graph", "sync", "-C"]).arg(&copy))?;
        // An index is trusted to be settled a moment after it was written.
        std::thread::sleep(std::time::Duration::from_millis(100));
        Ok(Indexed { copy, _scratch: scratch })
    }
}
