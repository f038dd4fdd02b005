//! The same question without a graph: `git grep`, and the lines round each hit read to tell what it means.

use super::drawn::Question;
use super::judged;
use super::known::{Known, Place};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use xtask::failure::Failure;
use xtask::project::git_command;

/// How many lines are read before and behind a hit.
const ROUND: usize = 10;

/// What it costs, and what it gives.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Floor {
    /// Characters that `git grep -n -w` prints.
    pub(super) grep: usize,
    /// Characters of the lines round the hits; none is read twice.
    pub(super) reading: usize,
    /// Reads: one for each hit.
    pub(super) hits: usize,
    /// F1 of every line with the name before a bracket.
    pub(super) f1: f64,
}

pub(super) fn floor(known: &Known, root: &Path, question: &Question) -> Result<Floor, Failure> {
    let mut command = git_command();
    command.args(["grep", "-n", "-I", "-w", "-F", "-e", &question.name]).current_dir(root);
    let printed = String::from_utf8_lossy(&command.output()?.stdout).into_owned();
    let mut hits: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut called: BTreeSet<Place> = BTreeSet::new();
    let call = format!("{}(", question.name);
    for line in printed.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(file), Some(number), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let Ok(number) = number.parse::<usize>() else { continue };
        hits.entry(file).or_default().push(number);
        let is_definition = file == question.file && number == question.line as usize;
        if text.contains(&call) && !is_definition {
            called.insert((file.to_owned(), number as u32));
        }
    }
    Ok(Floor {
        grep: printed.chars().count(),
        reading: hits.iter().map(|(file, lines)| read(&root.join(file), lines)).sum(),
        hits: hits.values().map(Vec::len).sum(),
        f1: judged::uses(known, question, &called).f1(),
    })
}

/// Characters of the lines round some lines of a file.
fn read(file: &Path, lines: &[usize]) -> usize {
    let Ok(bytes) = std::fs::read(file) else { return 0 };
    let text = String::from_utf8_lossy(&bytes);
    let is_near = |number: usize| lines.iter().any(|line| line.abs_diff(number) <= ROUND);
    let near = text.lines().enumerate().filter(|(at, _)| is_near(at + 1));
    near.map(|(_, line)| line.chars().count() + 1).sum()
}
