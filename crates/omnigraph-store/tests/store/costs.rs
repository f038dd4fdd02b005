//! What operations cost, counted in requests to the object store.

use crate::{done, draft, staged};
use omnigraph_store::{Location, Options, Store};

fn store(name: &str) -> Store {
    let location = Location::parse(&format!("memory://{name}-{}/g", std::process::id())).expect("a location");
    Store::create(&location, "node N { a: String @key }", None, &Options::default()).expect("a new graph")
}

/// One row in each of so many tables, as one commit.
fn commit(store: &Store, tables: usize, number: i64) -> u64 {
    let before = store.requests().total();
    let base = store.head("main").expect("a head");
    let mut all = draft("node:0", staged(store, base.table("node:0"), [number], &[]));
    for table in 1..tables {
        let key = format!("node:{table}");
        all.tables.insert(key.clone(), Some(staged(store, base.table(&key), [number], &[])));
    }
    done(store.publish("main", &base, &all).expect("a commit"));
    store.requests().total() - before
}

#[test]
fn a_small_commit() {
    let store = store("commit");
    commit(&store, 5, 0);
    // What is folded beside the writers is counted, too; most commits meet none of it.
    let mut costs: Vec<u64> = (1..20).map(|number| commit(&store, 1, number)).collect();
    costs.sort_unstable();
    assert!(costs[costs.len() / 2] <= 10 + 3, "{costs:?}");
    let many = (100..105).map(|number| commit(&store, 5, number)).min().unwrap();
    assert!(many <= 10 + 3 * 5, "{many}");
    for number in 200..400 {
        commit(&store, 1, number);
    }
    let late = (400..440).map(|number| commit(&store, 1, number)).max().unwrap();
    assert!(late <= 10 + 3 + 40, "with folding: {late}");
    let usual = (440..450).map(|number| commit(&store, 1, number)).min().unwrap();
    assert!(usual <= 10 + 3, "{usual}");
}

#[test]
fn branches_cost_the_same_whatever_the_graph_holds() {
    let store = store("branch");
    for number in 0..50 {
        commit(&store, 3, number);
    }
    // What is folded beside the writers would be counted.
    store.wait_for_folds();
    let head = store.head("main").unwrap();
    let before = store.requests().total();
    store.create_branch("b", &head, None).unwrap();
    let made = store.requests().total();
    assert!(made - before <= 3, "{}", made - before);
    store.delete_branch("b").unwrap();
    assert!(store.requests().total() - made <= 3);
}

#[test]
fn a_warm_read_asks_whether_there_is_something_new() {
    let store = store("read");
    commit(&store, 1, 1);
    let read = || {
        let head = store.head("main").unwrap();
        let table = store.table(head.table("node:0").unwrap()).unwrap();
        table.column(0, "n").unwrap();
    };
    read();
    store.wait_for_folds();
    let before = store.requests().total();
    read();
    assert!(store.requests().total() - before <= 2);
}
