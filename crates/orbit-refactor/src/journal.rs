//! All files or none: what is about to be written is noted first, so that a crash half way is taken back by the next
//! call.
//!
//! ```text
//! contents kept ─▶ journal ─▶ files, one after the other ─▶ buffer ─▶ journal gone
//! ```
//!
//! The buffer decides: once it has the step (or, for an undo, has it no more), what the journal speaks of is done.

use crate::buffer::{Buffer, Desk, Touched, draft, write_atomically};
use crate::error::{RefactorError, Refusal};
use crate::worktree::{Worktree, hash};
use serde::{Deserialize, Serialize};
use std::fs;

/// What is being written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Journal {
    pub(crate) step: u64,
    /// The step is taken back, not made.
    pub(crate) is_undo: bool,
    pub(crate) files: Vec<Touched>,
}

impl Journal {
    fn is_done(&self, buffer: &Buffer) -> bool {
        buffer.steps.iter().any(|step| step.id == self.step) != self.is_undo
    }
}

/// Sets aside what is damaged of the list of steps and of the journal; what a person should know.
pub(crate) fn set_aside_damaged(desk: &Desk) -> Result<Option<String>, RefactorError> {
    let buffer = desk.set_aside::<Buffer>("buffer.json")?.map(|aside| {
        format!(
            "the list of refactoring steps was damaged and is set aside as {aside}; no file was touched, and earlier \
             steps can no longer be undone: see `git diff`"
        )
    });
    let journal = desk.set_aside::<Journal>("journal.json")?.map(|aside| {
        format!(
            "the journal of a refactoring was damaged and is set aside as {aside}; a refactoring may be half done: \
             see `git diff`"
        )
    });
    let told: Vec<String> = buffer.into_iter().chain(journal).collect();
    Ok((!told.is_empty()).then(|| told.join("; ")))
}

/// Writes every file of a journal; its contents are kept. On failure everything is as before.
pub(crate) fn write(worktree: &Worktree, desk: &Desk, journal: &Journal) -> Result<(), RefactorError> {
    desk.save_journal(journal)?;
    for file in &journal.files {
        if let Err(error) = put(worktree, desk, &file.path, file.after.as_deref()) {
            roll_back(worktree, desk, journal)?;
            return Err(error);
        }
    }
    Ok(())
}

/// Puts every file of a journal back to what it was, and ends the journal.
pub(crate) fn roll_back(worktree: &Worktree, desk: &Desk, journal: &Journal) -> Result<(), RefactorError> {
    let mut foreign = Vec::new();
    for file in &journal.files {
        let full = worktree.locate(&file.path)?;
        let _ = fs::remove_file(draft(&full)); // most often there is none
        let now = worktree.read(&file.path)?.map(|bytes| hash(&bytes));
        if now == file.before {
            continue;
        }
        if now != file.after {
            foreign.push(format!("{}: was changed meanwhile and is left as it is", file.path));
            continue;
        }
        put(worktree, desk, &file.path, file.before.as_deref())?;
    }
    desk.end_journal()?;
    if foreign.is_empty() {
        return Ok(());
    }
    let message = "a refactoring that was cut short could not be taken back everywhere";
    Err(Refusal::new("changed", message).places(foreign).hint("compare these files with `git diff`").into())
}

/// Takes back what a process left half done.
pub(crate) fn recover(worktree: &Worktree, desk: &Desk) -> Result<bool, RefactorError> {
    let Some(journal) = desk.journal::<Journal>()? else { return Ok(false) };
    if journal.is_done(&desk.buffer()?) {
        desk.end_journal()?;
        return Ok(false);
    }
    roll_back(worktree, desk, &journal)?;
    Ok(true)
}

/// Makes a file hold a kept content, or be gone.
fn put(worktree: &Worktree, desk: &Desk, path: &str, content: Option<&str>) -> Result<(), RefactorError> {
    let full = worktree.locate(path)?;
    let Some(content) = content else {
        return match fs::remove_file(&full) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(RefactorError::File(full, error))
            }
            _ => Ok(()),
        };
    };
    let bytes = desk.kept(content)?;
    if let Some(dir) = full.parent() {
        fs::create_dir_all(dir).map_err(RefactorError::file(dir))?;
    }
    let like = fs::metadata(&full).ok();
    write_atomically(&full, &bytes, like.as_ref())
}
