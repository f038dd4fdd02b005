//! Runs, and loads into branches that are made for them.

use crate::fixture::{DATA, change_on, fork, load_on, none, on, people, rows_of};
use omnigraph::{
    Access, Error, Graph, IngestOptions, IngestReport, LoadMode, LoadOptions, MergeOutcome, RunStatus,
};
use serde_json::json;
use std::io::Cursor;

const EVE: &str = r#"{"type":"Person","data":{"name":"Eve","age":1}}"#;
const AGE: &str = "query q($n: String, $a: I32) { update Person set { age: $a } where name = $n }";

#[test]
fn a_run_is_published_as_one_commit() {
    let graph = people();
    let run = graph.acting(Access::unrestricted().named(Some("ann"))).begin_run("main", None).unwrap().run;
    assert_eq!(run.run_branch, format!("__run__{}", run.run_id));
    assert_eq!(run.base_snapshot_id, *graph.store().head("main").unwrap().id());
    assert_eq!(graph.store().branches().unwrap(), ["main"], "runs are not among the branches");
    load_on(&graph, &run.run_branch, EVE, LoadMode::Append).unwrap();
    change_on(&graph, &run.run_branch, AGE, json!({"n":"Alice","a":99}));
    assert_eq!(rows_of(&graph, &on("main")).len(), DATA.lines().filter(|line| line.starts_with('{')).count());
    let published = graph.publish_run(&run.run_id).unwrap();
    let report = published.report.unwrap();
    assert_eq!(report.outcome, MergeOutcome::FastForward);
    let head = graph.store().head("main").unwrap();
    assert_eq!(head.record.operation, "publish_run");
    assert_eq!(head.record.actor.as_deref(), Some("ann"));
    assert_eq!(published.run.status, RunStatus::Published);
    assert_eq!(published.run.published_snapshot_id.as_ref(), Some(head.id()));
    assert_eq!(head.record.version, 3);
    let again = graph.publish_run(&run.run_id).unwrap();
    assert!(again.report.is_none());
    assert_eq!(again.run.published_snapshot_id.as_ref(), Some(head.id()));
    assert_eq!(graph.store().head("main").unwrap().id(), head.id());
    assert_eq!(graph.abort_run(&run.run_id).unwrap_err().code(), "conflict");
    assert_eq!(graph.store().all_branches().unwrap(), ["main"]);
    assert_eq!(graph.store().runs().unwrap().len(), 1);
}

#[test]
fn a_target_that_moved_is_merged_and_a_conflict_leaves_the_run_open() {
    let graph = people();
    let run = graph.begin_run("main", None).unwrap().run;
    change_on(&graph, &run.run_branch, AGE, json!({"n":"Alice","a":1}));
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":2}));
    let error = graph.publish_run(&run.run_id).unwrap_err();
    assert!(matches!(error, Error::MergeConflicts(_)), "{error}");
    assert_eq!(graph.store().run(&run.run_id).unwrap().status, RunStatus::Running);
    change_on(&graph, &run.run_branch, AGE, json!({"n":"Alice","a":2}));
    change_on(&graph, &run.run_branch, AGE, json!({"n":"Bob","a":3}));
    let report = graph.publish_run(&run.run_id).unwrap().report.unwrap();
    assert_eq!(report.outcome, MergeOutcome::Merged);
    assert_eq!(report.changes["node:Person"].ids.as_ref().unwrap().updated, ["Bob"]);
}

#[test]
fn an_aborted_run_leaves_nothing() {
    let graph = people();
    let before = rows_of(&graph, &on("main"));
    let run = graph.begin_run("main", Some("import")).unwrap().run;
    load_on(&graph, &run.run_branch, EVE, LoadMode::Append).unwrap();
    assert_eq!(graph.abort_run(&run.run_id).unwrap().status, RunStatus::Aborted);
    assert_eq!(graph.abort_run(&run.run_id).unwrap().status, RunStatus::Aborted, "twice is once");
    assert_eq!(graph.publish_run(&run.run_id).unwrap_err().code(), "conflict");
    assert_eq!(rows_of(&graph, &on("main")), before);
    assert_eq!(graph.store().all_branches().unwrap(), ["main"]);
    assert_eq!(
        graph.store().run("01ARZ3NDEKTSV4RRFFQ69G5FAV").unwrap_err().to_string(),
        "no run `01ARZ3NDEKTSV4RRFFQ69G5FAV`"
    );
    // The operation did not happen, so a second try is a new run.
    let next = graph.begin_run("main", Some("import")).unwrap();
    assert!(next.is_new);
    assert_ne!(next.run.run_id, run.run_id);
}

#[test]
fn a_second_try_of_an_operation_finds_the_first() {
    let graph = people();
    let first = graph.begin_run("main", Some("import-1")).unwrap();
    let second = graph.begin_run("main", Some("import-1")).unwrap();
    assert!(first.is_new && !second.is_new);
    assert_eq!(first.run.run_id, second.run.run_id);
    load_on(&graph, &second.run.run_branch, EVE, LoadMode::Append).unwrap();
    graph.publish_run(&second.run.run_id).unwrap();
    let third = graph.begin_run("main", Some("import-1")).unwrap();
    assert_eq!((third.is_new, third.run.status), (false, RunStatus::Published));
    assert!(graph.begin_run("main", Some("import-2")).unwrap().is_new);
    let found = graph.store().head("main").unwrap();
    assert_eq!(found.record.operation_hash.as_deref(), Some("import-1"));
}

#[test]
fn many_begin_the_same_operation_at_once() {
    let graph = people();
    let runs: Vec<(String, bool)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|_| {
                let graph = graph.clone();
                scope.spawn(move || {
                    let begun = graph.begin_run("main", Some("one")).unwrap();
                    (begun.run.run_id, begun.is_new)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(runs.iter().filter(|(_, is_new)| *is_new).count(), 1, "{runs:?}");
    assert!(runs.iter().all(|(id, _)| *id == runs[0].0), "{runs:?}");
    assert_eq!(graph.store().runs().unwrap().len(), 1);
}

/// A process that died between publishing and saying so: the next one says so, and nothing is applied twice.
#[test]
fn a_run_that_was_published_by_a_process_that_died() {
    let graph = people();
    let run = graph.begin_run("main", None).unwrap().run;
    load_on(&graph, &run.run_branch, EVE, LoadMode::Append).unwrap();
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":2}));
    graph.store().decide_run(&run.run_id, RunStatus::Running).unwrap();
    let merged = graph.merge(&run.run_branch, "main", &omnigraph::MergeOptions::default()).unwrap();
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":3}));
    assert_eq!(graph.abort_run(&run.run_id).unwrap_err().code(), "conflict");
    let published = graph.publish_run(&run.run_id).unwrap();
    assert_eq!(published.run.published_snapshot_id.as_ref(), Some(merged.snapshot.id()));
}

fn ingest(graph: &Graph, branch: &str, from: &str, data: &str) -> Result<IngestReport, Error> {
    let mut open = |rules: &_| {
        omnigraph::load::jsonl(Cursor::new(data.to_owned()), rules, &omnigraph::load::Options::default())
    };
    let load = LoadOptions { branch: Some(branch.to_owned()), ..LoadOptions::new(LoadMode::Merge) };
    graph.ingest(&IngestOptions { load, from: from.to_owned() }, &mut open, &mut |_| {})
}

#[test]
fn an_ingest_makes_its_branch() {
    let graph = people();
    fork(&graph, "main", "other");
    change_on(&graph, "other", "query q() { insert Person { name: \"Zoe\" } }", none());
    let report = ingest(&graph, "review", "other", EVE).unwrap();
    assert!(report.branch_created);
    assert_eq!(report.base_branch.as_deref(), Some("other"));
    assert_eq!(rows_of(&graph, &on("review")).len(), rows_of(&graph, &on("main")).len() + 2);
    let again = ingest(&graph, "review", "main", r#"{"type":"Person","data":{"name":"Max"}}"#).unwrap();
    assert!(!again.branch_created);
    assert_eq!(again.base_branch.as_deref(), Some("other"), "what it really comes from");
    assert!(ingest(&graph, "bad", "main", r#"{"type":"Persn","data":{}}"#).is_err());
    assert!(
        !graph.store().branches().unwrap().contains(&"bad".to_owned()),
        "nothing is left of a load that failed"
    );
    assert_eq!(ingest(&graph, "x", "nowhere", EVE).unwrap_err().code(), "not_found");
    assert_eq!(ingest(&graph, "main", "main", EVE).unwrap().base_branch, None);
}

/// A branch that others depend on is not taken from under them.
#[test]
fn a_branch_in_use_is_deleted_by_force_only() {
    let graph = people();
    fork(&graph, "main", "dev");
    change_on(&graph, "dev", "query q() { insert Person { name: \"Eve\" } }", none());
    fork(&graph, "dev", "child");
    fork(&graph, "main", "other");
    let run = graph.begin_run("dev", None).unwrap().run;
    let ended = graph.begin_run("dev", None).unwrap().run;
    graph.abort_run(&ended.run_id).unwrap();
    let error = graph.delete_branch("dev", false).unwrap_err();
    assert_eq!(error.code(), "conflict");
    let text = format!("branch `dev` is in use; made from it: child; runs under way: {}", run.run_id);
    assert_eq!(error.to_string(), text);
    let renamed = graph.rename_branch("dev", "new").unwrap_err().to_string();
    assert_eq!(renamed, format!("branch `dev` is in use; runs under way: {}", run.run_id));
    assert_eq!(graph.run(&run.run_id).unwrap().status, omnigraph::RunStatus::Running);
    let deleted = graph.delete_branch("dev", true).unwrap();
    assert_eq!((deleted.branches, deleted.runs), (vec!["child".to_owned()], vec![run.run_id.clone()]));
    assert_eq!(graph.run(&run.run_id).unwrap().status, omnigraph::RunStatus::Aborted);
    assert_eq!(rows_of(&graph, &on("child")).len(), 12, "what was made from it stays");
    // Nothing depends on these, or only what is over.
    graph.delete_branch("child", false).unwrap();
    let published = graph.begin_run("other", None).unwrap().run;
    graph.publish_run(&published.run_id).unwrap();
    assert_eq!(graph.delete_branch("other", false).unwrap(), omnigraph::DeletedBranch::default());
    assert_eq!(graph.branches().unwrap(), ["main"]);
}
