//! Values that must not occur twice.

use crate::error::Result;
use crate::topology::texts;
use crate::validate::Violation;
use crate::view::View;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_row::{RowConverter, SortField};
use hashbrown::{HashMap, HashSet};

/// Values of the `@unique` sets of one type.
#[derive(Default)]
pub(crate) struct Uniques {
    pub(super) name: String,
    pub(super) sets: Vec<Unique>,
    /// All rows of the load; what is stored of them is replaced, or is the same.
    pub(super) ids: HashSet<Box<str>>,
}

pub(super) struct Unique {
    pub(super) properties: Vec<String>,
    /// Hash of the values to the id of the row. 128 bits do not collide by chance.
    pub(super) owners: HashMap<[u8; 16], Box<str>>,
}

impl Uniques {
    pub(crate) fn new(view: &View, name: &str) -> Uniques {
        let sets = view.catalog.body(name).map(|body| body.unique.clone()).unwrap_or_default();
        let set = |properties| Unique { properties, owners: HashMap::new() };
        Uniques { name: name.to_owned(), sets: sets.into_iter().map(set).collect(), ids: HashSet::new() }
    }

    /// A row whose stored values do not count.
    pub(super) fn forget(&mut self, id: &str) {
        if !self.sets.is_empty() {
            self.ids.insert(id.into());
        }
    }

    /// Takes in rows of the load.
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
}

fn columns(properties: &[String], batch: &RecordBatch) -> Option<Vec<ArrayRef>> {
    properties.iter().map(|name| batch.column_by_name(name).cloned()).collect()
}

/// A hash of the values of every row; `None` where one is null.
pub(super) fn hashes(properties: &[String], batch: &RecordBatch) -> Result<Option<Vec<Option<[u8; 16]>>>> {
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

pub(super) fn shown(properties: &[String], batch: &RecordBatch, row: usize) -> Result<String> {
    let options = arrow_cast::display::FormatOptions::default();
    let mut parts = Vec::new();
    for column in columns(properties, batch).unwrap_or_default() {
        let formatter = arrow_cast::display::ArrayFormatter::try_new(column.as_ref(), &options)?;
        parts.push(formatter.value(row).to_string());
    }
    Ok(parts.join(", "))
}
