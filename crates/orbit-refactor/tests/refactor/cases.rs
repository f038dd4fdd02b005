//! Cases below `cases/`, by operation and language: files before, requests, and the whole files after.
//! `UPDATE_EXPECT=1` writes down what comes out now: read it before you keep it, a wrong result in there is a defect.

use crate::page::{Case, Page};
use crate::repo::Repo;
use crate::request;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[test]
fn renames() {
    check("rename");
}

#[test]
fn moves() {
    check("move");
}

#[test]
fn definitions() {
    check("definitions");
}

#[test]
fn worktrees() {
    check("worktree");
}

/// Runs every case of an operation; those that give something else fail together.
fn check(operation: &str) {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refactor/cases").join(operation);
    let mut paths = Vec::new();
    gather(&root, &mut paths);
    assert!(!paths.is_empty(), "{operation} has no cases");
    paths.sort();
    let wrong: String = std::thread::scope(|scope| {
        let pages: Vec<_> =
            paths.iter().map(|path| scope.spawn(|| check_page(&root, path, update))).collect();
        pages.into_iter().map(|page| page.join().expect("a page whose cases can be run")).collect()
    });
    assert!(update || wrong.is_empty(), "\n{wrong}UPDATE_EXPECT=1 writes down what comes out");
}

/// Runs the cases of one page; what differs from what it says.
fn check_page(root: &Path, path: &Path, update: bool) -> String {
    let name = path.strip_prefix(root).expect("below the root").display();
    let text = std::fs::read_to_string(path).expect("a page of cases");
    let page = Page::parse(&text);
    assert!(!page.cases.is_empty(), "{name} has no cases");
    let (mut wrong, mut results) = (String::new(), Vec::new());
    for case in &page.cases {
        assert!(!case.steps.is_empty(), "{name}: {}: nothing is asked for", case.title);
        for (step, result) in case.steps.iter().zip(run(case)) {
            let (expected, given) = (step.expected.trim_end_matches('\n'), result.trim_end_matches('\n'));
            if expected != given {
                let diff = similar::TextDiff::from_lines(expected, given);
                let _ = writeln!(wrong, "{name}: {}\n$ {}", case.title, step.request);
                let _ = writeln!(wrong, "{}", diff.unified_diff().context_radius(3));
            }
            results.push(result);
        }
    }
    if update && page.with(&results) != text {
        std::fs::write(path, page.with(&results)).expect("the cases can be written");
    }
    wrong
}

/// What each request of a case gives. Whatever was done, taking it all back leaves the files as they were.
fn run(case: &Case) -> Vec<String> {
    let repo = Repo::new(&case.before);
    let before = repo.tree();
    let results = case.steps.iter().map(|step| request::run(&repo, &step.request, &step.text)).collect();
    if !case.steps.iter().any(|step| step.request.starts_with("write ")) {
        repo.open().abort().unwrap_or_else(|error| panic!("{}: {error}", case.title));
        assert_eq!(repo.tree(), before, "{}: taken back", case.title);
    }
    results
}

fn gather(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display())) {
        let path = entry.expect("readable").path();
        if path.is_dir() { gather(&path, found) } else { found.push(path) }
    }
}
