//! Writing a new version of a table that nothing names yet.

use crate::Result;
use crate::commit_id::random_dir;
use crate::error::Error;
use crate::record::TableEntry;
use crate::store::Store;
use crate::table::{Fragment, RowAddr, Table};
use arrow_array::{BooleanArray, RecordBatch};
use arrow_schema::SchemaRef;
use lance::Dataset;
use lance::dataset::transaction::{Operation, TransactionBuilder, UpdateMode};
use lance::dataset::{CommitBuilder, InsertBuilder, WriteMode, WriteParams};
use lance_table::format::Fragment as LanceFragment;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use tokio::task::JoinHandle;

/// Rows that make a fragment of a bulk load.
const FRAGMENT_ROWS: usize = 256 << 10;

/// Bytes that are written at once, however few rows they are.
const FRAGMENT_BYTES: usize = 96 << 20;

/// Fragments that are written while the next one is gathered.
const IN_FLIGHT: usize = 1;

/// A fragment with fewer live rows is small.
const SMALL: u32 = 4 << 10;

/// So many small fragments are folded into one with the next write, so that reading does not slow down.
const FOLD_AT: usize = 32;

/// Changes of one table: rows to append and rows to delete. They are on disk when it is finished, and visible when the
/// entry that comes out is published.
#[derive(Debug)]
pub struct Stage {
    store: Store,
    base: Option<Arc<Table>>,
    schema: SchemaRef,
    dir: String,
    dataset: Option<Arc<Dataset>>,
    rows: Vec<RecordBatch>,
    buffered: (usize, usize),
    writing: VecDeque<JoinHandle<lance::Result<Vec<LanceFragment>>>>,
    written: Vec<LanceFragment>,
    deleted: BTreeMap<u32, Vec<u32>>,
    removed: Vec<u32>,
}

impl Store {
    /// Begins a new version on top of an old one, or a new table. Batches must have the schema.
    pub fn stage(&self, base: Option<&TableEntry>, schema: SchemaRef) -> Result<Stage> {
        let table = base.map(|entry| self.table(entry)).transpose()?;
        let dir = base.map_or_else(random_dir, |entry| Ok(entry.dir.clone()))?;
        Ok(Stage {
            store: self.clone(),
            dataset: table.as_ref().map(|table| table.dataset().clone()),
            base: table,
            schema,
            dir,
            rows: Vec::new(),
            buffered: (0, 0),
            writing: VecDeque::new(),
            written: Vec::new(),
            deleted: BTreeMap::new(),
            removed: Vec::new(),
        })
    }
}

impl Stage {
    /// Adds rows. Many are written in the background.
    pub fn append(&mut self, batch: RecordBatch) -> Result<()> {
        self.buffered.0 += batch.num_rows();
        self.buffered.1 += batch.get_array_memory_size();
        self.rows.push(batch);
        if self.buffered.0 >= FRAGMENT_ROWS || self.buffered.1 >= FRAGMENT_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Takes a row of the base away.
    pub fn delete(&mut self, row: RowAddr) {
        self.deleted.entry(row.fragment()).or_default().push(row.row());
    }

    /// Bytes that wait to be written.
    pub fn buffered_bytes(&self) -> usize {
        self.buffered.1
    }

    /// Writes what was gathered so far.
    pub fn flush(&mut self) -> Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        while self.writing.len() >= IN_FLIGHT {
            self.collect()?;
        }
        let rows = std::mem::take(&mut self.rows);
        self.buffered = (0, 0);
        let (dataset, params) = (self.dataset()?, self.params(WriteMode::Append));
        let task = self.store.runtime().spawn(async move {
            let insert = InsertBuilder::new(dataset).with_params(&params).execute_uncommitted(rows).await?;
            match insert.operation {
                Operation::Append { fragments } => Ok(fragments),
                other => Err(lance::Error::internal(format!("an insert became {other}"))),
            }
        });
        self.writing.push_back(task);
        Ok(())
    }

    /// Waits for the oldest write.
    fn collect(&mut self) -> Result<()> {
        let Some(task) = self.writing.pop_front() else { return Ok(()) };
        let written = self.store.wait(task).map_err(|error| Error::io("writing a table", error))?;
        self.written.extend(written.map_err(|error| Error::io("writing a table", error))?);
        Ok(())
    }

    /// The dataset to write into; a new one is made empty.
    fn dataset(&mut self) -> Result<Arc<Dataset>> {
        if let Some(dataset) = &self.dataset {
            return Ok(dataset.clone());
        }
        let uri = self.store.inner.location.uri(&format!("tables/{}", self.dir));
        let params = self.params(WriteMode::Create);
        let empty = vec![RecordBatch::new_empty(self.schema.clone())];
        let made = self.store.wait(InsertBuilder::new(uri.as_str()).with_params(&params).execute(empty));
        let made = Arc::new(made.map_err(|error| Error::io("making a table", error))?);
        self.dataset = Some(made.clone());
        Ok(made)
    }

    fn params(&self, mode: WriteMode) -> WriteParams {
        WriteParams {
            mode,
            max_rows_per_file: FRAGMENT_ROWS * 2,
            session: Some(self.store.inner.session.clone()),
            store_params: Some(self.store.inner.params.clone()),
            skip_auto_cleanup: true,
            ..WriteParams::default()
        }
    }

    /// The new version; `None` when the table has no rows and never had any.
    pub fn finish(mut self) -> Result<Option<TableEntry>> {
        self.fold()?;
        self.flush()?;
        while !self.writing.is_empty() {
            self.collect()?;
        }
        let Some(dataset) = self.dataset.clone() else { return Ok(None) };
        let operation = self.operation(&dataset)?;
        let transaction = TransactionBuilder::new(dataset.version_id(), operation).build();
        let commit = CommitBuilder::new(dataset)
            .with_detached(true)
            .with_skip_auto_cleanup(true)
            .with_session(self.store.inner.session.clone());
        let new = self.store.wait(commit.execute(transaction));
        let new = Arc::new(new.map_err(|error| Error::io("writing a version of a table", error))?);
        let table = Arc::new(Table::of(&self.store, &self.dir, new.clone())?);
        self.sync(&new, &table)?;
        let entry = TableEntry { dir: self.dir.clone(), version: new.version_id(), rows: table.rows() };
        self.store.keep_table(&entry, &table);
        Ok(Some(entry))
    }

    /// Rewrites small fragments into one when there are many.
    fn fold(&mut self) -> Result<()> {
        let Some(base) = self.base.clone() else { return Ok(()) };
        let small = |place: &usize| {
            let fragment = &base.fragments()[*place];
            fragment.rows() - fragment.deleted() < SMALL
        };
        let places: Vec<usize> = (0..base.fragments().len()).filter(small).collect();
        if places.len() < FOLD_AT {
            return Ok(());
        }
        for place in places {
            let fragment = &base.fragments()[place];
            let names: Vec<&str> = self.schema.fields().iter().map(|field| field.name().as_str()).collect();
            let columns = base.columns(place, &names)?;
            let batch = RecordBatch::try_new(self.schema.clone(), columns)
                .map_err(|error| Error::damaged("a table", error))?;
            let live = base.live(place)?;
            let gone = self.deleted.remove(&fragment.id()).unwrap_or_default();
            let mut keep: Vec<bool> = (0..fragment.rows() as usize)
                .map(|row| live.as_ref().is_none_or(|live| live.value(row)))
                .collect();
            for row in gone {
                keep[row as usize] = false;
            }
            let kept = arrow_select::filter::filter_record_batch(&batch, &BooleanArray::from(keep));
            self.removed.push(fragment.id());
            self.append(kept.map_err(|error| Error::damaged("a table", error))?)?;
        }
        Ok(())
    }

    fn operation(&mut self, dataset: &Arc<Dataset>) -> Result<Operation> {
        let fragments = std::mem::take(&mut self.written);
        if self.deleted.is_empty() && self.removed.is_empty() {
            return Ok(Operation::Append { fragments });
        }
        let mut removed: Vec<u64> = self.removed.iter().map(|id| u64::from(*id)).collect();
        let mut updated = Vec::new();
        for (id, rows) in std::mem::take(&mut self.deleted) {
            let gone = || Error::damaged("a table", format!("fragment {id} is missing"));
            let fragment = dataset.get_fragment(id as usize).ok_or_else(gone)?;
            let left = self.store.wait(fragment.extend_deletions(rows));
            match left.map_err(|error| Error::io("deleting rows of a table", error))? {
                Some(fragment) => updated.push(fragment.metadata().clone()),
                None => removed.push(u64::from(id)),
            }
        }
        Ok(Operation::Update {
            removed_fragment_ids: removed,
            updated_fragments: updated,
            new_fragments: fragments,
            fields_modified: Vec::new(),
            compacted_sstables: Vec::new(),
            // With fewer, indexes would be taken to cover the new rows.
            fields_for_preserving_frag_bitmap: dataset
                .schema()
                .fields_pre_order()
                .map(|field| field.id as u32)
                .collect(),
            update_mode: Some(UpdateMode::RewriteRows),
            inserted_rows_filter: None,
            updated_fragment_offsets: None,
        })
    }

    /// Local files reach the disk before anything names them.
    fn sync(&self, new: &Dataset, made: &Table) -> Result<()> {
        let old: Vec<&Arc<str>> =
            self.base.iter().flat_map(|base| base.fragments()).map(Fragment::live_key).collect();
        let table = format!("tables/{}", self.dir);
        let mut files = vec![format!(
            "{table}/_versions/{}",
            new.manifest_location().path.filename().unwrap_or_default()
        )];
        for fragment in made.fragments() {
            if old.contains(&fragment.live_key()) {
                continue;
            }
            let metadata = new.get_fragment(fragment.id() as usize);
            let Some(metadata) = metadata.as_ref().map(lance::dataset::fragment::FileFragment::metadata)
            else {
                continue;
            };
            files.extend(metadata.files.iter().map(|file| format!("{table}/data/{}", file.path)));
            let deletions = metadata.deletion_file.as_ref().map(|file| {
                let suffix = file.file_type.suffix();
                format!("{table}/_deletions/{}-{}-{}.{suffix}", metadata.id, file.read_version, file.id)
            });
            files.extend(deletions);
        }
        self.store.wait(self.store.inner.objects.sync_files(&files))
    }
}
