//! Conflicts for which somebody takes a side.

use crate::fixture::{change_on, fork, load_on, loaded, none, on, people, rows_of};
use omnigraph::{Error, Graph, LoadMode, MergeConflict, MergeOptions, MergeReport, Resolutions, Side};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

const AGE: &str = "query q($n: String, $a: I32) { update Person set { age: $a } where name = $n }";
const DELETE: &str = "query q($n: String) { delete Person where name = $n }";

fn all(side: Side) -> Resolutions {
    Resolutions { otherwise: Some(side), ..Resolutions::default() }
}

fn row(table: &str, id: &str, side: Side) -> ((String, String), Side) {
    ((table.to_owned(), id.to_owned()), side)
}

fn merge(graph: &Graph, resolutions: Resolutions) -> Result<MergeReport, Error> {
    graph.merge("work", "main", &MergeOptions { resolutions, ..MergeOptions::default() })
}

fn conflicts(found: Result<MergeReport, Error>) -> Vec<MergeConflict> {
    match found {
        Err(Error::MergeConflicts(conflicts)) => conflicts,
        other => panic!("{other:?}"),
    }
}

fn problems(graph: &Graph) -> Vec<String> {
    let report = graph.fsck(&mut |_| {}).unwrap();
    report.problems.iter().map(|problem| format!("{problem:?}")).collect()
}

/// Both sides insert, update and delete the same rows differently.
fn torn() -> Graph {
    let graph = people();
    fork(&graph, "main", "work");
    let insert = "query q($a: I32) { insert Person { name: \"Eve\", age: $a } }";
    change_on(&graph, "work", insert, json!({"a":1}));
    change_on(&graph, "main", insert, json!({"a":2}));
    change_on(&graph, "work", AGE, json!({"n":"Alice","a":60}));
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":61}));
    change_on(&graph, "work", DELETE, json!({"n":"Diana"}));
    change_on(&graph, "main", AGE, json!({"n":"Diana","a":62}));
    change_on(&graph, "work", AGE, json!({"n":"Charlie","a":63}));
    graph
}

fn ages(graph: &Graph) -> BTreeMap<String, i64> {
    let rows = rows_of(graph, &on("main"));
    let rows = rows.iter().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap());
    let people = rows.filter(|row| row["type"] == "Person");
    people
        .map(|row| (row["data"]["name"].as_str().unwrap().to_owned(), row["data"]["age"].as_i64().unwrap()))
        .collect()
}

fn expected(ages: &[(&str, i64)]) -> BTreeMap<String, i64> {
    ages.iter().map(|(name, age)| ((*name).to_owned(), *age)).collect()
}

#[test]
fn a_side_is_taken_for_all_conflicts_and_the_rest_is_merged() {
    let graph = torn();
    let report = merge(&graph, all(Side::Ours)).unwrap();
    assert_eq!(
        ages(&graph),
        expected(&[("Alice", 61), ("Bob", 25), ("Charlie", 63), ("Diana", 62), ("Eve", 2)])
    );
    let resolved: Vec<(&str, Side)> =
        report.resolved.iter().map(|one| (one.conflict.kind.as_str(), one.take)).collect();
    let ours = ["divergent_update", "delete_vs_update", "divergent_insert"].map(|kind| (kind, Side::Ours));
    assert_eq!(resolved, ours);
    assert_eq!(report.changes["node:Person"].ids.as_ref().unwrap().updated, ["Charlie"]);
    assert!(problems(&graph).is_empty());

    let graph = torn();
    let report = merge(&graph, all(Side::Theirs)).unwrap();
    assert_eq!(ages(&graph), expected(&[("Alice", 60), ("Bob", 25), ("Charlie", 63), ("Eve", 1)]));
    let ids = report.changes["node:Person"].ids.as_ref().unwrap();
    assert_eq!(ids.updated, ["Alice", "Charlie", "Eve"]);
    assert_eq!(ids.deleted, ["Diana"]);
    assert!(problems(&graph).is_empty(), "{:?}", problems(&graph));
    // The next merge has nothing to decide.
    assert_eq!(merge(&graph, Resolutions::default()).unwrap().outcome.as_str(), "already_up_to_date");
}

#[test]
fn rows_are_decided_one_by_one() {
    let graph = torn();
    let rows =
        BTreeMap::from([row("node:Person", "Alice", Side::Theirs), row("node:Person", "Diana", Side::Ours)]);
    let found = conflicts(merge(&graph, Resolutions { otherwise: None, rows: rows.clone() }));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].row_id.as_deref(), Some("Eve"));
    let shown = found[0].rows.as_ref().unwrap();
    assert_eq!(shown.base, None);
    assert_eq!(shown.ours.as_deref(), Some(r#"{"id":"Eve","name":"Eve","age":2}"#));
    assert_eq!(shown.theirs.as_deref(), Some(r#"{"id":"Eve","name":"Eve","age":1}"#));
    merge(&graph, Resolutions { otherwise: Some(Side::Theirs), rows }).unwrap();
    assert_eq!(ages(&graph)["Alice"], 60);
    assert_eq!(ages(&graph)["Diana"], 62);
    assert_eq!(ages(&graph)["Eve"], 1);
}

#[test]
fn both_sides_and_what_was_before_are_shown() {
    let found = conflicts(merge(&torn(), Resolutions::default()));
    let rows = found[0].rows.as_ref().unwrap();
    assert_eq!(rows.base.as_deref(), Some(r#"{"id":"Alice","name":"Alice","age":30}"#));
    assert_eq!(rows.ours.as_deref(), Some(r#"{"id":"Alice","name":"Alice","age":61}"#));
    assert_eq!(rows.theirs.as_deref(), Some(r#"{"id":"Alice","name":"Alice","age":60}"#));
    let diana = found.iter().find(|found| found.row_id.as_deref() == Some("Diana")).unwrap();
    assert_eq!(diana.rows.as_ref().unwrap().theirs, None, "it is deleted there");
}

#[test]
fn a_decision_about_something_else_is_refused() {
    let graph = torn();
    let before = rows_of(&graph, &on("main"));
    let rows = BTreeMap::from([row("node:Person", "Bob", Side::Ours)]);
    let error = merge(&graph, Resolutions { otherwise: Some(Side::Ours), rows }).unwrap_err();
    assert!(error.to_string().contains("`Bob` of node:Person, which is not in conflict"), "{error}");
    assert_eq!(rows_of(&graph, &on("main")), before);
}

/// A node that one side removed and the other has a new edge to.
#[test]
fn edges_without_ends_follow_the_side_that_is_taken() {
    let torn = || {
        let graph = people();
        fork(&graph, "main", "work");
        change_on(&graph, "main", DELETE, json!({"n":"Diana"}));
        change_on(&graph, "work", "query q() { insert Knows { from: \"Charlie\", to: \"Diana\" } }", none());
        graph
    };
    let has = |graph: &Graph, part: &str| rows_of(graph, &on("main")).iter().any(|row| row.contains(part));
    let edge = r#""from":"Charlie","to":"Diana""#;
    let graph = torn();
    merge(&graph, all(Side::Ours)).unwrap();
    assert!(!has(&graph, edge) && !has(&graph, r#""name":"Diana""#));
    assert!(problems(&graph).is_empty());
    let graph = torn();
    merge(&graph, all(Side::Theirs)).unwrap();
    assert!(has(&graph, edge) && has(&graph, r#""name":"Diana""#));
    assert!(problems(&graph).is_empty());
}

#[test]
fn unique_values_and_numbers_of_edges_follow_the_side_that_is_taken() {
    const SCHEMA: &str = "
node Person { name: String @key  mail: String? @unique }
node Team { name: String @key }
edge Leads: Person -> Team @card(0..1)
";
    let torn = || {
        let rows = r#"{"type":"Person","data":{"name":"a"}}
{"type":"Person","data":{"name":"b"}}
{"type":"Team","data":{"name":"x"}}
{"type":"Team","data":{"name":"y"}}"#;
        let graph = loaded(SCHEMA, rows);
        fork(&graph, "main", "work");
        let mail = "query q($n: String) { update Person set { mail: \"m@x\" } where name = $n }";
        change_on(&graph, "work", mail, json!({"n":"a"}));
        change_on(&graph, "main", mail, json!({"n":"b"}));
        let leads = "query q($t: String) { insert Leads { from: \"a\", to: $t } }";
        change_on(&graph, "work", leads, json!({"t":"x"}));
        change_on(&graph, "main", leads, json!({"t":"y"}));
        graph
    };
    for (side, to, mailed) in [(Side::Ours, "y", "b"), (Side::Theirs, "x", "a")] {
        let graph = torn();
        let merged = merge(&graph, all(side));
        if side == Side::Theirs {
            // Whose address theirs takes away from is a row that only ours changed: it has to be named.
            let left = conflicts(merged);
            assert_eq!(left.len(), 1, "{left:?}");
            let rows = BTreeMap::from([row("node:Person", "b", side)]);
            let error = merge(&graph, Resolutions { otherwise: Some(side), rows }).unwrap_err();
            assert!(matches!(error, Error::MergeConflicts(_) | Error::Request(_)), "{error}");
            continue;
        }
        merged.unwrap();
        let rows = rows_of(&graph, &on("main"));
        let leads: Vec<&String> = rows.iter().filter(|row| row.contains("Leads")).collect();
        assert_eq!(leads.len(), 1, "{leads:?}");
        assert!(leads[0].contains(&format!("\"to\":\"{to}\"")), "{leads:?}");
        let mails: Vec<&String> = rows.iter().filter(|row| row.contains("m@x")).collect();
        assert_eq!(mails.len(), 1, "{mails:?}");
        assert!(mails[0].contains(&format!("\"name\":\"{mailed}\"")));
        assert!(problems(&graph).is_empty());
    }
}

/// What rows of `n0` to `n11` become: a value, or nothing.
type Edits = BTreeMap<u8, Option<i32>>;

fn edits() -> impl Strategy<Value = Edits> {
    prop::collection::btree_map(0..12u8, prop::option::weighted(0.6, 1..4i32), 0..10)
}

fn edit(graph: &Graph, branch: &str, edits: &Edits) {
    let line = |(name, value): (&u8, &Option<i32>)| match value {
        Some(value) => json!({"type":"N","data":{"name":format!("n{name}"),"v":value}}).to_string(),
        None => json!({"delete":"N","id":format!("n{name}")}).to_string(),
    };
    let lines: Vec<String> = edits.iter().map(line).collect();
    load_on(graph, branch, &lines.join("\n"), LoadMode::Merge).unwrap();
}

/// The rows of a base of eight rows after edits.
fn model(edits: &Edits) -> BTreeMap<u8, i32> {
    let mut rows: BTreeMap<u8, i32> = (0..8).map(|name| (name, 0)).collect();
    for (name, value) in edits {
        match value {
            Some(value) => drop(rows.insert(*name, *value)),
            None => drop(rows.remove(name)),
        }
    }
    rows
}

fn values(graph: &Graph) -> BTreeMap<u8, i32> {
    let rows = rows_of(graph, &on("main"));
    let rows = rows.iter().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap());
    let row = |row: serde_json::Value| {
        let name = row["data"]["name"].as_str().unwrap()[1..].parse().unwrap();
        (name, i32::try_from(row["data"]["v"].as_i64().unwrap()).unwrap())
    };
    rows.map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Each row that both sides changed differently is as one side has it, each other one as in any merge.
    #[test]
    fn a_side_is_a_side_for_each_row(ours in edits(), theirs in edits(), is_ours in any::<bool>()) {
        let rows = (0..8).map(|name| json!({"type":"N","data":{"name":format!("n{name}"),"v":0}}).to_string());
        let graph = loaded("node N { name: String @key  v: I32? }", &rows.collect::<Vec<_>>().join("\n"));
        fork(&graph, "main", "work");
        edit(&graph, "main", &ours);
        edit(&graph, "work", &theirs);
        let side = if is_ours { Side::Ours } else { Side::Theirs };
        merge(&graph, all(side)).unwrap();
        let (base, ours, theirs) = (model(&Edits::new()), model(&ours), model(&theirs));
        let mut expected = BTreeMap::new();
        for name in 0..12 {
            let [was, our, their] = [&base, &ours, &theirs].map(|rows| rows.get(&name).copied());
            let taken = if our == was { their } else if their == was || is_ours { our } else { their };
            expected.extend(taken.map(|value| (name, value)));
        }
        prop_assert_eq!(values(&graph), expected);
        prop_assert!(problems(&graph).is_empty());
    }
}
