//! A directory to run the program in.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A temporary directory that is the root of a worktree.
pub(crate) struct Worktree {
    dir: TempDir,
}

impl Worktree {
    /// An empty worktree on branch `main` that git itself has never seen.
    pub(crate) fn new() -> Worktree {
        let worktree = Worktree::without_git();
        worktree.write(".git/HEAD", "ref: refs/heads/main\n");
        worktree
    }

    pub(crate) fn without_git() -> Worktree {
        Worktree { dir: tempfile::tempdir().expect("a temporary directory") }
    }

    /// A repository made by git, without a commit.
    pub(crate) fn repository() -> Worktree {
        let worktree = Worktree::without_git();
        worktree.git(&["init", "-q", "-b", "main"]);
        worktree
    }

    /// A worktree with a few small files.
    pub(crate) fn small() -> Worktree {
        let worktree = Worktree::new();
        worktree
            .write("a.py", "from b import helper\n\n\ndef run():\n    return helper(\"some text here\")\n");
        worktree.write("b.py", "def helper(value):\n    return value\n");
        worktree.write("README.md", "# Small\n");
        worktree
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

    /// Where the program says the database is.
    pub(crate) fn database(&self) -> PathBuf {
        super::program::orbit(self.root(), &["db-path"]).success().trim_end_matches('\n').into()
    }

    /// Names in `.orbit/graph`, sorted.
    pub(crate) fn graph_files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path(".orbit/graph")).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Commits everything but the index.
    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A", "--", ".", ":!.orbit"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// Runs git, untouched by the machine's settings.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=orbit", "-c", "user.email=orbit@example.org"])
            .args(["-c", "commit.gpgsign=false", "-c", "core.autocrlf=false", "-c", "gc.auto=0"])
            .args(args)
            .current_dir(self.root())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .output()
            .expect("git is installed");
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}
