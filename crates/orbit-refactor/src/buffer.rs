//! What was done and not committed yet: one step per refactoring, with the files as they were before it.
//!
//! Everything is below `.orbit/refactor/` of the worktree: `buffer.json`, `blobs/` with contents by their hash,
//! `journal.json` while files are being written, and `lock`.

use crate::error::RefactorError;
use crate::plan::Entry;
use crate::worktree::{Worktree, hash};
use orbit_git::keep_out_of_git;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A refactoring that was applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Counts up.
    pub id: u64,
    /// As a person would say it.
    pub title: String,
    /// For the operation log.
    pub entries: Vec<Entry>,
    /// The files, sorted by path.
    pub files: Vec<Touched>,
}

/// A file by what it held before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    /// Relative to the worktree.
    pub path: String,
    /// Hash; `None` when there was no file.
    pub before: Option<String>,
    /// Hash; `None` when there is no file any more.
    pub after: Option<String>,
}

/// All steps since the last commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Buffer {
    pub(crate) next_id: u64,
    pub(crate) steps: Vec<Step>,
    /// The commit before one that is being made.
    #[serde(default)]
    pub(crate) committing: Option<String>,
    /// Steps behind `steps` whose files are as they were before: `git stash` does that, and may take it back.
    #[serde(default)]
    pub(crate) parked: Vec<Step>,
    /// What was checked out when the first step was made.
    #[serde(default)]
    pub(crate) base: Option<String>,
}

impl Buffer {
    /// Whether a file holds what the last step that touched it left; no step did, no such file.
    pub(crate) fn left(&self, path: &str, now: Option<&str>) -> bool {
        let touched = self.steps.iter().rev().flat_map(|step| &step.files).find(|file| file.path == path);
        touched.is_some_and(|file| file.after.as_deref() == now)
    }
}

/// The hash of every touched file; `None` for one that is not there.
pub(crate) type State = BTreeMap<String, Option<String>>;

/// What all files that any of the steps touches hold after the first so many.
pub(crate) fn state_after(steps: &[Step], count: usize) -> State {
    let mut state = State::new();
    for file in steps.iter().flat_map(|step| &step.files) {
        state.entry(file.path.clone()).or_insert_with(|| file.before.clone());
    }
    for file in steps[..count].iter().flat_map(|step| &step.files) {
        state.insert(file.path.clone(), file.after.clone());
    }
    state
}

/// The directory, locked for as long as this lives.
pub(crate) struct Desk {
    dir: PathBuf,
    _lock: File,
}

impl Desk {
    /// Makes the directory, keeps it out of git, and waits until nobody else refactors here.
    pub(crate) fn open(worktree: &Worktree) -> Result<Desk, RefactorError> {
        let dir = worktree.root.join(".orbit/refactor");
        fs::create_dir_all(dir.join("blobs")).map_err(RefactorError::file(&dir))?;
        let orbit_dir = worktree.root.join(".orbit");
        keep_out_of_git(&orbit_dir, "refactor/").map_err(RefactorError::file(&orbit_dir))?;
        let path = dir.join("lock");
        let lock = File::create(&path).map_err(RefactorError::file(&path))?;
        lock.lock().map_err(RefactorError::file(&path))?;
        Ok(Desk { dir, _lock: lock })
    }

    pub(crate) fn buffer(&self) -> Result<Buffer, RefactorError> {
        Ok(read_json(&self.dir.join("buffer.json"))?.unwrap_or_default())
    }

    /// Sets a file aside that does not say what it should, so that it stands in nobody's way; what it is called now.
    pub(crate) fn set_aside<T: for<'d> Deserialize<'d>>(
        &self,
        name: &str,
    ) -> Result<Option<String>, RefactorError> {
        let path = self.dir.join(name);
        let Ok(bytes) = fs::read(&path) else { return Ok(None) };
        if serde_json::from_slice::<T>(&bytes).is_ok() {
            return Ok(None);
        }
        let mut names = (1..).map(|number| format!("{name}.damaged-{number}"));
        let aside =
            names.find(|name| !self.dir.join(name).exists()).unwrap_or_else(|| format!("{name}.damaged"));
        fs::rename(&path, self.dir.join(&aside)).map_err(RefactorError::file(&path))?;
        Ok(Some(format!(".orbit/refactor/{aside}")))
    }

    pub(crate) fn save_buffer(&self, buffer: &Buffer) -> Result<(), RefactorError> {
        write_json(&self.dir.join("buffer.json"), buffer)
    }

    pub(crate) fn journal<T: for<'d> Deserialize<'d>>(&self) -> Result<Option<T>, RefactorError> {
        read_json(&self.dir.join("journal.json"))
    }

    pub(crate) fn save_journal<T: Serialize>(&self, journal: &T) -> Result<(), RefactorError> {
        write_json(&self.dir.join("journal.json"), journal)
    }

    pub(crate) fn end_journal(&self) -> Result<(), RefactorError> {
        let path = self.dir.join("journal.json");
        fs::remove_file(&path).map_err(RefactorError::file(&path))
    }

    /// Keeps a content; returns its hash.
    pub(crate) fn keep(&self, bytes: &[u8]) -> Result<String, RefactorError> {
        let hash = hash(bytes);
        let path = self.dir.join("blobs").join(&hash);
        if !path.exists() {
            write_atomically(&path, bytes, None)?;
        }
        Ok(hash)
    }

    /// A content that was kept.
    pub(crate) fn kept(&self, hash: &str) -> Result<Vec<u8>, RefactorError> {
        let path = self.dir.join("blobs").join(hash);
        fs::read(&path).map_err(RefactorError::file(&path))
    }

    /// Forgets all steps, and the contents that only they needed.
    pub(crate) fn clear(&self) -> Result<(), RefactorError> {
        let next_id = self.buffer()?.next_id;
        self.save_buffer(&Buffer { next_id, ..Buffer::default() })?;
        let blobs = self.dir.join("blobs");
        for entry in fs::read_dir(&blobs).map_err(RefactorError::file(&blobs))?.flatten() {
            let _ = fs::remove_file(entry.path()); // what cannot be removed does no harm
        }
        Ok(())
    }
}

fn read_json<T: for<'d> Deserialize<'d>>(path: &Path) -> Result<Option<T>, RefactorError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(RefactorError::File(path.to_owned(), error)),
    };
    let parsed = serde_json::from_slice(&bytes);
    parsed.map(Some).map_err(|error| RefactorError::File(path.to_owned(), std::io::Error::other(error)))
}

fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), RefactorError> {
    let text = serde_json::to_vec_pretty(value);
    let text = text.map_err(|error| RefactorError::File(path.to_owned(), std::io::Error::other(error)))?;
    write_atomically(path, &text, None)
}

/// The file beside a file into which it is written first.
pub(crate) fn draft(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.orbit-draft"))
}

/// Writes a file so that it is the old one or the new one at every moment.
pub(crate) fn write_atomically(
    path: &Path,
    bytes: &[u8],
    like: Option<&fs::Metadata>,
) -> Result<(), RefactorError> {
    let draft = draft(path);
    let write = || {
        let mut file = File::create(&draft)?;
        file.write_all(bytes)?;
        if let Some(like) = like {
            file.set_permissions(like.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&draft);
        RefactorError::File(path.to_owned(), error)
    })
}
