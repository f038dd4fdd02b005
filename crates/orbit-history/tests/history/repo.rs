//! A repository to walk, made by running git.

use orbit_graph::Selector;
use orbit_history::{History, HistoryOptions, HistoryReport, Subject, SymbolHistory, sync};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A repository, or a worktree or clone of one.
pub(crate) struct Repo {
    root: PathBuf,
    _dir: Option<TempDir>,
}

impl Repo {
    /// An empty repository on branch `main`.
    pub(crate) fn new() -> Repo {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path().join("repo");
        fs::create_dir(&root).expect("a directory");
        let repo = Repo { root, _dir: Some(dir) };
        repo.git(&["init", "-q", "-b", "main"]);
        repo
    }

    /// Another directory of git's making, below the same temporary directory.
    pub(crate) fn beside(&self, name: &str) -> Repo {
        Repo { root: self.root.parent().expect("below a directory").join(name), _dir: None }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> &Repo {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().expect("below the root")).expect("directories");
        fs::write(file, text).expect("writable");
        self
    }

    pub(crate) fn remove(&self, path: &str) -> &Repo {
        fs::remove_file(self.root.join(path)).expect("it is there");
        self
    }

    /// Commits everything but what orbit keeps. Returns the commit.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A", "--", ".", ":!.orbit"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.head()
    }

    pub(crate) fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs git, untouched by the machine's settings; it must succeed.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        let output = self.try_git(args);
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub(crate) fn try_git(&self, args: &[&str]) -> Output {
        Command::new("git")
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"])
            .args(["-c", "gc.auto=0", "-c", "protocol.file.allow=always", "-c", "advice.detachedHead=false"])
            .args(args)
            .current_dir(&self.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .expect("git is installed")
    }

    pub(crate) fn sync(&self) -> HistoryReport {
        sync(&self.root, &HistoryOptions::default()).expect("a history")
    }

    pub(crate) fn sync_with(&self, pattern: &str) -> HistoryReport {
        let options = HistoryOptions { task_id_pattern: Some(pattern), ..HistoryOptions::default() };
        sync(&self.root, &options).expect("a history")
    }

    pub(crate) fn open(&self) -> History {
        History::open(&self.root, None).expect("a history")
    }

    /// The history of `a.py#f:function` or `file:a.py`, without a sync.
    pub(crate) fn history(&self, selector: &str) -> SymbolHistory {
        self.open().history(&subject(selector), 1000).expect("an answer")
    }

    /// `change subject` of every commit, newest first.
    pub(crate) fn story(&self, selector: &str) -> Vec<String> {
        let history = self.history(selector);
        history.commits.iter().map(|row| format!("{} {}", row.change, row.summary)).collect()
    }

    /// `change from -> to how` of every hop, oldest first, without the prefixes of selectors.
    pub(crate) fn lineage(&self, selector: &str) -> Vec<String> {
        let bare = |text: &Option<String>| text.clone().unwrap_or_default().replace("symbol:", "");
        let history = self.history(selector);
        let hops = history.lineage.iter();
        hops.map(|hop| format!("{} {} -> {} {}", hop.change, bare(&hop.from), bare(&hop.to), hop.known_by))
            .collect()
    }

    pub(crate) fn stable_id(&self, selector: &str) -> String {
        self.history(selector).stable_id.unwrap_or_else(|| panic!("{selector} has no stable id"))
    }
}

pub(crate) fn subject(selector: &str) -> Subject {
    let text = if selector.starts_with("file:") { selector.to_owned() } else { format!("symbol:{selector}") };
    Subject::of(&Selector::parse(&text).expect("a selector")).expect("a symbol or file")
}
