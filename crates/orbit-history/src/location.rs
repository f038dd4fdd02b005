//! Where the history of a clone lives: under the main worktree's `.orbit/`, so that all worktrees share it.

use crate::error::HistoryError;
use crate::git::Oid;
use orbit_git::{Checkout, GitError, keep_out_of_git};
use orbit_graph::Location;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A worktree and the history that belongs to its clone.
#[derive(Clone, Debug)]
pub(crate) struct HistoryLocation {
    /// The worktree that was asked about.
    pub(crate) root: PathBuf,
    /// The `.orbit` directory of the main worktree.
    pub(crate) orbit_dir: PathBuf,
    checkout: Checkout,
}

impl HistoryLocation {
    /// Finds the history for the worktree that `dir` belongs to.
    pub(crate) fn of(dir: &Path) -> Result<HistoryLocation, HistoryError> {
        let root = Location::of(dir)?.root;
        let checkout = Checkout::at(&root);
        match checkout.git().output(&["rev-parse", "--git-dir"]) {
            Ok(_) => Ok(HistoryLocation { root, orbit_dir: checkout.shared_dir(), checkout }),
            Err(GitError::Failed(_)) => Err(HistoryError::NotGit(root)),
            Err(error) => Err(error.into()),
        }
    }

    /// The database, whether or not it exists.
    pub(crate) fn database(&self) -> PathBuf {
        self.orbit_dir.join("history.db")
    }

    /// The file that is locked while the history is written.
    pub(crate) fn lock_file(&self) -> PathBuf {
        self.orbit_dir.join("history.db.lock")
    }

    /// Where operation logs are kept as files: in this worktree, then in the main one.
    pub(crate) fn operation_dirs(&self) -> Vec<PathBuf> {
        let here = self.root.join(".orbit/operations");
        let main = self.orbit_dir.join("operations");
        if here == main { vec![here] } else { vec![here, main] }
    }

    /// Makes `.orbit/` and keeps the history out of git.
    pub(crate) fn prepare(&self) -> Result<(), HistoryError> {
        let failed = |error| HistoryError::State(self.orbit_dir.clone(), error);
        keep_out_of_git(&self.orbit_dir, "history.db*").map_err(failed)
    }

    /// Commits whose parents this clone does not have.
    pub(crate) fn shallow(&self) -> BTreeSet<Oid> {
        let shallow = self.checkout.common_dir().map(|dir| dir.join("shallow"));
        let text = shallow.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        text.lines().filter_map(|line| Oid::parse(line.trim().as_bytes())).collect()
    }

    /// The settings of this worktree.
    pub(crate) fn config(&self) -> Result<Option<toml::Table>, HistoryError> {
        self.checkout.config().map_err(|error| HistoryError::Config(error.path, error.message))
    }
}
