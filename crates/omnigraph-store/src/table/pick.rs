//! A few rows of a fragment, without the others.

use super::{Fragment, Table};
use crate::Result;
use crate::error::Error;
use arrow_array::{ArrayRef, UInt32Array};
use arrow_select::take::take;
use lance::dataset::fragment::FragReadConfig;

/// A fragment with fewer rows is read whole: the next question finds it in memory.
const READ_WHOLE: u32 = 16 << 10;

/// Rows that are a greater part of their fragment are picked from the whole of it.
const FEW: usize = 16;

impl Table {
    /// Columns of some rows of a fragment, in this order; the rows are sorted and different. Where only few rows of a
    /// large fragment are asked for, the rest of it is not read.
    pub fn rows_of(&self, place: usize, names: &[&str], rows: &[u32]) -> Result<Vec<ArrayRef>> {
        let fragment = &self.fragments[place];
        let whole = fragment.rows <= READ_WHOLE
            || rows.len() * FEW >= fragment.rows as usize
            || names
                .iter()
                .all(|name| self.columns.get(&(fragment.files.clone(), (*name).to_owned())).is_some());
        if !whole {
            return self.picked(fragment, names, rows);
        }
        let columns = self.columns(place, names)?;
        if rows.len() == fragment.rows as usize {
            return Ok(columns);
        }
        let rows = UInt32Array::from(rows.to_vec());
        let taken = columns.iter().map(|column| take(column, &rows, None));
        taken.collect::<std::result::Result<_, _>>().map_err(|error| Error::damaged("a table", error))
    }

    fn picked(&self, fragment: &Fragment, names: &[&str], rows: &[u32]) -> Result<Vec<ArrayRef>> {
        let failed = |error: lance::Error| Error::io("reading rows of a table", error);
        let projection = self.dataset.schema().project(names).map_err(failed)?;
        let config = FragReadConfig::default().with_ignore_deletions(true);
        let batch = self.wait(async {
            let reader = fragment.lance.open(&projection, config).await?;
            reader.take_as_batch(rows, None).await
        })?;
        let batch = batch.map_err(failed)?;
        let column = |name: &&str| batch.column_by_name(name).cloned();
        let columns: Option<Vec<ArrayRef>> = names.iter().map(column).collect();
        columns.ok_or_else(|| Error::damaged("a table", "a column is missing"))
    }
}
