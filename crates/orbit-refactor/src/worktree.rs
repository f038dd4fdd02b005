//! The worktree: reading its files, and keeping every path inside of it.

use crate::error::{RefactorError, Refusal};
use orbit_git::Git;
use orbit_graph::FileFacts;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A worktree by its root.
#[derive(Clone, Debug)]
pub(crate) struct Worktree {
    pub(crate) root: PathBuf,
}

impl Worktree {
    /// Where a path of the worktree is. Refuses what leads out of it, through links too.
    pub(crate) fn locate(&self, path: &str) -> Result<PathBuf, RefactorError> {
        let outside =
            || RefactorError::from(Refusal::new("outside", format!("{path} is outside of the worktree")));
        let given = Path::new(path);
        let is_plain = given.components().all(|part| matches!(part, Component::Normal(_)));
        let is_kept = given
            .components()
            .next()
            .is_some_and(|part| part.as_os_str() == ".git" || part.as_os_str() == ".orbit");
        if path.is_empty() || !is_plain || is_kept {
            return Err(outside());
        }
        let full = self.root.join(given);
        if full.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
            let message = format!("{path} is a link");
            return Err(Refusal::new("outside", message).hint("name the file that it leads to").into());
        }
        let root = self.root.canonicalize().map_err(RefactorError::file(&self.root))?;
        let mut near = full.parent();
        while let Some(dir) = near {
            if let Ok(real) = dir.canonicalize() {
                return if real.starts_with(&root) { Ok(full) } else { Err(outside()) };
            }
            near = dir.parent();
        }
        Err(outside())
    }

    /// The bytes of a file; `None` when there is none.
    pub(crate) fn read(&self, path: &str) -> Result<Option<Vec<u8>>, RefactorError> {
        let full = self.locate(path)?;
        match fs::read(&full) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(RefactorError::File(full, error)),
        }
    }

    /// The text of a file that must be there.
    pub(crate) fn read_text(&self, path: &str) -> Result<String, RefactorError> {
        let bytes =
            self.read(path)?.ok_or_else(|| Refusal::new("not_found", format!("there is no file {path}")))?;
        String::from_utf8(bytes)
            .map_err(|_| Refusal::new("unreadable", format!("{path} is not UTF-8")).into())
    }

    /// The bytes that the index speaks of.
    pub(crate) fn read_indexed(&self, file: &FileFacts) -> Result<Vec<u8>, RefactorError> {
        let full = self.root.join(&file.path);
        let bytes = fs::read(&full).map_err(RefactorError::file(&full))?;
        if hash(&bytes) != hex(&file.hash) {
            let message = format!("{} changed while the refactoring was planned", file.path);
            return Err(Refusal::new("changed", message).hint("try again").into());
        }
        Ok(bytes)
    }

    /// Runs git here; what it prints.
    pub(crate) fn git(&self, args: &[&str]) -> Result<String, RefactorError> {
        self.git_here().text(args).map_err(|error| RefactorError::Git(error.to_string()))
    }

    pub(crate) fn git_here(&self) -> Git {
        Git::at(&self.root)
    }

    /// Those of the paths that differ from HEAD or are unknown to git; none outside of git.
    pub(crate) fn dirty(&self, paths: &[&str]) -> BTreeSet<String> {
        let mut args = vec!["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--"];
        args.extend(paths);
        let Ok(answer) = self.git(&args) else { return BTreeSet::new() };
        answer.split('\0').filter_map(|row| row.get(3..)).map(str::to_owned).collect()
    }

    /// The commit that is checked out.
    pub(crate) fn head(&self) -> Option<String> {
        self.git_here().head()
    }
}

/// What tells one content from another.
pub(crate) fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
