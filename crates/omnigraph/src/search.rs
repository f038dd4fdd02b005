//! Text and vector search on the tables of a view, by values: what an expression says is computed before.

mod fusion;
mod score;

pub(crate) use fusion::{Ranked, best_fused, fused};
pub(crate) use score::{Query, best, scores};

use crate::error::Result;
use crate::rows::RowRef;
use crate::text::Match;
use crate::topology::NO_ROW;
use crate::view::View;
use arrow_array::BooleanArray;
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};
use omnigraph_store::{RowAddr, Table};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// What text searches of one query found, fragment by fragment.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    found: RefCell<Found>,
}

/// Rows of every fragment by type, property and search.
type Found = HashMap<(u16, String, Match), Arc<Vec<BooleanBuffer>>>;

impl Searches {
    /// Which rows of a fragment match.
    pub(crate) fn matching_fragment(
        &self,
        view: &View,
        kind: u16,
        place: usize,
        property: &str,
        what: Match,
    ) -> Result<BooleanArray> {
        let key = (kind, property.to_owned(), what);
        if let Some(found) = self.found.borrow().get(&key) {
            return Ok(BooleanArray::new(found[place].clone(), None));
        }
        let Some(table) = view.node_table(kind)? else { return Ok(BooleanArray::new_null(0)) };
        let index = view.text_index(kind, property)?;
        let mut masks: Vec<BooleanBufferBuilder> = table
            .fragments()
            .iter()
            .map(|fragment| {
                let mut mask = BooleanBufferBuilder::new(fragment.rows() as usize);
                mask.append_n(fragment.rows() as usize, false);
                mask
            })
            .collect();
        for row in index.find(&key.2) {
            masks[row.chunk as usize].set_bit(row.row as usize, true);
        }
        let masks: Arc<Vec<BooleanBuffer>> =
            Arc::new(masks.iter_mut().map(BooleanBufferBuilder::finish).collect());
        self.found.borrow_mut().insert(key, masks.clone());
        Ok(BooleanArray::new(masks[place].clone(), None))
    }
}

/// Which of some nodes of one type match. A text that is null matches nothing, and is not told from one without the words.
pub(crate) fn matching_nodes(
    view: &View,
    kind: u16,
    numbers: &[u32],
    property: &str,
    what: &Match,
) -> Result<Vec<bool>> {
    let places = places(view, kind, numbers)?;
    Ok(view.text_index(kind, property)?.accept(what, &places))
}

/// Where these nodes of one type are; a place that is in no chunk for those that are nowhere.
fn places(view: &View, kind: u16, numbers: &[u32]) -> Result<Vec<RowRef>> {
    let index = view.index(kind)?;
    let table = view.node_table(kind)?;
    let nowhere = RowRef { chunk: u32::MAX, row: 0 };
    let place = |number: &u32| {
        let addr = index.raw(*number);
        let table: Option<&Arc<Table>> = table.filter(|_| addr != NO_ROW);
        let chunk = table.and_then(|table| table.place(RowAddr(addr).fragment()));
        chunk.map_or(nowhere, |chunk| RowRef { chunk: chunk as u32, row: RowAddr(addr).row() })
    };
    Ok(numbers.iter().map(place).collect())
}
