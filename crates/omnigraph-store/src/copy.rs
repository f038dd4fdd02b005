//! A graph in another place, with its history. What is there already is not copied again, so the same call that makes a
//! copy also brings it up to date.
//!
//! ```text
//! branches, tags, runs (read first) ─▶ records of logs (listed) ─▶ files of tables (listed, copied)
//!     ─▶ records put in order ─▶ branches and tags put ─▶ marker put
//! ```
//!
//! Invariants:
//! - What names something is put behind it: a copy that was broken off is the old state of each branch or a new one, and a
//!   new copy is no graph before its last object.
//! - A place is never overwritten that is another graph, or that has commits which the source does not have.

use crate::Result;
use crate::branch::Branch;
use crate::error::Error;
use crate::location::Location;
use crate::log;
use crate::objects::{Created, Listed, Objects};
use crate::record::CommitRecord;
use crate::store::{MARKER, Options, Store};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a copy took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyReport {
    /// Whether the place was no graph before.
    pub is_new: bool,
    /// Records that were not there.
    pub commits: u64,
    /// Files of tables that were not there.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Branches that were not there, those of runs aside.
    pub branches: u64,
    /// Branches of the copy that the source does not have; they stay.
    pub only_there: Vec<String>,
}

/// What names something, with what it says. Read before anything that it names.
struct Names {
    branches: BTreeMap<String, Branch>,
    /// Objects that are written once, and those that may say something new.
    others: Vec<String>,
}

impl Store {
    /// Copies the graph, or what is new of it, to another place. `progress` hears how many bytes of how many are copied.
    pub fn copy_to(
        &self,
        target: &Location,
        options: &Options,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<CopyReport> {
        if target == self.location() {
            return Err(refused(target, "it is the graph itself"));
        }
        let there = Store::connect(target, options)?;
        self.wait(self.copy(&there, progress))
    }

    async fn copy(&self, there: &Store, progress: &mut dyn FnMut(u64, u64)) -> Result<CopyReport> {
        let (from, to) = (&self.inner.objects, &there.inner.objects);
        let target = there.location();
        let mut report = CopyReport { is_new: to.get(MARKER).await?.is_none(), ..CopyReport::default() };
        if let Some(directory) = target.directory() {
            let made = std::fs::create_dir_all(directory);
            made.map_err(|error| Error::io(format!("making {target}"), error))?;
        }
        let names = names(from).await?;
        let mut records = numbered(from).await?;
        let known = numbered(to).await?;
        check(from, to, (&records, &known), (&names, target)).await?;
        copy_tables(from, to, &mut report, progress).await?;
        for name in &names.others {
            if let Some(bytes) = from.get(name).await? {
                put_if_other(to, name, bytes).await?;
            }
        }
        for (uid, log) in &mut records {
            let there: BTreeMap<u64, u64> = known.get(uid).into_iter().flatten().copied().collect();
            log.sort_unstable();
            for (seq, size) in log.iter() {
                report.commits += u64::from(!there.contains_key(seq));
                if there.get(seq) != Some(size) {
                    let name = log::object_of(uid, *seq);
                    let bytes = from.get(&name).await?.ok_or_else(|| gone(self.location()))?;
                    put_if_other(to, &name, bytes).await?;
                }
            }
        }
        let before: BTreeSet<String> = Branch::names(to).await?.into_iter().collect();
        for (name, branch) in &names.branches {
            let created = branch.create(to).await?;
            report.branches += u64::from(created == Created::Now && !Branch::is_internal(name));
        }
        let is_own = |name: &&String| !names.branches.contains_key(*name) && !Branch::is_internal(name);
        report.only_there = before.iter().filter(is_own).cloned().collect();
        let marker = from.get(MARKER).await?.ok_or_else(|| gone(self.location()))?;
        to.create(MARKER, marker).await?;
        Ok(report)
    }
}

async fn names(from: &Objects) -> Result<Names> {
    let mut names = Names { branches: BTreeMap::new(), others: Vec::new() };
    for name in Branch::names(from).await? {
        // One that was deleted meanwhile is not missed.
        if let Some(branch) = Branch::read(from, &name).await? {
            names.branches.insert(name, branch);
        }
    }
    for directory in ["schema", "runs", "run-ends", "operations", "tags"] {
        names.others.extend(from.list_all(directory).await?.into_iter().map(|object| object.name));
    }
    Ok(names)
}

/// The records of all logs: number and size.
async fn numbered(objects: &Objects) -> Result<BTreeMap<String, Vec<(u64, u64)>>> {
    let mut found: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
    for Listed { name, size, .. } in objects.list_all("log").await? {
        let parts: Vec<&str> = name.split('/').collect();
        if let [_, uid, file] = parts[..]
            && let Some(seq) = file.strip_suffix(".json").and_then(|seq| seq.parse().ok())
        {
            found.entry(uid.to_owned()).or_default().push((seq, size));
        }
    }
    Ok(found)
}

type Logs = BTreeMap<String, Vec<(u64, u64)>>;

/// A place that holds something else is left alone.
async fn check(
    from: &Objects,
    to: &Objects,
    (records, known): (&Logs, &Logs),
    (names, target): (&Names, &Location),
) -> Result<()> {
    for (name, branch) in &names.branches {
        let Some(there) = Branch::read(to, name).await? else { continue };
        if there.uid != branch.uid {
            let reason = if name == Branch::MAIN {
                "it is another graph".to_owned()
            } else {
                format!("its branch `{name}` is another one; delete it there")
            };
            return Err(refused(target, &reason));
        }
    }
    for (uid, log) in known {
        let Some(ours) = records.get(uid) else { continue };
        let newest = |log: &[(u64, u64)]| log.iter().map(|(seq, _)| *seq).max().unwrap_or(0);
        let last = newest(log);
        let has_own = last > newest(ours);
        let is_same = async |seq: u64| -> Result<bool> {
            let nonce = |record: Option<CommitRecord>| record.map(|record| record.nonce);
            Ok(nonce(log::read(from, uid, seq).await?) == nonce(log::read(to, uid, seq).await?))
        };
        if has_own || !is_same(last).await? {
            let branch = names.branches.values().find(|branch| branch.uid == *uid);
            let of = branch.map_or(String::new(), |branch| format!(" on branch `{}`", branch.name));
            return Err(refused(target, &format!("it has commits of its own{of}")));
        }
    }
    Ok(())
}

async fn copy_tables(
    from: &Objects,
    to: &Objects,
    report: &mut CopyReport,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<()> {
    let there: HashMap<String, u64> =
        to.list_all("tables").await?.into_iter().map(|object| (object.name, object.size)).collect();
    let mut wanted = from.list_all("tables").await?;
    wanted.retain(|object| there.get(&object.name) != Some(&object.size) || is_hint(&object.name));
    let total = wanted.iter().map(|object| object.size).sum();
    let mut copied = Vec::new();
    for object in wanted {
        // A file that nothing needs any more may go while it is looked at.
        let Some(bytes) = from.copy_to(&object.name, to).await? else { continue };
        report.files += u64::from(!there.contains_key(&object.name));
        report.bytes += bytes;
        progress(report.bytes, total);
        copied.push(object.name);
    }
    to.sync_files(&copied).await
}

/// Whether a file of a table may say something new under the same name.
fn is_hint(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|file| file.contains("hint"))
}

/// Records that are marked and tags that are moved say something new; all others are as they were.
async fn put_if_other(to: &Objects, name: &str, bytes: bytes::Bytes) -> Result<()> {
    if to.create(name, bytes.clone()).await? == Created::Before
        && to.get(name).await?.as_ref() != Some(&bytes)
    {
        to.put(name, bytes).await?;
    }
    Ok(())
}

fn refused(target: &Location, reason: &str) -> Error {
    Error::CopyRefused { location: target.to_string(), reason: reason.to_owned() }
}

fn gone(location: &Location) -> Error {
    Error::damaged(location.to_string(), "it was cleaned up or deleted while it was copied; copy it again")
}
