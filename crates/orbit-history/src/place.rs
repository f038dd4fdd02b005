//! Where the history of a clone lives: under the main worktree's `.orbit/`, so that all worktrees share it.

use crate::error::HistoryError;
use crate::git::{Git, Oid};
use orbit_graph::Location;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A worktree and the history that belongs to its clone.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The worktree that was asked about.
    pub(crate) root: PathBuf,
    /// The `.orbit` directory of the main worktree.
    pub(crate) orbit_dir: PathBuf,
    /// The directory shared by all worktrees.
    common_dir: PathBuf,
}

impl Place {
    /// Finds the history for the worktree that `dir` belongs to.
    pub(crate) fn of(dir: &Path) -> Result<Place, HistoryError> {
        let root = Location::of(dir)?.root;
        let git = Git::at(&root);
        let asked = git.output(&["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"]);
        let Ok(answer) = asked else {
            return Err(match std::process::Command::new("git").arg("--version").output() {
                Err(error) => HistoryError::Git(format!("cannot be run: {error}")),
                Ok(_) => HistoryError::NotGit(root),
            });
        };
        let text = String::from_utf8_lossy(&answer);
        let mut lines = text.lines();
        let (git_dir, common_dir) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let common_dir = PathBuf::from(common_dir);
        let main = match common_dir.file_name() {
            Some(name) if name == ".git" => common_dir.parent().unwrap_or(&root).to_owned(),
            // A submodule, or a git directory put elsewhere: this worktree is the main one.
            _ if Path::new(git_dir) == common_dir => root.clone(),
            // Worktrees of a bare repository.
            _ => common_dir.clone(),
        };
        Ok(Place { root, orbit_dir: main.join(".orbit"), common_dir })
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
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |error| HistoryError::State(path, error)
        };
        fs::create_dir_all(&self.orbit_dir).map_err(fail(&self.orbit_dir))?;
        let ignore = self.orbit_dir.join(".gitignore");
        let mut text = fs::read_to_string(&ignore).unwrap_or_else(|_| "graph/\n.gitignore\n".into());
        if !text.lines().any(|line| line == "history.db*") {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str("history.db*\n");
            fs::write(&ignore, text).map_err(fail(&ignore))?;
        }
        Ok(())
    }

    /// Commits whose parents this clone does not have.
    pub(crate) fn shallow(&self) -> BTreeSet<Oid> {
        let text = fs::read_to_string(self.common_dir.join("shallow")).unwrap_or_default();
        text.lines().filter_map(|line| Oid::parse(line.trim().as_bytes())).collect()
    }

    /// `.orbit/config.toml` of this worktree, else of the main one.
    pub(crate) fn config(&self) -> Result<Option<toml::Table>, HistoryError> {
        for dir in [self.root.join(".orbit"), self.orbit_dir.clone()] {
            let path = dir.join("config.toml");
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let parsed = text.parse::<toml::Table>();
            return parsed.map(Some).map_err(|error| HistoryError::Config(path, error.message().to_owned()));
        }
        Ok(None)
    }
}
