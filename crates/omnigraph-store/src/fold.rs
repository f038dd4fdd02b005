//! Fewer and larger fragments with the same rows, so that reading does not slow down with the number of writes.
//!
//! Fragments are rewritten in groups. A group that was written is put on whichever version of the table still has all of
//! its sources untouched, so it does not matter how long the writing took or who committed meanwhile.

use crate::Result;
use crate::collect::GRACE;
use crate::detached::{self, FRAGMENT_BYTES, FRAGMENT_ROWS};
use crate::error::Error;
use crate::record::TableEntry;
use crate::store::Store;
use crate::table::{Fragment, Table};
use arrow_array::{BooleanArray, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use lance::dataset::WriteMode;
use lance_table::format::Fragment as LanceFragment;
use std::sync::Arc;
use std::time::Instant;

/// Sizes of fragments, by live rows below each bound. As many of one size as [`TOO_MANY`] become one of the next, so a row is
/// written again a few times in its life, and a table has a few fragments of each size.
const TIERS: [u32; 6] = [8, 64, 512, 4 << 10, 32 << 10, FRAGMENT_ROWS as u32 / 2];

/// Fragments of one size.
const TOO_MANY: usize = 8;

/// A fragment with at least so many rows is rewritten when a third of them is deleted; smaller ones are folded anyway.
const WORTH_REWRITING: u32 = 4 << 10;

/// Fragments that were written anew as one or a few.
#[derive(Clone, Debug)]
pub(crate) struct Folded {
    /// Ids of the sources, and which of their rows were live.
    sources: Vec<(u32, Arc<str>)>,
    /// The columns that were written.
    fields: Vec<(i32, DataType)>,
    written: Vec<LanceFragment>,
    /// Nothing names the files yet, so they are not kept for ever.
    began: Instant,
}

impl Folded {
    /// Whether it can take the place of its sources in a version.
    pub(crate) fn fits(&self, table: &Table) -> bool {
        let same = |(id, live_key): &(u32, Arc<str>)| {
            table.place(*id).is_some_and(|place| table.fragments()[place].live_key() == live_key)
        };
        self.fields == fields(table) && self.sources.iter().all(same)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.sources.iter().map(|(id, _)| *id)
    }

    pub(crate) fn written(&self) -> &[LanceFragment] {
        &self.written
    }

    pub(crate) fn began(&self) -> Instant {
        self.began
    }

    /// Whether its files may have been cleaned up by the time that a write is published which takes them in.
    pub(crate) fn is_old(&self) -> bool {
        self.began.elapsed() > GRACE / 4
    }
}

fn fields(table: &Table) -> Vec<(i32, DataType)> {
    table.dataset().schema().fields_pre_order().map(|field| (field.id, field.data_type())).collect()
}

fn live(fragment: &Fragment) -> u32 {
    fragment.rows() - fragment.deleted()
}

/// Fragments to fold inside of a write. When a thread of its own folds, this is only what that thread did not get to.
pub(crate) fn overdue(table: &Table, taken: &[u32], in_background: bool) -> Vec<usize> {
    let patience = if in_background { 3 } else { 1 };
    full_tier(table, taken, patience)
}

/// Fragments that a thread of its own should fold now: at most one tier, or one fragment with many deleted rows.
pub(crate) fn wanted(table: &Table) -> Vec<usize> {
    let tier = full_tier(table, &[], 1);
    if !tier.is_empty() {
        return tier;
    }
    let thinned =
        |fragment: &Fragment| fragment.rows() >= WORTH_REWRITING && fragment.deleted() > fragment.rows() / 3;
    table.fragments().iter().position(thinned).into_iter().collect()
}

/// The fragments of the first tier that has too many, as many as fit one fragment.
fn full_tier(table: &Table, taken: &[u32], patience: usize) -> Vec<usize> {
    let mut least = 0;
    for below in TIERS {
        let fits = |place: &usize| {
            let fragment = &table.fragments()[*place];
            let rows = live(fragment);
            (least..below).contains(&rows)
                && fragment.bytes() < FRAGMENT_BYTES as u64 / 2
                && !taken.contains(&fragment.id())
        };
        let places: Vec<usize> = (0..table.fragments().len()).filter(fits).collect();
        if places.len() >= TOO_MANY * patience {
            return groups(table, places).into_iter().next().unwrap_or_default();
        }
        least = below;
    }
    Vec::new()
}

/// Cuts a list of fragments into groups that make about one fragment each.
fn groups(table: &Table, places: Vec<usize>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let (mut rows, mut bytes) = (usize::MAX, 0);
    for place in places {
        let fragment = &table.fragments()[place];
        let (more_rows, more_bytes) = (live(fragment) as usize, fragment.bytes() as usize);
        match groups.last_mut() {
            Some(group)
                if rows.saturating_add(more_rows) <= FRAGMENT_ROWS
                    && bytes + more_bytes <= FRAGMENT_BYTES =>
            {
                group.push(place);
                (rows, bytes) = (rows + more_rows, bytes + more_bytes);
            }
            _ => {
                groups.push(vec![place]);
                (rows, bytes) = (more_rows, more_bytes);
            }
        }
    }
    groups
}

/// The live rows of a fragment less those that are about to go, with the columns of a schema.
pub(crate) fn live_rows(
    table: &Table,
    place: usize,
    schema: &SchemaRef,
    gone: &[u32],
) -> Result<RecordBatch> {
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    filtered(table, place, schema, table.columns(place, &names)?, gone)
}

fn filtered(
    table: &Table,
    place: usize,
    schema: &SchemaRef,
    columns: Vec<arrow_array::ArrayRef>,
    gone: &[u32],
) -> Result<RecordBatch> {
    let damaged = |error| Error::damaged("a table", error);
    let live = table.live(place)?;
    let rows = table.fragments()[place].rows() as usize;
    let mut keep: Vec<bool> = (0..rows).map(|row| live.as_ref().is_none_or(|live| live.value(row))).collect();
    for row in gone {
        keep[*row as usize] = false;
    }
    // Deleted rows may hold nulls that the schema forbids by now, so they go before the schema comes.
    let keep = BooleanArray::from(keep);
    let kept = columns.iter().map(|column| arrow_select::filter::filter(column, &keep));
    let kept = kept.collect::<std::result::Result<Vec<_>, _>>().map_err(damaged)?;
    RecordBatch::try_new(schema.clone(), kept).map_err(damaged)
}

/// Writes one group.
pub(crate) fn fold(store: &Store, table: &Table, places: &[usize]) -> Result<Folded> {
    let began = Instant::now();
    let mut rows = Vec::new();
    for place in places {
        let batch = filtered(table, *place, table.schema(), table.read_all(*place)?, &[])?;
        if batch.num_rows() > 0 {
            rows.push(batch);
        }
    }
    let written = if rows.is_empty() {
        Vec::new()
    } else {
        let params = detached::params(store, WriteMode::Append);
        let written = store.wait(detached::write_rows(table.dataset().clone(), params, rows));
        written.map_err(|error| Error::io("writing a table", error))?
    };
    let source = |place: &usize| {
        let fragment = &table.fragments()[*place];
        (fragment.id(), fragment.live_key().clone())
    };
    Ok(Folded { sources: places.iter().map(source).collect(), fields: fields(table), written, began })
}

/// What is rewritten on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewrite {
    /// Small fragments, deleted rows, and columns that were dropped.
    All,
    /// Only columns that were dropped.
    Dropped,
}

/// Fragments of one table that were written anew, to be put on a version of it.
#[derive(Debug)]
pub struct Compaction {
    dir: String,
    folded: Vec<Folded>,
}

/// What a compaction did to a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compacted {
    /// Fragments that are no longer there.
    pub fragments_removed: usize,
    /// Fragments that took their place.
    pub fragments_added: usize,
}

impl Store {
    /// Writes what is worth it of a table anew, group by group; `progress` is told of rows. Nothing is visible yet.
    pub fn compact(
        &self,
        entry: &TableEntry,
        what: Rewrite,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Compaction> {
        let table = self.table(entry)?;
        let mut folded = Vec::new();
        for group in worth(&table, what) {
            folded.push(fold(self, &table, &group)?);
            progress(group.iter().map(|place| u64::from(live(&table.fragments()[*place]))).sum());
        }
        Ok(Compaction { dir: entry.dir.clone(), folded })
    }

    /// Rows that [`Store::compact`] would write.
    pub fn compactable_rows(&self, entry: &TableEntry, what: Rewrite) -> Result<u64> {
        let table = self.table(entry)?;
        let groups = worth(&table, what);
        Ok(groups.iter().flatten().map(|place| u64::from(live(&table.fragments()[*place]))).sum())
    }

    /// A version with the fragments of a compaction in the place of theirs; what others changed since stays as it is.
    /// `None` when nothing of it can be used.
    pub fn put_compacted(
        &self,
        entry: &TableEntry,
        compaction: &Compaction,
    ) -> Result<Option<(TableEntry, Compacted)>> {
        if entry.dir != compaction.dir {
            return Ok(None);
        }
        let table = self.table(entry)?;
        let fitting: Vec<&Folded> = compaction.folded.iter().filter(|folded| folded.fits(&table)).collect();
        if fitting.is_empty() {
            return Ok(None);
        }
        let removed: Vec<u64> = fitting.iter().flat_map(|folded| folded.ids()).map(u64::from).collect();
        let new: Vec<LanceFragment> =
            fitting.iter().flat_map(|folded| folded.written.iter().cloned()).collect();
        let done = Compacted { fragments_removed: removed.len(), fragments_added: new.len() };
        let dataset = table.dataset().clone();
        let operation = detached::update(&dataset, removed, Vec::new(), new);
        let entry = detached::commit(self, &entry.dir, Some(&table), dataset, operation)?;
        let began = fitting.iter().map(|folded| folded.began).min();
        if let (Some(table), Some(began)) = (self.known_table(&entry), began) {
            table.began(began);
        }
        Ok(Some((entry, done)))
    }
}

/// Groups of fragments whose rewriting makes reading cheaper, or drops what must go.
fn worth(table: &Table, what: Rewrite) -> Vec<Vec<usize>> {
    let is_small = |fragment: &Fragment| {
        (live(fragment) as usize) < FRAGMENT_ROWS / 2 && fragment.bytes() < FRAGMENT_BYTES as u64 / 2
    };
    let is_thinned = |fragment: &Fragment| fragment.deleted() > fragment.rows() / 10;
    let must = |place: &usize| {
        let fragment = &table.fragments()[*place];
        fragment.has_dropped(table) || (what == Rewrite::All && is_thinned(fragment))
    };
    let may = |place: &usize| must(place) || (what == Rewrite::All && is_small(&table.fragments()[*place]));
    let places = (0..table.fragments().len()).filter(may).collect();
    let mut groups = groups(table, places);
    groups.retain(|group| group.len() > 1 || group.iter().any(must));
    groups
}
