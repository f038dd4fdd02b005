//! Walking the history: what came before a commit, what came behind one, and where two lines of commits meet.
//!
//! Records of a log have numbers without gaps, so a walk knows the names of the records that it will need and reads
//! several at a time; what was read once is kept.

use crate::Result;
use crate::cache::Weight;
use crate::commit_id::CommitId;
use crate::error::Error;
use crate::log;
use crate::snapshot::Snapshot;
use crate::store::Store;
use futures::future::try_join_all;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

/// Bytes of records to keep.
pub(crate) const RECORD_CACHE: usize = 32 << 20;

/// Records of one log that are read at a time, once a walk has shown that it goes on.
const AT_ONCE: u64 = 64;

/// Reads commits, more at a time the longer a walk goes down one log.
struct Walk<'s> {
    store: &'s Store,
    log: String,
    next: u64,
}

impl Walk<'_> {
    fn new(store: &Store) -> Walk<'_> {
        Walk { store, log: String::new(), next: 1 }
    }

    async fn read(&mut self, id: &CommitId) -> Result<Arc<Snapshot>> {
        if let Some(known) = self.store.inner.records.get(id) {
            return Ok(known);
        }
        let (uid, seq) = id.place();
        if self.log != uid {
            (self.log, self.next) = (uid.to_owned(), 1);
        }
        let first = seq.saturating_sub(self.next - 1).max(1);
        self.next = (self.next * 2).min(AT_ONCE);
        let found = self.store.records(uid, first, seq).await?;
        found.into_iter().find(|found| found.id() == id).ok_or_else(|| no_commit(id))
    }
}

fn no_commit(id: &CommitId) -> Error {
    Error::NoCommit { wanted: id.to_string() }
}

impl Store {
    /// A commit by its id.
    pub(crate) async fn commit(&self, id: &CommitId) -> Result<Arc<Snapshot>> {
        Walk::new(self).read(id).await
    }

    /// The records of a log with these numbers that are there.
    async fn records(&self, uid: &str, first: u64, last: u64) -> Result<Vec<Arc<Snapshot>>> {
        let objects = &self.inner.objects;
        let reads = (first..=last).map(|seq| async move { Ok((seq, log::read(objects, uid, seq).await?)) });
        let read: Vec<(u64, Option<_>)> = try_join_all(reads).await?;
        let found = read.into_iter().filter_map(|(seq, record)| {
            let snapshot = Arc::new(Snapshot { record: record?, uid: uid.to_owned(), seq });
            self.inner.records.put(snapshot.id().clone(), snapshot.clone());
            Some(snapshot)
        });
        Ok(found.collect())
    }

    /// A commit and those before it, newest first, along the way that they were made; at most so many.
    pub fn history(&self, head: &Arc<Snapshot>, limit: usize) -> Result<Vec<Arc<Snapshot>>> {
        self.wait(async {
            let mut walk = Walk::new(self);
            let mut found = Vec::new();
            let mut next = Some(head.clone());
            while let Some(commit) = next.take().filter(|_| found.len() < limit) {
                if let Some(parent) = commit.record.parent.clone().filter(|_| found.len() + 1 < limit) {
                    next = Some(walk.read(&parent).await?);
                }
                found.push(commit);
            }
            Ok(found)
        })
    }

    /// The commits behind `since` on the way to `head`, oldest first; at most so many. It costs as many reads as there
    /// are commits in the answer, and one per branch on the way.
    pub fn after(&self, since: &CommitId, head: &Arc<Snapshot>, limit: usize) -> Result<Vec<Arc<Snapshot>>> {
        self.wait(async {
            let (uid, seq) = since.place();
            self.commit(since).await?;
            let mut parts: Vec<(String, u64, u64)> = Vec::new();
            let mut at = head.clone();
            loop {
                if at.uid == uid && seq <= at.seq {
                    parts.push((at.uid.clone(), seq + 1, at.seq));
                    break;
                }
                parts.push((at.uid.clone(), 1, at.seq));
                let first = self.record(&at.uid, 1).await?;
                let strange = || Error::NoCommit { wanted: format!("{since} on the way to {}", head.id()) };
                at = self.commit(first.parent.as_ref().ok_or_else(strange)?).await?;
            }
            let mut found: Vec<Arc<Snapshot>> = Vec::new();
            for (uid, first, last) in parts.into_iter().rev() {
                let mut next = first;
                while next <= last && found.len() < limit {
                    let room = (limit - found.len()) as u64;
                    let end = last.min(next + room.min(AT_ONCE) - 1);
                    let read = self.records(&uid, next, end).await?;
                    if read.len() as u64 != end - next + 1 {
                        return Err(Error::damaged(format!("log {uid}"), "a record is missing"));
                    }
                    found.extend(read);
                    next = end + 1;
                }
            }
            Ok(found)
        })
    }

    /// The newest commits that both have in their history: none of them is in the history of another. Mostly one; two
    /// branches that were merged into each other can have several.
    pub fn meeting_points(&self, ours: &Arc<Snapshot>, theirs: &Arc<Snapshot>) -> Result<Vec<Arc<Snapshot>>> {
        self.wait(async {
            let mut search = Search::default();
            search.reach(ours.clone(), OURS);
            search.reach(theirs.clone(), THEIRS);
            let mut walk = Walk::new(self);
            while let Some((commit, marks)) = search.next() {
                let parents = [&commit.record.parent, &commit.record.merge_parent];
                for parent in parents.into_iter().flatten() {
                    if !search.is_done(marks) && search.wants(parent, marks) {
                        match walk.read(parent).await {
                            Ok(parent) => search.reach(parent, marks),
                            // What was cleaned up is older than anything that is looked for.
                            Err(Error::NoCommit { .. }) => {}
                            Err(error) => return Err(error),
                        }
                    }
                }
            }
            Ok(search.answer())
        })
    }
}

const OURS: u8 = 1;
const THEIRS: u8 = 2;
/// In the history of a commit that both have.
const BELOW: u8 = 4;

/// Commits by time, newest first, each marked with who has it in its history. A commit is later than its parents, so
/// when one is looked at, everything that leads to it has been.
#[derive(Default)]
struct Search {
    marks: HashMap<CommitId, u8>,
    queue: BinaryHeap<(i64, CommitId)>,
    queued: HashMap<CommitId, Arc<Snapshot>>,
    /// Of the queued ones, those that are not below a common commit.
    open: HashSet<CommitId>,
    common: Vec<Arc<Snapshot>>,
}

impl Search {
    fn wants(&self, id: &CommitId, marks: u8) -> bool {
        self.marks.get(id).copied().unwrap_or(0) | marks != self.marks.get(id).copied().unwrap_or(0)
    }

    fn reach(&mut self, commit: Arc<Snapshot>, marks: u8) {
        let id = commit.id().clone();
        let all = self.marks.entry(id.clone()).or_default();
        *all |= marks;
        if *all & BELOW == 0 {
            self.open.insert(id.clone());
        } else {
            self.open.remove(&id);
        }
        if !self.queued.contains_key(&id) {
            self.queue.push((commit.record.created_at, id.clone()));
            self.queued.insert(id, commit);
        }
    }

    /// Whether what is below a common commit does not matter any more.
    fn is_done(&self, marks: u8) -> bool {
        marks & BELOW != 0 && self.open.is_empty()
    }

    /// The next commit whose parents may matter, and what to mark them with.
    fn next(&mut self) -> Option<(Arc<Snapshot>, u8)> {
        if self.open.is_empty() {
            return None;
        }
        let (_, id) = self.queue.pop()?;
        let commit = self.queued.remove(&id)?;
        self.open.remove(&id);
        let marks = self.marks.get(&id).copied().unwrap_or(0);
        if marks == OURS | THEIRS {
            self.common.push(commit.clone());
            return Some((commit, marks | BELOW));
        }
        Some((commit, marks))
    }

    fn answer(self) -> Vec<Arc<Snapshot>> {
        let below =
            |commit: &Arc<Snapshot>| self.marks.get(commit.id()).is_some_and(|marks| marks & BELOW != 0);
        let mut best: Vec<Arc<Snapshot>> =
            self.common.iter().filter(|commit| !below(commit)).cloned().collect();
        best.sort_by(|left, right| left.id().cmp(right.id()));
        best.dedup_by(|left, right| left.id() == right.id());
        best
    }
}

impl Weight for Snapshot {
    fn weight(&self) -> usize {
        let ids = |change: &crate::record::TableChange| {
            change.ids.as_ref().map_or(0, |ids| ids.all().map(|id| id.len() + 24).sum::<usize>())
        };
        let tables: usize = self.record.tables.keys().map(|key| key.len() + 128).sum();
        let changes: usize = self.record.changes.values().map(|change| 128 + ids(change)).sum();
        512 + tables + changes
    }
}
