//! What all buffered steps together did to each symbol: where it was at the last commit, and where it is now.

use crate::buffer::Step;
use crate::plan::Entry;
use orbit_extract::SymbolAddress;

/// One symbol from the last commit until now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fate {
    /// Its address in the last commit; `None` for a new one.
    pub(crate) start: Option<SymbolAddress>,
    /// Its address now; `None` for one that is gone.
    pub(crate) end: Option<SymbolAddress>,
    pub(crate) changes_signature: bool,
    pub(crate) changes_body: bool,
    /// It is a part of, or was made from, what a split or merge entry speaks of.
    pub(crate) is_grouped: bool,
}

/// A split or merge, by places in the list of fates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Split { source: usize, children: Vec<usize> },
    Merge { sources: Vec<usize>, target: usize },
}

/// Everything the steps did.
#[derive(Debug, Default)]
pub(crate) struct Fates {
    pub(crate) symbols: Vec<Fate>,
    pub(crate) groups: Vec<Group>,
    /// Renames and moves in order, for addresses that follow from them.
    hops: Vec<(SymbolAddress, SymbolAddress)>,
}

impl Fates {
    /// Follows all steps.
    pub(crate) fn of(steps: &[Step]) -> Fates {
        let mut fates = Fates::default();
        for entry in steps.iter().flat_map(|step| &step.entries) {
            fates.follow(entry);
        }
        fates
    }

    fn follow(&mut self, entry: &Entry) {
        match entry {
            Entry::Create { post } => drop(self.begin(post, false)),
            Entry::Delete { pre } => {
                let at = self.find(pre);
                self.symbols[at].end = None;
            }
            Entry::Rename { pre, post } | Entry::Move { pre, post } => {
                let at = self.find(pre);
                self.symbols[at].end = Some(post.clone());
                for symbol in &mut self.symbols {
                    if let Some(end) = &symbol.end {
                        symbol.end = Some(carried(end, pre, post));
                    }
                }
                self.hops.push((pre.clone(), post.clone()));
            }
            Entry::ChangeSignature { at } => {
                let at = self.find(at);
                self.symbols[at].changes_signature = true;
            }
            Entry::ChangeBody { at } => {
                let at = self.find(at);
                self.symbols[at].changes_body = true;
            }
            Entry::Split { pre, post } => {
                let source = self.find(pre);
                self.symbols[source].end = None;
                self.symbols[source].is_grouped = true;
                let children = post.iter().map(|child| self.begin(child, true)).collect();
                self.groups.push(Group::Split { source, children });
            }
            Entry::Merge { pre, post } => {
                let sources: Vec<usize> = pre.iter().map(|source| self.find(source)).collect();
                for source in &sources {
                    self.symbols[*source].end = None;
                    self.symbols[*source].is_grouped = true;
                }
                let target = self.begin(post, true);
                self.groups.push(Group::Merge { sources, target });
            }
        }
    }

    fn begin(&mut self, at: &SymbolAddress, is_grouped: bool) -> usize {
        self.symbols.push(Fate { end: Some(at.clone()), is_grouped, ..Fate::default() });
        self.symbols.len() - 1
    }

    /// The symbol at an address now.
    fn find(&mut self, at: &SymbolAddress) -> usize {
        if let Some(found) = self.symbols.iter().position(|symbol| symbol.end.as_ref() == Some(at)) {
            return found;
        }
        let start = self.hops.iter().rev().fold(at.clone(), |at, (pre, post)| carried(&at, post, pre));
        self.symbols.push(Fate { start: Some(start), end: Some(at.clone()), ..Fate::default() });
        self.symbols.len() - 1
    }
}

/// Where something is after what it stands in has gone from one address to another.
fn carried(at: &SymbolAddress, from: &SymbolAddress, to: &SymbolAddress) -> SymbolAddress {
    if at.path != from.path {
        return at.clone();
    }
    let rest = at.local.strip_prefix(&from.local);
    match rest.filter(|rest| rest.starts_with([':', '.', '/'])) {
        Some(rest) => {
            let (path, local) = (to.path.clone(), format!("{}{rest}", to.local));
            SymbolAddress { path, local, kind: at.kind }
        }
        None => at.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orbit_extract::SymbolKind;

    fn at(file: &str, name: &str) -> SymbolAddress {
        SymbolAddress { path: file.into(), local: name.into(), kind: SymbolKind::Class }
    }

    fn fates(entries: Vec<Entry>) -> Fates {
        Fates::of(&[Step { id: 0, title: String::new(), entries, files: Vec::new() }])
    }

    #[test]
    fn several_steps_on_one_symbol_are_one_fate() {
        let found = fates(vec![
            Entry::Rename { pre: at("a.py", "A"), post: at("a.py", "B") },
            Entry::Move { pre: at("a.py", "B"), post: at("b.py", "B") },
            Entry::ChangeBody { at: at("b.py", "B") },
        ]);
        assert_eq!(found.symbols.len(), 1);
        let fate = &found.symbols[0];
        assert_eq!((fate.start.clone(), fate.end.clone()), (Some(at("a.py", "A")), Some(at("b.py", "B"))));
        assert!(fate.changes_body);
    }

    #[test]
    fn members_go_with_their_class() {
        let found = fates(vec![
            Entry::ChangeBody { at: at("a.py", "A.f") },
            Entry::Rename { pre: at("a.py", "A"), post: at("a.py", "B") },
            Entry::ChangeBody { at: at("a.py", "B.g") },
        ]);
        let ends: Vec<_> = found
            .symbols
            .iter()
            .map(|fate| {
                (fate.start.as_ref().unwrap().local.clone(), fate.end.as_ref().unwrap().local.clone())
            })
            .collect();
        assert_eq!(
            ends,
            [("A.f", "B.f"), ("A", "B"), ("A.g", "B.g")].map(|(a, b)| (a.to_owned(), b.to_owned()))
        );
    }
}
