//! Histories in which graphs with branches are known to go wrong.

use crate::fixture::{change_on, empty, firsts, fork, load_on, loaded, none, on, people, read, rows_of};
use omnigraph::{Access, Error, Graph, GraphOptions, LoadMode, MergeOptions, MergeOutcome};
use serde_json::{Value, json};

const KNOWS: &str = "
node Person { name: String @key  age: I32? }
edge Knows: Person -> Person
";

fn merge(graph: &Graph, source: &str, target: &str) -> MergeOutcome {
    let merged = graph.merge(source, target, &MergeOptions::default());
    merged.unwrap_or_else(|error| panic!("{source} into {target}: {error}")).outcome
}

fn pair() -> Graph {
    loaded(
        KNOWS,
        r#"{"type":"Person","data":{"name":"alice","age":1}}
{"type":"Person","data":{"name":"bob","age":2}}
{"edge":"Knows","from":"alice","to":"bob"}"#,
    )
}

fn edges(graph: &Graph) -> Vec<String> {
    firsts(graph, "query q() { match { $a: Person $a knows $b } return { $a.name } }", none())
}

/// One branch inserts an edge that is there already, another deletes it: it does not come back.
#[test]
fn an_edge_that_a_sibling_deleted_stays_deleted() {
    let graph = pair();
    fork(&graph, "main", "b0");
    fork(&graph, "main", "b1");
    change_on(&graph, "b0", "query q() { insert Knows { from: \"alice\", to: \"bob\" } }", none());
    change_on(&graph, "b1", "query q() { delete Knows where from = \"alice\" }", none());
    merge(&graph, "b1", "main");
    assert!(edges(&graph).is_empty());
    merge(&graph, "b0", "main");
    assert!(edges(&graph).is_empty());
}

/// The same edge, made on two branches, is one edge; the same node by key, too.
#[test]
fn the_same_edge_on_two_branches_is_one_edge() {
    let graph = pair();
    fork(&graph, "main", "work");
    for branch in ["main", "work"] {
        let both = r#"{"type":"Person","data":{"name":"carol","age":3}}
{"edge":"Knows","from":"bob","to":"carol"}"#;
        load_on(&graph, branch, both, LoadMode::Append).unwrap();
    }
    merge(&graph, "work", "main");
    assert_eq!(edges(&graph), ["alice", "bob"]);
    let count = read(&graph, "query q() { match { $p: Person } return { count($p) as n } }", none()).unwrap();
    assert_eq!(count, [[json!(3)]]);
}

/// Two branches that both merged a third agree about what it changed.
#[test]
fn what_both_merged_before_is_not_a_conflict() {
    let graph = pair();
    for branch in ["x", "s", "t"] {
        fork(&graph, "main", branch);
    }
    let age = "query q($n: String, $a: I32) { update Person set { age: $a } where name = $n }";
    change_on(&graph, "x", age, json!({"n":"alice","a":10}));
    for branch in ["s", "t"] {
        change_on(&graph, branch, &format!("query q() {{ insert Person {{ name: \"{branch}\" }} }}"), none());
        merge(&graph, "x", branch);
    }
    change_on(&graph, "s", age, json!({"n":"alice","a":20}));
    change_on(&graph, "t", age, json!({"n":"bob","a":30}));
    graph.store().delete_branch("x").unwrap();
    merge(&graph, "t", "s");
    let rows = rows_of(&graph, &on("s"));
    assert!(rows.contains(&r#"{"type":"Person","data":{"name":"alice","age":20}}"#.to_owned()), "{rows:#?}");
    assert!(rows.contains(&r#"{"type":"Person","data":{"name":"bob","age":30}}"#.to_owned()));
}

/// A branch whose parent was fast-forwarded over it and written to reads what it always read.
#[test]
fn a_child_of_a_branch_that_was_fast_forwarded() {
    let graph = pair();
    let insert = |branch: &str, name: &str| {
        change_on(&graph, branch, "query q($n: String) { insert Person { name: $n } }", json!({"n":name}));
    };
    fork(&graph, "main", "b0");
    insert("b0", "n1");
    fork(&graph, "b0", "b1");
    let child = rows_of(&graph, &on("b1"));
    assert_eq!(merge(&graph, "b0", "main"), MergeOutcome::FastForward);
    insert("main", "n0");
    assert_eq!(merge(&graph, "main", "b0"), MergeOutcome::FastForward);
    insert("b0", "n2");
    assert_eq!(rows_of(&graph, &on("b1")), child);
    graph.store().delete_branch("b0").unwrap();
    assert_eq!(rows_of(&graph, &on("b1")), child, "nor does deleting the parent matter");
    assert_eq!(merge(&graph, "b1", "main"), MergeOutcome::AlreadyUpToDate);
}

/// There and back again: the newer rows win, however many versions the tables of either side have.
#[test]
fn a_round_trip_loses_nothing() {
    let graph = pair();
    fork(&graph, "main", "feature");
    let age = "query q($n: String, $a: I32) { update Person set { age: $a } where name = $n }";
    for number in 0..12 {
        change_on(&graph, "feature", age, json!({"n":"alice","a":100 + number}));
    }
    merge(&graph, "feature", "main");
    change_on(&graph, "main", "query q() { insert Knows { from: \"bob\", to: \"alice\" } }", none());
    change_on(&graph, "main", age, json!({"n":"alice","a":50}));
    assert_eq!(merge(&graph, "main", "feature"), MergeOutcome::FastForward);
    change_on(&graph, "feature", age, json!({"n":"bob","a":7}));
    assert_eq!(merge(&graph, "feature", "main"), MergeOutcome::FastForward);
    assert_eq!(edges(&graph), ["alice", "bob"]);
    let rows = rows_of(&graph, &on("main"));
    assert!(rows.contains(&r#"{"type":"Person","data":{"name":"alice","age":50}}"#.to_owned()), "{rows:#?}");
}

/// A branch that was loaded whole again merges.
#[test]
fn a_branch_that_was_replaced() {
    let graph = people();
    fork(&graph, "main", "reload");
    let mut data = String::new();
    for number in 0..500 {
        data += &json!({"type":"Person","data":{"name":format!("p{number}"),"age":number}}).to_string();
        data.push('\n');
    }
    data += r#"{"type":"Person","data":{"name":"Alice","age":30}}
{"type":"Company","data":{"name":"Acme"}}
{"edge":"Knows","from":"p0","to":"p1"}
{"edge":"WorksAt","from":"Alice","to":"Acme"}"#;
    load_on(&graph, "reload", &data, LoadMode::Overwrite).unwrap();
    let whole = rows_of(&graph, &on("reload"));
    change_on(&graph, "main", "query q() { insert Company { name: \"New\" } }", none());
    let report = graph.merge("reload", "main", &MergeOptions::default()).unwrap();
    assert_eq!(report.outcome, MergeOutcome::Merged);
    let people = &report.changes["node:Person"];
    assert_eq!((people.inserted, people.updated, people.deleted), (500, 0, 3), "Alice did not change");
    assert_eq!(rows_of(&graph, &on("main")).len(), whole.len() + 1);
}

/// Trying again after an answer was lost does nothing twice.
#[test]
fn a_merge_that_is_tried_again() {
    let graph = pair();
    fork(&graph, "main", "work");
    change_on(&graph, "work", "query q() { insert Person { name: \"carol\" } }", none());
    change_on(&graph, "main", "query q() { insert Person { name: \"dave\" } }", none());
    assert_eq!(merge(&graph, "work", "main"), MergeOutcome::Merged);
    let head = graph.store().head("main").unwrap();
    assert_eq!(merge(&graph, "work", "main"), MergeOutcome::AlreadyUpToDate);
    assert_eq!(graph.store().head("main").unwrap().id(), head.id());
    let count = read(&graph, "query q() { match { $p: Person } return { count($p) as n } }", none()).unwrap();
    assert_eq!(count, [[json!(4)]]);
}

/// Writers on the target while branches are merged into it: everything arrives, once.
#[test]
fn merges_and_writers_at_once() {
    let dir = tempfile::TempDir::new().unwrap();
    let place = dir.path().join("g");
    let place = place.to_str().unwrap();
    let options = GraphOptions { cache_bytes: 64 << 20, durable: false, ..GraphOptions::default() };
    let graph = Graph::create(place, KNOWS, Access::unrestricted(), &options).unwrap();
    let insert = |graph: &Graph, branch: &str, name: &str| {
        change_on(graph, branch, "query q($n: String) { insert Person { name: $n } }", json!({"n":name}));
    };
    for number in 0..3 {
        fork(&graph, "main", &format!("b{number}"));
        insert(&graph, &format!("b{number}"), &format!("m{number}"));
    }
    std::thread::scope(|scope| {
        for number in 0..3 {
            let options = options.clone();
            scope.spawn(move || {
                let graph = Graph::open(place, Access::unrestricted(), &options).unwrap();
                merge(&graph, &format!("b{number}"), "main");
            });
        }
        scope.spawn(|| (0..5).for_each(|number| insert(&graph, "main", &format!("w{number}"))));
    });
    let graph = Graph::open(place, Access::unrestricted(), &options).unwrap();
    let names = firsts(&graph, "query q() { match { $p: Person } return { $p.name } }", none());
    assert_eq!(names, ["m0", "m1", "m2", "w0", "w1", "w2", "w3", "w4"]);
}

/// A branch of embeddings is taken as it is: no row is read.
#[test]
fn a_fast_forward_copies_no_rows() {
    let graph = empty("node Doc { slug: String @key  vec: Vector(64)? }");
    fork(&graph, "main", "work");
    let vector: Vec<f32> = (0..64).map(|at| at as f32).collect();
    let rows: Vec<String> = (0..200)
        .map(|number| json!({"type":"Doc","data":{"slug":format!("d{number}"),"vec":vector}}).to_string())
        .collect();
    load_on(&graph, "work", &rows.join("\n"), LoadMode::Append).unwrap();
    assert_eq!(merge(&graph, "work", "main"), MergeOutcome::FastForward);
    let (main, work) = (graph.store().head("main").unwrap(), graph.store().head("work").unwrap());
    assert_eq!(main.record.tables, work.record.tables);
    assert_eq!(main.record.changes["node:Doc"].inserted, 200);
}

/// Branches that do not know each other's tables, and a source that has nothing of its own.
#[test]
fn empty_sides() {
    let graph = empty(KNOWS);
    fork(&graph, "main", "a");
    fork(&graph, "main", "b");
    assert_eq!(merge(&graph, "a", "b"), MergeOutcome::AlreadyUpToDate);
    assert_eq!(merge(&graph, "main", "main"), MergeOutcome::AlreadyUpToDate);
    change_on(&graph, "a", "query q() { insert Person { name: \"x\" } }", none());
    change_on(&graph, "a", "query q() { delete Person where name = \"x\" }", none());
    change_on(&graph, "main", "query q() { insert Person { name: \"y\" } }", none());
    let report = graph.merge("a", "main", &MergeOptions::default()).unwrap();
    assert_eq!((report.outcome, report.changes.len()), (MergeOutcome::Merged, 0));
    assert_eq!(rows_of(&graph, &on("main")).len(), 1);
    let gone: Result<_, Error> = graph.merge("nobody", "main", &MergeOptions::default());
    assert_eq!(gone.unwrap_err().to_string(), "no branch, tag or commit `nobody`");
    let _: Value = none();
}
