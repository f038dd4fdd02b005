//! What we rely on in Lance, one test each. A new version of Lance must pass these before anything else is looked at.

use crate::{fixture, rows, schema, staged};
use lance::Dataset;
use lance::dataset::builder::DatasetBuilder;
use omnigraph_store::TableEntry;

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Runtime::new().expect("a runtime")
}

fn path(fixture: &crate::Fixture, entry: &TableEntry) -> String {
    fixture.dir.path().join("g/tables").join(&entry.dir).to_str().expect("a path in UTF-8").to_owned()
}

#[test]
fn a_detached_version_is_never_the_latest() {
    let graph = fixture();
    let entry = staged(&graph.store, None, 0..3, &[]);
    assert!(entry.version >> 63 == 1, "{}", entry.version);
    let latest: Dataset = runtime().block_on(DatasetBuilder::from_uri(path(&graph, &entry)).load()).unwrap();
    assert_eq!(latest.version().version, 1);
    assert_eq!(runtime().block_on(latest.count_rows(None)).unwrap(), 0);
}

#[test]
fn other_tools_open_a_table_at_the_version_that_is_printed() {
    let graph = fixture();
    let entry = staged(&graph.store, None, 0..3, &[]);
    let opened = DatasetBuilder::from_uri(path(&graph, &entry)).with_version(entry.version).load();
    let opened: Dataset = runtime().block_on(opened).unwrap();
    assert_eq!(runtime().block_on(opened.count_rows(None)).unwrap(), 3);
}

#[test]
fn forks_of_one_version_do_not_see_each_other() {
    let graph = fixture();
    let base = staged(&graph.store, None, 0..3, &[]);
    let left = staged(&graph.store, Some(&base), [10], &[]);
    let right = staged(&graph.store, Some(&base), [20, 21], &[]);
    let of = |entry: &TableEntry| {
        let found = rows(&graph.store.table(entry).unwrap());
        found.into_iter().map(|(number, _)| number).collect::<Vec<_>>()
    };
    assert_eq!(of(&base), [0, 1, 2]);
    assert_eq!(of(&left), [0, 1, 2, 10]);
    assert_eq!(of(&right), [0, 1, 2, 20, 21]);
    let again = graph.again();
    assert_eq!(rows(&again.table(&left).unwrap()).len(), 4);
    assert_eq!(rows(&again.table(&right).unwrap()).len(), 5);
}

#[test]
fn rows_are_added_and_deleted_in_one_version() {
    let graph = fixture();
    let base = staged(&graph.store, None, 0..5, &[]);
    let first = rows(&graph.store.table(&base).unwrap())[0].1;
    let next = staged(&graph.store, Some(&base), [7], &[first]);
    for store in [&graph.store, &graph.again()] {
        let table = store.table(&next).unwrap();
        let found: Vec<i64> = rows(&table).into_iter().map(|(number, _)| number).collect();
        assert_eq!(found, [1, 2, 3, 4, 7]);
        assert_eq!(table.fragments().len(), 2);
        assert_eq!(table.fragments()[0].deleted(), 1);
    }
    assert_eq!(rows(&graph.store.table(&base).unwrap()).len(), 5, "the old version is as it was");
}

#[test]
fn a_fragment_whose_rows_are_all_deleted_goes_away() {
    let graph = fixture();
    let base = staged(&graph.store, None, 0..3, &[]);
    let base = staged(&graph.store, Some(&base), [9], &[]);
    let all: Vec<_> = rows(&graph.store.table(&base).unwrap()).into_iter().filter(|row| row.0 < 9).collect();
    let gone: Vec<_> = all.into_iter().map(|(_, row)| row).collect();
    let next = staged(&graph.store, Some(&base), [], &gone);
    let again = graph.again();
    let table = again.table(&next).unwrap();
    assert_eq!(table.fragments().len(), 1);
    assert_eq!(table.rows(), 1);
}

#[test]
fn an_empty_table_has_no_fragments_and_its_columns() {
    let graph = fixture();
    let base = staged(&graph.store, None, 0..2, &[]);
    let gone: Vec<_> = rows(&graph.store.table(&base).unwrap()).into_iter().map(|(_, row)| row).collect();
    let next = staged(&graph.store, Some(&base), [], &gone);
    let again = graph.again();
    let table = again.table(&next).unwrap();
    assert_eq!((table.rows(), table.fragments().len()), (0, 0));
    assert_eq!(table.schema().fields(), schema().fields());
    let refilled = staged(&graph.store, Some(&next), [5], &[]);
    assert_eq!(rows(&graph.store.table(&refilled).unwrap()).len(), 1);
}
