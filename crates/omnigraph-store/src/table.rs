//! A table at one version: immutable fragments, and which of their rows are deleted.

mod pick;

use crate::Result;
use crate::cache::{ByteCache, Weight};
use crate::error::Error;
use crate::record::TableEntry;
use crate::store::Store;
use arrow_array::ArrayRef;
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};
use arrow_schema::{Schema, SchemaRef};
use lance::Dataset;
use lance::dataset::builder::DatasetBuilder;
use lance::dataset::fragment::{FileFragment, FragReadConfig};
use std::sync::{Arc, OnceLock};

/// Which column of which immutable files.
pub(crate) type ColumnKey = (Arc<str>, String);

/// The place of a row in a table: the fragment's id, then the row's number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowAddr(pub u64);

impl RowAddr {
    /// From its parts.
    pub fn new(fragment: u32, row: u32) -> RowAddr {
        RowAddr((u64::from(fragment) << 32) | u64::from(row))
    }

    /// The fragment's id.
    pub fn fragment(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The row's number in the fragment.
    pub fn row(self) -> u32 {
        self.0 as u32
    }
}

/// Rows that were written together. The rows and their order never change; only more of them are deleted.
#[derive(Debug)]
pub struct Fragment {
    id: u32,
    rows: u32,
    deleted: u32,
    files: Arc<str>,
    live_key: Arc<str>,
    live: OnceLock<Option<BooleanBuffer>>,
    lance: FileFragment,
}

impl Fragment {
    /// The high half of its rows' addresses.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// All rows, deleted ones included.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Rows that are deleted.
    pub fn deleted(&self) -> u32 {
        self.deleted
    }

    /// Names the bytes of its rows, whatever the table's version: a key for what is derived from them.
    pub fn files(&self) -> &Arc<str> {
        &self.files
    }

    /// Names which of its rows are live.
    pub fn live_key(&self) -> &Arc<str> {
        &self.live_key
    }
}

/// A table at one version.
#[derive(Debug)]
pub struct Table {
    dataset: Arc<Dataset>,
    schema: SchemaRef,
    fragments: Vec<Fragment>,
    columns: Arc<ByteCache<ColumnKey, ArrayRef>>,
    store: std::sync::Weak<crate::store::Inner>,
}

impl Table {
    pub(crate) async fn open(store: &Store, entry: &TableEntry) -> Result<Table> {
        let uri = store.inner.location.uri(&format!("tables/{}", entry.dir));
        let built = DatasetBuilder::from_uri(&uri)
            .with_version(entry.version)
            .with_session(store.inner.session.clone())
            .with_store_params(store.inner.params.clone())
            .load()
            .await;
        let dataset = built.map_err(|error| Error::io(format!("opening table {}", entry.dir), error))?;
        Table::of(store, &entry.dir, Arc::new(dataset))
    }

    pub(crate) fn of(store: &Store, dir: &str, dataset: Arc<Dataset>) -> Result<Table> {
        let fragments = dataset.get_fragments().into_iter().map(|fragment| opened(dir, fragment));
        let fragments = fragments.collect::<Result<Vec<_>>>()?;
        let schema = Arc::new(Schema::from(dataset.schema()));
        let columns = store.inner.columns.clone();
        Ok(Table { dataset, schema, fragments, columns, store: Arc::downgrade(&store.inner) })
    }

    /// Its columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// In order of their ids.
    pub fn fragments(&self) -> &[Fragment] {
        &self.fragments
    }

    /// Live rows.
    pub fn rows(&self) -> u64 {
        self.fragments.iter().map(|fragment| u64::from(fragment.rows - fragment.deleted)).sum()
    }

    /// The place in [`Table::fragments`] of a fragment.
    pub fn place(&self, id: u32) -> Option<usize> {
        self.fragments.binary_search_by_key(&id, |fragment| fragment.id).ok()
    }

    /// A column of a fragment, with a value for every row, deleted ones included.
    pub fn column(&self, place: usize, name: &str) -> Result<ArrayRef> {
        let mut columns = self.columns(place, &[name])?;
        columns.pop().ok_or_else(|| Error::damaged("a table", format!("it has no column {name}")))
    }

    /// Several columns of a fragment; those that are not in memory are read together.
    pub fn columns(&self, place: usize, names: &[&str]) -> Result<Vec<ArrayRef>> {
        let fragment = &self.fragments[place];
        let key = |name: &str| (fragment.files.clone(), name.to_owned());
        let mut found: Vec<Option<ArrayRef>> =
            names.iter().map(|name| self.columns.get(&key(name))).collect();
        let missing: Vec<&str> =
            names.iter().zip(&found).filter(|(_, column)| column.is_none()).map(|(name, _)| *name).collect();
        if !missing.is_empty() {
            let mut read = self.read(fragment, &missing)?.into_iter();
            for (name, column) in names.iter().zip(&mut found).filter(|(_, column)| column.is_none()) {
                let array = read.next().ok_or_else(|| Error::damaged("a table", "a column is missing"))?;
                self.columns.put(key(name), array.clone());
                *column = Some(array);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    fn read(&self, fragment: &Fragment, names: &[&str]) -> Result<Vec<ArrayRef>> {
        let failed = |error: lance::Error| Error::io("reading a table", error);
        let projection = self.dataset.schema().project(names).map_err(failed)?;
        let config = FragReadConfig::default().with_ignore_deletions(true);
        let rows = fragment.rows as usize;
        let batch = self.wait(async {
            let reader = fragment.lance.open(&projection, config).await?;
            reader.read_range_as_batch(0..rows).await
        })?;
        let batch = batch.map_err(failed)?;
        let column = |name: &&str| batch.column_by_name(name).cloned();
        let columns: Option<Vec<ArrayRef>> = names.iter().map(column).collect();
        columns.ok_or_else(|| Error::damaged("a table", "a column is missing"))
    }

    /// Which rows of a fragment are live; `None` when all are.
    pub fn live(&self, place: usize) -> Result<Option<BooleanBuffer>> {
        let fragment = &self.fragments[place];
        if let Some(live) = fragment.live.get() {
            return Ok(live.clone());
        }
        let deleted = self.wait(fragment.lance.get_deletion_vector())?;
        let deleted = deleted.map_err(|error| Error::io("reading deletions of a table", error))?;
        let live = deleted.map(|deleted| {
            let mut live = BooleanBufferBuilder::new(fragment.rows as usize);
            live.append_n(fragment.rows as usize, true);
            deleted.iter().for_each(|row| live.set_bit(row as usize, false));
            live.finish()
        });
        Ok(fragment.live.get_or_init(|| live).clone())
    }

    pub(crate) fn dataset(&self) -> &Arc<Dataset> {
        &self.dataset
    }

    fn wait<F: Future>(&self, future: F) -> Result<F::Output> {
        let store =
            self.store.upgrade().ok_or_else(|| Error::io("reading a table", "the graph was closed"))?;
        Ok(Store { inner: store }.wait(future))
    }
}

fn opened(dir: &str, lance: FileFragment) -> Result<Fragment> {
    let metadata = lance.metadata();
    let unknown = || Error::damaged(format!("table {dir}"), "the number of rows of a fragment is missing");
    let rows = metadata.physical_rows.ok_or_else(unknown)? as u32;
    let deletions = metadata.deletion_file.as_ref();
    let deleted = deletions.map_or(Some(0), |file| file.num_deleted_rows).ok_or_else(unknown)? as u32;
    let names: Vec<&str> = metadata.files.iter().map(|file| file.path.as_ref()).collect();
    let files: Arc<str> = format!("{dir}/{}", names.join("+")).into();
    let live_key = deletions
        .map_or_else(|| files.clone(), |file| format!("{files}-{}-{}", file.read_version, file.id).into());
    let id = metadata.id as u32;
    Ok(Fragment { id, rows, deleted, files, live_key, live: OnceLock::new(), lance })
}

impl Weight for Table {
    fn weight(&self) -> usize {
        1024 + self.fragments.len() * 512
    }
}
