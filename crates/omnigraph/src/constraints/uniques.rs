//! `@unique`: values that only one row may have.

use crate::error::Result;
use crate::rows::ID;
use crate::topology::texts;
use crate::validate::Violation;
use crate::view::View;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_row::{RowConverter, SortField};
use hashbrown::{HashMap, HashSet};
use omnigraph_store::Table;

/// Rows of one type that are new or different, by the values of each `@unique` set.
#[derive(Default)]
pub(crate) struct Uniques {
    name: String,
    sets: Vec<Unique>,
    /// Ids whose stored row is replaced, deleted or the same: its values do not count.
    ids: HashSet<Box<str>>,
}

/// The properties of one set, and who has which values.
struct Unique {
    properties: Vec<String>,
    /// Hash of the values to the id of the row. 128 bits do not collide by chance.
    owners: HashMap<[u8; 16], Box<str>>,
}

impl Uniques {
    pub(crate) fn new(view: &View, name: &str) -> Uniques {
        let sets = view.catalog.body(name).map(|body| body.unique.clone()).unwrap_or_default();
        let set = |properties| Unique { properties, owners: HashMap::new() };
        Uniques { name: name.to_owned(), sets: sets.into_iter().map(set).collect(), ids: HashSet::new() }
    }

    /// Whether the type has no such set.
    pub(crate) fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// A row whose stored values do not count.
    pub(crate) fn forget(&mut self, id: &str) {
        if !self.sets.is_empty() {
            self.ids.insert(id.into());
        }
    }

    /// Takes in rows, and finds those that have the values of a row before them.
    pub(crate) fn push(
        &mut self,
        batch: &RecordBatch,
        lines: &[u64],
        found: &mut Vec<Violation>,
    ) -> Result<()> {
        if !self.sets.is_empty() {
            self.ids.extend(texts(batch.column(0))?.iter().flatten().map(Box::from));
        }
        for set in &mut self.sets {
            let Some(values) = hashes(&set.properties, batch)? else { continue };
            let ids = texts(batch.column(0))?;
            for (row, value) in values.into_iter().enumerate() {
                let Some(value) = value else { continue };
                match set.owners.get(&value) {
                    Some(other) if **other != *ids.value(row) => {
                        let line = lines.get(row).copied().filter(|_| lines.len() == batch.num_rows());
                        let names = &set.properties;
                        let shown = shown(names, batch, row)?;
                        found.push(
                            Violation::unique(&self.name, names, ids.value(row), &shown, other).at(line),
                        );
                    }
                    Some(_) => {}
                    None => {
                        set.owners.insert(value, ids.value(row).into());
                    }
                }
            }
        }
        Ok(())
    }

    /// Compares the rows that were taken in with those that are stored and stay. `some` names the rows of a fragment that
    /// can be in conflict; `None` means all.
    pub(crate) fn check_stored<'r>(
        &self,
        table: &Table,
        some: impl Fn(u32) -> Option<&'r [u32]>,
        found: &mut Vec<Violation>,
    ) -> Result<()> {
        for set in self.sets.iter().filter(|set| !set.owners.is_empty()) {
            for (place, fragment) in table.fragments().iter().enumerate() {
                match some(fragment.id()) {
                    Some([]) => {}
                    rows => self.check_fragment(set, table, place, rows, found)?,
                }
            }
        }
        Ok(())
    }

    fn check_fragment(
        &self,
        set: &Unique,
        table: &Table,
        place: usize,
        some: Option<&[u32]>,
        found: &mut Vec<Violation>,
    ) -> Result<()> {
        let names: Vec<&str> = set.properties.iter().map(String::as_str).collect();
        let columns = match some {
            Some(rows) => table.rows_of(place, &names, rows)?,
            None => table.columns(place, &names)?,
        };
        let batch = RecordBatch::try_from_iter_with_nullable(
            names.iter().zip(columns).map(|(name, column)| (*name, column, true)),
        )?;
        let Some(values) = hashes(&set.properties, &batch)? else { return Ok(()) };
        let owner = |at: usize| values[at].as_ref().and_then(|value| set.owners.get(value));
        let live = table.live(place)?;
        let row = |at: usize| some.map_or(at as u32, |rows| rows[at]);
        let is_live = |at: &usize| live.as_ref().is_none_or(|live| live.value(row(*at) as usize));
        let met: Vec<usize> = (0..values.len()).filter(|at| owner(*at).is_some()).filter(is_live).collect();
        if met.is_empty() {
            return Ok(());
        }
        // Mostly nobody has the values: ids are read only when somebody does.
        let rows: Vec<u32> = met.iter().map(|at| row(*at)).collect();
        let ids = &table.rows_of(place, &[ID], &rows)?[0];
        for (at, id) in met.iter().zip(texts(ids)?.iter().flatten()) {
            if let Some(owner) = owner(*at).filter(|_| !self.ids.contains(id)) {
                let shown = shown(&set.properties, &batch, *at)?;
                found.push(Violation::unique(&self.name, &set.properties, owner, &shown, id));
            }
        }
        Ok(())
    }
}

fn columns(properties: &[String], batch: &RecordBatch) -> Option<Vec<ArrayRef>> {
    properties.iter().map(|name| batch.column_by_name(name).cloned()).collect()
}

/// A hash of the values of every row; `None` where one is null.
fn hashes(properties: &[String], batch: &RecordBatch) -> Result<Option<Vec<Option<[u8; 16]>>>> {
    let Some(columns) = columns(properties, batch) else { return Ok(None) };
    let fields = columns.iter().map(|column| SortField::new(column.data_type().clone())).collect();
    let rows = RowConverter::new(fields)?.convert_columns(&columns)?;
    let hash = |row: usize| {
        let mut short = [0; 16];
        short.copy_from_slice(&blake3::hash(rows.row(row).data()).as_bytes()[..16]);
        columns.iter().all(|column| column.is_valid(row)).then_some(short)
    };
    Ok(Some((0..batch.num_rows()).map(hash).collect()))
}

fn shown(properties: &[String], batch: &RecordBatch, row: usize) -> Result<String> {
    let options = arrow_cast::display::FormatOptions::default();
    let mut parts = Vec::new();
    for column in columns(properties, batch).unwrap_or_default() {
        let formatter = arrow_cast::display::ArrayFormatter::try_new(column.as_ref(), &options)?;
        parts.push(formatter.value(row).to_string());
    }
    Ok(parts.join(", "))
}
