//! What reading and writing cost, counted in requests to the object store.

use crate::fixture::{change, firsts, none, people};
use serde_json::json;

#[test]
fn a_warm_read_and_a_small_change() {
    let graph = people();
    let point =
        || firsts(&graph, "query q() { match { $p: Person { name: \"Bob\" } } return { $p.age } }", none());
    let walk = || {
        firsts(
            &graph,
            "query q() { match { $p: Person { name: \"Alice\" } $p knows{1,3} $f } return { $f.name } }",
            none(),
        )
    };
    // What is folded beside the work would be counted.
    graph.store().fold_in_background(false);
    let cost = |work: &dyn Fn()| {
        graph.store().wait_for_folds();
        let before = graph.store().requests().total();
        work();
        graph.store().requests().total() - before
    };
    point();
    walk();
    assert!(cost(&|| drop(point())) <= 2);
    assert!(cost(&|| drop(walk())) <= 2);
    let insert = |name: &str| {
        change(&graph, "query q($n: String) { insert Person { name: $n } }", json!({ "n": name })).unwrap();
    };
    insert("first");
    let one_table = cost(&|| insert("second"));
    assert!(one_table <= 10 + 3, "{one_table}");
    let edge = |to: &str| {
        let query =
            "query q($n: String) { insert Person { name: $n } insert Knows { from: $n, to: \"Bob\" } }";
        change(&graph, query, json!({ "n": to })).unwrap();
    };
    edge("third");
    let two_tables = cost(&|| edge("fourth"));
    assert!(two_tables <= 10 + 3 * 2, "{two_tables}");
    point();
    assert!(cost(&|| drop(point())) <= 2, "after a change, too");
}
