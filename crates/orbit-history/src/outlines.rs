//! Outlines made ahead of time by a few threads, each with a `git cat-file` of its own, and kept by blob up to a
//! bound, so that a blob that was seen lately is not parsed again and memory does not grow with history.

use crate::error::HistoryError;
use crate::git::Oid;
use crate::git::blobs::Blobs;
use crate::outline::{self, MAX_BYTES, Outline};
use crossbeam_channel::{Receiver, Sender};
use orbit_git::Git;
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};

/// How many symbols the kept outlines have together, at most: about a hundred bytes each.
const KEPT_SYMBOLS: usize = 600_000;

type Key = (Oid, u64);

/// An outline that is being made, or is there.
#[derive(Default)]
pub(crate) struct Slot {
    outline: Mutex<Option<Arc<Outline>>>,
    ready: Condvar,
}

impl Slot {
    /// A file without symbols.
    pub(crate) fn empty() -> Arc<Slot> {
        Arc::new(Slot { outline: Mutex::new(Some(Arc::default())), ready: Condvar::new() })
    }

    /// The outline, when it is there.
    pub(crate) fn wait(&self) -> Arc<Outline> {
        let mut guard = lock(&self.outline);
        loop {
            if let Some(outline) = &*guard {
                return Arc::clone(outline);
            }
            guard = self.ready.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn fill(&self, outline: Outline) {
        *lock(&self.outline) = Some(Arc::new(outline));
        self.ready.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Job {
    oid: Oid,
    path: String,
    slot: Arc<Slot>,
}

/// Where outlines are asked for.
pub(crate) struct Outlines {
    kept: Mutex<Kept>,
    jobs: Sender<Job>,
}

#[derive(Default)]
struct Kept {
    slots: HashMap<Key, (Arc<Slot>, u64)>,
    clock: u64,
    /// Symbols of all outlines that were made since the last sweep, and those that survived it.
    symbols: usize,
    parsed: usize,
}

impl Outlines {
    /// Starts the threads. They end when the returned value is dropped.
    pub(crate) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        git: &Git,
        threads: usize,
    ) -> Result<(Arc<Outlines>, Vec<ScopedJoinHandle<'scope, ()>>), HistoryError> {
        let (jobs, queue) = crossbeam_channel::unbounded();
        let outlines = Arc::new(Outlines { kept: Mutex::default(), jobs });
        let mut workers = Vec::new();
        for _ in 0..threads.max(1) {
            let (queue, blobs) = (queue.clone(), Blobs::start(git)?);
            let weak = Arc::downgrade(&outlines);
            workers.push(scope.spawn(move || work(queue, blobs, &weak)));
        }
        Ok((outlines, workers))
    }

    /// The outline of a blob, in the making if it is not there.
    pub(crate) fn request(&self, oid: Oid, path: &str) -> Arc<Slot> {
        if !outline::has_symbols(path) {
            return Slot::empty();
        }
        let key = (oid, outline::reading(path));
        let mut kept = lock(&self.kept);
        kept.clock += 1;
        let clock = kept.clock;
        if let Some((slot, used)) = kept.slots.get_mut(&key) {
            *used = clock;
            return Arc::clone(slot);
        }
        let slot = Arc::new(Slot::default());
        kept.slots.insert(key, (Arc::clone(&slot), clock));
        drop(kept);
        let job = Job { oid, path: path.to_owned(), slot: Arc::clone(&slot) };
        if let Err(unsent) = self.jobs.send(job) {
            unsent.0.slot.fill(Outline::default());
        }
        slot
    }

    /// How many blobs were parsed.
    pub(crate) fn parsed(&self) -> usize {
        lock(&self.kept).parsed
    }

    fn made(&self, symbols: usize) {
        let mut kept = lock(&self.kept);
        kept.parsed += 1;
        // An outline without symbols takes room too.
        kept.symbols += symbols + 4;
        if kept.symbols > KEPT_SYMBOLS {
            kept.sweep();
        }
    }
}

impl Kept {
    /// Forgets the half that was not used for the longest time.
    fn sweep(&mut self) {
        let mut stamps: Vec<u64> = self.slots.values().map(|(_, used)| *used).collect();
        let middle = stamps.len() / 2;
        let (_, &mut median, _) = stamps.select_nth_unstable(middle);
        self.slots.retain(|_, (_, used)| *used >= median);
        self.symbols /= 2;
    }
}

fn work(queue: Receiver<Job>, mut blobs: Blobs, outlines: &std::sync::Weak<Outlines>) {
    for Job { oid, path, slot } in queue {
        // An object that is missing or unreadable has no symbols; the file is credited all the same.
        let made = match blobs.read(oid, MAX_BYTES) {
            Ok(Some(bytes)) => outline::outline(&path, &bytes),
            _ => Outline::default(),
        };
        if let Some(outlines) = outlines.upgrade() {
            outlines.made(made.symbols.len());
        }
        slot.fill(made);
    }
}
