//! The README has two commands, and the second is what continuous integration runs.

use super::tree::Tree;
use super::{Check, Finding};

const README: &str = "README.md";
const CI: &str = ".ci/run";

/// Two `sh` blocks of one line each; the last is a line of the CI script.
pub(super) fn commands(tree: &Tree) -> Vec<Finding> {
    let Some(readme) = tree.get(README) else {
        return vec![Finding::new(Check::Readme, README, 1, "is missing")];
    };
    let blocks = shell_blocks(&readme.text);
    let [(_, first), (line, tests)] = &blocks[..] else {
        let message = format!("has {} `sh` blocks instead of two", blocks.len());
        return vec![Finding::new(Check::Readme, README, 1, message)];
    };
    if first.lines().count() != 1 || tests.lines().count() != 1 {
        return vec![Finding::new(Check::Readme, README, *line, "a command has one line")];
    }
    let runs_it = tree.get(CI).is_some_and(|ci| ci.text.lines().any(|line| line.trim() == tests.trim()));
    if runs_it {
        return Vec::new();
    }
    let message = format!("the test command `{}` is not a line of {CI}", tests.trim());
    vec![Finding::new(Check::Readme, README, *line, message)]
}

/// The contents of the fenced blocks marked `sh`, each with its first line.
fn shell_blocks(text: &str) -> Vec<(usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (at, line) in text.lines().enumerate() {
        match (&mut open, line.trim()) {
            (None, "```sh") => open = Some((at + 2, String::new())),
            (Some(_), "```") => blocks.extend(open.take()),
            (Some((_, body)), _) => {
                body.push_str(line);
                body.push('\n');
            }
            (None, _) => {}
        }
    }
    blocks
}
