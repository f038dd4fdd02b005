//! Where logs come from: git notes, and files below `.orbit/operations/`. Both hold the same bytes; when they do
//! not, the note counts, and somebody is told.

use crate::error::HistoryError;
use crate::git::blobs::Blobs;
use crate::git::{Oid, notes};
use crate::location::HistoryLocation;
use crate::operations::check;
use crate::operations::schema::OperationLog;
use crate::outline::MAX_BYTES;
use orbit_git::Git;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The logs there are.
pub(crate) struct Logs {
    notes: BTreeMap<Oid, Oid>,
    files: BTreeMap<Oid, PathBuf>,
    git: Git,
    blobs: Option<Blobs>,
    /// All logs that can be read, once somebody asked for those of other commits.
    read: Option<Vec<Elsewhere>>,
    /// Changes whenever a log is added, changed or removed.
    pub(crate) fingerprint: String,
}

/// The log of a commit that was replaced by another one, or picked from elsewhere.
#[derive(Clone)]
pub(crate) struct Elsewhere {
    pub(crate) commit: Oid,
    pub(crate) log: OperationLog,
    /// When the commit was authored, which stays when it is replaced; `None` when git has it no more.
    pub(crate) date: Option<i64>,
    files: BTreeSet<String>,
    /// Not part of what is checked out; unknown until somebody asks.
    is_apart: Option<bool>,
}

/// The bytes of a log, and what was noticed when they were read.
pub(crate) struct LogBytes {
    pub(crate) bytes: Vec<u8>,
    pub(crate) remark: Option<String>,
}

impl LogBytes {
    /// What tells this log from another one of the same commit.
    pub(crate) fn hash(&self) -> [u8; 32] {
        *blake3::hash(&self.bytes).as_bytes()
    }
}

impl Elsewhere {
    fn is_elsewhere(&mut self, git: &Git) -> bool {
        if let Some(known) = self.is_apart {
            return known;
        }
        let sha = self.commit.to_string();
        // A commit that git has no more is part of nothing.
        let is_here = git.output(&["merge-base", "--is-ancestor", &sha, "HEAD"]).is_ok();
        self.date = git.line(&["log", "-1", "--format=%at", &sha]).and_then(|date| date.trim().parse().ok());
        self.is_apart = Some(!is_here);
        !is_here
    }
}

impl Logs {
    /// Looks for logs, without reading them.
    pub(crate) fn find(location: &HistoryLocation, git: &Git) -> Logs {
        let mut files = BTreeMap::new();
        let mut hasher = blake3::Hasher::new();
        for dir in location.operation_dirs() {
            let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
            for path in entries.map(|entry| entry.path()).collect::<BTreeSet<PathBuf>>() {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let Some(commit) = name.strip_suffix(".json").and_then(|stem| Oid::parse(stem.as_bytes()))
                else {
                    continue;
                };
                let metadata = path.metadata().ok();
                let modified = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
                let byte_len = metadata.map(|metadata| metadata.len());
                hasher.update(format!("{name} {modified:?} {byte_len:?}\n").as_bytes());
                files.entry(commit).or_insert(path);
            }
        }
        let newest = git.line(&["rev-parse", "--verify", "--quiet", notes::NOTES_REF]);
        let notes = if newest.is_some() { notes::list(git) } else { BTreeMap::new() };
        hasher.update(newest.unwrap_or_default().as_bytes());
        let fingerprint = hasher.finalize().to_hex().to_string();
        Logs { notes, files, git: git.clone(), blobs: None, read: None, fingerprint }
    }

    /// Every commit that has a log.
    pub(crate) fn commits(&self) -> BTreeSet<Oid> {
        self.notes.keys().chain(self.files.keys()).copied().collect()
    }

    /// Logs of commits that are not part of what is checked out and that name none but these files, oldest first. A commit
    /// that was amended, rebased, squashed or picked has its log there.
    pub(crate) fn elsewhere(&mut self, files: &BTreeSet<&str>) -> Result<Vec<Elsewhere>, HistoryError> {
        let mut all = match self.read.take() {
            Some(read) => read,
            None => self.read_all()?,
        };
        let mut found = Vec::new();
        for log in &mut all {
            let fits = !log.files.is_empty() && log.files.iter().all(|file| files.contains(file.as_str()));
            if fits && log.is_elsewhere(&self.git) {
                found.push(log.clone());
            }
        }
        self.read = Some(all);
        found.sort_by_key(|log| log.date);
        self.parents_first(&mut found);
        Ok(found)
    }

    /// Puts commits of the same second behind those that they follow.
    fn parents_first(&self, logs: &mut [Elsewhere]) {
        for end in 1..logs.len() {
            for at in (1..=end).rev() {
                let (before, after) = (&logs[at - 1], &logs[at]);
                let shas = [after.commit.to_string(), before.commit.to_string()];
                let is_turned = before.date == after.date
                    && self.git.output(&["merge-base", "--is-ancestor", &shas[0], &shas[1]]).is_ok();
                if !is_turned {
                    break;
                }
                logs.swap(at - 1, at);
            }
        }
    }

    fn read_all(&mut self) -> Result<Vec<Elsewhere>, HistoryError> {
        let mut found = Vec::new();
        for commit in self.commits() {
            let Some(bytes) = self.of(commit)? else { continue };
            let Ok(log) = check::parse(&bytes.bytes) else { continue };
            let files = log.operations.iter().flat_map(|op| op.files()).map(str::to_owned).collect();
            found.push(Elsewhere { commit, log, date: None, files, is_apart: None });
        }
        Ok(found)
    }

    /// The log of a commit.
    pub(crate) fn of(&mut self, commit: Oid) -> Result<Option<LogBytes>, HistoryError> {
        let file = self.files.get(&commit).and_then(|path| std::fs::read(path).ok());
        let Some(&note) = self.notes.get(&commit) else {
            return Ok(file.map(|bytes| LogBytes { bytes, remark: None }));
        };
        let blobs = match &mut self.blobs {
            Some(blobs) => blobs,
            missing => missing.insert(Blobs::start(&self.git)?),
        };
        let note = blobs.read(note, MAX_BYTES).map_err(|error| crate::git::broken("git cat-file", &error))?;
        let Some(note) = note else { return Ok(file.map(|bytes| LogBytes { bytes, remark: None })) };
        let differs = file.is_some_and(|file| file.trim_ascii_end() != note.trim_ascii_end());
        let remark = differs.then(|| {
            format!(
                "the operation log of {commit} differs between its note and its file; the note is followed"
            )
        });
        Ok(Some(LogBytes { bytes: note, remark }))
    }
}
