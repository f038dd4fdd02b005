//! `cargo xtask history-oracle`: for random functions of a repository, the commits in the history against those in
//! which the function's text is another one than in the commit's first parent.
//!
//! The text is found without any parser: the line that defines the name, down to where its indentation ends. So the two
//! derivations share nothing but git. What they cannot agree on is left out:
//! - merges, which the history credits with what they bring;
//! - commits before the function got its present name and file, which the text does not follow;
//! - names that several lines of a file define.

use crate::args::OracleArgs;
use crate::programs;
use crate::scratch::{self, Source};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};
use xtask::failure::{Failure, fail};
use xtask::project::{self, git};
use xtask::render;

/// The share of commits that both find, below which the check fails.
const LEAST_AGREEMENT: f64 = 0.95;

/// A function of the index.
pub(crate) struct Function {
    pub(crate) selector: String,
    file: String,
    name: String,
}

pub(crate) fn run(args: &OracleArgs) -> Result<ExitCode, Failure> {
    let source = Source::at(&args.repo)?;
    if source.commit.is_none() {
        return Err(fail(format!("{} is not a git repository", args.repo.display())));
    }
    let orbit = programs::orbit()?;
    let scratch = scratch::dir()?;
    let dir = scratch.path().join("clone");
    source.clone_to(&dir, &[])?;
    let graph = |args: &[&str]| {
        let mut command = Command::new(&orbit);
        command.arg("graph").args(args).current_dir(&dir);
        command
    };
    project::output(&mut graph(&["sync", "--history"]))?;
    let mut totals = [0; 3];
    let functions = symbols(&dir, &graph, args.samples, args.seed)?;
    for function in &functions {
        let (ours, first) = in_history(&graph, function)?;
        let theirs = in_text(&dir, function)?;
        let counted = since(&dir, first.as_deref())?;
        let counts = |sha: &&String| counted.contains(*sha);
        let (ours, theirs): (BTreeSet<&String>, BTreeSet<&String>) =
            (ours.iter().filter(counts).collect(), theirs.iter().filter(counts).collect());
        totals[0] += ours.intersection(&theirs).count();
        for (name, only, at) in [("history", &ours - &theirs, 1), ("text", &theirs - &ours, 2)] {
            totals[at] += only.len();
            for sha in only {
                render::line(format!("{}: only {name}: {}", function.selector, &sha[..10]));
            }
        }
    }
    let [both, only_ours, only_text] = totals;
    let agreement = both as f64 / (both + only_ours + only_text).max(1) as f64;
    render::line(format!(
        "{}: {} functions, {both} commits in both, {only_ours} only in the history, {only_text} only in the text: {:.1} % agree",
        source.name,
        functions.len(),
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

/// The function at a place, when one line alone defines its name.
fn function(dir: &Path, graph: &dyn Fn(&[&str]) -> Command, place: &str) -> Option<Function> {
    let text = project::output(&mut graph(&["show", place, "--json", "--max-bytes", "0"])).ok()?;
    let shown: Value = serde_json::from_str(&text).ok()?;
    let about = &shown["metadata"];
    let (file, name) = (about["file"].as_str()?.to_owned(), about["name"].as_str()?.to_owned());
    let source = std::fs::read_to_string(dir.join(&file)).ok()?;
    let (line, _) = text_of(&source, &name, &file)?;
    (about["line"].as_u64()? == line as u64).then_some(())?;
    Some(Function { selector: shown["selector"].as_str()?.to_owned(), file, name })
}

/// The commits in the history, and the one since which the function has its name and file.
fn in_history(
    graph: &dyn Fn(&[&str]) -> Command,
    function: &Function,
) -> Result<(BTreeSet<String>, Option<String>), Failure> {
    let text = project::output(&mut graph(&["history", &function.selector, "--json", "--limit", "100000"]))?;
    let answer: Value = serde_json::from_str(&text)?;
    let commits = answer["commits"].as_array().into_iter().flatten();
    let commits: Vec<String> = commits.filter_map(|row| row["sha"].as_str().map(str::to_owned)).collect();
    let hop =
        answer["lineage"].as_array().and_then(|hops| hops.last()?["commit"].as_str().map(str::to_owned));
    let first = hop.or_else(|| commits.last().cloned());
    Ok((commits.into_iter().collect(), first))
}

/// The commits that are built on one, and that one, without merges.
fn since(dir: &Path, first: Option<&str>) -> Result<BTreeSet<String>, Failure> {
    let Some(first) = first else { return Ok(BTreeSet::new()) };
    let range = format!("{first}..HEAD");
    let listed = git(dir, &["rev-list", "--no-merges", "--ancestry-path", &range])?;
    Ok(listed.lines().chain([first]).map(str::to_owned).collect())
}

/// The commits in which the function's text is another one than before.
fn in_text(dir: &Path, function: &Function) -> Result<BTreeSet<String>, Failure> {
    let listed =
        git(dir, &["log", "--format=%H", "--no-merges", "--full-history", "HEAD", "--", &function.file])?;
    let text_at = |revision: String| {
        let source = git(dir, &["show", &format!("{revision}:{}", function.file)]).ok()?;
        text_of(&source, &function.name, &function.file).map(|(_, text)| text.to_owned())
    };
    let is_touched = |sha: &&str| text_at((*sha).to_owned()) != text_at(format!("{sha}^"));
    Ok(listed.lines().filter(is_touched).map(str::to_owned).collect())
}

/// The one function of this name: its line and its text. `None` when there is none or more than one.
fn text_of<'s>(source: &'s str, name: &str, file: &str) -> Option<(usize, &'s str)> {
    let mut found = lines(source).enumerate().filter(|(_, (_, line))| defines(line, name));
    let (number, (start, first)) = found.next().filter(|_| found.next().is_none())?;
    let is_indented = Path::new(file).extension().is_some_and(|extension| extension == "py");
    let indent = first.len() - first.trim_start().len();
    let mut end = start + first.len();
    if !is_indented && first.trim_end().ends_with(['}', ';']) {
        return Some((number + 1, &source[start..end]));
    }
    for (at, line) in lines(source).filter(|(at, line)| *at > start && !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        let mark = line.trim_start().chars().next().unwrap_or(' ');
        if !is_indented && depth == indent && mark == '}' {
            end = at + line.len();
            break;
        }
        // The end of a signature on several lines is not an end of the function.
        if is_indented && depth <= indent && mark != ')' {
            break;
        }
        end = at + line.len();
    }
    Some((number + 1, &source[start..end]))
}

fn lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    source.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end_matches(['\n', '\r'])))
    })
}

/// Whether a line defines a function of this name.
fn defines(line: &str, name: &str) -> bool {
    let has_keyword = line.split_whitespace().any(|word| matches!(word, "fn" | "def" | "func" | "function"));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    has_keyword
        && line.match_indices(name).any(|(at, _)| {
            !line[..at].ends_with(is_word) && line[at + name.len()..].starts_with(['(', '<', '['])
        })
        && !line.trim_start().starts_with(['/', '*', '#'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_ends_where_its_indentation_does() {
        let python = "class A:\n    def f(\n        self,\n    ):\n        a()\n\n        b()\n\n    def g(self):\n        f()\n";
        let expected = "    def f(\n        self,\n    ):\n        a()\n\n        b()";
        assert_eq!(text_of(python, "f", "a.py"), Some((2, expected)));
        let go = "func (e *Engine) Run(a int) {\nwalk:\n\tb()\n}\n\nfunc Other() {}\n";
        assert_eq!(text_of(go, "Run", "a.go"), Some((1, "func (e *Engine) Run(a int) {\nwalk:\n\tb()\n}")));
        assert_eq!(text_of(go, "Other", "a.go"), Some((6, "func Other() {}")));
        assert_eq!(text_of("fn f() {}\nfn f() {}\n", "f", "a.rs"), None);
        assert_eq!(text_of("// fn f()\n", "f", "a.rs"), None);
    }
}
