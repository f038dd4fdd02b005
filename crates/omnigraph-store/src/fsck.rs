//! Whether everything that is stored is whole: records, their order, the versions they name, the files of those.

use crate::Result;
use crate::branch::Branch;
use crate::collect::files_of_version;
use crate::commit_id::CommitId;
use crate::error::Error;
use crate::log;
use crate::record::{CommitRecord, TableEntry};
use crate::store::Store;
use futures::{StreamExt, TryStreamExt};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Objects that are read at once.
const AT_ONCE: usize = 16;

/// Something that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where: an object, a branch or a commit.
    pub object: String,
    /// What is wrong with it.
    pub message: String,
}

/// What was looked at, and what is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Records of commits.
    pub commits: u64,
    /// Of these, commits whose rows are no longer kept.
    pub commits_removed: u64,
    /// Versions of tables.
    pub versions: u64,
    /// Files of those.
    pub files: u64,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

impl Checked {
    fn note(&mut self, object: impl Into<String>, message: impl std::fmt::Display) {
        self.findings.push(Finding { object: object.into(), message: message.to_string() });
    }
}

impl Store {
    /// Looks at every record and at every version and file that readable commits name. `progress` is told what is done.
    pub fn check(&self, progress: &mut dyn FnMut(&str, u64, u64)) -> Result<Checked> {
        let mut checked = Checked::default();
        progress("reading records", 0, 1);
        let records = self.wait(self.all_records(&mut checked))?;
        checked.commits = records.len() as u64;
        self.wait(self.check_branches(&records, &mut checked))?;
        check_chains(&records, &mut checked);
        let schemas: BTreeSet<&str> = records.values().map(|record| record.schema.as_str()).collect();
        for schema in schemas {
            if let Err(error) = self.schema(schema) {
                checked.note(format!("schema/{schema}.pg"), error);
            }
        }
        self.check_tables(&records, &mut checked, progress)?;
        Ok(checked)
    }

    async fn all_records(&self, checked: &mut Checked) -> Result<BTreeMap<CommitId, CommitRecord>> {
        let objects = &self.inner.objects;
        let read = log::names(objects).await?.into_iter().map(|name| async move {
            let bytes = objects.get(&name).await?;
            Ok::<_, Error>((name, bytes))
        });
        let mut records = BTreeMap::new();
        let mut read = futures::stream::iter(read).buffer_unordered(AT_ONCE);
        while let Some((name, bytes)) = read.try_next().await? {
            let Some(bytes) = bytes else { continue };
            match serde_json::from_slice::<CommitRecord>(&bytes) {
                Err(error) => checked.note(name, error),
                Ok(record) => {
                    let (uid, seq) = record.id.place();
                    if log::object_of(uid, seq) != name {
                        checked
                            .note(&name, format!("it holds commit {}, which belongs elsewhere", record.id));
                    }
                    records.insert(record.id.clone(), record);
                }
            }
        }
        Ok(records)
    }

    /// Every branch has a log without gaps that begins where the branch does.
    async fn check_branches(
        &self,
        records: &BTreeMap<CommitId, CommitRecord>,
        checked: &mut Checked,
    ) -> Result<()> {
        let mut logs: BTreeMap<&str, BTreeMap<u64, &CommitRecord>> = BTreeMap::new();
        for record in records.values() {
            let (uid, seq) = record.id.place();
            logs.entry(uid).or_default().insert(seq, record);
        }
        let objects = &self.inner.objects;
        for name in Branch::names(objects).await? {
            let object = format!("branch {name}");
            let branch = match Branch::read(objects, &name).await {
                Ok(Some(branch)) => branch,
                Ok(None) => continue,
                Err(error) => {
                    checked.note(object, error);
                    continue;
                }
            };
            let empty = BTreeMap::new();
            let log = logs.get(branch.uid.as_str()).unwrap_or(&empty);
            for seq in (1..=log.keys().last().copied().unwrap_or(0)).filter(|seq| !log.contains_key(seq)) {
                checked.note(&object, format!("record {seq} of its log is missing"));
            }
            if let Some(first) = log.get(&1)
                && first.parent != branch.fork
            {
                checked.note(&object, "its first commit does not begin where the branch does");
            }
            match &branch.fork {
                Some(fork) if !records.contains_key(fork) => {
                    checked.note(&object, format!("commit {fork}, which it starts from, is missing"));
                }
                None if log.is_empty() => checked.note(&object, "it has no commit"),
                _ => {}
            }
        }
        for object in self.roots().await?.into_iter().filter(|root| root.log.is_none()) {
            let found = object.commit.as_ref().and_then(|commit| records.get(commit));
            if found.is_none_or(|record| record.released_at.is_some()) {
                checked.note(object.name, "the commit that it names is not there");
            }
        }
        Ok(())
    }

    /// Every version that a readable commit names opens, has the rows that the record says, and all of its files.
    fn check_tables(
        &self,
        records: &BTreeMap<CommitId, CommitRecord>,
        checked: &mut Checked,
        progress: &mut dyn FnMut(&str, u64, u64),
    ) -> Result<()> {
        let mut entries: BTreeMap<(&str, u64, u64), (&str, &CommitId)> = BTreeMap::new();
        for (id, record) in records {
            if record.released_at.is_some() {
                checked.commits_removed += 1;
                continue;
            }
            for (key, entry) in &record.tables {
                entries.insert((&entry.dir, entry.version, entry.rows), (key, id));
            }
        }
        progress("listing files", 0, 1);
        let listed = self.wait(self.inner.objects.list_all("tables"))?;
        let sizes: HashMap<String, u64> = listed.into_iter().map(|file| (file.name, file.size)).collect();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for (done, ((dir, version, rows), (key, commit))) in entries.iter().enumerate() {
            progress("reading versions of tables", done as u64, entries.len() as u64);
            checked.versions += 1;
            let place = format!("{key} of commit {commit}");
            let entry = TableEntry { dir: (*dir).to_owned(), version: *version, rows: *rows };
            let (table, files) = match self.wait(files_of_version(self, &entry)) {
                Ok(opened) => opened,
                Err(error) => {
                    checked.note(place, error);
                    continue;
                }
            };
            if table.rows() != *rows {
                checked.note(&place, format!("it has {} rows, and the commit says {rows}", table.rows()));
            }
            for file in files {
                let name = format!("tables/{dir}/{file}");
                if seen.insert(name.clone()) && sizes.get(&name).is_none_or(|size| *size == 0) {
                    checked.note(&place, format!("{name} is missing or empty"));
                }
            }
        }
        checked.files = seen.len() as u64;
        Ok(())
    }
}

/// Every commit follows its parent.
fn check_chains(records: &BTreeMap<CommitId, CommitRecord>, checked: &mut Checked) {
    for (id, record) in records {
        let (uid, seq) = id.place();
        let place = format!("commit {id}");
        for parent in [&record.parent, &record.merge_parent].into_iter().flatten() {
            if !records.contains_key(parent) {
                checked.note(&place, format!("its parent {parent} is missing"));
            }
        }
        let Some(parent) = &record.parent else { continue };
        if seq > 1 && parent.place() != (uid, seq - 1) {
            checked.note(&place, format!("its parent is {parent}, not the commit before it"));
        }
        if let Some(before) = records.get(parent) {
            if record.version != before.version + 1 {
                checked.note(&place, format!("it has version {} behind {}", record.version, before.version));
            }
            if record.created_at <= before.created_at {
                checked.note(&place, "it is not younger than its parent");
            }
        }
    }
}
