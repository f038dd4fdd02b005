//! Bulk loads.

use crate::fixture::{DATA, SCHEMA, empty, firsts, load, loaded, none, people};
use omnigraph::LoadMode;

const NAMES: &str = "query q() { match { $p: Person } return { $p.name } }";

#[test]
fn a_file_loaded_twice_changes_nothing() {
    let graph = people();
    let before = graph.store().head("main").unwrap();
    let again = load(&graph, DATA, LoadMode::Merge).unwrap();
    assert!(!again.committed);
    assert_eq!(again.rows["node:Person"], 4);
    assert_eq!(graph.store().head("main").unwrap().id(), before.id());
}

#[test]
fn merge_replaces_rows_and_adds_new_ones() {
    let graph = people();
    let more = r#"{"type":"Person","data":{"name":"Bob","age":26}}
{"type":"Person","data":{"name":"Eve"}}
{"type":"Person","data":{"name":"Alice","age":30}}
{"edge":"Knows","from":"Eve","to":"Bob"}
{"edge":"Knows","from":"Alice","to":"Bob","data":{"since":"2020-02-02"}}"#;
    let report = load(&graph, more, LoadMode::Merge).unwrap();
    let (people, knows) = (&report.changes["node:Person"], &report.changes["edge:Knows"]);
    assert_eq!((people.inserted, people.updated), (1, 1));
    assert_eq!((knows.inserted, knows.updated), (1, 1));
    assert_eq!(
        firsts(&graph, "query q() { match { $p: Person { name: \"Bob\" } } return { $p.age } }", none()),
        ["26"]
    );
    assert_eq!(
        firsts(&graph, "query q() { match { $p: Person $p knows $f } return { $f.name } }", none()),
        ["Bob", "Bob", "Charlie", "Diana"]
    );
}

#[test]
fn append_takes_only_new_rows() {
    let graph = people();
    let before = graph.store().head("main").unwrap();
    let old = "{\"type\":\"Person\",\"data\":{\"name\":\"New\"}}\n{\"type\":\"Person\",\"data\":{\"name\":\"Bob\"}}";
    assert_eq!(
        load(&graph, old, LoadMode::Append).unwrap_err().to_string(),
        "line 2: Person 'Bob' is there already"
    );
    let edge = r#"{"edge":"Knows","from":"Alice","to":"Bob"}"#;
    assert!(load(&graph, edge, LoadMode::Append).unwrap_err().to_string().contains("is there already"));
    assert_eq!(graph.store().head("main").unwrap().id(), before.id());
}

#[test]
fn a_bad_line_anywhere_leaves_the_graph_as_it_was() {
    let graph = people();
    let before = graph.store().head("main").unwrap();
    let mut good: Vec<String> =
        (0..20_000).map(|n| format!("{{\"type\":\"Person\",\"data\":{{\"name\":\"n{n}\"}}}}")).collect();
    for (at, bad, message) in [
        (0, r#"{"type":"Persn","data":{}}"#, "line 1: unknown node type `Persn`; did you mean `Person`?"),
        (10_000, r#"{"type":"Person","data":{"age":1}}"#, "line 10001: "),
        (19_999, r#"{"type":"Person","data":{"name":"n1"}}"#, "line 20000: Person 'n1' is on line 2 too"),
        (
            5,
            r#"{"edge":"Knows","from":"n1","to":"ghost"}"#,
            "line 6: edge Knows: dst 'ghost' not found in Person",
        ),
        (7, "{", "line 8: "),
    ] {
        let kept = std::mem::replace(&mut good[at], bad.to_owned());
        let error = load(&graph, &good.join("\n"), LoadMode::Merge).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
        good[at] = kept;
        assert_eq!(graph.store().head("main").unwrap().id(), before.id());
    }
    load(&graph, &good.join("\n"), LoadMode::Append).unwrap();
    assert_eq!(firsts(&graph, NAMES, none()).len(), 20_004);
}

#[test]
fn edges_may_come_before_their_nodes() {
    let reversed: Vec<&str> = DATA.lines().rev().collect();
    let graph = loaded(SCHEMA, &reversed.join("\n"));
    assert_eq!(firsts(&graph, NAMES, none()).len(), 4);
}

#[test]
fn overwrite_replaces_the_tables_of_the_file() {
    let graph = people();
    let one = r#"{"type":"Person","data":{"name":"Zoe"}}"#;
    let error = load(&graph, one, LoadMode::Overwrite).unwrap_err().to_string();
    assert!(error.contains("edge Knows: src 'Alice' not found in Person"), "{error}");
    let all = "{\"type\":\"Person\",\"data\":{\"name\":\"Zoe\"}}\n{\"type\":\"Person\",\"data\":{\"name\":\"Yan\"}}\n{\"edge\":\"Knows\",\"from\":\"Zoe\",\"to\":\"Yan\"}\n{\"edge\":\"WorksAt\",\"from\":\"Zoe\",\"to\":\"Acme\"}";
    load(&graph, all, LoadMode::Overwrite).unwrap();
    assert_eq!(firsts(&graph, NAMES, none()), ["Yan", "Zoe"]);
    assert_eq!(
        firsts(&graph, "query q() { match { $c: Company } return { $c.name } }", none()),
        ["Acme", "Globex"]
    );
}

#[test]
fn repetitions_and_bounds() {
    let graph =
        empty("node A { k: String @key u: String? @unique } edge One: A -> A @card(0..1) edge Plain: A -> A");
    let nodes = "{\"type\":\"A\",\"data\":{\"k\":\"a\",\"u\":\"x\"}}\n{\"type\":\"A\",\"data\":{\"k\":\"b\"}}\n{\"type\":\"A\",\"data\":{\"k\":\"c\"}}\n";
    let with = |more: &str, mode| {
        load(&graph, &format!("{nodes}{more}"), mode).map(|_| ()).map_err(|error| error.to_string())
    };
    let twice =
        "{\"edge\":\"Plain\",\"from\":\"a\",\"to\":\"b\"}\n{\"edge\":\"Plain\",\"from\":\"a\",\"to\":\"b\"}";
    assert_eq!(
        with(twice, LoadMode::Append),
        Err("line 5: Plain 'a -> b' is in the file more than once".into())
    );
    let fan =
        "{\"edge\":\"One\",\"from\":\"a\",\"to\":\"b\"}\n{\"edge\":\"One\",\"from\":\"a\",\"to\":\"c\"}";
    assert_eq!(
        with(fan, LoadMode::Merge),
        Err("@card violation on edge One: source 'a' has 2 edges (max 1)".into())
    );
    let same = r#"{"type":"A","data":{"k":"d","u":"x"}}"#;
    assert_eq!(
        with(same, LoadMode::Merge),
        Err("line 4: @unique violation on A(u): 'x' of 'd' is also the value of 'a'".into())
    );
    assert_eq!(with(twice, LoadMode::Merge), Ok(()));
    assert_eq!(
        load(&graph, same, LoadMode::Merge).unwrap_err().to_string(),
        "@unique violation on A(u): 'x' of 'd' is also the value of 'a'"
    );
}

#[test]
fn unique_values_may_change_hands() {
    let graph = empty("node A { k: String @key u: String? @unique }");
    let rows = |a: &str, b: &str, more: &str| {
        format!(
            "{{\"type\":\"A\",\"data\":{{\"k\":\"a\",\"u\":\"{a}\"}}}}\n{{\"type\":\"A\",\"data\":{{\"k\":\"b\",\"u\":\"{b}\"}}}}\n{more}"
        )
    };
    load(&graph, &rows("x", "y", ""), LoadMode::Append).unwrap();
    load(&graph, &rows("y", "x", ""), LoadMode::Merge).unwrap();
    let taken = r#"{"type":"A","data":{"k":"c","u":"y"}}"#;
    assert!(
        load(&graph, &rows("y", "x", taken), LoadMode::Merge).unwrap_err().to_string().contains("@unique")
    );
}
