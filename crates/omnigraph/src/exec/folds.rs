//! Values that were computed over the matches of blocks, as columns of rows.

use crate::error::Result;
use arrow_array::{Array, ArrayRef, new_null_array};
use arrow_schema::DataType;
use arrow_select::interleave::interleave;

/// One value per row. Rows are picked and put together without copying values.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoldColumn {
    parts: Vec<ArrayRef>,
    /// For each row the part and the place in it; nothing is null.
    places: Vec<Option<(u32, u32)>>,
}

impl FoldColumn {
    pub(super) fn new(values: ArrayRef) -> FoldColumn {
        let places = (0..values.len() as u32).map(|at| Some((0, at))).collect();
        FoldColumn { parts: vec![values], places }
    }

    /// As many rows without a value.
    pub(super) fn nulls(&self, len: usize) -> FoldColumn {
        FoldColumn { parts: self.parts.clone(), places: vec![None; len] }
    }

    pub(super) fn pick(&self, rows: &[u32]) -> FoldColumn {
        let places = rows.iter().map(|row| self.places[*row as usize]).collect();
        FoldColumn { parts: self.parts.clone(), places }
    }

    /// Rows behind these.
    pub(super) fn extend(&mut self, other: FoldColumn) {
        let before = self.parts.len() as u32;
        self.parts.extend(other.parts);
        self.places.extend(other.places.iter().map(|place| place.map(|(part, at)| (part + before, at))));
    }

    pub(super) fn array(&self) -> Result<ArrayRef> {
        let ty = self.parts.first().map_or(DataType::Null, |part| part.data_type().clone());
        let null = new_null_array(&ty, 1);
        let mut parts: Vec<&dyn Array> = self.parts.iter().map(AsRef::as_ref).collect();
        let nowhere = (parts.len(), 0);
        parts.push(null.as_ref());
        let place =
            |place: &Option<(u32, u32)>| place.map_or(nowhere, |(part, at)| (part as usize, at as usize));
        Ok(interleave(&parts, &self.places.iter().map(place).collect::<Vec<_>>())?)
    }
}
