//! All commits that are stored, and which of them must stay.

use super::{CleanupOptions, before};
use crate::Result;
use crate::branch::Branch;
use crate::commit_id::CommitId;
use crate::error::Error;
use crate::log;
use crate::record::{CommitRecord, TableEntry};
use crate::store::Store;
use futures::{StreamExt, TryStreamExt};
use std::collections::{BTreeMap, BTreeSet};

/// Objects that are read at once.
const AT_ONCE: usize = 32;

/// Something that keeps a commit alive.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    /// The branch, tag or run.
    pub(crate) name: String,
    /// Of a branch: its log. The newest commit of that is alive.
    pub(crate) log: Option<String>,
    /// The commit that it names: of a branch, where its log left another.
    pub(crate) commit: Option<CommitId>,
}

/// What is needed of a record.
#[derive(Clone, Debug)]
pub(super) struct Node {
    parent: Option<CommitId>,
    merge_parent: Option<CommitId>,
    created_at: i64,
    released_at: Option<i64>,
    tables: Vec<(String, TableEntry)>,
}

/// All commits that are stored.
#[derive(Debug, Default)]
pub(super) struct History {
    nodes: BTreeMap<CommitId, Node>,
    /// The last commit of each log.
    newest: BTreeMap<String, (u64, CommitId)>,
}

/// A version of a table that commits have.
#[derive(Clone, Debug)]
pub(super) struct Version {
    /// What the table is called.
    pub(super) key: String,
    /// Where it is.
    pub(super) entry: TableEntry,
    /// Whether only commits have it that were cleaned up before.
    pub(super) may_be_gone: bool,
}

/// What becomes of commits.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// They stay readable.
    pub(super) retained: BTreeSet<CommitId>,
    /// They are readable so far, and since when nobody begins to read them as the newest.
    pub(super) released: BTreeMap<CommitId, Option<i64>>,
    /// Commits of deleted branches whose records go, too.
    pub(super) forgotten: Vec<CommitId>,
}

impl Store {
    /// Everything that keeps commits alive: branches, those of open runs among them, and tags. Whatever else comes to name
    /// commits is added here.
    pub(crate) async fn roots(&self) -> Result<Vec<Root>> {
        let objects = &self.inner.objects;
        let mut roots = Vec::new();
        for name in Branch::names(objects).await? {
            // It may have been deleted since it was listed.
            let Some(branch) = Branch::read(objects, &name).await? else { continue };
            roots.push(Root { name, log: Some(branch.uid), commit: branch.fork });
        }
        for tag in self.all_tags().await? {
            let name = format!("tag {}", tag.name);
            roots.push(Root { name, log: None, commit: Some(tag.commit) });
        }
        Ok(roots)
    }

    /// Marks commits as not readable since a time, or as readable.
    pub(super) async fn put_marks(&self, marks: &BTreeMap<CommitId, Option<i64>>) -> Result<()> {
        let objects = &self.inner.objects;
        let put = marks.iter().map(|(id, released_at)| async move {
            let (uid, seq) = id.place();
            let Some(mut record) = log::read(objects, uid, seq).await? else { return Ok(()) };
            record.released_at = *released_at;
            log::replace(objects, uid, seq, &record).await
        });
        futures::stream::iter(put).buffer_unordered(AT_ONCE).try_collect::<()>().await
    }

    /// Removes the records of commits that only a deleted branch had.
    pub(super) async fn forget_records(&self, forgotten: &[CommitId]) -> Result<()> {
        let objects = &self.inner.objects;
        let gone = forgotten.iter().map(|id| async move {
            let (uid, seq) = id.place();
            log::remove(objects, uid, seq).await
        });
        futures::stream::iter(gone).buffer_unordered(AT_ONCE).try_collect::<()>().await
    }
}

impl History {
    /// Reads all records.
    pub(super) async fn read(store: &Store) -> Result<History> {
        let objects = &store.inner.objects;
        let read = log::names(objects).await?.into_iter().map(|name| async move {
            let Some(bytes) = objects.get(&name).await? else { return Ok(None) };
            let record: CommitRecord =
                serde_json::from_slice(&bytes).map_err(|error| Error::damaged(name, error))?;
            Ok::<_, Error>(Some(record))
        });
        let mut history = History::default();
        let mut read = futures::stream::iter(read).buffer_unordered(AT_ONCE);
        while let Some(record) = read.try_next().await? {
            let Some(record) = record else { continue };
            let node = Node {
                parent: record.parent,
                merge_parent: record.merge_parent,
                created_at: record.created_at,
                released_at: record.released_at,
                tables: record.tables.into_iter().collect(),
            };
            let (uid, seq) = record.id.place();
            let newest = history.newest.entry(uid.to_owned()).or_insert((seq, record.id.clone()));
            if seq > newest.0 {
                *newest = (seq, record.id.clone());
            }
            history.nodes.insert(record.id, node);
        }
        Ok(history)
    }

    /// The commits that a root keeps alive itself, the newest first.
    fn named_by<'a>(&'a self, root: &'a Root) -> Vec<&'a CommitId> {
        let newest = root.log.as_ref().and_then(|uid| self.newest.get(uid)).map(|(_, id)| id);
        newest.into_iter().chain(root.commit.as_ref()).collect()
    }

    /// What becomes of every commit.
    pub(super) fn marks(&self, roots: &[Root], options: &CleanupOptions, now: i64) -> Result<Marks> {
        let reachable = self.reachable(roots)?;
        let mut marks =
            Marks { retained: self.retained(roots, &reachable, options, now), ..Marks::default() };
        marks.retained.retain(|id| self.nodes.get(id).is_some_and(|node| node.released_at.is_none()));
        let mut superseded: BTreeMap<&CommitId, i64> = BTreeMap::new();
        for node in self.nodes.values() {
            if let Some(parent) = &node.parent {
                let at = superseded.entry(parent).or_insert(node.created_at);
                *at = node.created_at.max(*at);
            }
        }
        for (id, node) in self.nodes.iter().filter(|(id, _)| !marks.retained.contains(*id)) {
            let is_reachable = reachable.contains(id);
            let since = if is_reachable { superseded.get(id).copied().unwrap_or(now) } else { now };
            let released_at = node.released_at.unwrap_or(since);
            if node.released_at.is_none() {
                marks.released.insert(id.clone(), Some(released_at));
            }
            if !is_reachable && released_at <= before(now, options.grace) {
                marks.forgotten.push(id.clone());
            }
        }
        Ok(marks)
    }

    /// All ancestors of the roots.
    fn reachable(&self, roots: &[Root]) -> Result<BTreeSet<CommitId>> {
        let mut reachable = BTreeSet::new();
        let mut next: Vec<(&CommitId, &str)> = Vec::new();
        for root in roots {
            next.extend(self.named_by(root).into_iter().map(|id| (id, root.name.as_str())));
        }
        while let Some((id, name)) = next.pop() {
            if !reachable.insert(id.clone()) {
                continue;
            }
            let missing =
                || Error::damaged(format!("the history of {name}"), format!("commit {id} is missing"));
            let node = self.nodes.get(id).ok_or_else(missing)?;
            next.extend([&node.parent, &node.merge_parent].into_iter().flatten().map(|id| (id, name)));
        }
        Ok(reachable)
    }

    /// What the policy keeps, where branches left each other, and what they merged last: the next merge begins there.
    fn retained(
        &self,
        roots: &[Root],
        reachable: &BTreeSet<CommitId>,
        options: &CleanupOptions,
        now: i64,
    ) -> BTreeSet<CommitId> {
        let cutoff = options.older_than.map_or(i64::MAX, |age| before(now, age));
        let mut retained = BTreeSet::new();
        for root in roots {
            retained.extend(self.named_by(root).into_iter().cloned());
            let mut next = root.log.as_ref().and_then(|_| self.named_by(root).first().copied());
            let mut count = 0;
            while let Some((id, node)) = next.and_then(|id| self.nodes.get_key_value(id)) {
                let is_new = options.keep.is_some_and(|keep| count < keep.max(1));
                if !is_new && node.created_at <= cutoff && count > 0 {
                    break;
                }
                count += 1;
                retained.insert(id.clone());
                next = node.parent.as_ref();
            }
        }
        retained.extend(self.merged(roots, reachable));
        retained
    }

    /// The newest commit of each branch that another branch has merged.
    fn merged(&self, roots: &[Root], reachable: &BTreeSet<CommitId>) -> Vec<CommitId> {
        let alive: BTreeSet<&str> = roots.iter().filter_map(|root| root.log.as_deref()).collect();
        let mut newest: BTreeMap<(&str, &str), (u64, &CommitId)> = BTreeMap::new();
        for (id, node) in self.nodes.iter().filter(|(id, _)| reachable.contains(*id)) {
            let Some(merged) = &node.merge_parent else { continue };
            let ((into, _), (from, seq)) = (id.place(), merged.place());
            if alive.contains(into) && alive.contains(from) {
                let known = newest.entry((into, from)).or_insert((seq, merged));
                *known = (*known).max((seq, merged));
            }
        }
        newest.into_values().map(|(_, id)| id.clone()).collect()
    }

    /// The table versions that must stay: those of retained commits, and of released ones that somebody may still be
    /// reading.
    pub(super) fn entries(&self, marks: &Marks, options: &CleanupOptions, now: i64) -> Vec<Version> {
        let cutoff = before(now, options.grace);
        let mut versions: BTreeMap<(&str, u64), Version> = BTreeMap::new();
        for (id, node) in &self.nodes {
            let released_at = marks.released.get(id).copied().flatten().or(node.released_at);
            let is_kept = marks.retained.contains(id) || released_at.is_none_or(|at| at > cutoff);
            // Who cleaned up before and waited less has removed what this one would still keep.
            let may_be_gone = node.released_at.is_some();
            for (key, entry) in node.tables.iter().filter(|_| is_kept) {
                let fresh = || Version { key: key.clone(), entry: entry.clone(), may_be_gone };
                let version = versions.entry((&entry.dir, entry.version)).or_insert_with(fresh);
                version.may_be_gone &= may_be_gone;
            }
        }
        versions.into_values().collect()
    }
}
