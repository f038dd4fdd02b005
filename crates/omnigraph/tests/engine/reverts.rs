//! Taking back commits, and making a branch what it was.

use crate::fixture::{change_on, fork, load_on, none, on, people, rows_of};
use omnigraph::{
    Access, Error, Graph, LoadMode, MergeOptions, Resolutions, RevertOptions, SchemaOptions, Side,
};
use serde_json::json;

const AGE: &str = "query q($n: String, $a: I32) { update Person set { age: $a } where name = $n }";

fn head(graph: &Graph) -> String {
    graph.store().head("main").unwrap().id().to_string()
}

fn revert(graph: &Graph, commit: &str) -> Result<bool, Error> {
    graph.revert(commit, "main", &RevertOptions::default()).map(|report| report.committed)
}

#[test]
fn a_commit_is_taken_back_and_what_came_behind_it_stays() {
    let graph = people();
    let before = rows_of(&graph, &on("main"));
    change_on(&graph, "main", "query q() { delete Person where name = \"Bob\" }", none());
    let deleted = head(&graph);
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":61}));
    let report = graph
        .acting(Access::unrestricted().named(Some("ann")))
        .revert(&deleted, "main", &RevertOptions::default())
        .unwrap();
    assert_eq!(report.changes["node:Person"].inserted, 1);
    assert_eq!(report.changes["edge:Knows"].inserted, 2, "its edges come back, too");
    let record = &report.snapshot.record;
    assert_eq!((record.operation.as_str(), record.actor.as_deref()), ("revert", Some("ann")));
    assert_eq!(record.operation_hash.as_deref(), Some(format!("revert:{deleted}").as_str()));
    let expected: Vec<String> =
        before.iter().map(|row| row.replace("\"Alice\",\"age\":30", "\"Alice\",\"age\":61")).collect();
    assert_eq!(rows_of(&graph, &on("main")), expected);
    assert!(graph.fsck(&mut |_| {}).unwrap().problems.is_empty());
    // Again: there is nothing left to take back.
    let again = head(&graph);
    assert!(!revert(&graph, &deleted).unwrap());
    assert_eq!(head(&graph), again);
    // And what was taken back can be brought back.
    assert!(revert(&graph, &again).unwrap());
    assert!(!rows_of(&graph, &on("main")).iter().any(|row| row.contains("Bob")));
}

#[test]
fn what_was_changed_again_since_is_a_conflict() {
    let graph = people();
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":61}));
    let first = head(&graph);
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":62}));
    let second = head(&graph);
    let Err(Error::MergeConflicts(found)) = revert(&graph, &first) else { panic!() };
    let rows = found[0].rows.as_ref().unwrap();
    assert!(rows.ours.as_deref().unwrap().contains("62") && rows.theirs.as_deref().unwrap().contains("30"));
    assert_eq!(head(&graph), second);
    let side = |side| RevertOptions {
        resolutions: Resolutions { otherwise: Some(side), ..Resolutions::default() },
        ..RevertOptions::default()
    };
    assert!(!graph.revert(&first, "main", &side(Side::Ours)).unwrap().committed, "nothing is to be done");
    assert!(graph.revert(&first, "main", &side(Side::Theirs)).unwrap().committed);
    assert!(rows_of(&graph, &on("main"))[..].iter().any(|row| row.contains("\"Alice\",\"age\":30")));
}

#[test]
fn a_node_with_edges_since_is_not_taken_away() {
    let graph = people();
    change_on(&graph, "main", "query q() { insert Person { name: \"Eve\", age: 1 } }", none());
    let inserted = head(&graph);
    change_on(&graph, "main", "query q() { insert Knows { from: \"Eve\", to: \"Bob\" } }", none());
    let Err(Error::MergeConflicts(found)) = revert(&graph, &inserted) else { panic!() };
    assert_eq!(found[0].kind.as_str(), "orphan_edge");
}

#[test]
fn a_merge_is_taken_back_as_a_whole() {
    let graph = people();
    let before = rows_of(&graph, &on("main"));
    fork(&graph, "main", "work");
    change_on(&graph, "work", AGE, json!({"n":"Alice","a":61}));
    change_on(&graph, "work", AGE, json!({"n":"Bob","a":62}));
    graph.merge("work", "main", &MergeOptions::default()).unwrap();
    assert!(revert(&graph, &head(&graph)).unwrap());
    assert_eq!(rows_of(&graph, &on("main")), before);
}

#[test]
fn the_first_commit_and_changes_of_the_schema_are_not_taken_back() {
    let graph = people();
    let first = graph.commits("main", None, 100).unwrap().last().unwrap().id().to_string();
    let error = revert(&graph, &first).unwrap_err();
    assert!(error.to_string().contains("is the first commit of the graph"), "{error}");
    let schema = crate::fixture::SCHEMA.replace("age: I32?", "age: I32?  mail: String?");
    graph.apply_schema(&schema, &SchemaOptions::default(), &mut |_| {}).unwrap();
    let error = revert(&graph, &head(&graph)).unwrap_err();
    assert!(error.to_string().contains("changed the schema"), "{error}");
}

#[test]
fn a_dry_run_and_a_condition() {
    let graph = people();
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":61}));
    let commit = head(&graph);
    let dry = RevertOptions { dry_run: true, ..RevertOptions::default() };
    let report = graph.revert(&commit, "main", &dry).unwrap();
    assert_eq!((report.committed, report.changes["node:Person"].updated), (false, 1));
    assert_eq!(head(&graph), commit);
    let parent = graph.store().head("main").unwrap().record.parent.clone();
    let wrong = RevertOptions { if_commit: parent, ..RevertOptions::default() };
    assert_eq!(graph.revert(&commit, "main", &wrong).unwrap_err().code(), "precondition_failed");
}

#[test]
fn a_branch_becomes_what_it_was_and_keeps_its_history() {
    let graph = people();
    let (before, start) = (rows_of(&graph, &on("main")), head(&graph));
    change_on(&graph, "main", "query q() { delete Person where name = \"Bob\" }", none());
    load_on(&graph, "main", r#"{"type":"Company","data":{"name":"Initech"}}"#, LoadMode::Merge).unwrap();
    let schema = crate::fixture::SCHEMA.replace("age: I32?", "age: I32?  mail: String?");
    graph.apply_schema(&schema, &SchemaOptions::default(), &mut |_| {}).unwrap();
    let (since, newest) = (rows_of(&graph, &on("main")), head(&graph));
    let dry = graph.reset("main", &start, None, true).unwrap();
    assert_eq!((dry.committed, head(&graph)), (false, newest.clone()));
    let report = graph.reset("main", &start, None, false).unwrap();
    assert_eq!(report.snapshot.record.operation, "reset");
    assert_eq!(report.snapshot.record.parent.as_ref().map(ToString::to_string), Some(newest.clone()));
    assert_eq!(rows_of(&graph, &on("main")), before);
    assert!(graph.fsck(&mut |_| {}).unwrap().problems.is_empty());
    assert!(!graph.reset("main", &start, None, false).unwrap().committed, "it is that already");
    // The way back is a reset, too.
    graph.reset("main", &newest, None, false).unwrap();
    assert_eq!(rows_of(&graph, &on("main")), since);
    // A merge of a branch from before the reset sees what main is now.
    graph.create_branch("work", &start, None).unwrap();
    change_on(&graph, "work", AGE, json!({"n":"Charlie","a":70}));
    graph.reset("main", &start, None, false).unwrap();
    graph.merge("work", "main", &MergeOptions::default()).unwrap();
    assert!(rows_of(&graph, &on("main")).iter().any(|row| row.contains("\"Charlie\",\"age\":70")));
    assert!(graph.fsck(&mut |_| {}).unwrap().problems.is_empty());
}
