//! A few rows of a fragment, without the others.

use super::Table;
use crate::Result;
use crate::error::Error;
use arrow_array::{ArrayRef, UInt32Array};
use arrow_select::take::take;

/// A fragment with fewer rows is read whole: the next question finds it in memory.
const READ_WHOLE: u32 = 16 << 10;

/// Rows that are a greater part of their fragment are picked from the whole of it.
const FEW: usize = 16;

impl Table {
    /// Columns of some rows of a fragment, in this order; the rows are sorted and different. Where only few rows of a
    /// large fragment are asked for, the rest of it is not read.
    pub fn rows_of(&self, place: usize, names: &[&str], rows: &[u32]) -> Result<Vec<ArrayRef>> {
        let fragment = &self.fragments[place];
        let keys = names.iter().map(|name| self.key(fragment, name)).collect::<Result<Vec<_>>>()?;
        let whole = fragment.rows <= READ_WHOLE
            || rows.len() * FEW >= fragment.rows as usize
            || keys.iter().all(|key| self.columns.get(key).is_some());
        if !whole {
            return self.read_rows(fragment, names, Some(rows));
        }
        let columns = self.columns(place, names)?;
        if rows.len() == fragment.rows as usize {
            return Ok(columns);
        }
        let rows = UInt32Array::from(rows.to_vec());
        let taken = columns.iter().map(|column| take(column, &rows, None));
        taken.collect::<std::result::Result<_, _>>().map_err(|error| Error::damaged("a table", error))
    }
}
