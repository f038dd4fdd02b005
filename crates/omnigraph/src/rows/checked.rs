//! Rows that have been checked and wait for what is missing: ids that nobody gave.

use crate::cells::Ulids;
use crate::error::Error;
use crate::validate::TypeRules;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use std::sync::Arc;

/// Checked rows; only ids that nobody gave are missing.
#[derive(Debug)]
pub struct Rows {
    pub(crate) rules: Arc<TypeRules>,
    /// In the order of the schema. Of ids, those without a key may be null.
    pub(crate) arrays: Vec<ArrayRef>,
    /// Of each row; empty when rows have none.
    pub lines: Vec<u64>,
}

impl Rows {
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.arrays.first().map_or(0, Array::len)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As a batch of the open schema of the type.
    pub fn into_batch(mut self, ids: &mut Ulids) -> Result<RecordBatch, Error> {
        if let Some(present) = self.arrays[0].as_any().downcast_ref::<StringArray>()
            && present.null_count() > 0
        {
            let filled: StringArray =
                present.iter().map(|id| Some(id.map_or_else(|| ids.next_id(), str::to_owned))).collect();
            self.arrays[0] = Arc::new(filled);
        }
        Ok(RecordBatch::try_new(Arc::clone(self.rules.open_schema()), self.arrays)?)
    }
}
