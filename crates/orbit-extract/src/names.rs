//! File-local interning: an identifier is written once per file and is a number everywhere else.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// An interned string of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub u32);

/// The strings of one file, in order of first use.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    ends: Vec<u32>,
    index: HashTable<u32>,
}

const HASHER: FixedState = FixedState::with_seed(0x6f72_6269);

impl Names {
    /// The number of `text`, giving it one on first sight.
    pub fn intern(&mut self, text: &str) -> NameId {
        let hash = HASHER.hash_one(text);
        let (stored, ends) = (&self.text, &self.ends);
        if let Some(&id) = self.index.find(hash, |&id| slice(stored, ends, id) == text) {
            return NameId(id);
        }
        let id = self.ends.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        let (stored, ends) = (&self.text, &self.ends);
        self.index.insert_unique(hash, id, |&id| HASHER.hash_one(slice(stored, ends, id)));
        NameId(id)
    }

    /// The number of `text`, if it has one.
    pub fn find(&self, text: &str) -> Option<NameId> {
        let (stored, ends) = (&self.text, &self.ends);
        self.index.find(HASHER.hash_one(text), |&id| slice(stored, ends, id) == text).map(|id| NameId(*id))
    }

    /// Adds `text` as the next number without looking for it: for reading a stored table back.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
    }

    /// The same strings for reading only.
    #[must_use]
    pub fn without_index(&self) -> Names {
        Names { text: self.text.clone(), ends: self.ends.clone(), index: HashTable::new() }
    }

    /// The string behind a number.
    pub fn get(&self, id: NameId) -> &str {
        slice(&self.text, &self.ends, id.0)
    }

    /// The string behind a number as the source has it: without the number of type parameters that C# tells types
    /// of one name apart by (``List`1``).
    pub fn as_written(&self, id: NameId) -> &str {
        let text = self.get(id);
        match text.split_once('`') {
            Some((name, arity)) if !name.is_empty() && arity.parse::<u32>().is_ok() => name,
            _ => text,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All strings by number.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|id| slice(&self.text, &self.ends, id))
    }
}

fn slice<'t>(text: &'t str, ends: &[u32], id: u32) -> &'t str {
    let start = if id == 0 { 0 } else { ends[id as usize - 1] as usize };
    &text[start..ends[id as usize] as usize]
}
