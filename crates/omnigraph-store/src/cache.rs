//! A cache that is bounded by bytes and forgets what was not used for longest.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// How much memory a value holds.
pub trait Weight {
    /// In bytes.
    fn weight(&self) -> usize;
}

impl Weight for arrow_array::ArrayRef {
    fn weight(&self) -> usize {
        self.get_array_memory_size()
    }
}

/// Values by key. A value that is in use stays alive after the cache has forgotten it.
#[derive(Debug)]
pub struct ByteCache<K, V> {
    capacity: usize,
    entries: Mutex<Entries<K, V>>,
}

#[derive(Debug)]
struct Entries<K, V> {
    by_key: HashMap<K, Entry<V>>,
    bytes: usize,
    clock: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    bytes: usize,
    used: u64,
}

impl<K: Eq + Hash + Clone, V: Clone + Weight> ByteCache<K, V> {
    /// For at most so many bytes.
    pub fn new(capacity: usize) -> ByteCache<K, V> {
        let entries = Entries { by_key: HashMap::new(), bytes: 0, clock: 0 };
        ByteCache { capacity, entries: Mutex::new(entries) }
    }

    /// What is known for a key.
    pub fn get(&self, key: &K) -> Option<V> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.clock += 1;
        let now = entries.clock;
        let entry = entries.by_key.get_mut(key)?;
        entry.used = now;
        Some(entry.value.clone())
    }

    /// Remembers a value, and forgets old ones if it must. A value heavier than the whole cache is not kept.
    pub fn put(&self, key: K, value: V) {
        let bytes = value.weight();
        if bytes > self.capacity {
            return;
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.clock += 1;
        let entry = Entry { value, bytes, used: entries.clock };
        entries.bytes += bytes;
        if let Some(old) = entries.by_key.insert(key, entry) {
            entries.bytes -= old.bytes;
        }
        if entries.bytes > self.capacity {
            entries.shrink(self.capacity / 10 * 9);
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).bytes
    }

    /// What is known for a key, or what is made for it now. Two threads may make the same value.
    pub fn get_or<E>(&self, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        if let Some(value) = self.get(&key) {
            return Ok(value);
        }
        let value = make()?;
        self.put(key, value.clone());
        Ok(value)
    }
}

impl<K: Eq + Hash + Clone, V> Entries<K, V> {
    fn shrink(&mut self, to: usize) {
        let mut by_age: Vec<(u64, K)> =
            self.by_key.iter().map(|(key, entry)| (entry.used, key.clone())).collect();
        by_age.sort_unstable_by_key(|(used, _)| *used);
        for (_, key) in by_age {
            if self.bytes <= to {
                return;
            }
            if let Some(entry) = self.by_key.remove(&key) {
                self.bytes -= entry.bytes;
            }
        }
    }
}

impl<T: Weight> Weight for Arc<T> {
    fn weight(&self) -> usize {
        T::weight(self)
    }
}
