//! Statements.

use crate::fixture::{change, changed, empty, firsts, loaded, none, people, read};
use omnigraph::{Access, ChangeOptions, Target};
use serde_json::{Map, json};

const NAMES: &str = "query q() { match { $p: Person } return { $p.name } }";

#[test]
fn insert_update_delete() {
    let graph = people();
    assert_eq!(
        changed(&graph, "query q($n: String) { insert Person { name: $n, age: 1 } }", json!({"n":"Eve"})),
        (1, 0)
    );
    assert_eq!(
        changed(&graph, "query q() { insert Knows { from: \"Eve\", to: \"Alice\" } }", none()),
        (0, 1)
    );
    assert_eq!(
        firsts(
            &graph,
            "query q() { match { $p: Person { name: \"Eve\" } $p knows $f $f knows $g } return { $g.name } }",
            none()
        ),
        ["Bob", "Charlie"]
    );
    assert_eq!(
        changed(&graph, "query q() { update Person set { age: 2 } where name = \"Eve\" }", none()),
        (1, 0)
    );
    assert_eq!(
        firsts(&graph, "query q() { match { $p: Person { name: \"Eve\" } } return { $p.age } }", none()),
        ["2"]
    );
    assert_eq!(
        changed(&graph, "query q() { update Person set { age: 3 } where age > 2 and age < 99 }", none()),
        (4, 0)
    );
    assert_eq!(
        firsts(&graph, "query q() { match { $p: Person $p.age = 3 } return { count($p) as n } }", none()),
        ["4"]
    );
    assert_eq!(changed(&graph, "query q() { delete Person where name = \"Alice\" }", none()), (1, 4));
    assert_eq!(firsts(&graph, NAMES, none()), ["Bob", "Charlie", "Diana", "Eve"]);
    assert!(
        firsts(
            &graph,
            "query q() { match { $p: Person { name: \"Eve\" } $p knows $f } return { $f.name } }",
            none()
        )
        .is_empty()
    );
    assert_eq!(changed(&graph, "query q() { delete Person where name = \"nobody\" }", none()), (0, 0));
    assert_eq!(changed(&graph, "query q() { delete Knows where from = \"Bob\" }", none()), (0, 1));
}

#[test]
fn statements_see_those_before_them_and_fail_together() {
    let graph = people();
    let both = "query q() { insert Person { name: \"X\" } insert Knows { from: \"X\", to: \"Alice\" } update Person set { age: 7 } where name = \"X\" }";
    assert_eq!(changed(&graph, both, none()), (2, 1));
    assert_eq!(
        firsts(
            &graph,
            "query q() { match { $p: Person { name: \"X\" } $p knows $f } return { $p.age } }",
            none()
        ),
        ["7"]
    );
    let gone = "query q() { insert Person { name: \"Y\" } insert Knows { from: \"Y\", to: \"X\" } delete Person where name = \"Y\" }";
    assert_eq!(changed(&graph, gone, none()), (2, 2));
    let before = graph.store().head("main").unwrap();
    let bad = "query q() { insert Person { name: \"Z\" } insert Knows { from: \"Z\", to: \"nobody\" } }";
    let error = change(&graph, bad, none()).unwrap_err();
    assert_eq!(error.to_string(), "edge Knows: dst 'nobody' not found in Person");
    assert_eq!(graph.store().head("main").unwrap().id(), before.id());
    assert!(!firsts(&graph, NAMES, none()).contains(&"Z".to_owned()));
}

#[test]
fn a_change_that_ends_where_it_began_is_not_a_commit() {
    let graph = people();
    let before = graph.store().head("main").unwrap();
    let nothing = change(
        &graph,
        "query q() { insert Person { name: \"Q\" } delete Person where name = \"Q\" }",
        none(),
    );
    assert!(!nothing.unwrap().committed);
    assert_eq!(graph.store().head("main").unwrap().id(), before.id());
}

#[test]
fn an_edge_is_what_it_joins() {
    let graph = people();
    let knows = "query q() { insert Knows { from: \"Alice\", to: \"Bob\", since: date(\"2020-01-01\") } }";
    assert_eq!(changed(&graph, knows, none()), (0, 1));
    let since = "query q() { match { $p: Person { name: \"Alice\" } $p $w:knows $f } return { $w.since, $f.name } order { $f.name } }";
    assert_eq!(
        read(&graph, since, none()).unwrap(),
        [[json!("2020-01-01"), json!("Bob")], [json!(null), json!("Charlie")]]
    );
    assert_eq!(
        changed(
            &graph,
            "query q() { update Knows set { since: date(\"2021-01-01\") } where from = \"Alice\" }",
            none()
        ),
        (0, 2)
    );
    assert_eq!(read(&graph, since, none()).unwrap()[1][0], json!("2021-01-01"));
}

#[test]
fn constraints() {
    let graph = loaded(
        "node P { k: String @key  mail: String? @unique  n: I32? @range(n, 0..9) s: enum(a, b)? }
         node T { k: String @key }  edge Owner: T -> P @card(1..1)  edge Tag: T -> P { w: String @key }",
        r#"{"type":"P","data":{"k":"p1","mail":"x@y"}}
{"type":"P","data":{"k":"p2"}}
{"type":"T","data":{"k":"t1"}}
{"edge":"Owner","from":"t1","to":"p1"}"#,
    );
    let error = |query: &str| change(&graph, query, none()).unwrap_err().to_string();
    assert_eq!(
        error("query q() { insert P { k: \"p3\", mail: \"x@y\" } }"),
        "@unique violation on P(mail): 'x@y' of 'p3' is also the value of 'p1'"
    );
    assert!(
        error("query q() { update P set { mail: \"m\" } where k in [\"p1\", \"p2\"] }").contains("@unique")
    );
    assert!(
        error("query q($n: I32 = 10) { update P set { n: $n } where k = \"p1\" }")
            .contains("@range violation on P.n")
    );
    assert!(error("query q($s: String = \"c\") { insert P { k: \"p9\", s: $s } }").contains("P.s"));
    assert!(
        error("query q() { insert T { k: \"t2\" } }")
            .contains("@card violation on edge Owner: source 't2' has 0 edges (min 1)")
    );
    assert!(error("query q() { insert Owner { from: \"t1\", to: \"p2\" } }").contains("has 2 edges (max 1)"));
    assert!(error("query q() { delete Owner where from = \"t1\" }").contains("has 0 edges (min 1)"));
    assert!(error("query q() { delete P where k = \"p1\" }").contains("has 0 edges (min 1)"));
    assert_eq!(
        changed(
            &graph,
            "query q() { delete Owner where from = \"t1\" insert Owner { from: \"t1\", to: \"p2\" } }",
            none()
        ),
        (0, 2)
    );
    assert_eq!(
        changed(
            &graph,
            "query q() { update P set { mail: \"x@y\" } where k = \"p2\" update P set { mail: null } where k = \"p1\" }",
            none()
        ),
        (2, 0)
    );
    for weight in ["a", "b", "a"] {
        let one = json!({"w": weight});
        assert_eq!(
            changed(&graph, "query q($w: String) { insert Tag { from: \"t1\", to: \"p1\", w: $w } }", one),
            (0, 1)
        );
    }
    assert_eq!(
        firsts(&graph, "query q() { match { $t: T $t $e:tag $p } return { $e.w } }", none()),
        ["a", "b"]
    );
    assert_eq!(firsts(&graph, "query q() { match { $t: T $t tag $p } return { $p.k } }", none()), ["p1"]);
}

#[test]
fn conditions_on_commits_and_time_travel() {
    let graph = people().acting(Access::unrestricted().named(Some("ann")));
    let first = graph.store().head("main").unwrap();
    let add = |name: &str, options: &ChangeOptions| {
        let params: Map<_, _> = [("n".to_owned(), json!(name))].into_iter().collect();
        graph.change("query q($n: String) { insert Person { name: $n } }", None, &params, options)
    };
    let on_first = ChangeOptions { if_commit: Some(first.id().clone()), ..ChangeOptions::default() };
    let receipt = add("E1", &on_first).unwrap();
    assert_eq!(receipt.snapshot.record.actor.as_deref(), Some("ann"));
    let refused = add("E2", &on_first).unwrap_err();
    assert_eq!(refused.code(), "precondition_failed");
    let head = receipt.snapshot.id();
    assert_eq!(refused.to_string(), format!("branch `main` is at commit {head}, not at {}", first.id()));
    let old = graph.read(&Target::Commit(first.id().clone()), NAMES, None, &Map::new()).unwrap();
    assert_eq!(old.rows.num_rows(), 4);
    assert_eq!(
        graph.read(&Target::Version("main".into(), 3), NAMES, None, &Map::new()).unwrap().rows.num_rows(),
        5
    );
    let change = &receipt.changes["node:Person"];
    assert_eq!(
        (change.inserted, change.ids.as_ref().unwrap().inserted.as_slice()),
        (1, &["E1".to_owned()][..])
    );
}

#[test]
fn nodes_without_a_key() {
    let graph = empty("node Note { text: String } edge Next: Note -> Note");
    changed(&graph, "query q() { insert Note { text: \"a\" } insert Note { text: \"b\" } }", none());
    let ids = firsts(&graph, "query q() { match { $n: Note } return { $n } }", none());
    assert_eq!(ids.len(), 2);
    let ends = json!({"a": ids[0], "b": ids[1]});
    assert_eq!(
        changed(&graph, "query q($a: String, $b: String) { insert Next { from: $a, to: $b } }", ends),
        (0, 1)
    );
    assert_eq!(
        changed(&graph, "query q($a: String) { delete Note where id = $a }", json!({"a": ids[0]})),
        (1, 1)
    );
}
