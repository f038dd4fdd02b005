//! Where HEAD is, read from git's own files: a sync without changes stays as cheap as its walk.

use crate::checkout::{common_dir, git_dir};
use std::fs;
use std::path::Path;

/// Where HEAD is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The branch, `HEAD` when detached, `None` outside of git.
    pub branch: Option<String>,
    /// The full commit, when there is one.
    pub commit: Option<String>,
}

impl Head {
    /// HEAD of the worktree at `root`.
    pub fn of(root: &Path) -> Head {
        let mut head = Head::named(root);
        if let (Some(branch), None, Some(git_dir)) = (&head.branch, &head.commit, git_dir(root)) {
            let in_heads = format!("refs/heads/{branch}");
            let reference = if branch.starts_with("refs/") { branch } else { &in_heads };
            head.commit = read_ref(&git_dir, reference);
        }
        head
    }

    /// As [`Head::of`], without the commit of a branch: one small file is read.
    pub fn named(root: &Path) -> Head {
        let text = git_dir(root).and_then(|dir| fs::read_to_string(dir.join("HEAD")).ok());
        let Some(text) = text else { return Head { branch: None, commit: None } };
        let text = text.trim();
        match text.strip_prefix("ref: ") {
            Some(reference) => {
                let branch = reference.strip_prefix("refs/heads/").unwrap_or(reference).to_owned();
                Head { branch: Some(branch), commit: None }
            }
            None => Head { branch: Some("HEAD".into()), commit: Some(text.to_owned()) },
        }
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
