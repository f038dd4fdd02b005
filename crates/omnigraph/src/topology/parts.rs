//! What is derived from one fragment. Fragments never change, so neither does this.

use super::Ids;
use crate::error::{Error, Result};
use arrow_array::{Array, ArrayRef, StringArray};
use omnigraph_store::{Table, Weight};
use std::sync::Arc;

/// The numbers of the nodes of a fragment, row by row.
#[derive(Debug)]
pub(crate) struct Numbers(pub(crate) Vec<u32>);

/// The numbers of the nodes at both ends of the edges of a fragment, row by row.
#[derive(Debug)]
pub(crate) struct Ends {
    pub(crate) src: Vec<u32>,
    pub(crate) dst: Vec<u32>,
}

impl Numbers {
    pub(crate) fn read(table: &Table, place: usize, ids: &Ids) -> Result<Arc<Numbers>> {
        Ok(Arc::new(Numbers(ids.intern(texts(&table.column(place, "id")?)?))))
    }
}

impl Ends {
    pub(crate) fn read(table: &Table, place: usize, from: &Ids, to: &Ids) -> Result<Arc<Ends>> {
        let columns = table.columns(place, &["src", "dst"])?;
        Ok(Arc::new(Ends { src: from.intern(texts(&columns[0])?), dst: to.intern(texts(&columns[1])?) }))
    }
}

/// A column of ids as what it is.
pub(crate) fn texts(column: &ArrayRef) -> Result<&StringArray> {
    column.as_any().downcast_ref().ok_or_else(|| Error::damaged("a column of ids holds no text"))
}

impl Weight for Numbers {
    fn weight(&self) -> usize {
        self.0.len() * 4
    }
}

impl Weight for Ends {
    fn weight(&self) -> usize {
        self.src.len() * 8
    }
}
