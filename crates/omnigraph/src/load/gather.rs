//! Rows of one type from many parts of a file, in blocks of a good size.

use super::{Block, Target};
use crate::error::Error;
use crate::rows::{BLOCK_ROWS, Rows, Ulids};
use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use std::collections::{BTreeMap, VecDeque};

/// Rows from which on a block is worth handing over alone.
const ENOUGH_ROWS: usize = BLOCK_ROWS / 2;
/// Bytes that may wait for more rows of their types.
const WAITING_BYTES: usize = 64 << 20;

/// Holds back small pieces until there are enough rows of their type.
pub(super) struct Gather {
    ids: Ulids,
    waiting: BTreeMap<Target, Waiting>,
    ready: VecDeque<Block>,
}

#[derive(Default)]
struct Waiting {
    batches: Vec<RecordBatch>,
    lines: Vec<u64>,
    rows: usize,
    bytes: usize,
}

impl Gather {
    pub(super) fn new(ids: Ulids) -> Gather {
        Gather { ids, waiting: BTreeMap::new(), ready: VecDeque::new() }
    }

    /// Adds at most a block of rows.
    pub(super) fn add(&mut self, mut rows: Rows) -> Result<(), Error> {
        if rows.is_empty() {
            return Ok(());
        }
        let target = Target::of(&rows.rules);
        let lines = std::mem::take(&mut rows.lines);
        let batch = rows.into_batch(&mut self.ids)?;
        let waiting = self.waiting.entry(target.clone()).or_default();
        if waiting.rows + batch.num_rows() > BLOCK_ROWS {
            let full = std::mem::take(waiting);
            self.ready.push_back(full.into_block(target.clone())?);
        }
        let waiting = self.waiting.entry(target.clone()).or_default();
        waiting.bytes += batch.get_array_memory_size();
        waiting.rows += batch.num_rows();
        waiting.lines.extend(lines);
        waiting.batches.push(batch);
        if waiting.rows >= ENOUGH_ROWS {
            let full = std::mem::take(waiting);
            self.ready.push_back(full.into_block(target)?);
        }
        let bytes: usize = self.waiting.values().map(|waiting| waiting.bytes).sum();
        if bytes > WAITING_BYTES { self.flush() } else { Ok(()) }
    }

    /// A block that need not wait for more.
    pub(super) fn hand_over(&mut self, block: Block) {
        self.ready.push_back(block);
    }

    /// Hands over what waits.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        for (target, waiting) in std::mem::take(&mut self.waiting) {
            if waiting.rows > 0 {
                self.ready.push_back(waiting.into_block(target)?);
            }
        }
        Ok(())
    }

    pub(super) fn next_block(&mut self) -> Option<Block> {
        self.ready.pop_front()
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.ready.clear();
    }
}

impl Waiting {
    fn into_block(mut self, target: Target) -> Result<Block, Error> {
        let batch = if self.batches.len() == 1 {
            self.batches.remove(0)
        } else {
            let Some(first) = self.batches.first() else {
                return Err(Error::Internal("a block without rows".into()));
            };
            concat_batches(&first.schema(), &self.batches)?
        };
        Ok(Block { target, batch, lines: self.lines, is_delete: false })
    }
}
