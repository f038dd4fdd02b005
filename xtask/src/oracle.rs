//! `cargo xtask history-oracle`: for random functions of a repository, the commits in the history against those that
//! `git log -L` finds for their lines.
//!
//! The two rules differ where they should, so only what both speak of is compared:
//! - merges are left out: git shows one only when it differs from all parents, the history credits its diff against
//!   the first;
//! - the comparison ends at the commit where the history saw the symbol first, because git follows lines into
//!   whatever they were before;
//! - functions only: they have no symbols inside that would take the credit.

use crate::args::OracleArgs;
use crate::failure::{Failure, fail};
use crate::project::{self, git};
use crate::render;
use crate::scratch::{self, Source};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, ExitCode};

/// The share of commits that both find, below which the check fails.
const LEAST_AGREEMENT: f64 = 0.95;

/// A function of the index.
pub(crate) struct Function {
    pub(crate) selector: String,
    file: String,
    first_line: u64,
    last_line: u64,
}

pub(crate) fn run(args: &OracleArgs) -> Result<ExitCode, Failure> {
    let source = Source::at(&args.repo)?;
    if source.commit.is_none() {
        return Err(fail(format!("{} is no git repository", args.repo.display())));
    }
    let orbit = project::orbit()?;
    let scratch = scratch::dir()?;
    let dir = scratch.path().join("clone");
    source.clone_to(&dir, &[])?;
    let graph = |args: &[&str]| {
        let mut command = Command::new(&orbit);
        command.arg("graph").args(args).current_dir(&dir);
        command
    };
    project::output(&mut graph(&["sync", "--history"]))?;
    let merges: BTreeSet<String> =
        git(&dir, &["rev-list", "--merges", "HEAD"])?.lines().map(str::to_owned).collect();
    let order: BTreeMap<String, usize> = git(&dir, &["rev-list", "--topo-order", "HEAD"])?
        .lines()
        .enumerate()
        .map(|(at, sha)| (sha.to_owned(), at))
        .collect();
    let mut totals = [0; 3];
    for function in symbols(&dir, &graph, args.samples, args.seed)? {
        let (ours, first) = in_history(&graph, &function)?;
        let theirs = in_git(&dir, &function)?;
        let oldest = first.and_then(|sha| order.get(&sha)).copied().unwrap_or(usize::MAX);
        let counts =
            |sha: &&String| !merges.contains(*sha) && order.get(*sha).is_some_and(|at| *at <= oldest);
        let (ours, theirs): (BTreeSet<&String>, BTreeSet<&String>) =
            (ours.iter().filter(counts).collect(), theirs.iter().filter(counts).collect());
        totals[0] += ours.intersection(&theirs).count();
        for (name, only, at) in [("history", &ours - &theirs, 1), ("git log -L", &theirs - &ours, 2)] {
            totals[at] += only.len();
            for sha in only {
                render::line(format!("{}: only {name}: {}", function.selector, &sha[..10]));
            }
        }
    }
    let [both, only_ours, only_git] = totals;
    let agreement = both as f64 / (both + only_ours + only_git).max(1) as f64;
    render::line(format!(
        "{}: {} functions, {both} commits in both, {only_ours} only in the history, {only_git} only in git: {:.1} % agree",
        source.name,
        args.samples,
        agreement * 100.0
    ));
    Ok(if agreement >= LEAST_AGREEMENT { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Functions and methods of the index, picked by a number.
pub(crate) fn symbols(
    dir: &Path,
    graph: &dyn Fn(&[&str]) -> Command,
    count: usize,
    seed: u64,
) -> Result<Vec<Function>, Failure> {
    let export = project::output(&mut graph(&["export"]))?;
    let mut found = Vec::new();
    for line in export.lines() {
        let row: Value = serde_json::from_str(line)?;
        let is_function = row["type"] == "symbol" && (row["kind"] == "function" || row["kind"] == "method");
        let path = row["file"].as_str().or_else(|| row["path"].as_str());
        if let (true, Some(path), Some(line)) = (is_function, path, row["line"].as_u64()) {
            found.push(format!("{path}:{line}"));
        }
    }
    let mut state = seed;
    let mut functions = Vec::new();
    for _ in 0..count * 4 {
        if found.is_empty() || functions.len() == count {
            break;
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let place = found.swap_remove((state >> 33) as usize % found.len());
        functions.extend(function(dir, graph, &place));
    }
    Ok(functions)
}

/// The function at a place, unless something stands inside of it or on its lines.
fn function(dir: &Path, graph: &dyn Fn(&[&str]) -> Command, place: &str) -> Option<Function> {
    let text = project::output(&mut graph(&["show", place, "--json"])).ok()?;
    let shown: Value = serde_json::from_str(&text).ok()?;
    let about = &shown["metadata"];
    let (file, span) = (about["file"].as_str()?.to_owned(), &about["span"]);
    let bytes = std::fs::read(dir.join(&file)).ok()?;
    let before = bytes.get(..span["start"].as_u64()? as usize)?;
    let first_line = before.split(|byte| *byte == b'\n').count() as u64;
    Some(Function {
        selector: shown["selector"].as_str()?.to_owned(),
        file,
        first_line,
        last_line: about["end_line"].as_u64()?,
    })
}

/// The commits in the history, and the one that added the symbol.
fn in_history(
    graph: &dyn Fn(&[&str]) -> Command,
    function: &Function,
) -> Result<(BTreeSet<String>, Option<String>), Failure> {
    let text = project::output(&mut graph(&["history", &function.selector, "--json", "--limit", "100000"]))?;
    let answer: Value = serde_json::from_str(&text)?;
    let commits = answer["commits"].as_array().into_iter().flatten();
    let rows: Vec<(String, String)> = commits
        .filter_map(|row| Some((row["sha"].as_str()?.to_owned(), row["change"].as_str()?.to_owned())))
        .collect();
    let first = rows.last().map(|(sha, _)| sha.clone());
    Ok((rows.into_iter().map(|(sha, _)| sha).collect(), first))
}

fn in_git(dir: &Path, function: &Function) -> Result<BTreeSet<String>, Failure> {
    let range = format!("-L{},{}:{}", function.first_line, function.last_line, function.file);
    let text = git(dir, &["log", "--format=%H", "-s", "--no-renames", &range])?;
    Ok(text.lines().filter(|line| line.len() >= 40).map(str::to_owned).collect())
}
