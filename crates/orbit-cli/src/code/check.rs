//! How stamped areas stand now.
//!
//! A file whose bytes are the same is not looked into. Of others every symbol is compared; what is not where it was
//! is looked for before it is called gone.

use super::branches::Branches;
use super::causes::Causes;
use super::cited;
use super::files::Files;
use super::follow::{Fate, Follower};
use super::older;
use orbit_extract::{PRINTS_VERSION, Prints, SymbolAddress, SymbolKind, SymbolSelector};
use orbit_knowledge::{Cause, FileMark, Finding, Freshness, KnownBy, Moved, Stamp, SymbolMark};
use std::collections::BTreeSet;
use std::path::Path;

/// Checks areas, each by its stamps, sharing what was learnt from git and the history.
pub(super) fn check(root: &Path, files: &Files, areas: &[&[Stamp]]) -> Vec<Finding> {
    let mut follower = Follower::new(root, files);
    let mut causes = Causes::new(root);
    let mut check = |stamp: &Stamp| {
        let has_changed =
            |mark: &FileMark| files.get(&mark.path).is_none_or(|now| now.content != mark.content);
        if stamp.prints_version == PRINTS_VERSION || !stamp.files.iter().any(has_changed) {
            let finding = Checked::new(BTreeSet::new()).run(stamp, files, &mut follower, &mut causes);
            return Finding { cited: cited::follow(root, files, &mut follower, stamp), ..finding };
        }
        let (stamp, lost) = older::renewed(root, files, stamp);
        let finding = Checked::new(lost).run(&stamp, files, &mut follower, &mut causes);
        Finding { cited: cited::follow(root, files, &mut follower, &stamp), ..finding }
    };
    let mut branches = Branches::new(root);
    areas.iter().map(|stamps| branches.judge(stamps, files, &mut check)).collect()
}

/// A finding in the making.
struct Checked {
    because: Vec<(Cause, Option<String>, String)>,
    moved: Vec<Moved>,
    followed: Vec<FileMark>,
    /// Files that an older version stamped and that nobody can print again.
    unknown: BTreeSet<String>,
    is_unknown: bool,
}

impl Checked {
    fn new(unknown: BTreeSet<String>) -> Checked {
        Checked { because: Vec::new(), moved: Vec::new(), followed: Vec::new(), unknown, is_unknown: false }
    }

    fn run(
        mut self,
        stamp: &Stamp,
        files: &Files,
        follower: &mut Follower<'_>,
        causes: &mut Causes,
    ) -> Finding {
        for mark in &stamp.files {
            let now = files.get(&mark.path);
            if now.as_ref().is_some_and(|now| now.content == mark.content) {
                self.followed.push(mark.clone());
            } else if self.unknown.contains(&mark.path) {
                self.is_unknown = true;
                self.followed.push(mark.clone());
            } else {
                self.file(stamp, mark, now.is_some(), files, follower);
            }
        }
        self.finish(stamp, causes)
    }

    /// Compares a file that has other bytes, or is not there.
    fn file(
        &mut self,
        stamp: &Stamp,
        mark: &FileMark,
        is_there: bool,
        files: &Files,
        follower: &mut Follower<'_>,
    ) {
        let mut path = mark.path.clone();
        if !is_there {
            match follower.renamed(stamp.commit.as_deref(), &path) {
                Some(new) => {
                    let (from, to) = (format!("file:{path}"), format!("file:{new}"));
                    self.moved.push(Moved { from, to, known_by: KnownBy::Matched });
                    path = new;
                }
                None if mark.own.is_some() => {
                    self.blame(format!("file:{path}"), Freshness::AnchorGone, None, &mark.path, Vec::new());
                }
                None => {}
            }
        }
        let content = files.get(&path).map_or_else(|| mark.content.clone(), |seen| seen.content.clone());
        let prints = files.prints(&path);
        let is_same = content == mark.content;
        self.own(mark, &path, is_same, prints.as_deref());
        let mut left = FileMark { path: path.clone(), symbols: Vec::new(), ..mark.clone() };
        for symbol in &mark.symbols {
            let here = prints.as_deref().and_then(|prints| find(prints, symbol));
            if let Some((signature, body)) = here {
                self.compare(&mark.path, symbol, signature, body);
                left.symbols.push(symbol.clone());
            } else {
                self.missing(stamp, mark, symbol, &mut left, follower);
            }
        }
        self.followed.push(left);
    }

    /// Compares what stands outside of symbols.
    fn own(&mut self, mark: &FileMark, path: &str, is_same: bool, prints: Option<&Prints>) {
        let Some(own) = mark.own else { return };
        let is_fresh = is_same || prints.is_some_and(|prints| prints.file == own);
        let is_gone = prints.is_none() && path == mark.path && self.is_blamed(&format!("file:{path}"));
        if !is_fresh && !is_gone {
            self.blame(format!("file:{}", mark.path), Freshness::BodyDrifted, None, path, Vec::new());
        }
    }

    fn is_blamed(&self, selector: &str) -> bool {
        self.because.iter().any(|(cause, ..)| cause.selector == selector)
    }

    fn compare(&mut self, path: &str, symbol: &SymbolMark, signature: u64, body: u64) {
        let freshness = if signature != symbol.signature {
            Freshness::SignatureChanged
        } else if body != symbol.body {
            Freshness::BodyDrifted
        } else {
            return;
        };
        self.blame(selector(path, symbol), freshness, symbol.stable_id.clone(), path, Vec::new());
    }

    /// Looks for a symbol that is not where it was.
    fn missing(
        &mut self,
        stamp: &Stamp,
        mark: &FileMark,
        symbol: &SymbolMark,
        left: &mut FileMark,
        follower: &mut Follower<'_>,
    ) {
        let from = selector(&mark.path, symbol);
        match follower.find(stamp.commit.as_deref(), &mark.path, symbol) {
            Fate::At(places) => {
                for found in places {
                    let to = found.address.to_string();
                    self.moved.push(Moved { from: from.clone(), to, known_by: found.known_by });
                    self.compare_as(&from, &mark.path, symbol, found.signature, found.body);
                    let SymbolAddress { path, local, kind } = found.address;
                    let next = SymbolMark { local, kind: kind.as_str().to_owned(), ..symbol.clone() };
                    if path == left.path {
                        left.symbols.push(next);
                    } else {
                        let (content, symbols) = (String::new(), vec![next]);
                        self.followed.push(FileMark { path, content, own: None, symbols });
                    }
                }
            }
            Fate::Unclear(candidates) => {
                let candidates = candidates.iter().map(SymbolAddress::to_string).collect();
                self.blame(from, Freshness::AnchorGone, symbol.stable_id.clone(), &mark.path, candidates);
                left.symbols.push(symbol.clone());
            }
            Fate::Gone => {
                self.blame(from, Freshness::AnchorGone, symbol.stable_id.clone(), &mark.path, Vec::new());
                left.symbols.push(symbol.clone());
            }
        }
    }

    fn compare_as(&mut self, from: &str, path: &str, symbol: &SymbolMark, signature: u64, body: u64) {
        let before = self.because.len();
        self.compare(path, symbol, signature, body);
        if let Some((cause, ..)) = self.because.get_mut(before) {
            from.clone_into(&mut cause.selector);
        }
    }

    fn blame(
        &mut self,
        selector: String,
        freshness: Freshness,
        stable_id: Option<String>,
        path: &str,
        candidates: Vec<String>,
    ) {
        let cause = Cause {
            selector,
            freshness,
            commits: Vec::new(),
            task_ids: Vec::new(),
            is_uncommitted: false,
            candidates,
        };
        self.because.push((cause, stable_id, path.to_owned()));
    }

    fn finish(mut self, stamp: &Stamp, causes: &mut Causes) -> Finding {
        self.because.sort_by(|(a, ..), (b, ..)| (b.freshness, &a.selector).cmp(&(a.freshness, &b.selector)));
        let mut because = Vec::new();
        for (mut cause, stable_id, path) in self.because {
            causes.explain(&mut cause, stamp.commit.as_deref(), stable_id.as_deref(), &path);
            because.push(cause);
        }
        let worst = because.first().map_or(Freshness::Fresh, |cause| cause.freshness);
        let freshness =
            if self.is_unknown && worst == Freshness::Fresh { Freshness::NotChecked } else { worst };
        let note = self.is_unknown.then(|| {
            "what changed was stamped by another version of this program; read it again and reaffirm"
                .to_owned()
        });
        let followed = (!self.moved.is_empty() && self.unknown.is_empty())
            .then(|| Stamp { files: merged(self.followed), ..stamp.clone() });
        let proposed_paths = proposed(&self.moved, stamp);
        let cited = Vec::new();
        Finding {
            freshness,
            because,
            moved: self.moved,
            proposed_paths,
            cited,
            note,
            followed,
            settled: None,
        }
    }
}

/// Paths that symbols and files moved to and that the area did not have.
fn proposed(moved: &[Moved], stamp: &Stamp) -> Vec<String> {
    let path = |selector: &str| match selector.parse::<SymbolAddress>() {
        Ok(address) => address.path,
        Err(_) => selector.strip_prefix("file:").unwrap_or(selector).to_owned(),
    };
    let known: BTreeSet<&str> = stamp.files.iter().map(|file| file.path.as_str()).collect();
    let new: BTreeSet<String> = moved.iter().map(|step| path(&step.to)).collect();
    new.into_iter().filter(|path| !known.contains(path.as_str())).collect()
}

/// One mark per file.
fn merged(marks: Vec<FileMark>) -> Vec<FileMark> {
    let mut merged: Vec<FileMark> = Vec::new();
    for mark in marks {
        match merged.iter_mut().find(|known| known.path == mark.path) {
            Some(known) => {
                if known.content.is_empty() {
                    known.content = mark.content;
                }
                known.own = known.own.or(mark.own);
                known.symbols.extend(mark.symbols);
            }
            None => merged.push(mark),
        }
    }
    merged.retain(|mark| mark.own.is_some() || !mark.symbols.is_empty());
    merged.sort_by(|a, b| a.path.cmp(&b.path));
    merged
}

/// What a symbol looks like where it was. A variable that became a function of the same name is still it.
fn find(prints: &Prints, symbol: &SymbolMark) -> Option<(u64, u64)> {
    let mut named = prints.symbols.iter().filter(|it| it.local == symbol.local);
    let same = named.clone().find(|it| it.kind.as_str() == symbol.kind);
    same.or_else(|| named.next()).map(|it| (it.signature, it.body))
}

/// The selector of a symbol of an area.
pub(super) fn selector(path: &str, symbol: &SymbolMark) -> String {
    let (path, name) = (path.to_owned(), symbol.local.clone());
    SymbolSelector { path, name, kind: SymbolKind::parse(&symbol.kind) }.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_one_file_are_one_mark() {
        let symbol = |name: &str| SymbolMark {
            local: name.into(),
            kind: "function".into(),
            stable_id: None,
            signature: 1,
            body: 2,
        };
        let mark = |content: &str, own, names: &[&str]| FileMark {
            path: "a.py".into(),
            content: content.into(),
            own,
            symbols: names.iter().map(|name| symbol(name)).collect(),
        };
        let merged = merged(vec![mark("", None, &["f"]), mark("x", Some(3), &["g"])]);
        assert_eq!(merged, [mark("x", Some(3), &["f", "g"])]);
    }
}
