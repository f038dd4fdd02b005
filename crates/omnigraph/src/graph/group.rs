//! Group commit: changes of one actor on one branch that wait for each other are published as one commit.
//!
//! The first to come leads: it takes everything that waits, runs it in order on one transaction, publishes and answers. Then
//! the first of those who came meanwhile leads, so that nobody works for others after its own change is done. A change that
//! fails leaves no trace in the group.

use crate::error::{Error, Result};
use crate::stop::Stop;
use crate::write::Receipt;
use serde_json::{Map, Value};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
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
    waiting: VecDeque<Arc<Waiting>>,
    is_led: bool,
}

/// A change that waits for its turn.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) source: String,
    pub(super) name: Option<String>,
    pub(super) given: Map<String, Value>,
    /// Of the caller: another thread may run the change.
    pub(super) stop: Stop,
    word: Mutex<Option<Word>>,
    said: Condvar,
    /// Stays when the answer was taken.
    is_answered: AtomicBool,
}

/// What somebody who waits is told.
#[derive(Debug)]
enum Word {
    /// How the change went.
    Answer(Result<Receipt>),
    /// It is the first in line, and leads.
    Lead,
}

impl Waiting {
    pub(super) fn new(
        source: &str,
        name: Option<&str>,
        given: &Map<String, Value>,
        stop: &Stop,
    ) -> Arc<Waiting> {
        Arc::new(Waiting {
            source: source.to_owned(),
            name: name.map(str::to_owned),
            given: given.clone(),
            stop: stop.clone(),
            word: Mutex::new(None),
            said: Condvar::new(),
            is_answered: AtomicBool::new(false),
        })
    }

    pub(super) fn answer(&self, answer: Result<Receipt>) {
        self.is_answered.store(true, Ordering::Release);
        self.say(Word::Answer(answer));
    }

    pub(super) fn is_answered(&self) -> bool {
        self.is_answered.load(Ordering::Acquire)
    }

    fn say(&self, word: Word) {
        *locked(&self.word) = Some(word);
        self.said.notify_all();
    }

    fn wait(&self) -> Word {
        let mut word = locked(&self.word);
        loop {
            match word.take() {
                Some(word) => return word,
                None => word = self.said.wait(word).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl Queues {
    /// Waits in line; whoever is first runs the group of all who wait.
    pub(super) fn run(
        &self,
        key: Key,
        change: Arc<Waiting>,
        group: impl Fn(&[Arc<Waiting>]),
    ) -> Result<Receipt> {
        let mut leads = {
            let mut lines = locked(&self.lines);
            let line = lines.entry(key.clone()).or_default();
            line.waiting.push_back(change.clone());
            !std::mem::replace(&mut line.is_led, true)
        };
        loop {
            if leads {
                let leader = Leader { queues: self, group: self.first(&key), key: &key };
                group(&leader.group);
            }
            match change.wait() {
                Word::Answer(answer) => return answer,
                Word::Lead => leads = true,
            }
        }
    }

    /// Takes those who wait. Whoever leads is the first of them.
    fn first(&self, key: &Key) -> Vec<Arc<Waiting>> {
        let mut lines = locked(&self.lines);
        let Some(line) = lines.get_mut(key) else { return Vec::new() };
        let count = line.waiting.len().min(MOST);
        line.waiting.drain(..count).collect()
    }
}

/// Whoever leads answers its group, even when it fails in an unforeseen way, and hands the lead on.
struct Leader<'q> {
    queues: &'q Queues,
    key: &'q Key,
    group: Vec<Arc<Waiting>>,
}

impl Drop for Leader<'_> {
    fn drop(&mut self) {
        let left = self.group.iter().filter(|change| !change.is_answered());
        left.for_each(|change| change.answer(Err(Error::damaged("the writer of the group stopped"))));
        let mut lines = locked(&self.queues.lines);
        let next = lines.get(self.key).and_then(|line| line.waiting.front().cloned());
        match next {
            Some(next) => next.say(Word::Lead),
            None => {
                lines.remove(self.key);
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn change() -> Arc<Waiting> {
        Waiting::new("", None, &Map::new(), &Stop::default())
    }

    fn done(group: &[Arc<Waiting>]) {
        for change in group {
            change.answer(Err(Error::request("done")));
        }
    }

    #[test]
    fn nobody_leads_when_its_own_change_is_done() {
        let queues = Queues::default();
        let key = || ("main".to_owned(), None);
        let (first, second) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let is_waiting = || locked(&queues.lines).values().any(|line| !line.waiting.is_empty());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                queues.run(key(), change(), |group| {
                    first.fetch_add(1, Ordering::SeqCst);
                    while !is_waiting() {
                        std::thread::yield_now();
                    }
                    done(group);
                })
            });
            while first.load(Ordering::SeqCst) == 0 {
                std::thread::yield_now();
            }
            scope.spawn(|| {
                queues.run(key(), change(), |group| {
                    second.fetch_add(1, Ordering::SeqCst);
                    done(group);
                })
            });
        });
        assert_eq!((first.into_inner(), second.into_inner()), (1, 1));
        assert!(locked(&queues.lines).is_empty());
    }

    #[test]
    fn who_fails_in_an_unforeseen_way_hands_the_lead_on() {
        let queues = Queues::default();
        let key = || ("main".to_owned(), None);
        std::thread::scope(|scope| {
            let failed = scope.spawn(|| queues.run(key(), change(), |_| panic!("unforeseen")));
            assert!(failed.join().is_err());
        });
        let answer = queues.run(key(), change(), done);
        assert!(matches!(answer, Err(Error::Request(_))), "{answer:?}");
        assert!(locked(&queues.lines).is_empty());
    }
}
