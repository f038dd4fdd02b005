//! A repository to refactor, made by running git.

use crate::fixture;
use orbit_graph::Selector;
use orbit_refactor::{Plan, Refactor, RefactorError, RenameOptions, Step};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

pub(crate) struct Repo {
    root: PathBuf,
    _dir: Option<TempDir>,
}

impl Repo {
    /// A repository with one commit; its files as [`fixture::files`] reads them.
    pub(crate) fn new(fixture: &str) -> Repo {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path().join("repo");
        fs::create_dir(&root).expect("a directory");
        let repo = Repo { root, _dir: Some(dir) };
        repo.git(&["init", "-q", "-b", "main"]);
        repo.git(&["config", "user.name", "Ada"]);
        repo.git(&["config", "user.email", "ada@example.org"]);
        for (path, text) in fixture::files(fixture) {
            repo.write(&path, &text);
        }
        repo.git(&["add", "-A"]);
        repo.git(&["commit", "-q", "-m", "Start"]);
        repo
    }

    pub(crate) fn beside(&self, name: &str) -> Repo {
        Repo { root: self.root.parent().expect("below a directory").join(name), _dir: None }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().expect("below the root")).expect("directories");
        fs::write(file, text).expect("writable");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_default()
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "commit.gpgsign=false", "-c", "gc.auto=0", "-c", "protocol.file.allow=always"])
            .args(args)
            .current_dir(&self.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .expect("git is installed");
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub(crate) fn open(&self) -> Refactor {
        Refactor::open(&self.root).expect("a worktree")
    }

    pub(crate) fn rename(&self, selector: &str, name: &str) -> Result<Step, RefactorError> {
        self.run(|refactor| refactor.rename(&select(selector), name, RenameOptions::default()))
    }

    pub(crate) fn relocate(&self, selector: &str, file: &str) -> Result<Step, RefactorError> {
        self.run(|refactor| refactor.relocate(&select(selector), file))
    }

    /// Plans and applies.
    pub(crate) fn run(
        &self,
        plan: impl FnOnce(&Refactor) -> Result<Plan, RefactorError>,
    ) -> Result<Step, RefactorError> {
        let refactor = self.open();
        let plan = plan(&refactor)?;
        refactor.apply(&plan, false)
    }

    /// Every file that git knows or could know, with what it holds.
    pub(crate) fn tree(&self) -> BTreeMap<String, String> {
        let listed = self.git(&["ls-files", "-co", "--exclude-standard"]);
        listed
            .lines()
            .filter(|path| self.root.join(path).exists())
            .map(|path| (path.to_owned(), self.read(path)))
            .collect()
    }
}

pub(crate) fn select(text: &str) -> Selector {
    Selector::parse(text).expect("a selector")
}

/// The code of a refusal; nothing may have changed.
pub(crate) fn refused(repo: &Repo, result: Result<Step, RefactorError>) -> &'static str {
    assert_eq!(repo.git(&["status", "--porcelain"]), "", "a refusal changes nothing");
    result.expect_err("a refusal").code()
}
