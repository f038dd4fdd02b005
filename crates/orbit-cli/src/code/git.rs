//! What git says, in one call each. A failure is an empty answer: knowledge is worth having without git.

use orbit_git::Git;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn output(root: &Path, args: &[&str]) -> Option<Vec<u8>> {
    Git::at(root).output(args).ok()
}

fn split(bytes: &[u8]) -> impl Iterator<Item = String> {
    let parts = bytes.split(|byte| *byte == 0).filter(|part| !part.is_empty());
    parts.map(|part| String::from_utf8_lossy(part).into_owned())
}

/// The commit that is checked out.
pub(super) fn head(root: &Path) -> Option<String> {
    Git::at(root).head()
}

/// Whether one commit is part of another's history; `None` when git does not know both.
pub(super) fn is_ancestor(root: &Path, old: &str, new: &str) -> Option<bool> {
    if old == new {
        return Some(true);
    }
    let mut command = Git::at(root).command(&["merge-base", "--is-ancestor", old, new]);
    match command.output().ok()?.status.code() {
        Some(0) => Some(true),
        Some(1) => Some(false),
        _ => None,
    }
}

/// Every file that is tracked or could be, sorted. `None` outside of a worktree.
pub(super) fn files(root: &Path) -> Option<Vec<String>> {
    let listed = output(root, &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
    let mut files: Vec<String> = split(&listed).filter(|path| !path.starts_with(".orbit/")).collect();
    files.sort_unstable();
    files.dedup();
    Some(files)
}

/// Files that differ from what is committed.
pub(super) fn uncommitted(root: &Path) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = output(root, &["diff", "-z", "--name-only", "HEAD", "--"])
        .iter()
        .flat_map(|text| split(text))
        .collect();
    let new = output(root, &["ls-files", "-z", "--others", "--exclude-standard"]);
    found.extend(new.iter().flat_map(|text| split(text)));
    found
}

/// What changed between a commit and the worktree: files that are there, and old paths of renamed ones.
#[derive(Default)]
pub(super) struct Changed {
    pub(super) files: BTreeSet<String>,
    pub(super) renamed: BTreeMap<String, String>,
}

/// Compares the worktree with a commit, renames recognised.
pub(super) fn changed_since(root: &Path, commit: &str) -> Changed {
    let mut changed = Changed::default();
    let args = ["diff", "-z", "--name-status", "-M", "-l0", "--end-of-options", commit, "--"];
    if let Some(text) = output(root, &args) {
        let mut words = split(&text);
        while let Some(status) = words.next() {
            let Some(path) = words.next() else { break };
            match status.as_bytes().first() {
                Some(b'R' | b'C') => {
                    let Some(new) = words.next() else { break };
                    if status.starts_with('R') {
                        changed.renamed.insert(path, new.clone());
                    }
                    changed.files.insert(new);
                }
                Some(b'D') => {}
                _ => drop(changed.files.insert(path)),
            }
        }
    }
    let new = output(root, &["ls-files", "-z", "--others", "--exclude-standard"]);
    changed.files.extend(new.iter().flat_map(|text| split(text)));
    changed
}

/// A file of a commit.
pub(super) fn blob(root: &Path, commit: &str, path: &str) -> Option<Vec<u8>> {
    output(root, &["cat-file", "blob", &format!("{commit}:{path}")])
}

/// The files that a revision range, or the worktree, changes; `None` when git does not know it.
pub(super) fn files_of_diff(root: &Path, range: &str) -> Option<Vec<String>> {
    if range == "worktree" {
        return Some(uncommitted(root).into_iter().collect());
    }
    let text = output(root, &["diff", "-z", "--name-only", "--end-of-options", range, "--"])?;
    Some(split(&text).collect())
}

/// The commits, newest first, whose message names a text, with the files they change.
pub(super) fn commits_that_name(root: &Path, text: &str) -> (Vec<String>, Vec<String>) {
    let grep = format!("--grep={text}");
    let args = ["log", "-z", "-i", "-F", &grep, "--name-only", "--format=%x01%H", "-n", "200"];
    let Some(found) = output(root, &args) else { return (Vec::new(), Vec::new()) };
    let (mut commits, mut files) = (Vec::new(), Vec::new());
    for part in split(&found) {
        // With -z the names follow the commit behind a line break or a NUL.
        for word in part.split('\n').filter(|word| !word.is_empty()) {
            match word.strip_prefix('\u{1}') {
                Some(commit) => commits.push(commit.to_owned()),
                None => files.push(word.to_owned()),
            }
        }
    }
    files.sort_unstable();
    files.dedup();
    (commits, files)
}

/// How often each file was committed, over the last commits, and which files each commit changed.
pub(super) fn recent_commits(root: &Path, most: usize) -> Vec<Vec<String>> {
    let count = most.to_string();
    let args = ["log", "-z", "--no-merges", "--name-only", "--format=%x01", "-n", &count];
    let Some(found) = output(root, &args) else { return Vec::new() };
    let text = String::from_utf8_lossy(&found);
    let files = |part: &str| {
        let words = part.split(['\0', '\n']).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    text.split('\u{1}').map(files).filter(|files| !files.is_empty()).collect()
}
