//! Commits: one winner, nothing lost, every one found again.

use crate::{commit, done, draft, fixture, numbers, staged};
use omnigraph_store::{Draft, Error, Location, Options, Published, Store, Target};
use std::collections::BTreeSet;

#[test]
fn a_new_graph_has_one_commit() {
    let graph = fixture();
    let head = graph.again().head("main").unwrap();
    assert_eq!((head.record.version, head.record.operation.as_str()), (1, "init"));
    assert_eq!(head.record.actor.as_deref(), Some("ann"));
    assert_eq!(graph.store.schema(&head.record.schema).unwrap(), "node N { id2: String @key }");
    let again = Store::create(graph.store.location(), "", None, &Options::default());
    assert!(matches!(again, Err(Error::GraphExists { .. })), "{again:?}");
    assert_eq!(graph.again().head("main").unwrap(), head);
}

#[test]
fn nothing_where_nothing_is() {
    let dir = tempfile::TempDir::new().unwrap();
    for name in ["missing", "", "file"] {
        std::fs::write(dir.path().join("file"), "x").unwrap();
        let location = Location::parse(dir.path().join(name).to_str().unwrap()).unwrap();
        let opened = Store::open(&location, &Options::default());
        assert!(matches!(opened, Err(Error::NoGraph { .. })), "{name}: {opened:?}");
    }
}

#[test]
fn another_process_sees_a_commit_at_once() {
    let graph = fixture();
    let other = graph.again();
    assert!(numbers(&other, &other.head("main").unwrap()).is_empty());
    let made = commit(&graph.store, "main", 0..3);
    assert_eq!(other.head("main").unwrap().id(), made.id());
    assert_eq!(numbers(&other, &other.head("main").unwrap()), [0, 1, 2]);
}

#[test]
fn a_draft_on_an_old_head_goes_behind_what_it_does_not_touch() {
    let graph = fixture();
    let base = graph.store.head("main").unwrap();
    let mine = staged(&graph.store, None, [1], &[]);
    let theirs = staged(&graph.store, None, [2], &[]);
    let other = done(graph.again().publish("main", &base, &draft("node:Other", theirs)).unwrap());
    let head = done(graph.store.publish("main", &base, &draft("node:N", mine)).unwrap());
    assert_eq!(head.record.parent.as_ref(), Some(other.id()));
    assert_eq!(head.record.tables.keys().collect::<Vec<_>>(), ["node:N", "node:Other"]);
}

#[test]
fn a_draft_on_an_old_head_is_lost_when_its_ground_has_moved() {
    let graph = fixture();
    let base = graph.store.head("main").unwrap();
    let theirs = commit(&graph.again(), "main", [2]);
    let mine = staged(&graph.store, None, [1], &[]);
    let same_table = graph.store.publish("main", &base, &draft("node:N", mine.clone())).unwrap();
    assert!(matches!(same_table, Published::Lost(head) if head.id() == theirs.id()));
    let mut reads = draft("node:Other", mine);
    reads.reads = BTreeSet::from(["node:N".to_owned()]);
    assert!(matches!(graph.store.publish("main", &base, &reads).unwrap(), Published::Lost(_)));
}

/// Its columns are those of the old schema: whoever changes the schema has to look at it first.
#[test]
fn a_schema_does_not_go_behind_a_table_that_came_meanwhile() {
    let graph = fixture();
    let store = &graph.store;
    let schema = store.add_schema("node N { id2: String @key  more: I64? }").unwrap();
    let change =
        Draft { operation: "schema_apply".to_owned(), schema: Some(schema.clone()), ..Draft::default() };
    let base = store.head("main").unwrap();
    commit(store, "main", [1]);
    let Published::Lost(head) = store.publish("main", &base, &change).unwrap() else {
        panic!("the table has the columns of another schema")
    };
    assert_ne!(head.record.schema, schema);
    assert_eq!(done(store.publish("main", &head, &change).unwrap()).record.schema, schema);
}

#[test]
fn writers_in_a_race_lose_nothing() {
    let graph = fixture();
    std::thread::scope(|scope| {
        for writer in 0..6 {
            let store = graph.again();
            scope.spawn(move || {
                for round in 0..5 {
                    let number = writer * 100 + round;
                    loop {
                        let base = store.head("main").unwrap();
                        let entry = staged(&store, base.table("node:N"), [number], &[]);
                        match store.publish("main", &base, &draft("node:N", entry)).unwrap() {
                            Published::Done(_) => break,
                            Published::Lost(_) => {}
                        }
                    }
                }
            });
        }
    });
    let head = graph.again().head("main").unwrap();
    assert_eq!(head.record.version, 31);
    let expected: BTreeSet<i64> = (0..6).flat_map(|w| (0..5).map(move |r| w * 100 + r)).collect();
    assert_eq!(numbers(&graph.store, &head), expected.into_iter().collect::<Vec<_>>());
}

#[test]
fn every_commit_is_found_by_id_version_and_time() {
    let graph = fixture();
    let commits: Vec<_> = (0..40).map(|number| commit(&graph.store, "main", [number])).collect();
    let store = graph.again();
    for (at, made) in commits.iter().enumerate() {
        let expected: Vec<i64> = (0..=at as i64).collect();
        let by_id = store.resolve(&Target::snapshot(made.id().as_str()).unwrap()).unwrap();
        let by_version = store.resolve(&Target::Version("main".into(), at as u64 + 2)).unwrap();
        let by_time = store.resolve(&Target::At("main".into(), made.record.created_at)).unwrap();
        for found in [by_id, by_version, by_time] {
            assert_eq!(found.id(), made.id());
            assert_eq!(numbers(&store, &found), expected);
        }
    }
    for version in [0, 42, u64::MAX] {
        let found = store.resolve(&Target::Version("main".into(), version));
        assert!(matches!(found, Err(Error::NoCommit { .. })), "{version}");
    }
    assert!(matches!(store.resolve(&Target::At("main".into(), 1)), Err(Error::NoCommit { .. })));
    let tag = Target::snapshot("yesterday").unwrap();
    assert!(matches!(store.resolve(&tag), Err(Error::NoTag { .. })));
    assert!(matches!(Target::snapshot("manifest:main"), Err(Error::NoCommit { .. })));
    assert!(matches!(Target::snapshot("last week"), Err(Error::NoCommit { .. })));
    assert_eq!(Target::snapshot("v1").unwrap(), Target::Tag("v1".into()));
    assert_eq!(Target::snapshot("manifest:a:b:v3").unwrap(), Target::Version("a:b".into(), 3));
}

#[test]
fn opening_costs_the_same_after_many_commits() {
    let graph = fixture();
    let reads = || {
        let store = graph.again();
        store.head("main").unwrap();
        store.requests().reads()
    };
    let before = reads();
    for number in 0..200 {
        commit(&graph.store, "main", [number]);
    }
    assert!(reads() <= before + 10, "{} against {before}", reads());
    let store = graph.again();
    let reads = store.requests().reads();
    store.head("main").unwrap();
    assert_eq!(store.requests().reads(), reads + 1, "a warm head is one question");
}

/// A table and a schema that were staged beside each other are never in one commit, whichever is published first and
/// whichever handle publishes: the rows would have the columns of the other schema.
#[test]
fn a_table_and_a_schema_staged_apart_do_not_meet() {
    for with_rows in [false, true] {
        for schema_first in [false, true] {
            let graph = fixture();
            if with_rows {
                commit(&graph.store, "main", 0..3);
            }
            let (writer, migrator) = (graph.again(), graph.again());
            let base = writer.head("main").unwrap();
            let rows = draft("node:N", staged(&writer, base.table("node:N"), [7], &[]));
            let seen = migrator.head("main").unwrap();
            let next = migrator.add_schema("node N { id2: String @key  p: I64? }").unwrap();
            let mut migration = Draft { schema: Some(next), ..Draft::default() };
            if with_rows {
                let entry = staged(&migrator, seen.table("node:N"), [], &[]);
                migration.tables.insert("node:N".to_owned(), Some(entry));
            }
            let publish_rows = || writer.publish("main", &base, &rows).unwrap();
            let publish_schema = || migrator.publish("main", &seen, &migration).unwrap();
            let (first, second) = if schema_first {
                (publish_schema(), publish_rows())
            } else {
                (publish_rows(), publish_schema())
            };
            let first = done(first);
            match second {
                Published::Lost(head) => assert_eq!(head.id(), first.id()),
                Published::Done(head) => panic!("{} was put behind {}", head.id(), first.id()),
            }
        }
    }
}
