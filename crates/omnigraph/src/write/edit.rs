//! Changes of one table that are not stored yet.

use crate::error::{Error, Result};
use arrow_array::{Array, RecordBatch, StringArray, UInt32Array};
use arrow_select::interleave::interleave_record_batch;
use arrow_select::take::take_record_batch;
use omnigraph_store::{ChangedIds, RowAddr, TableChange};
use std::collections::{BTreeMap, HashMap};

/// What becomes of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is this row of this batch.
    Row(u32, u32),
    /// It is gone.
    Gone,
}

/// Changes of one table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edit {
    batches: Vec<RecordBatch>,
    fates: HashMap<String, Fate>,
    /// Rows of the base that are replaced or deleted, by id.
    replaced: BTreeMap<String, RowAddr>,
}

impl Edit {
    /// What this edit says about a row; `None` when it says nothing.
    pub(super) fn fate(&self, id: &str) -> Option<Fate> {
        self.fates.get(id).copied()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fates.is_empty()
    }

    /// Puts rows; `base` tells where a row is stored now.
    pub(crate) fn put(
        &mut self,
        batch: RecordBatch,
        mut base: impl FnMut(usize, &str) -> Result<Option<RowAddr>>,
    ) -> Result<()> {
        let place = self.batches.len() as u32;
        let ids = ids(&batch)?.clone();
        for row in 0..ids.len() {
            let id = ids.value(row);
            if !self.fates.contains_key(id)
                && let Some(addr) = base(row, id)?
            {
                self.replaced.insert(id.to_owned(), addr);
            }
            self.fates.insert(id.to_owned(), Fate::Row(place, row as u32));
        }
        self.batches.push(batch);
        Ok(())
    }

    /// Takes a row away. It is known to be there.
    pub(crate) fn remove(&mut self, id: &str, stored: Option<RowAddr>) {
        if let Some(addr) = stored.filter(|_| !self.fates.contains_key(id)) {
            self.replaced.insert(id.to_owned(), addr);
        }
        if self.replaced.contains_key(id) {
            self.fates.insert(id.to_owned(), Fate::Gone);
        } else {
            self.fates.remove(id);
        }
    }

    /// The rows that are there when it is done, batch by batch, with the places of those rows.
    pub(super) fn current(&self) -> Result<Vec<RecordBatch>> {
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); self.batches.len()];
        for fate in self.sorted() {
            if let (_, Fate::Row(batch, row)) = fate {
                places[batch as usize].push(row);
            }
        }
        let picked =
            self.batches.iter().zip(places).filter(|(_, rows)| !rows.is_empty()).map(|(batch, mut rows)| {
                rows.sort_unstable();
                if rows.len() == batch.num_rows() {
                    return Ok(batch.clone());
                }
                Ok(take_record_batch(batch, &UInt32Array::from(rows))?)
            });
        picked.collect()
    }

    /// The rows that are there when it is done, as one batch.
    pub(super) fn rows(&self) -> Result<Option<RecordBatch>> {
        let current = self.current()?;
        let places: Vec<(usize, usize)> = current
            .iter()
            .enumerate()
            .flat_map(|(at, batch)| (0..batch.num_rows()).map(move |row| (at, row)))
            .collect();
        if places.is_empty() {
            return Ok(None);
        }
        let batches: Vec<&RecordBatch> = current.iter().collect();
        Ok(Some(interleave_record_batch(&batches, &places)?))
    }

    /// Rows of the base to take away.
    pub(super) fn replaced(&self) -> impl Iterator<Item = RowAddr> + '_ {
        self.replaced.values().copied()
    }

    /// Ids of rows to take away for good.
    pub(super) fn gone(&self) -> impl Iterator<Item = &str> {
        self.fates.iter().filter(|(_, fate)| **fate == Fate::Gone).map(|(id, _)| id.as_str())
    }

    /// Ids that are new, and ids that are gone, when it is done.
    pub(super) fn ids(&self) -> ChangedIds {
        let mut ids = ChangedIds::default();
        for (id, fate) in self.sorted() {
            let list = match (fate, self.replaced.contains_key(id)) {
                (Fate::Gone, _) => &mut ids.deleted,
                (Fate::Row(..), true) => &mut ids.updated,
                (Fate::Row(..), false) => &mut ids.inserted,
            };
            list.push(id.clone());
        }
        ids
    }

    /// What goes into the record of the commit.
    pub(super) fn change(&self) -> TableChange {
        let ids = self.ids();
        TableChange {
            inserted: ids.inserted.len() as u64,
            updated: ids.updated.len() as u64,
            deleted: ids.deleted.len() as u64,
            ids: (self.fates.len() <= ChangedIds::MOST).then_some(ids),
        }
    }

    fn sorted(&self) -> Vec<(&String, Fate)> {
        let mut all: Vec<(&String, Fate)> = self.fates.iter().map(|(id, fate)| (id, *fate)).collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }
}

/// The ids of rows.
pub(super) fn ids(batch: &RecordBatch) -> Result<&StringArray> {
    text(batch, "id")
}

/// A column of texts.
pub(super) fn text<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a StringArray> {
    let column = batch.column_by_name(name).ok_or_else(|| Error::damaged(format!("rows without {name}")))?;
    crate::topology::texts(column)
}
