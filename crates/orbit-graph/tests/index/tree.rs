//! A worktree in a temporary directory.

use crate::fixture::files;
use orbit_graph::{Graph, Location, Progress, Silent, SyncMode, SyncOptions, SyncReport};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// The multi-language worktree that random edits start from.
pub(crate) const FIXTURE: &str = include_str!("fixture.txt");

/// How many threads a sync gets where the number is of no interest.
pub(crate) const THREADS: usize = 2;

/// Files below a temporary directory, removed with it.
pub(crate) struct Tree {
    dir: TempDir,
}

impl Tree {
    /// An empty directory that is the root of a worktree, wherever temporary directories are.
    pub(crate) fn new() -> Tree {
        let tree = Tree::without_git();
        tree.write(".git/HEAD", "ref: refs/heads/main\n");
        tree
    }

    /// An empty directory.
    pub(crate) fn without_git() -> Tree {
        Tree { dir: tempfile::tempdir().expect("a temporary directory") }
    }

    /// The files of a fixture. They are old enough that a sync trusts their times.
    pub(crate) fn of(fixture: &str) -> Tree {
        let tree = Tree::new();
        for (path, text) in files(fixture) {
            tree.write_old(&path, text);
        }
        tree
    }

    pub(crate) fn root(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let file = self.path(path);
        fs::create_dir_all(file.parent().expect("below the root")).expect("directories");
        fs::write(file, bytes).expect("writable");
    }

    /// Writes a file and dates it back.
    pub(crate) fn write_old(&self, path: &str, bytes: impl AsRef<[u8]>) {
        self.write(path, bytes);
        self.set_age(path, Duration::from_hours(1));
    }

    /// Makes a file look as if it was written this long ago.
    pub(crate) fn set_age(&self, path: &str, age: Duration) {
        self.set_modified(path, SystemTime::now() - age);
    }

    pub(crate) fn set_modified(&self, path: &str, time: SystemTime) {
        let file = fs::File::options().write(true).open(self.path(path)).expect("the file");
        file.set_modified(time).expect("a time the file system can store");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("a text file")
    }

    /// Replaces one piece of a file's text by another.
    pub(crate) fn replace(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} has no {from:?}");
        self.write(path, text.replacen(from, to, 1));
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).expect("the file");
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        let to = self.path(to);
        fs::create_dir_all(to.parent().expect("below the root")).expect("directories");
        fs::rename(self.path(from), to).expect("a free name");
    }

    /// Every file but what git and the index keep, by path.
    pub(crate) fn files(&self) -> BTreeMap<String, PathBuf> {
        let mut found = BTreeMap::new();
        gather(self.root(), "", &mut found);
        found
    }

    /// The same files in another directory, without an index. Of git, what decides on the files is kept.
    pub(crate) fn copy(&self) -> Tree {
        let copy = if self.path(".git").exists() { Tree::new() } else { Tree::without_git() };
        for (path, file) in self.files() {
            copy.write(&path, fs::read(file).expect("readable"));
        }
        if let Ok(exclude) = fs::read(self.path(".git/info/exclude")) {
            copy.write(".git/info/exclude", exclude);
        }
        copy
    }

    pub(crate) fn graph(&self) -> Graph {
        Graph::open(self.root(), orbit_graph::SyncPolicy::Manual).expect("an existing directory")
    }

    pub(crate) fn location(&self) -> Location {
        self.graph().location().expect("an existing directory")
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.location().database
    }

    /// Names in `.orbit/graph`, sorted.
    pub(crate) fn graph_files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path(".orbit/graph")).expect("a synced worktree");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn sync(&self) -> SyncReport {
        self.sync_watched(&Silent)
    }

    pub(crate) fn sync_full(&self) -> SyncReport {
        let options = SyncOptions { mode: SyncMode::Full, threads: THREADS, progress: &Silent };
        self.graph().sync(&options).expect("a full sync")
    }

    /// A sync that tells `progress` how far it is.
    pub(crate) fn sync_watched(&self, progress: &dyn Progress) -> SyncReport {
        let options = SyncOptions { mode: SyncMode::Auto, threads: THREADS, progress };
        self.graph().sync(&options).expect("a sync")
    }

    pub(crate) fn export(&self) -> String {
        let mut out = Vec::new();
        self.graph().export(&mut out).expect("an index");
        String::from_utf8(out).expect("JSON is UTF-8")
    }

    /// The paths that the index has.
    pub(crate) fn indexed(&self) -> Vec<String> {
        let export = self.export();
        let rows = export.lines().filter(|line| line.starts_with(r#"{"type":"file""#));
        let path = |line: &str| -> String {
            let row: serde_json::Value = serde_json::from_str(line).expect("JSON lines");
            row["path"].as_str().expect("a path").to_owned()
        };
        rows.map(path).collect()
    }
}

fn gather(dir: &Path, prefix: &str, found: &mut BTreeMap<String, PathBuf>) {
    for entry in fs::read_dir(dir).expect("a readable directory") {
        let entry = entry.expect("readable");
        let path = format!("{prefix}{}", entry.file_name().to_str().expect("UTF-8 names"));
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() && path != ".orbit" && path != ".git" {
            gather(&entry.path(), &format!("{path}/"), found);
        } else if kind.is_file() {
            found.insert(path, entry.path());
        }
    }
}
