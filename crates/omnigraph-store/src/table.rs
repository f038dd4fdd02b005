//! A table at one version: immutable fragments, and which of their rows are deleted.

mod pick;

use crate::Result;
use crate::cache::{ByteCache, Weight};
use crate::error::Error;
use crate::record::TableEntry;
use crate::store::Store;
use arrow_array::{ArrayRef, RecordBatch, new_null_array};
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};
use arrow_schema::{DataType, Schema, SchemaRef};
use futures::{StreamExt, TryStreamExt};
use lance::Dataset;
use lance::dataset::builder::DatasetBuilder;
use lance::dataset::fragment::{FileFragment, FragReadConfig};
use lance::datatypes::Field as LanceField;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Which column of which immutable files. A name can mean another column in another version, a field cannot; the type tells
/// apart columns that two branches added under one number and that are in no file yet.
pub(crate) type ColumnKey = (Arc<str>, i32, DataType);

/// Fragments with at most so many rows are read together.
const SMALL: u32 = 16 << 10;

/// Fragments that are read at once.
const AT_ONCE: usize = 16;

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
    /// Numbers of the columns that its files have.
    fields: BTreeSet<i32>,
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

    pub(crate) fn lance(&self) -> &FileFragment {
        &self.lance
    }

    /// Of its data files, as far as they are known.
    pub(crate) fn bytes(&self) -> u64 {
        let files = self.lance.metadata().files.iter();
        files.filter_map(|file| file.file_size_bytes.get()).map(std::num::NonZero::get).sum()
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
    /// When its writing began, if it was written here.
    staged: OnceLock<Instant>,
}

impl Table {
    pub(crate) async fn open(store: &Store, entry: &TableEntry) -> Result<Table> {
        let dataset = Table::load(store, entry).await;
        let dataset = dataset.map_err(|error| Error::io(format!("opening table {}", entry.dir), error))?;
        Table::of(store, &entry.dir, Arc::new(dataset))
    }

    /// A version that may be gone.
    pub(crate) async fn open_if_there(store: &Store, entry: &TableEntry) -> Result<Option<Table>> {
        match Table::load(store, entry).await {
            Ok(dataset) => Table::of(store, &entry.dir, Arc::new(dataset)).map(Some),
            Err(lance::Error::DatasetNotFound { .. } | lance::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(Error::io(format!("opening table {}", entry.dir), error)),
        }
    }

    async fn load(store: &Store, entry: &TableEntry) -> lance::Result<Dataset> {
        let uri = store.inner.location.uri(&format!("tables/{}", entry.dir));
        DatasetBuilder::from_uri(&uri)
            .with_version(entry.version)
            .with_session(store.inner.session.clone())
            .with_store_params(store.inner.params.clone())
            .load()
            .await
    }

    pub(crate) fn of(store: &Store, dir: &str, dataset: Arc<Dataset>) -> Result<Table> {
        let fragments = dataset.get_fragments().into_iter().map(|fragment| opened(dir, fragment));
        let fragments = fragments.collect::<Result<Vec<_>>>()?;
        let schema = Arc::new(Schema::from(dataset.schema()));
        let columns = store.inner.columns.clone();
        Ok(Table {
            dataset,
            schema,
            fragments,
            columns,
            store: Arc::downgrade(&store.inner),
            staged: OnceLock::new(),
        })
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
        let keys = names.iter().map(|name| self.key(fragment, name)).collect::<Result<Vec<ColumnKey>>>()?;
        let mut found: Vec<Option<ArrayRef>> = keys.iter().map(|key| self.columns.get(key)).collect();
        let missing = |at: &usize| found[*at].is_none();
        let missing: Vec<usize> = (0..names.len()).filter(missing).collect();
        if !missing.is_empty() {
            let wanted: Vec<&str> = missing.iter().map(|at| names[*at]).collect();
            for (at, array) in missing.into_iter().zip(self.read(fragment, &wanted)?) {
                self.columns.put(keys[at].clone(), array.clone());
                found[at] = Some(array);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// Keeps rows in memory that were just written, when they are exactly those of the one fragment that the version
    /// before does not have.
    pub(crate) fn remember(&self, rows: &RecordBatch, before: Option<&Table>) {
        let is_old = |fragment: &&Fragment| {
            before.is_some_and(|table| table.fragments.iter().any(|old| old.files == fragment.files))
        };
        let mut new = self.fragments.iter().filter(|fragment| !is_old(fragment));
        let (Some(fragment), None) = (new.next(), new.next()) else { return };
        if fragment.rows as usize != rows.num_rows() || rows.schema().fields() != self.schema.fields() {
            return;
        }
        for (field, column) in rows.schema().fields().iter().zip(rows.columns()) {
            if let Ok(key) = self.key(fragment, field.name()) {
                self.columns.put(key, column.clone());
            }
        }
    }

    /// All columns of a fragment, without keeping them in memory.
    pub(crate) fn read_all(&self, place: usize) -> Result<Vec<ArrayRef>> {
        let names: Vec<&str> = self.schema.fields().iter().map(|field| field.name().as_str()).collect();
        self.read(&self.fragments[place], &names)
    }

    /// Names the values of a column of a fragment, whatever the column is called.
    pub fn column_key(&self, place: usize, name: &str) -> Result<(Arc<str>, String)> {
        let (files, field, ty) = self.key(&self.fragments[place], name)?;
        Ok((files, format!("{field} {ty}")))
    }

    fn key(&self, fragment: &Fragment, name: &str) -> Result<ColumnKey> {
        let missing = || Error::damaged("a table", format!("it has no column {name}"));
        let field = self.dataset.schema().field(name).ok_or_else(missing)?;
        let arrow = self.schema.field_with_name(name).map_err(|_| missing())?;
        Ok((fragment.files.clone(), field.id, arrow.data_type().clone()))
    }

    /// Reads columns of all small fragments that are not in memory at once: one after the other they cost a wait each.
    pub fn prefetch(&self, names: &[&str]) -> Result<()> {
        let mut wanted = Vec::new();
        for fragment in self.fragments.iter().filter(|fragment| fragment.rows <= SMALL) {
            let keys =
                names.iter().map(|name| self.key(fragment, name)).collect::<Result<Vec<ColumnKey>>>()?;
            if keys.iter().any(|key| self.columns.get(key).is_none()) {
                wanted.push((fragment, keys));
            }
        }
        if wanted.len() < 2 {
            return Ok(());
        }
        self.wait(async {
            let reads = wanted.into_iter().map(|(fragment, keys)| async move {
                Ok::<_, Error>((keys, self.read_now(fragment, names, None).await?))
            });
            let mut reads = futures::stream::iter(reads).buffer_unordered(AT_ONCE);
            while let Some((keys, arrays)) = reads.try_next().await? {
                keys.into_iter().zip(arrays).for_each(|(key, array)| self.columns.put(key, array));
            }
            Ok(())
        })?
    }

    fn read(&self, fragment: &Fragment, names: &[&str]) -> Result<Vec<ArrayRef>> {
        self.read_rows(fragment, names, None)
    }

    fn read_rows(&self, fragment: &Fragment, names: &[&str], some: Option<&[u32]>) -> Result<Vec<ArrayRef>> {
        self.wait(self.read_now(fragment, names, some))?
    }

    /// Reads columns in this order, of all rows or of some. Columns that were added after the fragment was written are
    /// null.
    async fn read_now(
        &self,
        fragment: &Fragment,
        names: &[&str],
        some: Option<&[u32]>,
    ) -> Result<Vec<ArrayRef>> {
        let failed = |error: lance::Error| Error::io("reading a table", error);
        let rows = some.map_or(fragment.rows as usize, <[u32]>::len);
        let is_there =
            |name: &&str| self.dataset.schema().field(name).is_some_and(|field| fragment.has(field));
        let stored: Vec<&str> = names.iter().copied().filter(is_there).collect();
        let batch = if stored.is_empty() {
            None
        } else {
            let projection = self.dataset.schema().project(&stored).map_err(failed)?;
            let config = FragReadConfig::default().with_ignore_deletions(true);
            let reader = fragment.lance.open(&projection, config).await.map_err(failed)?;
            let read = match some {
                Some(rows) => reader.take_as_batch(rows, None).await,
                None => reader.read_range_as_batch(0..rows).await,
            };
            Some(read.map_err(failed)?)
        };
        let column = |name: &&str| {
            if let Some(batch) = batch.as_ref().filter(|_| is_there(name)) {
                return batch.column_by_name(name).cloned();
            }
            let field = self.schema.field_with_name(name).ok()?;
            Some(new_null_array(field.data_type(), rows))
        };
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

    /// Notes when its writing began.
    pub(crate) fn began(&self, at: Instant) {
        let _ = self.staged.set(at); // who wrote it says so once
    }

    /// How long ago its writing began, if it was written by this process.
    pub(crate) fn staged_for(&self) -> Option<Duration> {
        self.staged.get().map(Instant::elapsed)
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
    let fields = metadata.files.iter().flat_map(|file| file.fields.iter().copied()).collect();
    Ok(Fragment { id, rows, deleted, files, live_key, live: OnceLock::new(), lance, fields })
}

impl Fragment {
    /// Whether its files have the column.
    fn has(&self, field: &LanceField) -> bool {
        self.fields.contains(&field.id) || field.children.iter().any(|child| self.has(child))
    }

    /// Whether its files have columns that the table no longer has.
    pub(crate) fn has_dropped(&self, table: &Table) -> bool {
        self.fields.iter().any(|id| *id >= 0 && table.dataset.schema().field_by_id(*id).is_none())
    }
}

impl Weight for Table {
    fn weight(&self) -> usize {
        1024 + self.fragments.len() * 512
    }
}
