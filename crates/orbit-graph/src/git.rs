//! The little of git that the index needs, read from its files: where the worktree's git directory is, and
//! what HEAD points to. No subprocess, so a no-change sync stays as cheap as its walk.

use std::fs;
use std::path::{Path, PathBuf};

/// Where HEAD is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The branch, `HEAD` when detached, `None` outside of git.
    pub branch: Option<String>,
    /// The full commit, when there is one.
    pub commit: Option<String>,
}

/// Reads HEAD of the worktree at `root`.
pub(crate) fn head(root: &Path) -> Head {
    let mut head = named_head(root);
    if let (Some(branch), None, Some(git_dir)) = (&head.branch, &head.commit, git_dir(root)) {
        let in_heads = format!("refs/heads/{branch}");
        let reference = if branch.starts_with("refs/") { branch } else { &in_heads };
        head.commit = read_ref(&git_dir, reference);
    }
    head
}

/// As [`head`], without the commit of a branch: one small file is read.
pub(crate) fn named_head(root: &Path) -> Head {
    let Some(git_dir) = git_dir(root) else { return Head { branch: None, commit: None } };
    let Ok(text) = fs::read_to_string(git_dir.join("HEAD")) else {
        return Head { branch: None, commit: None };
    };
    let text = text.trim();
    match text.strip_prefix("ref: ") {
        Some(reference) => {
            let branch = reference.strip_prefix("refs/heads/").unwrap_or(reference).to_owned();
            Head { branch: Some(branch), commit: None }
        }
        None => Head { branch: Some("HEAD".into()), commit: Some(text.to_owned()) },
    }
}

/// The git directory of a worktree: `.git`, or where the `.git` file of a linked worktree points.
fn git_dir(root: &Path) -> Option<PathBuf> {
    let dot_git = root.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let text = fs::read_to_string(&dot_git).ok()?;
    Some(root.join(text.trim().strip_prefix("gitdir: ")?))
}

/// The directory shared by all worktrees of a clone.
fn common_dir(git_dir: &Path) -> PathBuf {
    match fs::read_to_string(git_dir.join("commondir")) {
        Ok(text) => git_dir.join(text.trim()),
        Err(_) => git_dir.to_owned(),
    }
}

fn read_ref(git_dir: &Path, reference: &str) -> Option<String> {
    let common = common_dir(git_dir);
    for dir in [git_dir, common.as_path()] {
        if let Ok(text) = fs::read_to_string(dir.join(reference)) {
            return Some(text.trim().to_owned());
        }
    }
    let packed = fs::read_to_string(common.join("packed-refs")).unwrap_or_default();
    let mut rows = packed.lines().filter_map(|line| line.split_once(' '));
    let row = rows.find(|(commit, name)| *name == reference && commit.len() >= 40);
    row.map(|(commit, _)| commit.to_owned())
}

/// Whether any local ref still leads to a commit. When git cannot be asked, yes.
pub(crate) fn is_reachable(root: &Path, commit: &str) -> bool {
    let asked = std::process::Command::new("git")
        .args(["for-each-ref", "--count=1", "--contains", commit])
        .current_dir(root)
        .stdin(std::process::Stdio::null())
        .output();
    match asked {
        Ok(output) if output.status.success() => !output.stdout.is_empty(),
        // The commit itself is gone: "no such commit".
        Ok(output) => {
            let message = String::from_utf8_lossy(&output.stderr);
            !message.contains("no such commit") && !message.contains("malformed object name")
        }
        Err(_) => true,
    }
}

/// The worktree that a directory belongs to: the nearest ancestor with a `.git`, else the directory itself.
pub(crate) fn worktree_root(dir: &Path) -> PathBuf {
    dir.ancestors().find(|ancestor| ancestor.join(".git").exists()).unwrap_or(dir).to_owned()
}
