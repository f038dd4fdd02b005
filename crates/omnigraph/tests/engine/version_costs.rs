//! What branches, diffs and merges cost, counted in requests to the object store.

use crate::fixture::{change_on, fork, load_on, loaded, none, on};
use omnigraph::{Access, ChangeFilter, DiffOptions, Graph, LoadMode, MergeOptions, MergeOutcome};
use serde_json::json;

const SCHEMA: &str = "
node Person { name: String @key  age: I32?  mail: String? @unique }
node Team { name: String @key }
edge Knows: Person -> Person { since: Date? }
edge In: Person -> Team @card(0..2)
";

/// So many people in chunks of a thousand, each chunk a fragment of its own.
fn people(count: usize) -> Graph {
    let graph = loaded(SCHEMA, r#"{"type":"Team","data":{"name":"t"}}"#);
    let names: Vec<usize> = (0..count).collect();
    for some in names.chunks(5_000) {
        let mut data = String::new();
        for name in some {
            data += &json!({"type":"Person","data":{"name":format!("p{name}"),"age":1,"mail":format!("m{name}")}}).to_string();
            data.push('\n');
            data += &json!({"edge":"Knows","from":format!("p{name}"),"to":format!("p{name}")}).to_string();
            data.push('\n');
        }
        load_on(&graph, "main", &data, LoadMode::Append).unwrap();
    }
    graph
}

/// Fifty updates and fifty inserts on either side, on other rows.
fn diverge(graph: &Graph) {
    fork(graph, "main", "work");
    for (branch, first) in [("main", 0), ("work", 100)] {
        let mut data = String::new();
        for number in first..first + 50 {
            data += &json!({"type":"Person","data":{"name":format!("p{number}"),"age":2}}).to_string();
            data.push('\n');
            data += &json!({"type":"Person","data":{"name":format!("{branch}{number}"),"mail":format!("{branch}{number}")}}).to_string();
            data.push('\n');
            data += &json!({"edge":"In","from":format!("p{number}"),"to":"t"}).to_string();
            data.push('\n');
        }
        load_on(graph, branch, &data, LoadMode::Merge).unwrap();
    }
}

/// The requests of some work, without those of folds that earlier writes began.
fn cost<T>(graph: &Graph, work: impl FnOnce() -> T) -> (u64, T) {
    let store = graph.store();
    store.wait_for_folds();
    let before = store.requests().total();
    let done = work();
    (store.requests().total() - before, done)
}

#[test]
fn a_merge_costs_what_changed() {
    let mut costs = Vec::new();
    for count in [1_000, 40_000] {
        let graph = people(count);
        diverge(&graph);
        let (diffed, set) =
            cost(&graph, || graph.diff(&on("main"), &on("work"), &DiffOptions::default()).unwrap());
        assert_eq!(set.changes.len(), 300, "of either side: 50 updated, 50 inserted, 50 edges");
        let (merged, report) =
            cost(&graph, || graph.merge("work", "main", &MergeOptions::default()).unwrap());
        assert_eq!(report.outcome, MergeOutcome::Merged);
        assert_eq!(report.changes["node:Person"].inserted, 50);
        costs.push((diffed, merged));
    }
    let [(small_diff, small_merge), (large_diff, large_merge)] = costs[..] else { panic!() };
    assert!(large_diff <= small_diff + 4, "a diff: {small_diff}, then {large_diff}");
    assert!(large_merge <= small_merge + 4, "a merge: {small_merge}, then {large_merge}");
    assert!(large_merge <= 60, "{large_merge}");
}

/// A new process that knows nothing of the tables does not read them either.
#[test]
fn a_cold_merge_costs_what_changed() {
    let dir = tempfile::TempDir::new().unwrap();
    let mut costs = Vec::new();
    for count in [1_000, 40_000] {
        let place = dir.path().join(count.to_string());
        let place = place.to_str().unwrap();
        let made = Graph::create(place, SCHEMA, Access::unrestricted(), &crate::fixture::options()).unwrap();
        let names: Vec<usize> = (0..count).collect();
        for some in names.chunks(40_000) {
            let row = |name: &usize| {
                json!({"type":"Person","data":{"name":format!("p{name}"),"age":1}}).to_string()
            };
            let rows: Vec<String> = some.iter().map(row).collect();
            load_on(&made, "main", &rows.join("\n"), LoadMode::Append).unwrap();
        }
        fork(&made, "main", "work");
        for (branch, first) in [("main", 0), ("work", 100)] {
            let row =
                |name: usize| json!({"type":"Person","data":{"name":format!("p{name}"),"age":2}}).to_string();
            let rows: Vec<String> = (first..first + 50).map(row).collect();
            load_on(&made, branch, &rows.join("\n"), LoadMode::Merge).unwrap();
        }
        let graph = Graph::open(place, Access::unrestricted(), &crate::fixture::options()).unwrap();
        costs.push(cost(&graph, || graph.merge("work", "main", &MergeOptions::default()).unwrap()).0);
    }
    assert!(costs[1] <= costs[0] + 6, "{costs:?}");
}

#[test]
fn branches_and_fast_forwards_cost_the_same_whatever_they_hold() {
    let graph = people(5_000);
    for number in 0..40 {
        change_on(
            &graph,
            "main",
            "query q($n: String) { insert Team { name: $n } }",
            json!({"n":format!("t{number}")}),
        );
    }
    let (made, ()) = cost(&graph, || {
        let head = graph.store().head("main").unwrap();
        graph.store().create_branch("work", &head, None).unwrap();
    });
    assert!(made <= 3, "{made}");
    change_on(&graph, "work", "query q() { insert Team { name: \"new\" } }", none());
    let (forwarded, report) = cost(&graph, || graph.merge("work", "main", &MergeOptions::default()).unwrap());
    assert_eq!(report.outcome, MergeOutcome::FastForward);
    assert!(forwarded <= 12, "{forwarded}");
    let (renamed, _) = cost(&graph, || graph.store().rename_branch("work", "done").unwrap());
    assert!(renamed <= 4, "{renamed}");
    let (deleted, ()) = cost(&graph, || graph.store().delete_branch("done").unwrap());
    assert!(deleted <= 3, "{deleted}");
}

/// Many commits since the base are read many at a time, and each once.
#[test]
fn a_long_way_back() {
    let graph = people(100);
    fork(&graph, "main", "work");
    let insert = |branch: &str, name: String| {
        change_on(&graph, branch, "query q($n: String) { insert Team { name: $n } }", json!({"n":name}));
    };
    (0..120).for_each(|number| insert("main", format!("m{number}")));
    insert("work", "w".to_owned());
    let (merged, report) = cost(&graph, || graph.merge("work", "main", &MergeOptions::default()).unwrap());
    assert_eq!(report.outcome, MergeOutcome::Merged);
    assert!(merged <= 120 + 60, "{merged}");
    let (again, set) = cost(&graph, || {
        let filter = ChangeFilter { type_names: vec!["Team".to_owned()], ..ChangeFilter::default() };
        graph.diff(&on("work"), &on("main"), &DiffOptions { filter, with_rows: false }).unwrap()
    });
    assert_eq!(set.changes.len(), 120);
    assert!(again <= 60, "{again}");
}
