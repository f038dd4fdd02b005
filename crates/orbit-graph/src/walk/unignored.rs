//! Tracked files that an ignore rule names: to git, what is tracked is not ignored.

use super::rules::Rules;
use super::tracked::is_doubtful;
use crate::layout::directory;
use ignore::Match;
use ignore::gitignore::Gitignore;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The tracked files that the rules of git alone keep from being read. The files of `walked` are known already; `entered`
/// are the directories of doubtful names that the walk entered. One that is ignored as well holds output, tracked or not.
pub(super) fn unignored<'r>(
    root: &Path,
    rules: &'r Rules,
    walked: &[&str],
    entered: &HashSet<String>,
) -> Vec<&'r str> {
    let mut gate = Gate { root, rules, entered, open: HashMap::new(), own: HashMap::new() };
    let mut walked = walked.iter().peekable();
    let mut found = Vec::new();
    // Both are in order of path, so that a walk that met everything is compared in one pass.
    for path in &rules.tracked().files {
        while walked.next_if(|met| **met < path.as_str()).is_some() {}
        let is_met = walked.peek().is_some_and(|met| **met == path);
        if !is_met && gate.is_open(directory(path)) && gate.lets_in(path, false) {
            found.push(path.as_str());
        }
    }
    found
}

/// Which directories are entered by every rule but git's.
struct Gate<'r> {
    root: &'r Path,
    rules: &'r Rules,
    entered: &'r HashSet<String>,
    open: HashMap<String, bool>,
    /// The `.orbitignore` of a directory.
    own: HashMap<String, Option<Gitignore>>,
}

impl Gate<'_> {
    fn is_open(&mut self, dir: &str) -> bool {
        if dir.is_empty() {
            return true;
        }
        if let Some(is_open) = self.open.get(dir) {
            return *is_open;
        }
        let is_open = self.is_open(directory(dir)) && self.lets_in(dir, true);
        self.open.insert(dir.to_owned(), is_open);
        is_open
    }

    fn lets_in(&mut self, path: &str, is_dir: bool) -> bool {
        let full = self.root.join(path);
        let is_source = is_dir && is_doubtful(path.rsplit('/').next().unwrap_or(path));
        let is_wanted =
            if is_source { self.entered.contains(path) } else { self.rules.is_wanted_by_name(&full, is_dir) };
        let is_there = || std::fs::symlink_metadata(&full).is_ok_and(|found| found.is_dir() == is_dir);
        is_wanted && is_there() && !self.is_left_out(path, is_dir)
    }

    /// Whether an `.orbitignore` names it; that of the nearest directory decides.
    fn is_left_out(&mut self, path: &str, is_dir: bool) -> bool {
        let mut dir = directory(path);
        loop {
            let root = self.root;
            let own = self.own.entry(dir.to_owned()).or_insert_with(|| {
                let file = root.join(dir).join(".orbitignore");
                file.is_file().then(|| Gitignore::new(&file).0)
            });
            match own.as_ref().map_or(Match::None, |own| own.matched(root.join(path), is_dir)) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None if dir.is_empty() => return false,
                Match::None => dir = directory(dir),
            }
        }
    }
}
