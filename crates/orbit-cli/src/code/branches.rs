//! Which stamps of an atom count for the worktree that asks.
//!
//! A stamp counts where its commit is part of what is checked out, or on the branch that it was made on: what was said on
//! another branch neither holds here nor drifts here. Of those, a newer one takes the place of what it was built upon;
//! several are left over only where branches were merged, and then each part of the code may be as any of them has it.
//! Code that is wholly as some stamp has it was affirmed, wherever that was.

use super::files::Files;
use super::{check, git};
use orbit_git::Head;
use orbit_knowledge::{Cause, Finding, Freshness, Moved, Stamp};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What is checked out, and how commits follow each other.
pub(super) struct Branches {
    root: PathBuf,
    head: OnceCell<Option<String>>,
    branch: OnceCell<Option<String>>,
    uncommitted: OnceCell<BTreeSet<String>>,
    follows: BTreeMap<(String, String), Option<bool>>,
}

impl Branches {
    pub(super) fn new(root: &Path) -> Branches {
        Branches {
            root: root.to_owned(),
            head: OnceCell::new(),
            branch: OnceCell::new(),
            uncommitted: OnceCell::new(),
            follows: BTreeMap::new(),
        }
    }

    /// How an area stands, by all of its stamps, the newest first.
    pub(super) fn judge(
        &mut self,
        stamps: &[Stamp],
        files: &Files,
        check: &mut dyn FnMut(&Stamp) -> Finding,
    ) -> Finding {
        let Some(newest) = stamps.first() else { return Finding::not_checked("it has no stamp") };
        if newest.files.is_empty() {
            return Finding::unbound();
        }
        if let Some(same) = stamps.iter().find(|stamp| is_as(stamp, files)) {
            return Finding { settled: self.settled(same), ..check(same) };
        }
        let counting = self.counting(stamps);
        let mut findings: Vec<(&Stamp, Finding)> =
            counting.iter().map(|at| (&stamps[*at], check(&stamps[*at]))).collect();
        for at in (0..stamps.len()).filter(|at| !counting.contains(at)) {
            let finding = check(&stamps[at]);
            if finding.freshness == Freshness::Fresh {
                return Finding { settled: self.settled(&stamps[at]), ..finding };
            }
        }
        if findings.is_empty() {
            return elsewhere(newest);
        }
        if findings.len() > 1 {
            return merged(&findings);
        }
        findings.swap_remove(0).1
    }

    /// The stamps that count here and that no other one was built upon.
    fn counting(&mut self, stamps: &[Stamp]) -> Vec<usize> {
        let here: Vec<usize> = (0..stamps.len()).filter(|at| self.is_here(&stamps[*at])).collect();
        let mut counting: Vec<usize> = Vec::new();
        for at in &here {
            let is_replaced = here.iter().any(|other| {
                let (old, new) = (&stamps[*at], &stamps[*other]);
                // What was rebased away was replaced by what the branch has now.
                let is_later = other < at;
                is_later && (old.commit == new.commit || old.branch == new.branch && self.is_gone(old))
                    || other != at && old.commit != new.commit && self.is_behind(old, new)
            });
            if !is_replaced {
                counting.push(*at);
            }
        }
        counting
    }

    fn is_here(&mut self, stamp: &Stamp) -> bool {
        let is_own = stamp.branch.is_some() && stamp.branch.as_deref() == self.branch();
        let (Some(commit), Some(head)) = (stamp.commit.clone(), self.head()) else { return true };
        if is_own || stamp.branch.is_none() && stamp.is_dirty {
            return true;
        }
        // What git does not know any more may have been here.
        self.follows(&commit, &head).unwrap_or(true) && !stamp.is_dirty
    }

    /// Whether a stamp's commit is not part of what is checked out.
    fn is_gone(&mut self, stamp: &Stamp) -> bool {
        let (Some(commit), Some(head)) = (stamp.commit.clone(), self.head()) else { return false };
        self.follows(&commit, &head) != Some(true)
    }

    /// Whether one stamp's commit is an ancestor of the other's.
    fn is_behind(&mut self, old: &Stamp, new: &Stamp) -> bool {
        match (&old.commit, &new.commit) {
            (Some(old), Some(new)) => self.follows(&old.clone(), &new.clone()).unwrap_or(false),
            _ => false,
        }
    }

    fn follows(&mut self, old: &str, new: &str) -> Option<bool> {
        let key = (old.to_owned(), new.to_owned());
        if let Some(known) = self.follows.get(&key) {
            return *known;
        }
        let found = git::is_ancestor(&self.root, old, new);
        self.follows.insert(key, found);
        found
    }

    fn head(&self) -> Option<String> {
        self.head.get_or_init(|| git::head(&self.root)).clone()
    }

    fn branch(&self) -> Option<&str> {
        self.branch.get_or_init(|| branch(&self.root)).as_deref()
    }

    /// A stamp that holds here as one of here, when it was made elsewhere or before its code was committed.
    fn settled(&mut self, stamp: &Stamp) -> Option<Stamp> {
        let is_here = !stamp.is_dirty && self.is_here(stamp);
        let head = self.head()?;
        if is_here || stamp.commit.as_deref() == Some(&head) && stamp.branch.as_deref() == self.branch() {
            return None;
        }
        let root = &self.root;
        let uncommitted = self.uncommitted.get_or_init(|| git::uncommitted(root));
        if stamp.files.iter().any(|file| uncommitted.contains(&file.path)) {
            return None;
        }
        let branch = self.branch().map(str::to_owned);
        Some(Stamp { commit: Some(head), branch, is_dirty: false, ..stamp.clone() })
    }
}

/// The branch that is checked out.
pub(super) fn branch(root: &Path) -> Option<String> {
    Head::named(root).branch.filter(|name| name != "HEAD")
}

/// Whether all files have the bytes that were stamped.
fn is_as(stamp: &Stamp, files: &Files) -> bool {
    !stamp.files.is_empty()
        && stamp.files.iter().all(|mark| files.get(&mark.path).is_some_and(|now| now.content == mark.content))
}

/// It was said of code that is not here.
fn elsewhere(stamp: &Stamp) -> Finding {
    let branch = stamp.branch.as_deref().map(|name| format!(" of branch `{name}`")).unwrap_or_default();
    let commit = stamp.commit.as_deref().map_or("code", |commit| commit.get(..8).unwrap_or(commit));
    let note = format!("it was written for {commit}{branch}, which is not part of what is checked out here");
    Finding::not_checked(&note)
}

/// Where something is that was at a selector.
fn now<'s>(selector: &'s str, moved: &'s [Moved]) -> &'s str {
    moved.iter().find(|step| step.from == selector).map_or(selector, |step| &step.to)
}

/// Whether a stamp holds for what is at a selector now: it was looked at, and is as it was.
fn vouches(stamp: &Stamp, finding: &Finding, place: &str) -> bool {
    let knows = || {
        stamp.files.iter().any(|file| {
            let own = file.own.is_some().then(|| format!("file:{}", file.path));
            let symbols = file.symbols.iter().map(|symbol| check::selector(&file.path, symbol));
            own.into_iter().chain(symbols).any(|known| now(&known, &finding.moved) == place)
        })
    };
    let is_blamed = finding.because.iter().any(|cause| now(&cause.selector, &finding.moved) == place);
    finding.freshness != Freshness::NotChecked && !is_blamed && knows()
}

/// After a merge, each part of the code may be as any side has it: what changed is what no side vouches for. A side that
/// never saw something, or knew it by a name that cannot be followed, says nothing about it.
fn merged(findings: &[(&Stamp, Finding)]) -> Finding {
    let mut because: BTreeMap<&str, &Cause> = BTreeMap::new();
    for (_, finding) in findings {
        for cause in &finding.because {
            let place = now(&cause.selector, &finding.moved);
            if !findings.iter().any(|(stamp, other)| vouches(stamp, other, place)) {
                because.entry(place).or_insert(cause);
            }
        }
    }
    let mut because: Vec<Cause> = because.into_values().cloned().collect();
    because.sort_by(|a, b| (b.freshness, &a.selector).cmp(&(a.freshness, &b.selector)));
    let least = findings.iter().min_by_key(|(_, finding)| finding.because.len());
    let Some((_, best)) = least else { return Finding::not_checked("it has no stamp") };
    let worst = because.first().map_or(Freshness::Fresh, |cause| cause.freshness);
    let is_unknown = best.freshness == Freshness::NotChecked && worst == Freshness::Fresh;
    let freshness = if is_unknown { Freshness::NotChecked } else { worst };
    Finding { freshness, because, ..best.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orbit_knowledge::{FileMark, KnownBy, SymbolMark};

    #[test]
    fn sides_that_know_a_symbol_by_different_names_agree_that_it_changed() {
        let finding = |selector: &str, moved: Vec<Moved>| {
            let cause = Cause {
                selector: selector.into(),
                freshness: Freshness::BodyDrifted,
                commits: Vec::new(),
                task_ids: Vec::new(),
                is_uncommitted: false,
                candidates: Vec::new(),
            };
            Finding { because: vec![cause], moved, ..Finding::of(Freshness::BodyDrifted) }
        };
        let moved = Moved {
            from: "symbol:a.py#old:function".into(),
            to: "symbol:a.py#new:function".into(),
            known_by: KnownBy::Operation,
        };
        let stamp = |names: &[&str]| {
            let symbol = |name: &&str| SymbolMark {
                local: (*name).into(),
                kind: "function".into(),
                stable_id: None,
                signature: 1,
                body: 2,
            };
            let symbols = names.iter().map(symbol).collect();
            let file = FileMark { path: "a.py".into(), content: "c".into(), own: None, symbols };
            Stamp { files: vec![file], ..Stamp::default() }
        };
        let (early, late) = (stamp(&["old"]), stamp(&["new", "other"]));
        let was = finding("symbol:a.py#old:function", vec![moved.clone()]);
        let is = finding("symbol:a.py#new:function", Vec::new());
        for sides in
            [[(&early, was.clone()), (&late, is.clone())], [(&late, is.clone()), (&early, was.clone())]]
        {
            let both = merged(&sides);
            assert_eq!((both.freshness, both.because.len()), (Freshness::BodyDrifted, 1));
        }
        // Each changed what the other side had affirmed.
        let both_know = stamp(&["old", "other"]);
        let other = finding("symbol:a.py#other:function", vec![moved]);
        assert_eq!(merged(&[(&both_know, other.clone()), (&late, is.clone())]).freshness, Freshness::Fresh);
        // A side that never saw it cannot vouch for it.
        let both = merged(&[(&early, Finding::of(Freshness::Fresh)), (&late, is)]);
        assert_eq!(both.because.len(), 1);
    }
}
