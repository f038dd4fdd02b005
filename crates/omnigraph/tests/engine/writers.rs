//! Several writers on one graph.

use crate::fixture::{SCHEMA, firsts, none, options};
use omnigraph::{Access, ChangeOptions, Error, Graph};
use serde_json::{Map, json};
use tempfile::TempDir;

fn insert(graph: &Graph, name: &str, age: i32) -> Result<(), Error> {
    let params: Map<_, _> =
        [("n".to_owned(), json!(name)), ("a".to_owned(), json!(age))].into_iter().collect();
    let query = "query q($n: String, $a: I32) { insert Person { name: $n, age: $a } }";
    graph.change(query, None, &params, &ChangeOptions::default()).map(|_| ())
}

#[test]
fn disjoint_rows_are_all_there_and_the_same_row_is_a_conflict() {
    let dir = TempDir::new().unwrap();
    let place = dir.path().join("g");
    let place = place.to_str().unwrap();
    Graph::create(place, SCHEMA, Access::unrestricted(), &options()).unwrap();
    let (writers, rounds) = (4, 6);
    let conflicts: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..writers)
            .map(|writer| {
                scope.spawn(move || {
                    let graph = Graph::open(place, Access::unrestricted(), &options()).unwrap();
                    let mut conflicts = 0;
                    for round in 0..rounds {
                        insert(&graph, &format!("w{writer}r{round}"), round).unwrap();
                        match insert(&graph, "shared", writer * 100 + round) {
                            Ok(()) => {}
                            Err(Error::Conflict { rows, .. }) => {
                                assert_eq!(rows, ["node:Person:shared"]);
                                conflicts += 1;
                            }
                            Err(other) => panic!("{other}"),
                        }
                    }
                    conflicts
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    let graph = Graph::open(place, Access::unrestricted(), &options()).unwrap();
    let names = firsts(&graph, "query q() { match { $p: Person } return { $p.name } }", none());
    assert_eq!(names.len(), (writers * rounds) as usize + 1);
    let commits = graph.store().head("main").unwrap().record.version as usize - 1;
    assert_eq!(
        commits,
        (writers * rounds * 2) as usize - conflicts,
        "every acknowledged write is one commit"
    );
}

#[test]
fn changes_that_wait_together_are_one_commit() {
    let graph = crate::fixture::empty(SCHEMA);
    let (writers, rounds) = (8, 10);
    std::thread::scope(|scope| {
        for writer in 0..writers {
            let graph = graph.clone();
            scope.spawn(move || {
                for round in 0..rounds {
                    let name = format!("w{writer}r{round}");
                    let params: Map<_, _> = [("n".to_owned(), json!(name))].into_iter().collect();
                    let bad = "query q($n: String) { insert Person { name: $n } insert Knows { from: $n, to: \"nobody\" } }";
                    assert!(graph.change(bad, None, &params, &ChangeOptions::default()).is_err());
                    let good = "query q($n: String) { insert Person { name: $n } }";
                    let receipt = graph.change(good, None, &params, &ChangeOptions::default()).unwrap();
                    let ids = receipt.changes["node:Person"].ids.clone().unwrap();
                    assert!(ids.inserted.contains(&name));
                    insert(&graph, "shared", writer * 100 + round).unwrap();
                }
            });
        }
    });
    let names = firsts(&graph, "query q() { match { $p: Person } return { $p.name } }", none());
    assert_eq!(names.len(), (writers * rounds) as usize + 1);
    let commits = graph.store().head("main").unwrap().record.version as i32 - 1;
    assert!(commits < writers * rounds * 2, "{commits}");
}
