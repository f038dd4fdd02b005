//! Worktrees made by git itself.

use crate::tree::Tree;
use std::path::Path;
use std::process::Command;

/// An empty repository on branch `main`, without a commit.
pub(crate) fn init() -> Tree {
    let tree = Tree::without_git();
    git(tree.root(), &["init", "-q", "-b", "main"]);
    tree
}

/// A repository with the files of a fixture in its first commit, old enough that a sync trusts their times.
pub(crate) fn with_commit(fixture: &str) -> Tree {
    let tree = init();
    for (path, text) in crate::fixture::files(fixture) {
        tree.write_old(&path, text);
    }
    commit(&tree, "first");
    tree
}

/// Commits everything but what the index keeps, and gives the commit's full name.
pub(crate) fn commit(tree: &Tree, message: &str) -> String {
    git(tree.root(), &["add", "-A", "--", ".", ":!.orbit"]);
    git(tree.root(), &["commit", "-q", "--allow-empty", "-m", message]);
    git(tree.root(), &["rev-parse", "HEAD"])
}

/// Runs git, untouched by the machine's settings, and gives what it prints.
pub(crate) fn git(dir: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=orbit", "-c", "user.email=orbit@example.org", "-c", "commit.gpgsign=false"])
        .args(["-c", "core.autocrlf=false", "-c", "gc.auto=0", "-c", "advice.detachedHead=false"])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .output()
        .expect("git is installed");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
