//! Which files git tracks, read from git's own index without starting git.

use super::is_read;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Names of directories that hold the output of tools in most repositories, and source in some.
const DOUBTFUL: [&str; 3] = ["build", "dist", "vendor"];

/// What git tracks, relative to the worktree. Empty where there is no index, or one in a form that is not known.
#[derive(Default)]
pub(super) struct Tracked {
    /// Regular files that an index would read, in order of path.
    pub(super) files: Vec<String>,
    /// The doubtful directories that hold tracked files.
    pub(super) doubtful: HashSet<String>,
}

pub(super) fn read(root: &Path) -> Tracked {
    let bytes = git_directory(root).and_then(|git| std::fs::read(git.join("index")).ok());
    bytes.and_then(|bytes| entries(&bytes)).unwrap_or_default()
}

/// Whether a directory's name alone does not say what is in it.
pub(super) fn is_doubtful(name: &str) -> bool {
    DOUBTFUL.contains(&name)
}

/// The directory that git keeps for this worktree: `.git`, or what a linked worktree's `.git` file leads to.
fn git_directory(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let link = std::fs::read_to_string(git).ok()?;
    Some(root.join(link.strip_prefix("gitdir:")?.trim()))
}

/// The paths of an index of version 2, 3 or 4.
fn entries(bytes: &[u8]) -> Option<Tracked> {
    let (version, count) = (number(bytes, 4)?, number(bytes, 8)?);
    if bytes.get(..4)? != b"DIRC" || !(2..=4).contains(&version) {
        return None;
    }
    let mut found = Tracked::default();
    let mut path: Vec<u8> = Vec::new();
    let mut at = 12;
    for _ in 0..count {
        let mode = number(bytes, at + 24)?;
        // 40 bytes of stat data, 20 of the object's name, 2 of flags, and 2 more where a flag says so.
        let flags = u16::from_be_bytes(bytes.get(at + 60..at + 62)?.try_into().ok()?);
        let name = at + 62 + if flags & 0x4000 == 0 { 0 } else { 2 };
        if version == 4 {
            let (removed, start) = variable(bytes, name)?;
            path.truncate(path.len().checked_sub(removed)?);
            let length = bytes.get(start..)?.iter().position(|byte| *byte == 0)?;
            path.extend_from_slice(&bytes[start..start + length]);
            at = start + length + 1;
        } else {
            let length = bytes.get(name..)?.iter().position(|byte| *byte == 0)?;
            path.clear();
            path.extend_from_slice(&bytes[name..name + length]);
            // Entries are padded with 1 to 8 zero bytes to a multiple of 8.
            at += (name + length - at) / 8 * 8 + 8;
        }
        add(&path, mode, &mut found);
    }
    // A merge that is not finished has a path once for each side.
    found.files.sort_unstable();
    found.files.dedup();
    Some(found)
}

fn add(path: &[u8], mode: u32, found: &mut Tracked) {
    let Ok(path) = std::str::from_utf8(path) else { return };
    for (end, _) in path.match_indices('/') {
        let dir = &path[..end];
        if is_doubtful(dir.rsplit('/').next().unwrap_or(dir)) && !found.doubtful.contains(dir) {
            found.doubtful.insert(dir.to_owned());
        }
    }
    // Neither a symbolic link nor a submodule.
    if mode & 0o170_000 == 0o100_000 && is_read(path) {
        found.files.push(path.to_owned());
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// A number of variable length as packs have it, and where it ends.
fn variable(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let mut at = at;
    let mut byte = *bytes.get(at)?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        value = value.checked_add(1)?.checked_shl(7)? | usize::from(byte & 0x7f);
    }
    Some((value, at + 1))
}
