//! Graphs in other places, with their history.

use crate::fixture::{change_on, fork, none, on, options, rows_of, stored};
use omnigraph::{Access, CopyReport, Error, Graph, LoadMode, Target};
use serde_json::json;
use std::path::Path;

const AGE: &str = "query q($n: String, $a: I32) { update Person set { age: $a } where name = $n }";

fn copy(graph: &Graph, to: &Path) -> Result<CopyReport, Error> {
    graph.copy_to(to.to_str().unwrap(), &mut |_| {})
}

fn opened(place: &Path) -> Graph {
    Graph::open(place.to_str().unwrap(), Access::unrestricted(), &options()).unwrap()
}

/// A graph of several commits on two branches, with a tag and a run.
fn lived() -> (Graph, tempfile::TempDir) {
    let (graph, place) = stored(crate::fixture::SCHEMA);
    crate::fixture::load(&graph, crate::fixture::DATA, LoadMode::Overwrite).unwrap();
    graph.create_tag("v1", "main", false).unwrap();
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":31}));
    fork(&graph, "main", "review/monday");
    change_on(&graph, "review/monday", AGE, json!({"n":"Bob","a":62}));
    let run = graph.begin_run("main", None).unwrap().run;
    change_on(&graph, &run.run_branch, AGE, json!({"n":"Diana","a":63}));
    (graph, place)
}

fn same(graph: &Graph, copy: &Graph) {
    let branches = graph.branches().unwrap();
    assert_eq!(copy.branches().unwrap(), branches);
    for branch in &branches {
        for commit in graph.commits(branch, None, 100).unwrap() {
            let target = Target::Commit(commit.id().clone());
            assert_eq!(rows_of(copy, &target), rows_of(graph, &target), "{branch} {}", commit.id());
        }
    }
    let report = copy.fsck(&mut |_| {}).unwrap();
    assert!(report.problems.is_empty(), "{:?}", report.problems);
}

#[test]
fn a_copy_has_every_branch_and_commit_and_is_brought_up_to_date() {
    let (graph, place) = lived();
    let there = place.path().join("copy");
    let report = copy(&graph, &there).unwrap();
    assert!(report.is_new && report.files > 0 && report.branches == 2, "{report:?}");
    same(&graph, &opened(&there));
    assert_eq!(opened(&there).runs().unwrap(), graph.runs().unwrap());
    assert_eq!(
        rows_of(&opened(&there), &Target::Tag("v1".to_owned())),
        rows_of(&graph, &Target::Tag("v1".to_owned()))
    );
    let again = copy(&graph, &there).unwrap();
    assert_eq!((again.is_new, again.commits, again.files, again.branches), (false, 0, 0, 0));
    change_on(&graph, "main", "query q() { delete Person where name = \"Bob\" }", none());
    graph.create_tag("v1", "main", true).unwrap();
    fork(&graph, "main", "other");
    let report = copy(&graph, &there).unwrap();
    assert_eq!((report.commits, report.branches), (1, 1), "{report:?}");
    assert!(report.files < 12, "only what is new is copied: {report:?}");
    same(&graph, &opened(&there));
    // The copy is a graph of its own.
    change_on(&opened(&there), "main", AGE, json!({"n":"Alice","a":99}));
    assert!(!rows_of(&graph, &on("main")).iter().any(|row| row.contains("99")));
}

#[test]
fn a_copy_that_was_broken_off_is_finished() {
    let (graph, place) = lived();
    let there = place.path().join("copy");
    copy(&graph, &there).unwrap();
    // As if it had ended before its last objects.
    std::fs::remove_file(there.join("omnigraph.json")).unwrap();
    std::fs::remove_dir_all(there.join("branches")).unwrap();
    let log = std::fs::read_dir(there.join("log")).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_dir_all(log).unwrap();
    assert!(Graph::open(there.to_str().unwrap(), Access::unrestricted(), &options()).is_err());
    assert!(copy(&graph, &there).unwrap().is_new);
    same(&graph, &opened(&there));
}

#[test]
fn nothing_else_is_overwritten() {
    let (graph, place) = lived();
    let refused = |there: &Path| copy(&graph, there).unwrap_err().to_string();
    let itself = place.path().join("g");
    assert!(refused(&itself).contains("it is the graph itself"));
    let (another, elsewhere) = stored(crate::fixture::SCHEMA);
    assert!(refused(&elsewhere.path().join("g")).contains("it is another graph"));
    assert_eq!(another.commits("main", None, 9).unwrap().len(), 1);
    let there = place.path().join("copy");
    copy(&graph, &there).unwrap();
    let clone = opened(&there);
    change_on(&clone, "main", AGE, json!({"n":"Alice","a":99}));
    assert!(refused(&there).contains("it has commits of its own on branch `main`"), "{}", refused(&there));
    // Both went on: the numbers are the same, the commits are not.
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":98}));
    let error = copy(&graph, &there).unwrap_err();
    assert_eq!(error.code(), "exists");
    assert!(error.to_string().contains("it has commits of its own"), "{error}");
    assert!(rows_of(&clone, &on("main")).iter().any(|row| row.contains("99")));
}

#[test]
fn branches_of_the_copy_stay() {
    let (graph, place) = lived();
    let there = place.path().join("copy");
    copy(&graph, &there).unwrap();
    fork(&opened(&there), "main", "mine");
    change_on(&opened(&there), "mine", AGE, json!({"n":"Alice","a":99}));
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":50}));
    let report = copy(&graph, &there).unwrap();
    assert_eq!((report.commits, report.only_there), (1, vec!["mine".to_owned()]));
    let rows = rows_of(&opened(&there), &on("mine"));
    assert!(rows.iter().any(|row| row.contains("99")));
}
