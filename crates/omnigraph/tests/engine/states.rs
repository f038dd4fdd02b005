//! States by their names, branches, tags and commits, as a graph gives them.

use crate::fixture::{change_on, load, people};
use crate::upkeep::clean;
use omnigraph::{Access, Fragments, Graph, LoadMode, Target};
use serde_json::json;

const AGE: &str = "query q($n: String, $a: I32) { update Person set { age: $a } where name = $n }";

fn set(graph: &Graph, branch: &str, age: i32) -> std::sync::Arc<omnigraph::Snapshot> {
    change_on(graph, branch, AGE, json!({"n":"Alice","a":age})).snapshot
}

#[test]
fn a_state_has_many_names() {
    let graph = people();
    let old = graph.store().head("main").unwrap();
    let new = set(&graph, "main", 1);
    graph.create_tag("v1", &format!("manifest:main:v{}", old.record.version), false).unwrap();
    graph.create_branch("team@home", "main", None).unwrap();
    for (text, target, commit) in [
        ("main", Target::Branch("main".into()), &new),
        ("team@home", Target::Branch("team@home".into()), &new),
        ("v1", Target::Tag("v1".into()), &old),
        (old.id().as_str(), Target::Commit(old.id().clone()), &old),
        ("manifest:main:v2", Target::Version("main".into(), 2), &old),
        ("main@2100-01-01", Target::At("main".into(), 4_102_444_800_000_000), &new),
        ("main@2100-01-01T00:00:01Z", Target::At("main".into(), 4_102_444_801_000_999), &new),
    ] {
        let found = graph.state(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((&found.0, found.1.id()), (&target, commit.id()), "{text}");
        assert_eq!(graph.commit(text).unwrap().id(), commit.id());
    }
    for (text, code, message) in [
        ("nothing", "not_found", "no branch, tag or commit `nothing`"),
        ("nothing@2026-01-01", "not_found", "no branch `nothing`"),
        ("main@2001-01-01", "not_found", "no commit at branch main at 2001-01-01T00:00:00.000Z"),
        (
            "main@yesterday",
            "bad_request",
            "`yesterday` is not a time: write 2026-11-01T12:00:00Z, or 2026-11-01 for the first moment of the day in UTC",
        ),
    ] {
        let error = graph.state(text).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (code, message));
    }
}

#[test]
fn branches_begin_at_states_and_times() {
    let graph = people().acting(Access::unrestricted().named(Some("ann")));
    let old = set(&graph, "main", 1);
    let new = set(&graph, "main", 2);
    assert_eq!(graph.create_branch("now", "main", None).unwrap().id(), new.id());
    let then = graph.create_branch("then", "main", Some(old.record.created_at)).unwrap();
    assert_eq!(then.id(), old.id());
    assert_eq!(graph.create_branch("tagged", old.id().as_str(), None).unwrap().id(), old.id());
    let error = graph.create_branch("no", old.id().as_str(), Some(0)).unwrap_err();
    let words = "is the same at all times: a time goes with a branch and says what the branch was";
    assert_eq!(error.to_string(), format!("commit {} {words}", old.id()));
    assert_eq!(graph.store().describe_branch("then").unwrap().actor.as_deref(), Some("ann"));
    graph.rename_branch("then", "past").unwrap();
    graph.delete_branch("tagged", false).unwrap();
    assert_eq!(graph.branches().unwrap(), ["main", "now", "past"]);
    assert_eq!(graph.rename_branch("main", "first").unwrap_err().code(), "bad_request");
    assert_eq!(graph.delete_branch("then", false).unwrap_err().code(), "not_found");
    let tag = graph.create_tag("v1", "past", false).unwrap();
    assert_eq!((&tag.commit, tag.actor.as_deref()), (old.id(), Some("ann")));
    assert_eq!(graph.create_tag("v1", "now", false).unwrap_err().code(), "exists");
    assert_eq!(graph.create_tag("v1", "now", true).unwrap().commit, *new.id());
    assert_eq!(graph.tags().unwrap().len(), 1);
    assert_eq!(graph.delete_tag("v1").unwrap().commit, *new.id());
    assert_eq!(graph.delete_tag("v1").unwrap_err().code(), "not_found");
}

#[test]
fn commits_come_in_pages() {
    let graph = people();
    for age in 0..4 {
        set(&graph, "main", age);
    }
    graph.create_branch("work", "main", None).unwrap();
    let other = set(&graph, "main", 10);
    let last = set(&graph, "work", 11);
    let all = graph.commits("work", None, 100).unwrap();
    assert_eq!((all.len(), all[0].id()), (7, last.id()));
    let mut paged = graph.commits("work", None, 2).unwrap();
    while let Some(page) = Some(graph.commits("work", paged.last().map(|last| last.id()), 2).unwrap())
        && !page.is_empty()
    {
        assert!(page.len() <= 2);
        paged.extend(page);
    }
    let ids = |commits: &[std::sync::Arc<omnigraph::Snapshot>]| {
        commits.iter().map(|commit| commit.id().clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&paged), ids(&all));
    assert!(graph.commits("work", None, 0).unwrap().is_empty());
    assert!(graph.commits("work", Some(last.id()), 0).unwrap().is_empty());
    let strange = graph.commits("work", Some(other.id()), 5).unwrap_err();
    assert_eq!(strange.code(), "not_found", "{strange}: it is on another branch");
}

#[test]
fn what_is_known_of_a_commit_outlives_its_rows() {
    let graph = people();
    let old = set(&graph, "main", 1);
    for age in 2..6 {
        set(&graph, "main", age);
    }
    clean(&graph, 1);
    assert_eq!(graph.state(old.id().as_str()).unwrap_err().code(), "cleaned_up");
    let known = graph.commit(old.id().as_str()).unwrap();
    assert!(known.record.released_at.is_some());
    assert_eq!(known.record.changes["node:Person"].updated, 1);
    let listed = graph.commits("main", Some(old.id()), 100).unwrap();
    assert_eq!(listed.len() as u64, old.record.version - 1);
}

#[test]
fn a_graph_is_examined() {
    let graph = people();
    graph.store().fold_in_background(false);
    graph.create_branch("work", "main", None).unwrap();
    let examined = graph.examine().unwrap();
    assert!(examined.conditional_puts.unwrap());
    assert_eq!(examined.head.unwrap().record.version, 2);
    assert_eq!(examined.tables.unwrap().iter().map(|table| table.rows).sum::<u64>(), 11);
    assert_eq!(examined.branches.unwrap(), ["main", "work"]);
    assert_eq!(examined.fragments.unwrap(), Fragments { count: 4, compactable_rows: 0 });
    for name in ["Eve", "Frank"] {
        let row = format!(r#"{{"type":"Person","data":{{"name":"{name}"}}}}"#);
        load(&graph, &row, LoadMode::Append).unwrap();
    }
    let fragments = graph.examine().unwrap().fragments.unwrap();
    assert!(fragments.count > 4 && fragments.compactable_rows >= 6, "{fragments:?}");
    graph.optimize(None, &mut |_| {}).unwrap();
    assert_eq!(graph.examine().unwrap().fragments.unwrap(), Fragments { count: 4, compactable_rows: 0 });
}
