//! Dense numbers for the ids of one node type.

use super::NO_NODE;
use arrow_array::{Array, StringArray};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// Ids that were ever seen, numbered in order of first sight.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
pub(crate) struct Known {
    text: String,
    ends: Vec<u64>,
    table: HashTable<u32>,
    hasher: FixedState,
}

impl Ids {
    /// The number of an id, if it was ever seen.
    pub(crate) fn find(&self, id: &str) -> Option<u32> {
        self.read().find(id)
    }

    /// Numbers for a column of ids; new ones get new numbers.
    pub(crate) fn intern(&self, column: &StringArray) -> Vec<u32> {
        let known = &mut *self.known.write().unwrap_or_else(PoisonError::into_inner);
        (0..column.len())
            .map(|row| if column.is_null(row) { NO_NODE } else { known.number(column.value(row)) })
            .collect()
    }

    /// For looking up many.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    pub(crate) fn find(&self, id: &str) -> Option<u32> {
        let same = |number: &u32| self.id(*number) == id;
        self.table.find(self.hasher.hash_one(id), same).copied()
    }

    /// The id of a number.
    pub(crate) fn id(&self, number: u32) -> &str {
        let at = number as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.text[start..self.ends[at] as usize]
    }

    fn number(&mut self, id: &str) -> u32 {
        if let Some(known) = self.find(id) {
            return known;
        }
        let number = self.ends.len() as u32;
        self.text.push_str(id);
        self.ends.push(self.text.len() as u64);
        let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        let hash_of = |number: &u32| {
            let at = *number as usize;
            let start = if at == 0 { 0 } else { ends[at - 1] as usize };
            hasher.hash_one(&text[start..ends[at] as usize])
        };
        self.table.insert_unique(hasher.hash_one(id), number, hash_of);
        number
    }
}
