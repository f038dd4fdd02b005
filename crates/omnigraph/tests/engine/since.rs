//! What changed since a state, as queries ask it, beside what a comparison of the two states says.

use crate::fixture::{change_on, fork, load_on, map, none, on, people, read};
use omnigraph::{ChangeOp, DiffOptions, Error, Graph, LoadMode};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A graph with some commits, oldest first.
fn edited() -> (Graph, Vec<String>) {
    let graph = people();
    let mut commits = vec![graph.state("main").unwrap().1.id().to_string()];
    for text in [
        "update Person set { age: 31 } where name = \"Alice\"",
        "insert Person { name: \"Eve\" } insert Knows { from: \"Eve\", to: \"Alice\" }",
        "delete Person where name = \"Bob\"",
        "insert WorksAt { from: \"Eve\", to: \"Acme\" } update Person set { age: 1 } where name = \"Eve\"",
        "insert Person { name: \"Bob\", age: 25 } insert Knows { from: \"Alice\", to: \"Bob\" }",
    ] {
        change_on(&graph, "main", &format!("query q() {{ {text} }}"), none());
        commits.push(graph.state("main").unwrap().1.id().to_string());
    }
    (graph, commits)
}

fn ids(rows: Vec<Vec<Value>>) -> BTreeSet<String> {
    rows.iter().map(|row| row[0].as_str().expect("an id").to_owned()).collect()
}

/// What a comparison says, by the word of the query.
fn compared(graph: &Graph, since: &str, table: &str, word: &str) -> BTreeSet<String> {
    let from = graph.state(since).unwrap().0;
    let set = graph.diff(&from, &on("main"), &DiffOptions::default()).unwrap();
    let fits = |op: ChangeOp| match word {
        "inserted" => op == ChangeOp::Insert,
        "updated" => op == ChangeOp::Update,
        _ => op != ChangeOp::Delete,
    };
    let changes = set.changes.into_iter().filter(|change| change.table_key == table && fits(change.op));
    changes.map(|change| change.id).collect()
}

#[test]
fn queries_and_comparisons_agree() {
    let (graph, commits) = edited();
    let mut found = 0;
    for since in &commits {
        for word in ["changed", "inserted", "updated"] {
            for (table, pattern) in [
                // By what changed; while the table is read; for the rows of a pattern; of an edge.
                ("node:Person", "$x: Person  $x WORD since $c"),
                ("node:Person", "$x: Person  $x WORD since $c or $x.age = -1"),
                ("node:Person", "$x: Person  not { $x: Person  not ($x WORD since $c) }"),
                (
                    "node:Person",
                    "$x: Person  count { $x <knows> $y  $x WORD since $c } > 0 or $x WORD since $c",
                ),
                ("edge:Knows", "$p $x:knows $q  $x WORD since $c"),
                ("edge:WorksAt", "$p $x:* $f  $f: Company  $x WORD since $c"),
            ] {
                let pattern = pattern.replace("WORD", word);
                let query =
                    format!("query q($c: String) {{ match {{ {pattern} }} return distinct {{ $x }} }}");
                let rows = read(&graph, &query, json!({ "c": since })).unwrap();
                let expected = compared(&graph, since, table, word);
                assert_eq!(ids(rows), expected, "{query} {since}");
                found += expected.len();
            }
        }
    }
    assert!(found > 40, "{found}");
}

const CHANGED: &str = "query q($c: String?) { match { $x: Person  $x changed since $c } return { $x } }";

#[test]
fn states_have_many_names() {
    let (graph, commits) = edited();
    let all = ids(read(&graph, CHANGED, json!({ "c": &commits[2] })).unwrap());
    // Bob went and came back as he was.
    assert_eq!(all.into_iter().collect::<Vec<_>>(), ["Eve"]);
    graph.create_tag("then", &commits[2], false).unwrap();
    assert_eq!(read(&graph, CHANGED, json!({ "c": "then" })).unwrap().len(), 1);
    // A branch that went its own way: what is different here.
    fork(&graph, "main", "other");
    load_on(&graph, "other", r#"{"type":"Person","data":{"name":"Zoe"}}"#, LoadMode::Append).unwrap();
    assert_eq!(read(&graph, CHANGED, json!({ "c": "other" })).unwrap().len(), 0);
    let there = graph.read(&on("other"), CHANGED, None, &map(json!({ "c": "main" }))).unwrap();
    assert_eq!(there.rows.num_rows(), 1);
    // Nothing is known to have changed since nothing; a state that is not there is an error.
    assert_eq!(read(&graph, CHANGED, none()).unwrap().len(), 0);
    let error = read(&graph, CHANGED, json!({ "c": "01ARZ3NDEKTSV4RRFFQ69G5FAV" })).unwrap_err();
    assert!(!matches!(error, Error::Internal(_)), "{error}");
}

#[test]
fn moments_are_states_of_the_branch() {
    let graph = edited().0;
    let query = "query q($t: DateTime) { match { $x: Person  $x changed since $t } return { $x } }";
    let far = json!({ "t": "2999-01-01T00:00:00Z" });
    assert_eq!(read(&graph, query, far).unwrap().len(), 0);
    let error = read(&graph, query, json!({ "t": "1970-01-01T00:00:00Z" })).unwrap_err();
    assert!(!matches!(error, Error::Internal(_)), "{error}");
}

/// Edges and nodes of a row that are not there have not changed.
#[test]
fn nothing_has_not_changed() {
    let (graph, commits) = edited();
    let query = "query q($c: String) {
        match { $x: Person  optional { $x $e:worksAt $f } }
        return { $x, $e changed since $c as e, $f changed since $c as f } order { $x }
    }";
    let rows = read(&graph, query, json!({ "c": &commits[3] })).unwrap();
    let row = |name: &str, e: Value, f: Value| vec![json!(name), e, f];
    assert_eq!(
        rows,
        [
            row("Alice", json!(false), json!(false)),
            row("Bob", Value::Null, Value::Null),
            row("Charlie", Value::Null, Value::Null),
            row("Diana", Value::Null, Value::Null),
            row("Eve", json!(true), json!(false)),
        ]
    );
}
