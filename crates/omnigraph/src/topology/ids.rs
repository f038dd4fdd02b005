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
    table: HashTable<Entry>,
    hasher: FixedState,
}

/// A number by the hash of its id, which says without a look at the text what it cannot be.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    number: u32,
}

impl Entry {
    /// Where it belongs: the table looks at both ends of 64 bits.
    fn place(self) -> u64 {
        place(self.hash)
    }
}

fn place(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Ids {
    /// The number of an id, if it was ever seen.
    pub(crate) fn find(&self, id: &str) -> Option<u32> {
        self.read().find(id)
    }

    /// Numbers for a column of ids; new ones get new numbers.
    pub(crate) fn intern(&self, column: &StringArray) -> Vec<u32> {
        let known = &mut *self.known.write().unwrap_or_else(PoisonError::into_inner);
        // The memory that one id leads to is far from that of the next. Asked for together, it comes together.
        let hashes: Vec<u32> = (0..column.len()).map(|row| known.hash(column.value(row))).collect();
        let guesses: Vec<u32> = hashes.iter().map(|hash| known.guess(*hash)).collect();
        let number = |row: usize| match guesses[row] {
            _ if column.is_null(row) => NO_NODE,
            guess if guess != NO_NODE && known.id(guess) == column.value(row) => guess,
            _ => known.number(column.value(row), hashes[row]),
        };
        (0..column.len()).map(number).collect()
    }

    /// For looking up many.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    pub(crate) fn find(&self, id: &str) -> Option<u32> {
        self.find_hashed(id, self.hash(id))
    }

    fn find_hashed(&self, id: &str, hash: u32) -> Option<u32> {
        let same = |entry: &Entry| entry.hash == hash && self.id(entry.number) == id;
        self.table.find(place(hash), same).map(|entry| entry.number)
    }

    fn hash(&self, id: &str) -> u32 {
        (self.hasher.hash_one(id) >> 32) as u32
    }

    /// The number that has this hash, if any has; another may have it, too.
    fn guess(&self, hash: u32) -> u32 {
        self.table.find(place(hash), |entry| entry.hash == hash).map_or(NO_NODE, |entry| entry.number)
    }

    /// The id of a number.
    pub(crate) fn id(&self, number: u32) -> &str {
        let at = number as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.text[start..self.ends[at] as usize]
    }

    fn number(&mut self, id: &str, hash: u32) -> u32 {
        if let Some(known) = self.find_hashed(id, hash) {
            return known;
        }
        let number = self.ends.len() as u32;
        self.text.push_str(id);
        self.ends.push(self.text.len() as u64);
        self.table.insert_unique(place(hash), Entry { hash, number }, |entry| entry.place());
        number
    }
}
