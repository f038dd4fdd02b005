//! Whether an index says what a fresh build of the same files says.

use crate::answers::answers;
use crate::tree::Tree;
use orbit_graph::SyncReport;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How many differing lines a failure shows of each side.
const SHOWN: usize = 8;

/// Syncs, then compares with a fresh build of a copy, both after the incremental sync and after building
/// anew in place. The error shows the first lines that differ.
pub(crate) fn check(tree: &Tree) -> Result<(), String> {
    let report = tree.sync();
    let fresh = Fresh::of(tree);
    fresh.check(tree, &report, "the incremental sync")?;
    let report = tree.sync_full();
    fresh.check(tree, &report, "the full sync in place")
}

/// As [`check`], but leaves the index as the incremental sync made it.
pub(crate) fn check_incremental(tree: &Tree) -> Result<SyncReport, String> {
    let report = tree.sync();
    Fresh::of(tree).check(tree, &report, "the incremental sync")?;
    Ok(report)
}

/// Syncs and fails the test unless the index equals a fresh build.
pub(crate) fn assert_equals_fresh(tree: &Tree) -> SyncReport {
    check_incremental(tree).unwrap_or_else(|difference| panic!("{difference}"))
}

/// What a fresh build of a tree says.
struct Fresh {
    export: String,
    answers: String,
    report: SyncReport,
}

impl Fresh {
    fn of(tree: &Tree) -> Fresh {
        let copy = tree.copy();
        let report = copy.sync();
        Fresh { export: copy.export(), answers: answers(&copy.graph()), report }
    }

    fn check(&self, tree: &Tree, report: &SyncReport, after: &str) -> Result<(), String> {
        if let Some(lines) = difference(&tree.export(), &self.export) {
            return Err(format!("after {after} the export differs from a fresh build:\n{lines}"));
        }
        if let Some(lines) = difference(&answers(&tree.graph()), &self.answers) {
            return Err(format!("after {after} answers differ from those of a fresh build:\n{lines}"));
        }
        let told = |report: &SyncReport| {
            format!("{} indexed\n{:#?}\n{:#?}", report.files_indexed, report.skipped, report.failed)
        };
        match difference(&told(report), &told(&self.report)) {
            Some(lines) => Err(format!("{after} reports other files than a fresh build:\n{lines}")),
            None => Ok(()),
        }
    }
}

/// The first lines that only one of two texts has, or the first that stand elsewhere; `None` when the texts
/// are equal byte for byte.
pub(crate) fn difference(got: &str, expected: &str) -> Option<String> {
    if got == expected {
        return None;
    }
    let mut balance: BTreeMap<&str, i64> = BTreeMap::new();
    for line in got.lines() {
        *balance.entry(line).or_default() += 1;
    }
    for line in expected.lines() {
        *balance.entry(line).or_default() -= 1;
    }
    let mut shown = String::new();
    let mut show = |mark: &str, lines: &mut dyn Iterator<Item = &str>| {
        for line in lines.take(SHOWN) {
            let _ = writeln!(shown, "{mark} {line}");
        }
    };
    show("expected", &mut balance.iter().filter(|(_, count)| **count < 0).map(|(line, _)| *line));
    show("got     ", &mut balance.iter().filter(|(_, count)| **count > 0).map(|(line, _)| *line));
    if shown.is_empty() {
        let moved = got.lines().zip(expected.lines()).find(|(left, right)| left != right);
        let (got, expected) = moved.unwrap_or(("fewer or other line ends", ""));
        shown = format!("the same lines in another order:\nexpected {expected}\ngot      {got}\n");
    }
    Some(shown)
}

#[test]
fn a_difference_shows_the_lines_of_each_side() {
    assert_eq!(difference("a\nb\n", "a\nb\n"), None);
    assert_eq!(difference("a\nb\n", "a\nc\n").unwrap(), "expected c\ngot      b\n");
    assert!(difference("a\nb\n", "b\na\n").unwrap().starts_with("the same lines"));
    assert!(difference("a\n", "a\r\n").is_some());
}
