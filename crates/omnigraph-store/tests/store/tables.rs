//! Tables: bulk, folding, caches.

use crate::{batch, commit, fixture, numbers, rows, schema, staged};
use omnigraph_store::{Location, Options, Store};

#[test]
fn many_rows_become_several_fragments() {
    let graph = fixture();
    let mut stage = graph.store.stage(None, schema()).unwrap();
    for start in 0..40 {
        stage.append(batch(start * 16_384..(start + 1) * 16_384)).unwrap();
    }
    let entry = stage.finish().unwrap().unwrap();
    assert_eq!(entry.rows, 40 * 16_384);
    let again = graph.again();
    let table = again.table(&entry).unwrap();
    assert!((2..=4).contains(&table.fragments().len()), "{}", table.fragments().len());
    let found = rows(&table);
    assert!(found.iter().enumerate().all(|(at, (number, _))| at as i64 == *number));
}

#[test]
fn small_fragments_are_folded_with_a_later_write() {
    let graph = fixture();
    graph.store.fold_in_background(false);
    for number in 0..100 {
        let snapshot = commit(&graph.store, "main", [number]);
        let table = graph.store.table(snapshot.table("node:N").unwrap()).unwrap();
        assert!(table.fragments().len() <= 33, "{number}: {}", table.fragments().len());
    }
    let head = graph.store.head("main").unwrap();
    assert_eq!(numbers(&graph.again(), &head), (0..100).collect::<Vec<_>>());
}

#[test]
fn folding_leaves_out_what_is_deleted_in_the_same_write() {
    let graph = fixture();
    graph.store.fold_in_background(false);
    let mut entry = staged(&graph.store, None, [0], &[]);
    for number in 1..8 {
        entry = staged(&graph.store, Some(&entry), [number], &[]);
    }
    let table = graph.store.table(&entry).unwrap();
    assert_eq!(table.fragments().len(), 8);
    let gone: Vec<_> = rows(&table).into_iter().filter(|row| row.0 % 2 == 0).map(|row| row.1).collect();
    let next = staged(&graph.store, Some(&entry), [100], &gone);
    let again = graph.again();
    let table = again.table(&next).unwrap();
    assert_eq!(table.fragments().len(), 1);
    let left: Vec<i64> = rows(&table).into_iter().map(|row| row.0).collect();
    assert_eq!(left, (0..8).filter(|n| n % 2 == 1).chain([100]).collect::<Vec<_>>());
}

#[test]
fn a_cache_too_small_for_anything_gives_the_same_rows() {
    let graph = fixture();
    commit(&graph.store, "main", 0..1000);
    let small = Options { cache_bytes: 100, ..Options::default() };
    let store = Store::open(graph.store.location(), &small).unwrap();
    let head = store.head("main").unwrap();
    assert_eq!(numbers(&store, &head).len(), 1000);
    assert_eq!(numbers(&store, &head).len(), 1000);
}

#[test]
fn a_graph_in_memory() {
    let location = Location::parse("memory://tables-test/g").unwrap();
    let store = Store::create(&location, "node N { a: String @key }", None, &Options::default()).unwrap();
    commit(&store, "main", 0..10);
    assert_eq!(numbers(&store, &store.head("main").unwrap()).len(), 10);
}
