//! Where logs come from: git notes, and files below `.orbit/operations/`. Both hold the same bytes; when they do
//! not, the note counts, and somebody is told.

use crate::error::HistoryError;
use crate::git::blobs::Blobs;
use crate::git::{Oid, notes};
use crate::location::HistoryLocation;
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
    /// Changes whenever a log is added, changed or removed.
    pub(crate) fingerprint: String,
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
        Logs { notes, files, git: git.clone(), blobs: None, fingerprint }
    }

    /// Every commit that has a log.
    pub(crate) fn commits(&self) -> BTreeSet<Oid> {
        self.notes.keys().chain(self.files.keys()).copied().collect()
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
