//! Copies of repositories to work in, so that nothing is ever written into the original.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use xtask::failure::{Context, Failure, fail};
use xtask::project::{git, git_command, output};

/// A repository as it is named in reports.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    path: PathBuf,
    /// The last part of its path; a crate's source has its version in it.
    pub(crate) name: String,
    /// The commit, for a git repository.
    pub(crate) commit: Option<String>,
}

impl Source {
    /// Looks at a directory.
    pub(crate) fn at(path: &Path) -> Result<Source, Failure> {
        let path = path.canonicalize().context(path.display())?;
        if !path.is_dir() {
            return Err(fail(format!("{} is not a directory", path.display())));
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_git = path.join(".git").exists();
        let commit = if is_git { Some(git(&path, &["rev-parse", "--short=10", "HEAD"])?) } else { None };
        Ok(Source { path, name, commit })
    }

    /// Name and version on one line.
    pub(crate) fn title(&self) -> String {
        match &self.commit {
            Some(commit) => format!("{} ({commit})", self.name),
            None => self.name.clone(),
        }
    }

    /// Copies the files to `to`: what HEAD has for a git repository, else everything.
    pub(crate) fn copy(&self, to: &Path) -> Result<(), Failure> {
        if self.commit.is_some() {
            return self.clone_to(to, &[]);
        }
        copy_tree(&self.path, to)
    }

    /// Clones a git repository without copying its objects.
    pub(crate) fn clone_to(&self, to: &Path, options: &[&str]) -> Result<(), Failure> {
        let mut command = git_command();
        command.args(["clone", "-q", "--shared"]).args(options).arg(&self.path).arg(to);
        output(&mut command).context("git clone").map(drop)
    }
}

/// A directory that is removed at the end.
pub(crate) fn dir() -> Result<TempDir, Failure> {
    tempfile::Builder::new().prefix("orbit-measure-").tempdir().context("no scratch directory")
}

fn copy_tree(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).context(from.display())? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &target).context(entry.path().display())?;
        }
    }
    Ok(())
}

/// Bytes in a file, or in all files below a directory.
pub(crate) fn bytes_below(path: &Path) -> u64 {
    let Ok(metadata) = fs::symlink_metadata(path) else { return 0 };
    if !metadata.is_dir() {
        return metadata.len();
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| bytes_below(&entry.path())).sum()
}
