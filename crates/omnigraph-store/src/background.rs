//! Folding beside the writers: a thread writes fewer and larger fragments, and the next write of the table takes them in.
//!
//! There is no commit for it and nothing to recover: a fold that nobody takes in is files that nothing names.

use crate::fold::{self, Folded};
use crate::record::TableEntry;
use crate::store::Store;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What is being folded, and what was, by directory of the table.
#[derive(Debug, Default)]
pub(crate) struct Background {
    slots: Mutex<HashMap<String, Slot>>,
    changed: Condvar,
    is_off: AtomicBool,
}

#[derive(Debug)]
enum Slot {
    Busy,
    Ready(Folded),
}

impl Background {
    fn slots(&self) -> MutexGuard<'_, HashMap<String, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// Whether small fragments are folded by a thread of their own, which is the default. A process that ends after one
    /// write does better without: its writes then fold what is overdue themselves.
    pub fn fold_in_background(&self, on: bool) {
        self.inner.background.is_off.store(!on, Ordering::Relaxed);
    }

    pub(crate) fn folds_in_background(&self) -> bool {
        !self.inner.background.is_off.load(Ordering::Relaxed)
    }

    /// Waits until no fold is under way, so that a program can end without leaving files behind.
    pub fn wait_for_folds(&self) {
        let background = &self.inner.background;
        let is_busy =
            |slots: &mut HashMap<String, Slot>| slots.values().any(|slot| matches!(slot, Slot::Busy));
        drop(background.changed.wait_while(background.slots(), is_busy));
    }

    /// Forgets what was folded and not taken in, because its files may go.
    pub(crate) fn forget_folds(&self) {
        self.inner.background.slots().retain(|_, slot| matches!(slot, Slot::Busy));
    }

    /// What was folded for a table.
    pub(crate) fn folded(&self, dir: &str) -> Option<Folded> {
        match self.inner.background.slots().get(dir) {
            Some(Slot::Ready(folded)) if !folded.is_old() => Some(folded.clone()),
            _ => None,
        }
    }

    /// Looks whether a table that was just written wants to be folded, and begins.
    pub(crate) fn look_after(&self, entry: &TableEntry) {
        let Some(table) = self.known_table(entry).filter(|_| self.folds_in_background()) else { return };
        let mut slots = self.inner.background.slots();
        match slots.get(&entry.dir) {
            Some(Slot::Busy) => return,
            Some(Slot::Ready(folded)) if folded.fits(&table) && !folded.is_old() => return,
            _ => {}
        }
        slots.remove(&entry.dir);
        let places = fold::wanted(&table);
        if places.is_empty() {
            return;
        }
        slots.insert(entry.dir.clone(), Slot::Busy);
        drop(slots);
        let (store, dir) = (self.clone(), entry.dir.clone());
        let work = move || {
            // Whatever goes wrong, the table is as it was, and a write folds when it has to.
            let folded = fold::fold(&store, &table, &places).ok();
            store.folded_now(&dir, folded);
        };
        if std::thread::Builder::new().name("omnigraph-fold".to_owned()).spawn(work).is_err() {
            self.folded_now(&entry.dir, None);
        }
    }

    fn folded_now(&self, dir: &str, folded: Option<Folded>) {
        let background = &self.inner.background;
        let mut slots = background.slots();
        match folded {
            Some(folded) => slots.insert(dir.to_owned(), Slot::Ready(folded)),
            None => slots.remove(dir),
        };
        drop(slots);
        background.changed.notify_all();
    }
}
