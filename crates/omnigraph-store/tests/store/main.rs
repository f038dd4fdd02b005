//! The store through its public face, on a local directory. One binary, because linking Lance takes long.

mod branches;
mod commits;
mod costs;
mod guards;
mod history;
mod tables;
mod upkeep;

use arrow_array::{Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use omnigraph_store::{Draft, Location, Options, Published, RowAddr, Snapshot, Store, Table, TableEntry};
use std::sync::Arc;
use tempfile::TempDir;

/// A new graph that is removed with the directory.
pub(crate) struct Fixture {
    pub(crate) dir: TempDir,
    pub(crate) store: Store,
}

pub(crate) fn fixture() -> Fixture {
    let dir = TempDir::new().expect("a directory");
    let location =
        Location::parse(dir.path().join("g").to_str().expect("a path in UTF-8")).expect("a location");
    let store = Store::create(&location, "node N { id2: String @key }", Some("ann"), &Options::default())
        .expect("a new graph");
    Fixture { dir, store }
}

impl Fixture {
    /// The same graph as another process would open it.
    pub(crate) fn again(&self) -> Store {
        Store::open(self.store.location(), &Options::default()).expect("the graph")
    }
}

pub(crate) fn schema() -> SchemaRef {
    let fields = vec![Field::new("id", DataType::Utf8, false), Field::new("n", DataType::Int64, true)];
    Arc::new(Schema::new(fields))
}

pub(crate) fn batch(numbers: impl IntoIterator<Item = i64>) -> RecordBatch {
    let numbers: Vec<i64> = numbers.into_iter().collect();
    let ids = StringArray::from_iter_values(numbers.iter().map(|number| format!("k{number}")));
    RecordBatch::try_new(schema(), vec![Arc::new(ids), Arc::new(Int64Array::from(numbers))])
        .expect("columns of the schema")
}

/// Stages rows on top of a version.
pub(crate) fn staged(
    store: &Store,
    base: Option<&TableEntry>,
    rows: impl IntoIterator<Item = i64>,
    gone: &[RowAddr],
) -> TableEntry {
    let mut stage = store.stage(base, schema()).expect("a stage");
    let rows = batch(rows);
    if rows.num_rows() > 0 {
        stage.append(rows).expect("rows that are taken");
    }
    for row in gone {
        stage.delete(*row);
    }
    stage.finish().expect("files that are written").expect("rows")
}

pub(crate) fn draft(key: &str, entry: TableEntry) -> Draft {
    let tables = [(key.to_owned(), Some(entry))].into();
    Draft { operation: "change".to_owned(), tables, ..Draft::default() }
}

pub(crate) fn done(published: Published) -> Arc<Snapshot> {
    match published {
        Published::Done(snapshot) => snapshot,
        Published::Lost(head) => panic!("lost to {}", head.id()),
    }
}

/// Appends rows as one commit on a branch.
pub(crate) fn commit(store: &Store, branch: &str, rows: impl IntoIterator<Item = i64>) -> Arc<Snapshot> {
    let base = store.head(branch).expect("a branch");
    let entry = staged(store, base.table("node:N"), rows, &[]);
    done(store.publish(branch, &base, &draft("node:N", entry)).expect("an answer"))
}

/// The live numbers of a table, sorted, with their addresses.
pub(crate) fn rows(table: &Table) -> Vec<(i64, RowAddr)> {
    let mut found = Vec::new();
    for (place, fragment) in table.fragments().iter().enumerate() {
        let column = table.column(place, "n").expect("a column");
        let numbers = column.as_any().downcast_ref::<Int64Array>().expect("whole numbers");
        assert_eq!(numbers.len(), fragment.rows() as usize);
        let live = table.live(place).expect("live rows");
        for row in 0..numbers.len() {
            if live.as_ref().is_none_or(|live| live.value(row)) {
                found.push((numbers.value(row), RowAddr::new(fragment.id(), row as u32)));
            }
        }
    }
    found.sort_unstable();
    found
}

pub(crate) fn numbers(store: &Store, snapshot: &Snapshot) -> Vec<i64> {
    let Some(entry) = snapshot.table("node:N") else { return Vec::new() };
    let table = store.table(entry).expect("a table");
    let found: Vec<i64> = rows(&table).into_iter().map(|(number, _)| number).collect();
    assert_eq!(entry.rows as usize, found.len());
    found
}
