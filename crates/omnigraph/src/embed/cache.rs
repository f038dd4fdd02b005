//! Vectors that were made before.

use super::{Embedder, Task};
use crate::error::Error;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// Floats that are kept unless told otherwise: 64 MiB.
const FLOATS: usize = 16 << 20;

/// Remembers vectors by the hash of their text, and asks for each text once. The oldest are forgotten first.
#[derive(Debug)]
pub struct Cached<E> {
    inner: E,
    capacity: usize,
    memory: Mutex<Memory>,
}

type Key = [u8; 32];

#[derive(Debug, Default)]
struct Memory {
    vectors: HashMap<Key, Arc<[f32]>>,
    order: VecDeque<Key>,
    floats: usize,
}

impl<E: Embedder> Cached<E> {
    /// Around another embedder.
    pub fn new(inner: E) -> Cached<E> {
        Cached { inner, capacity: FLOATS, memory: Mutex::default() }
    }

    /// Keeps at most so many floats.
    #[must_use]
    pub fn with_capacity(mut self, floats: usize) -> Cached<E> {
        self.capacity = floats;
        self
    }

    fn known(&self, keys: &[Key]) -> HashMap<Key, Arc<[f32]>> {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        keys.iter().filter_map(|key| Some((*key, Arc::clone(memory.vectors.get(key)?)))).collect()
    }

    fn remember(&self, key: Key, vector: &Arc<[f32]>) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if memory.vectors.insert(key, Arc::clone(vector)).is_none() {
            memory.order.push_back(key);
            memory.floats += vector.len();
        }
        while memory.floats > self.capacity
            && let Some(oldest) = memory.order.pop_front()
        {
            let dropped = memory.vectors.remove(&oldest).map_or(0, |vector| vector.len());
            memory.floats -= dropped;
        }
    }
}

impl<E: Embedder> Embedder for Cached<E> {
    fn embed(&self, texts: &[&str], task: Task, dim: usize) -> Result<Vec<Vec<f32>>, Error> {
        let keys: Vec<Key> = texts.iter().map(|text| key(text, task, dim)).collect();
        let mut vectors = self.known(&keys);
        let mut wanted: Vec<(Key, &str)> = Vec::new();
        let mut asked = HashSet::new();
        for (key, text) in keys.iter().zip(texts) {
            if !vectors.contains_key(key) && asked.insert(key) {
                wanted.push((*key, text));
            }
        }
        if !wanted.is_empty() {
            let texts: Vec<&str> = wanted.iter().map(|(_, text)| *text).collect();
            let made = self.inner.embed(&texts, task, dim)?;
            for ((key, _), vector) in wanted.iter().zip(made) {
                let vector: Arc<[f32]> = vector.into();
                self.remember(*key, &vector);
                vectors.insert(*key, vector);
            }
        }
        let found: Option<Vec<Vec<f32>>> =
            keys.iter().map(|key| vectors.get(key).map(|vector| vector.to_vec())).collect();
        found.ok_or_else(|| super::refused("fewer vectors than texts".into()))
    }

    fn model(&self) -> &str {
        self.inner.model()
    }
}

impl Embedder for Box<dyn Embedder> {
    fn embed(&self, texts: &[&str], task: Task, dim: usize) -> Result<Vec<Vec<f32>>, Error> {
        self.as_ref().embed(texts, task, dim)
    }

    fn model(&self) -> &str {
        self.as_ref().model()
    }
}

fn key(text: &str, task: Task, dim: usize) -> Key {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[u8::from(task == Task::Query)]);
    hasher.update(&(dim as u64).to_le_bytes());
    hasher.update(text.as_bytes());
    *hasher.finalize().as_bytes()
}
