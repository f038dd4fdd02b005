//! Branches and old states read in turns: what is kept in memory for one must not show in another.

use crate::fixture::{change_on, fork, on, people};
use omnigraph::{Graph, Target};
use serde_json::{Map, json};

const FRIENDS: &str =
    "query q($n: String) { match { $p: Person { name: $n } $p knows $f } return { $f.name } }";
const AGES: &str = "query q($n: String) { match { $p: Person { name: $n } } return { $p.age } }";

fn asked(graph: &Graph, target: &Target, query: &str, name: &str) -> Vec<String> {
    let params: Map<_, _> = [("n".to_owned(), json!(name))].into_iter().collect();
    let answer = graph.read(target, query, None, &params).unwrap();
    let mut found: Vec<String> =
        crate::fixture::cells(&answer.rows).into_iter().map(|row| row[0].to_string()).collect();
    found.sort();
    found
}

/// A row that one branch has replaced or deleted is still there on the other.
#[test]
fn rows_that_another_branch_deleted() {
    let graph = people();
    fork(&graph, "main", "work");
    change_on(&graph, "main", "query q() { update Person set { age: 1 } where name = \"Alice\" }", json!({}));
    change_on(&graph, "main", "query q() { delete Person where name = \"Bob\" }", json!({}));
    for _ in 0..3 {
        assert_eq!(asked(&graph, &on("main"), AGES, "Alice"), ["1"]);
        assert_eq!(asked(&graph, &on("main"), FRIENDS, "Alice"), ["\"Charlie\""]);
        assert!(asked(&graph, &on("main"), AGES, "Bob").is_empty());
        assert_eq!(asked(&graph, &on("work"), AGES, "Alice"), ["30"]);
        assert_eq!(asked(&graph, &on("work"), AGES, "Bob"), ["25"]);
        assert_eq!(asked(&graph, &on("work"), FRIENDS, "Alice"), ["\"Bob\"", "\"Charlie\""]);
    }
    change_on(&graph, "work", "query q() { insert Knows { from: \"Diana\", to: \"Bob\" } }", json!({}));
    assert_eq!(asked(&graph, &on("work"), FRIENDS, "Diana"), ["\"Bob\""]);
}

/// Two branches give the same number to different fragments.
#[test]
fn fragments_of_two_branches_with_one_number() {
    let graph = people();
    fork(&graph, "main", "work");
    let knows = |branch: &str, from: &str, to: &str| {
        let query = "query q($f: String, $t: String) { insert Knows { from: $f, to: $t } }";
        change_on(&graph, branch, query, json!({"f":from,"t":to}));
    };
    knows("main", "Diana", "Alice");
    knows("work", "Charlie", "Diana");
    for _ in 0..3 {
        assert_eq!(asked(&graph, &on("main"), FRIENDS, "Diana"), ["\"Alice\""]);
        assert!(asked(&graph, &on("main"), FRIENDS, "Charlie").is_empty());
        assert_eq!(asked(&graph, &on("work"), FRIENDS, "Charlie"), ["\"Diana\""]);
        assert!(asked(&graph, &on("work"), FRIENDS, "Diana").is_empty());
    }
    change_on(&graph, "main", "query q() { delete Knows where from = \"Diana\" }", json!({}));
    knows("main", "Diana", "Charlie");
    let before = Target::Version("main".to_owned(), 3);
    for _ in 0..3 {
        assert_eq!(asked(&graph, &on("main"), FRIENDS, "Diana"), ["\"Charlie\""]);
        assert_eq!(asked(&graph, &on("work"), FRIENDS, "Charlie"), ["\"Diana\""]);
        assert!(asked(&graph, &on("work"), FRIENDS, "Diana").is_empty());
        assert_eq!(asked(&graph, &before, FRIENDS, "Diana"), ["\"Alice\""]);
    }
}
