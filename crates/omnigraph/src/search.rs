//! Text and vector search on the tables of a view.

mod indexes;
mod rank;
mod score;

pub(crate) use indexes::SearchCaches;
pub(crate) use rank::{best_fused, fused};
pub(crate) use score::{best, scores};

use crate::error::Result;
use crate::exec::{Context, Kinds, NodeColumn};
use crate::rows::RowRef;
use crate::text::{Live, Match, Postings, TextIndex};
use crate::topology::NO_ROW;
use arrow_array::{Array, BooleanArray, StringArray};
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};
use omnigraph_compiler::query::typed::{TextMatch, TextMode};
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
type Found = HashMap<(u16, String, String), Arc<Vec<BooleanBuffer>>>;

impl Searches {
    /// Which rows of a fragment match.
    pub(crate) fn matching_fragment(
        &self,
        context: &Context<'_>,
        kind: u16,
        place: usize,
        text: &TextMatch,
        query: &str,
    ) -> Result<BooleanArray> {
        let what = matching(context, text, query)?;
        let key = (kind, text.property.clone(), format!("{what:?}"));
        if let Some(found) = self.found.borrow().get(&key) {
            return Ok(BooleanArray::new(found[place].clone(), None));
        }
        let Some(table) = context.view.node_table(kind)? else { return Ok(BooleanArray::new_null(0)) };
        let index = context.view.text_index(kind, &text.property)?;
        let mut masks: Vec<BooleanBufferBuilder> = table
            .fragments()
            .iter()
            .map(|fragment| {
                let mut mask = BooleanBufferBuilder::new(fragment.rows() as usize);
                mask.append_n(fragment.rows() as usize, false);
                mask
            })
            .collect();
        for row in index.find(&what) {
            masks[row.chunk as usize].set_bit(row.row as usize, true);
        }
        let masks: Arc<Vec<BooleanBuffer>> =
            Arc::new(masks.iter_mut().map(BooleanBufferBuilder::finish).collect());
        self.found.borrow_mut().insert(key, masks.clone());
        Ok(BooleanArray::new(masks[place].clone(), None))
    }

    /// Which nodes match. A text that is null matches nothing, and is not told from one without the words.
    #[expect(clippy::unused_self, reason = "the counterpart of the other one")]
    pub(crate) fn matching_rows(
        &self,
        context: &Context<'_>,
        text: &TextMatch,
        query: &str,
        column: &NodeColumn,
    ) -> Result<BooleanArray> {
        let what = matching(context, text, query)?;
        let mut matched = vec![false; column.numbers.len()];
        for (kind, rows) in by_kind(column) {
            let index = context.view.text_index(kind, &text.property)?;
            let places = places(context, kind, column, &rows)?;
            for (row, accepted) in rows.iter().zip(index.accept(&what, &places)) {
                matched[*row as usize] = accepted;
            }
        }
        Ok(BooleanArray::from(matched))
    }
}

/// Which texts match, without an index.
pub(crate) fn matching_texts(
    context: &Context<'_>,
    texts: &StringArray,
    text: &TextMatch,
    query: &str,
) -> Result<BooleanArray> {
    let what = matching(context, text, query)?;
    let index = TextIndex::new(vec![Live::new(Arc::new(Postings::build(texts)?), None)]);
    let mut matched = vec![false; texts.len()];
    index.find(&what).iter().for_each(|row| matched[row.row as usize] = true);
    Ok(BooleanArray::from(matched))
}

fn matching(context: &Context<'_>, text: &TextMatch, query: &str) -> Result<Match> {
    Ok(match &text.mode {
        TextMode::Words => Match::any(query),
        TextMode::Phrase => Match::phrase(query),
        TextMode::Fuzzy(None) => Match::near(query, None),
        TextMode::Fuzzy(Some(edits)) => {
            let edits = crate::exec::whole_number(context, edits, "the number of edits of `fuzzy`")?;
            Match::near(query, edits.map(|edits| u8::try_from(edits).unwrap_or(u8::MAX)))
        }
    })
}

/// The rows of each type among nodes, in order of first sight.
pub(crate) fn by_kind(column: &NodeColumn) -> Vec<(u16, Vec<u32>)> {
    let mut found: Vec<(u16, Vec<u32>)> = Vec::new();
    if let Kinds::One(kind) = column.kinds {
        return vec![(kind, (0..column.numbers.len() as u32).collect())];
    }
    for row in 0..column.numbers.len() {
        let kind = column.kinds.at(row);
        match found.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, rows)) => rows.push(row as u32),
            None => found.push((kind, vec![row as u32])),
        }
    }
    found
}

/// Where these nodes of one type are; a place that is in no chunk for those that are nowhere.
pub(crate) fn places(
    context: &Context<'_>,
    kind: u16,
    column: &NodeColumn,
    rows: &[u32],
) -> Result<Vec<RowRef>> {
    let index = context.view.index(kind)?;
    let table = context.view.node_table(kind)?;
    let nowhere = RowRef { chunk: u32::MAX, row: 0 };
    let place = |row: &u32| {
        let addr = index.raw(column.numbers[*row as usize]);
        let table: Option<&Arc<Table>> = table.filter(|_| addr != NO_ROW);
        let chunk = table.and_then(|table| table.place(RowAddr(addr).fragment()));
        chunk.map_or(nowhere, |chunk| RowRef { chunk: chunk as u32, row: RowAddr(addr).row() })
    };
    Ok(rows.iter().map(place).collect())
}
