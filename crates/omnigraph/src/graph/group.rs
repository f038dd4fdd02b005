//! Group commit: changes of one actor on one branch that wait for each other are published as one commit.
//!
//! The first to come leads: it takes everything that waits, runs it in order on one transaction, publishes, answers, and
//! looks again. A change that fails leaves no trace in the group.

use crate::error::{Error, Result};
use crate::write::Receipt;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Changes that go into one commit at most.
const MOST: usize = 128;

/// Branch and actor.
type Key = (String, Option<String>);

/// Those who wait, by branch and actor.
#[derive(Debug, Default)]
pub(super) struct Queues {
    lines: Mutex<HashMap<Key, Line>>,
}

#[derive(Debug, Default)]
struct Line {
    waiting: Vec<Arc<Waiting>>,
    is_led: bool,
}

/// A change that waits for its turn.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) source: String,
    pub(super) name: Option<String>,
    pub(super) given: Map<String, Value>,
    answer: Mutex<Option<Result<Receipt>>>,
    answered: Condvar,
}

impl Waiting {
    pub(super) fn new(source: &str, name: Option<&str>, given: &Map<String, Value>) -> Arc<Waiting> {
        Arc::new(Waiting {
            source: source.to_owned(),
            name: name.map(str::to_owned),
            given: given.clone(),
            answer: Mutex::new(None),
            answered: Condvar::new(),
        })
    }

    pub(super) fn answer(&self, answer: Result<Receipt>) {
        *locked(&self.answer) = Some(answer);
        self.answered.notify_all();
    }

    pub(super) fn is_answered(&self) -> bool {
        locked(&self.answer).is_some()
    }

    fn wait(&self) -> Result<Receipt> {
        let mut answer = locked(&self.answer);
        loop {
            match answer.take() {
                Some(answer) => return answer,
                None => answer = self.answered.wait(answer).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl Queues {
    /// Waits in line; whoever is first runs the groups.
    pub(super) fn run(
        &self,
        key: Key,
        change: Arc<Waiting>,
        group: impl Fn(&[Arc<Waiting>]),
    ) -> Result<Receipt> {
        let leads = {
            let mut lines = locked(&self.lines);
            let line = lines.entry(key.clone()).or_default();
            line.waiting.push(change.clone());
            !std::mem::replace(&mut line.is_led, true)
        };
        if leads {
            let mut leader = Leader { queues: self, key, group: Vec::new() };
            while leader.next() {
                group(&leader.group);
            }
        }
        change.wait()
    }
}

/// Whoever leads answers everybody, even when it fails in an unforeseen way.
struct Leader<'q> {
    queues: &'q Queues,
    key: Key,
    group: Vec<Arc<Waiting>>,
}

impl Leader<'_> {
    /// Takes those who wait; gives up the lead when nobody does.
    fn next(&mut self) -> bool {
        self.group.clear();
        let mut lines = locked(&self.queues.lines);
        let Some(line) = lines.get_mut(&self.key) else { return false };
        let count = line.waiting.len().min(MOST);
        self.group.extend(line.waiting.drain(..count));
        if self.group.is_empty() {
            lines.remove(&self.key);
        }
        !self.group.is_empty()
    }
}

impl Drop for Leader<'_> {
    fn drop(&mut self) {
        if self.group.is_empty() {
            return;
        }
        let line = locked(&self.queues.lines).remove(&self.key).unwrap_or_default();
        let left = self.group.iter().chain(&line.waiting).filter(|change| !change.is_answered());
        left.for_each(|change| change.answer(Err(Error::damaged("the writer of the group stopped"))));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
