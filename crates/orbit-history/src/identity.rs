//! Which symbol of the new tree is which symbol of the old one.
//!
//! ```text
//! FilePair… + claims of a valid operation log ─▶ same address ─▶ other parents ─▶ git's renamed files
//!           ─▶ the same body ─▶ members follow their container ─▶ first sight
//! ```
//!
//! Pure: a commit's two trees come in as outlines, old ids beside them. A symbol is found once: what one step has
//! settled, the next ones leave alone.

use crate::facts::KnownBy;
use crate::outline::{Outline, OutlineSymbol};
use crate::store::{PathId, SymbolId};
use orbit_extract::SymbolKind;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// A file that a commit changed: both versions, with the symbols of the old one.
#[derive(Debug, Default)]
pub(crate) struct FilePair {
    pub(crate) path: PathId,
    pub(crate) path_text: String,
    pub(crate) old: Option<Side>,
    pub(crate) new: Option<Arc<Outline>>,
    /// The symbols of the file in the other parents of a merge.
    pub(crate) others: Vec<HashMap<(Box<str>, SymbolKind), SymbolId>>,
}

/// One version of a file with its symbols, in the outline's order; 0 where none is known.
#[derive(Debug)]
pub(crate) struct Side {
    pub(crate) outline: Arc<Outline>,
    pub(crate) ids: Arc<[SymbolId]>,
}

/// A symbol of a pair: which file, which symbol of its outline.
pub(crate) type At = (usize, usize);

/// Where a symbol of the new tree comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Seen for the first time.
    New,
    /// The same address in the old tree.
    Same(At),
    /// Another address in the old tree.
    From(At, KnownBy),
    /// The same address in another parent of a merge.
    Parent(SymbolId),
    /// An operation log gives it an id that has no single predecessor.
    Claimed,
}

/// What became of every symbol of the two trees.
#[derive(Debug)]
pub(crate) struct Matching {
    /// By file and symbol of the new tree.
    pub(crate) origins: Vec<Vec<Origin>>,
    /// By file and symbol of the old tree: whether it lives on or was spoken for.
    pub(crate) settled: Vec<Vec<bool>>,
}

impl Matching {
    /// Nothing is settled yet.
    pub(crate) fn new(files: &[FilePair]) -> Matching {
        let count = |outline: Option<&Arc<Outline>>| outline.map_or(0, |outline| outline.symbols.len());
        Matching {
            origins: files.iter().map(|file| vec![Origin::New; count(file.new.as_ref())]).collect(),
            settled: files
                .iter()
                .map(|file| vec![false; count(file.old.as_ref().map(|side| &side.outline))])
                .collect(),
        }
    }

    /// Settles that a symbol lives on at another address.
    pub(crate) fn link(&mut self, old: At, new: At, known_by: KnownBy) {
        self.origins[new.0][new.1] = Origin::From(old, known_by);
        self.settled[old.0][old.1] = true;
    }

    fn is_open(&self, new: At) -> bool {
        self.origins[new.0][new.1] == Origin::New
    }

    /// Settles everything that can be settled; `renames` are git's, as indices of files.
    pub(crate) fn run(&mut self, files: &[FilePair], renames: &[(usize, usize)]) {
        self.match_addresses(files);
        self.follow_containers(files);
        self.match_parents(files);
        self.match_renamed_files(files, renames);
        self.match_bodies(files);
        self.follow_containers(files);
    }

    /// The same path, name and kind.
    fn match_addresses(&mut self, files: &[FilePair]) {
        for (file, pair) in files.iter().enumerate() {
            let (Some(old), Some(new)) = (&pair.old, &pair.new) else { continue };
            let addresses = addresses(&old.outline);
            for (at, symbol) in new.symbols.iter().enumerate() {
                if !self.is_open((file, at)) {
                    continue;
                }
                if let Some(&before) = addresses.get(&address(symbol))
                    && !self.settled[file][before]
                {
                    self.origins[file][at] = Origin::Same((file, before));
                    self.settled[file][before] = true;
                }
            }
        }
    }

    /// What a merge brings in has its symbol in the parent it comes from, unless the first parent's tree has that
    /// symbol elsewhere already.
    fn match_parents(&mut self, files: &[FilePair]) {
        if files.iter().all(|pair| pair.others.is_empty()) {
            return;
        }
        let mut taken = self.living(files);
        let before = places(files);
        for (file, pair) in files.iter().enumerate() {
            let Some(new) = &pair.new else { continue };
            for other in &pair.others {
                for (at, symbol) in new.symbols.iter().enumerate() {
                    if let Some(&id) = other.get(&(symbol.local.clone(), symbol.kind))
                        && self.is_open((file, at))
                        && taken.insert(id)
                    {
                        self.origins[file][at] = Origin::Parent(id);
                        // Wherever the old tree has this symbol, it lives on.
                        if let Some(old) = before.get(&id) {
                            self.settled[old.0][old.1] = true;
                        }
                    }
                }
            }
        }
    }

    /// Ids that symbols of the new tree have.
    fn living(&self, files: &[FilePair]) -> HashSet<SymbolId> {
        let found = self.origins.iter().flatten().filter_map(|origin| match origin {
            Origin::Same(at) | Origin::From(at, _) => old_id(files, *at),
            Origin::Parent(id) => Some(*id),
            Origin::New | Origin::Claimed => None,
        });
        found.collect()
    }

    /// Git takes the file for renamed, and the name inside of it is the same.
    fn match_renamed_files(&mut self, files: &[FilePair], renames: &[(usize, usize)]) {
        for &(from, to) in renames {
            let (Some(old), Some(new)) = (&files[from].old, &files[to].new) else { continue };
            let addresses = addresses(&old.outline);
            for (at, symbol) in new.symbols.iter().enumerate() {
                if let Some(&before) = addresses.get(&address(symbol))
                    && self.is_open((to, at))
                    && !self.settled[from][before]
                {
                    self.link((from, before), (to, at), KnownBy::Matched);
                }
            }
        }
    }

    /// One symbol that is gone and one that is new have the same kind and body, and no others do.
    fn match_bodies(&mut self, files: &[FilePair]) {
        let mut bodies: BTreeMap<(SymbolKind, u64), (Vec<At>, Vec<At>)> = BTreeMap::new();
        for (file, pair) in files.iter().enumerate() {
            let old = pair.old.iter().flat_map(|side| &side.outline.symbols).enumerate();
            for (at, symbol) in old.filter(|(at, symbol)| symbol.body != 0 && !self.settled[file][*at]) {
                bodies.entry((symbol.kind, symbol.body)).or_default().0.push((file, at));
            }
        }
        if bodies.is_empty() {
            return;
        }
        for (file, pair) in files.iter().enumerate() {
            let new = pair.new.iter().flat_map(|outline| &outline.symbols).enumerate();
            for (at, symbol) in new.filter(|(at, _)| self.is_open((file, *at))) {
                if let Some((_, found)) = bodies.get_mut(&(symbol.kind, symbol.body)) {
                    found.push((file, at));
                }
            }
        }
        for (gone, found) in bodies.into_values() {
            if let ([old], [new]) = (&gone[..], &found[..]) {
                self.link(*old, *new, KnownBy::Inferred);
            }
        }
    }

    /// The members of a class that has a new name or place have it too.
    fn follow_containers(&mut self, files: &[FilePair]) {
        let moved: Vec<(At, At, KnownBy)> = self.linked().collect();
        for (old, new, known_by) in moved {
            let (Some(from), Some(to)) = (&files[old.0].old, &files[new.0].new) else { continue };
            let (container, target) = (&from.outline.symbols[old.1], &to.symbols[new.1]);
            if !is_container(container.kind) {
                continue;
            }
            let addresses = addresses(to);
            for (at, member) in from.outline.symbols.iter().enumerate() {
                let Some(rest) = member.local.strip_prefix(&*container.local) else { continue };
                if self.settled[old.0][at] || !rest.starts_with([':', '.', '/']) {
                    continue;
                }
                let name = format!("{}{rest}", target.local);
                if let Some(&there) = addresses.get(&(name.as_str(), member.kind))
                    && self.is_open((new.0, there))
                {
                    self.link((old.0, at), (new.0, there), known_by);
                }
            }
        }
    }

    /// Every symbol that has another address now.
    pub(crate) fn linked(&self) -> impl Iterator<Item = (At, At, KnownBy)> {
        self.origins.iter().enumerate().flat_map(|(file, origins)| {
            origins.iter().enumerate().filter_map(move |(at, origin)| match origin {
                Origin::From(old, known_by) => Some((*old, (file, at), *known_by)),
                _ => None,
            })
        })
    }
}

/// The id of a symbol of the old tree, when it is known.
pub(crate) fn old_id(files: &[FilePair], at: At) -> Option<SymbolId> {
    files[at.0].old.as_ref().map(|side| side.ids[at.1]).filter(|id| *id != 0)
}

/// Where the old tree has its symbols.
fn places(files: &[FilePair]) -> HashMap<SymbolId, At> {
    let sides = files.iter().enumerate().filter_map(|(file, pair)| Some((file, pair.old.as_ref()?)));
    let ids =
        sides.flat_map(|(file, side)| side.ids.iter().enumerate().map(move |(at, id)| (*id, (file, at))));
    ids.filter(|(id, _)| *id != 0).collect()
}

pub(crate) type Address<'o> = (&'o str, SymbolKind);

pub(crate) fn address(symbol: &OutlineSymbol) -> Address<'_> {
    (&symbol.local, symbol.kind)
}

pub(crate) fn addresses(outline: &Outline) -> HashMap<Address<'_>, usize> {
    outline.symbols.iter().enumerate().map(|(at, symbol)| (address(symbol), at)).collect()
}

fn is_container(kind: SymbolKind) -> bool {
    kind.is_type() || matches!(kind, SymbolKind::Impl | SymbolKind::Module)
}

#[cfg(test)]
mod tests;
