//! What must hold before a plan is applied.

use crate::buffer::Buffer;
use crate::error::{RefactorError, Refusal};
use crate::plan::Plan;
use crate::worktree::{Worktree, hash};
use orbit_extract::Lang;
use std::fs;

/// The files are what they were when the plan was made, may be written, and hold nobody else's work.
pub(crate) fn files(
    worktree: &Worktree,
    buffer: &Buffer,
    plan: &Plan,
    allow_dirty: bool,
) -> Result<(), RefactorError> {
    let mut changed = Vec::new();
    let mut read_only = Vec::new();
    for file in &plan.files {
        let full = worktree.locate(&file.path)?;
        let now = worktree.read(&file.path)?;
        if now != file.before {
            changed.push(file.path.clone());
        }
        if fs::metadata(&full).is_ok_and(|metadata| metadata.permissions().readonly()) {
            read_only.push(file.path.clone());
        }
    }
    if !changed.is_empty() {
        let message = "files changed since the refactoring was planned";
        return Err(Refusal::new("changed", message).places(changed).hint("plan it again").into());
    }
    if !read_only.is_empty() {
        return Err(Refusal::new("read_only", "files cannot be written").places(read_only).into());
    }
    if allow_dirty {
        return Ok(());
    }
    let paths: Vec<&str> = plan.files.iter().map(|file| file.path.as_str()).collect();
    let mut dirty = worktree.dirty(&paths);
    dirty.retain(|path| {
        let now = plan
            .files
            .iter()
            .find(|file| file.path == *path)
            .and_then(|file| file.before.as_deref())
            .map(hash);
        !buffer.left(path, now.as_deref())
    });
    if dirty.is_empty() {
        return Ok(());
    }
    let refusal = Refusal::new("dirty", "files have changes that are not committed")
        .places(dirty.into_iter().collect());
    Err(refusal.hint("commit or stash them, or pass --allow-dirty").into())
}

/// No file that could be parsed before cannot be parsed now.
pub(crate) fn syntax(plan: &Plan) -> Result<(), RefactorError> {
    let broken = |path: &str, bytes: Option<&Vec<u8>>| {
        let (Some(lang), Some(bytes)) = (Lang::of_path(path), bytes) else { return false };
        orbit_extract::extract(path, lang, bytes).map_or(true, |file| file.has_errors)
    };
    let bad = plan.files.iter().filter(|file| file.after.is_some());
    let bad = bad
        .filter(|file| broken(&file.path, file.after.as_ref()) && !broken(&file.path, file.before.as_ref()));
    let bad: Vec<String> = bad.map(|file| file.path.clone()).collect();
    if bad.is_empty() {
        return Ok(());
    }
    Err(Refusal::new("syntax", "the result would not parse").places(bad).into())
}
