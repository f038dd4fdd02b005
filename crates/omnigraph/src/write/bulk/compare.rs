//! Whether rows are the same.

use crate::error::Result;
use arrow_array::RecordBatch;
use arrow_ord::ord::{DynComparator, make_comparator};
use arrow_schema::SortOptions;
use std::cmp::Ordering;

/// The places in `rows` where row `rows[at]` of `new` differs from row `at` of `old`.
pub(crate) fn different(old: &RecordBatch, new: &RecordBatch, rows: &[u32]) -> Result<Vec<usize>> {
    let pairs = old.columns().iter().zip(new.columns());
    let comparators = pairs.map(|(old, new)| make_comparator(old, new, SortOptions::default()));
    let comparators = comparators.collect::<Result<Vec<DynComparator>, _>>()?;
    let differs = |at: &usize| {
        let row = rows[*at] as usize;
        comparators.iter().any(|compare| compare(*at, row) != Ordering::Equal)
    };
    Ok((0..rows.len()).filter(differs).collect())
}
