//! Writing a new version of a table that nothing names yet.

use crate::Result;
use crate::commit_id::random_dir;
use crate::detached::{self, FRAGMENT_BYTES, FRAGMENT_ROWS};
use crate::error::Error;
use crate::fold;
use crate::record::TableEntry;
use crate::store::Store;
use crate::table::{RowAddr, Table};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;
use lance::Dataset;
use lance::dataset::transaction::Operation;
use lance::dataset::{InsertBuilder, WriteMode};
use lance_table::format::Fragment as LanceFragment;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;
use tokio::task::JoinHandle;

/// Fragments that are written while the next one is gathered.
const IN_FLIGHT: usize = 1;

/// So few rows stay in memory when they were written.
const FEW: usize = 256;

/// Changes of one table: rows to append and rows to delete. They are on disk when it is finished, and visible when the
/// entry that comes out is published.
#[derive(Debug)]
pub struct Stage {
    store: Store,
    began: Instant,
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
    /// Few rows that were written: whoever reads the new version finds them in memory.
    fresh: Option<RecordBatch>,
}

impl Store {
    /// Begins a new version on top of an old one, or a new table. Batches must have the schema.
    pub fn stage(&self, base: Option<&TableEntry>, schema: SchemaRef) -> Result<Stage> {
        let table = base.map(|entry| self.table(entry)).transpose()?;
        let dir = base.map_or_else(random_dir, |entry| Ok(entry.dir.clone()))?;
        Ok(Stage {
            store: self.clone(),
            began: Instant::now(),
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
            fresh: None,
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
        let is_all = self.writing.is_empty() && self.written.is_empty();
        self.fresh =
            (is_all && self.buffered.0 <= FEW).then(|| concat_batches(&self.schema, &rows).ok()).flatten();
        self.buffered = (0, 0);
        let (dataset, params) = (self.dataset()?, detached::params(&self.store, WriteMode::Append));
        let task = self.store.runtime().spawn(detached::write_rows(dataset, params, rows));
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
        let params = detached::params(&self.store, WriteMode::Create);
        let empty = vec![RecordBatch::new_empty(self.schema.clone())];
        let made = self.store.wait(InsertBuilder::new(uri.as_str()).with_params(&params).execute(empty));
        let made = Arc::new(made.map_err(|error| Error::io("making a table", error))?);
        self.dataset = Some(made.clone());
        Ok(made)
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
        let entry = detached::commit(&self.store, &self.dir, self.base.as_deref(), dataset, operation)?;
        if let Some(table) = self.store.known_table(&entry) {
            table.began(self.began);
            if let Some(fresh) = &self.fresh {
                table.remember(fresh, self.base.as_deref());
            }
        }
        Ok(Some(entry))
    }

    /// Takes in what was folded in the background, or folds small fragments when there are too many of them.
    fn fold(&mut self) -> Result<()> {
        let Some(base) = self.base.clone() else { return Ok(()) };
        if let Some(folded) = self.store.folded(&self.dir)
            && folded.fits(&base)
            && !folded.ids().any(|id| self.deleted.contains_key(&id))
        {
            self.began = self.began.min(folded.began());
            self.removed.extend(folded.ids());
            self.written.extend(folded.written().iter().cloned());
        }
        let taken = self.removed.clone();
        for place in fold::overdue(&base, &taken, self.store.folds_in_background()) {
            let id = base.fragments()[place].id();
            let gone = self.deleted.remove(&id).unwrap_or_default();
            self.removed.push(id);
            self.append(fold::live_rows(&base, place, &self.schema, &gone)?)?;
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
        Ok(detached::update(dataset, removed, updated, fragments))
    }
}
