//! Where the row of each node of a table version is.

use super::{NO_ROW, Numbers};
use crate::error::Result;
use arrow_buffer::BooleanBuffer;
use omnigraph_store::{RowAddr, Table, Weight};
use std::sync::Arc;

/// Row addresses by node number.
#[derive(Debug, Default)]
pub(crate) struct NodeIndex {
    rows: Vec<u64>,
    parts: Vec<Part>,
}

/// What a fragment added.
#[derive(Clone, Debug)]
struct Part {
    id: u32,
    files: Arc<str>,
    live_key: Arc<str>,
    live: Option<BooleanBuffer>,
    numbers: Arc<Numbers>,
}

impl NodeIndex {
    /// The address of a node's row; `None` when this version has none.
    pub(crate) fn row(&self, node: u32) -> Option<RowAddr> {
        self.rows.get(node as usize).copied().filter(|row| *row != NO_ROW).map(RowAddr)
    }

    /// As it is stored; [`NO_ROW`] when there is none.
    pub(crate) fn raw(&self, node: u32) -> u64 {
        self.rows.get(node as usize).copied().unwrap_or(NO_ROW)
    }

    /// The index of a version; what an older one knows is taken over, and only what differs is looked at.
    pub(crate) fn build(
        table: &Table,
        old: Option<&NodeIndex>,
        mut numbers: impl FnMut(usize) -> Result<Arc<Numbers>>,
    ) -> Result<NodeIndex> {
        let mut index =
            NodeIndex { rows: old.map(|old| old.rows.clone()).unwrap_or_default(), parts: Vec::new() };
        let known = |id: u32, files: &Arc<str>| {
            old.and_then(|old| old.parts.iter().find(|part| part.id == id && part.files == *files))
        };
        for part in old.iter().flat_map(|old| &old.parts) {
            let kept =
                table.place(part.id).is_some_and(|place| table.fragments()[place].files() == &part.files);
            if !kept {
                index.clear(part, |_| false);
            }
        }
        for (place, fragment) in table.fragments().iter().enumerate() {
            let before = known(fragment.id(), fragment.files());
            if let Some(part) = before.filter(|part| part.live_key == *fragment.live_key()) {
                index.parts.push(part.clone());
                continue;
            }
            let part = Part {
                id: fragment.id(),
                files: fragment.files().clone(),
                live_key: fragment.live_key().clone(),
                live: table.live(place)?,
                numbers: match before {
                    Some(part) => part.numbers.clone(),
                    None => numbers(place)?,
                },
            };
            // An older commit, or another branch, has rows that are deleted in the version that is taken over.
            if let Some(before) = before {
                index.clear(before, |row| part.is_live(row));
            }
            index.add(&part);
            index.parts.push(part);
        }
        Ok(index)
    }

    fn add(&mut self, part: &Part) {
        let most = part.numbers.0.iter().copied().max().map_or(0, |most| most as usize + 1);
        if self.rows.len() < most {
            self.rows.resize(most, NO_ROW);
        }
        for (row, number) in part.numbers.0.iter().enumerate() {
            if part.is_live(row) {
                self.rows[*number as usize] = RowAddr::new(part.id, row as u32).0;
            }
        }
    }

    /// Forgets the rows of a part that do not stay. A row that has moved is known by its new place already.
    fn clear(&mut self, part: &Part, stays: impl Fn(usize) -> bool) {
        for (row, number) in part.numbers.0.iter().enumerate() {
            let here = RowAddr::new(part.id, row as u32).0;
            if part.is_live(row) && !stays(row) && self.rows[*number as usize] == here {
                self.rows[*number as usize] = NO_ROW;
            }
        }
    }
}

impl Part {
    fn is_live(&self, row: usize) -> bool {
        self.live.as_ref().is_none_or(|live| live.value(row))
    }
}

impl Weight for NodeIndex {
    fn weight(&self) -> usize {
        self.rows.len() * 8
    }
}
