//! `cargo xtask replay`: after every commit of a real repository, the index that was kept up to date equals
//! one built from nothing.

use crate::args::ReplayArgs;
use crate::programs;
use crate::scratch::{self, Source};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use xtask::failure::{Context, Failure, fail};
use xtask::project::git;
use xtask::render;

/// How many differing lines of each side are shown.
const SHOWN: usize = 3;

/// Both clones stand on a branch of this name, so that their indexes have the same name.
const BRANCH: &str = "replay";

/// Replays the commits, oldest first, and stops at the first difference.
pub(crate) fn run(args: &ReplayArgs) -> Result<ExitCode, Failure> {
    let source = Source::at(&args.repo)?;
    if source.commit.is_none() {
        return Err(fail(format!("{} is not a git repository", args.repo.display())));
    }
    let orbit = programs::orbit()?;
    let scratch = scratch::dir()?;
    let kept = Checkout::new(&source, &orbit, scratch.path().join("kept"))?;
    let fresh = Checkout::new(&source, &orbit, scratch.path().join("fresh"))?;
    let commits = kept.commits(args.commits)?;
    for (at, commit) in commits.iter().enumerate() {
        kept.check_out(commit)?;
        fresh.check_out(commit)?;
        fresh.forget()?;
        kept.sync()?;
        fresh.sync()?;
        let (incremental, full) = (kept.export()?, fresh.export()?);
        if incremental != full {
            show(&incremental, &full);
            let (number, name) = (at + 1, &source.name);
            render::line(format!("commit {number} of {} of {name}, {commit}: different", commits.len()));
            return Ok(ExitCode::FAILURE);
        }
        if (at + 1) % 25 == 0 {
            render::note(format!("{} of {}", at + 1, commits.len()));
        }
    }
    render::line(format!("replayed {} commits of {}: identical", commits.len(), source.name));
    Ok(ExitCode::SUCCESS)
}

struct Checkout<'o> {
    orbit: &'o Path,
    dir: PathBuf,
}

impl<'o> Checkout<'o> {
    fn new(source: &Source, orbit: &'o Path, dir: PathBuf) -> Result<Checkout<'o>, Failure> {
        source.clone_to(&dir, &["--no-checkout"])?;
        Ok(Checkout { orbit, dir })
    }

    /// The last `count` first-parent commits, oldest first.
    fn commits(&self, count: usize) -> Result<Vec<String>, Failure> {
        let count = format!("--max-count={count}");
        let listed = git(&self.dir, &["rev-list", "--first-parent", "--reverse", &count, "HEAD"])?;
        Ok(listed.lines().map(str::to_owned).collect())
    }

    fn check_out(&self, commit: &str) -> Result<(), Failure> {
        git(&self.dir, &["checkout", "-q", "-f", "-B", BRANCH, commit]).map(drop)
    }

    /// Removes the index.
    fn forget(&self) -> Result<(), Failure> {
        match std::fs::remove_dir_all(self.dir.join(".orbit")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn sync(&self) -> Result<(), Failure> {
        self.run(&["graph", "sync"]).map(drop)
    }

    fn export(&self) -> Result<Vec<u8>, Failure> {
        self.run(&["graph", "export", "--format", "jsonl"])
    }

    fn run(&self, args: &[&str]) -> Result<Vec<u8>, Failure> {
        let what = format!("orbit {}", args.join(" "));
        let output = Command::new(self.orbit).args(args).current_dir(&self.dir).output().context(&what)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(fail(format!("{what}: {}", String::from_utf8_lossy(&output.stderr).trim())))
    }
}

fn show(incremental: &[u8], full: &[u8]) {
    for (name, lines) in [("incremental", only_in(incremental, full)), ("full", only_in(full, incremental))] {
        for line in lines.iter().take(SHOWN) {
            render::line(format!("only {name}: {line}"));
        }
        if lines.len() > SHOWN {
            render::line(format!("only {name}: {} lines more", lines.len() - SHOWN));
        }
    }
}

/// The lines of `some` that `others` has not.
fn only_in(some: &[u8], others: &[u8]) -> Vec<String> {
    let others: HashSet<&[u8]> = others.split(|byte| *byte == b'\n').collect();
    let only = some.split(|byte| *byte == b'\n').filter(|line| !others.contains(line));
    only.map(|line| String::from_utf8_lossy(line).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_side_only() {
        assert_eq!(only_in(b"a\nb\nc\n", b"c\na\n"), ["b"]);
        assert_eq!(only_in(b"a\n", b"a\n"), [""; 0]);
    }
}
