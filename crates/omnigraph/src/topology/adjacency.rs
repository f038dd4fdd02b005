//! Which nodes the edges of a table version join.

use super::Ends;
use crate::error::Result;
use arrow_buffer::BooleanBuffer;
use omnigraph_store::{RowAddr, Table, Weight};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Changes beyond this part of the edges, and this many, are worth a new base.
const REBUILD_PART: usize = 20;
const REBUILD_LEAST: usize = 4_096;

/// Edges by the node at either end: arrays for most, maps for what changed since they were made.
#[derive(Debug, Default)]
pub(crate) struct Adjacency {
    base: Arc<Base>,
    added: HashMap<(bool, u32), Vec<(u32, u64)>>,
    removed: HashSet<u64>,
    parts: Vec<Part>,
}

#[derive(Debug, Default)]
struct Base {
    out: Csr,
    into: Csr,
}

/// The neighbours of node `n` are those from `starts[n]` to `starts[n + 1]`, in order of their numbers.
#[derive(Debug, Default)]
struct Csr {
    starts: Vec<u32>,
    nodes: Vec<u32>,
    rows: Vec<u64>,
}

/// What a fragment added.
#[derive(Clone, Debug)]
struct Part {
    id: u32,
    files: Arc<str>,
    live_key: Arc<str>,
    live: Option<BooleanBuffer>,
    ends: Arc<Ends>,
}

/// The edges of one node in one direction.
pub(crate) struct Neighbours<'a> {
    nodes: &'a [u32],
    rows: &'a [u64],
    added: &'a [(u32, u64)],
    removed: Option<&'a HashSet<u64>>,
}

impl<'a> Neighbours<'a> {
    /// Node and edge row.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let base = self.nodes.iter().copied().zip(self.rows.iter().copied());
        let base = base.filter(|(_, row)| self.removed.is_none_or(|removed| !removed.contains(row)));
        base.chain(self.added.iter().copied())
    }

    /// All nodes as one slice, when nothing changed since the arrays were made.
    pub(crate) fn into_plain(self) -> Option<&'a [u32]> {
        (self.added.is_empty() && self.removed.is_none()).then_some(self.nodes)
    }
}

impl Adjacency {
    /// The edges that leave a node (`out`) or come to it.
    pub(crate) fn of(&self, node: u32, out: bool) -> Neighbours<'_> {
        let csr = if out { &self.base.out } else { &self.base.into };
        let at = node as usize;
        let (start, end) = match (csr.starts.get(at), csr.starts.get(at + 1)) {
            (Some(start), Some(end)) => (*start as usize, *end as usize),
            _ => (0, 0),
        };
        let added = if self.added.is_empty() { None } else { self.added.get(&(out, node)) };
        Neighbours {
            nodes: &csr.nodes[start..end],
            rows: &csr.rows[start..end],
            added: added.map(Vec::as_slice).unwrap_or_default(),
            removed: (!self.removed.is_empty()).then_some(&self.removed),
        }
    }

    /// The edges of a version; an older one with mostly the same fragments is taken over.
    pub(crate) fn build(
        table: &Table,
        old: Option<&Adjacency>,
        mut ends: impl FnMut(usize) -> Result<Arc<Ends>>,
    ) -> Result<Adjacency> {
        let mut parts = Vec::new();
        for (place, fragment) in table.fragments().iter().enumerate() {
            let same = |part: &&Part| part.id == fragment.id() && part.files == *fragment.files();
            let before = old.and_then(|old| old.parts.iter().find(same));
            if let Some(part) = before.filter(|part| part.live_key == *fragment.live_key()) {
                parts.push(part.clone());
                continue;
            }
            parts.push(Part {
                id: fragment.id(),
                files: fragment.files().clone(),
                live_key: fragment.live_key().clone(),
                live: table.live(place)?,
                ends: match before {
                    Some(part) => part.ends.clone(),
                    None => ends(place)?,
                },
            });
        }
        let patched = old.and_then(|old| old.patched(&parts));
        Ok(patched.unwrap_or_else(|| Adjacency {
            base: Arc::new(Base::of(&parts)),
            parts,
            ..Adjacency::default()
        }))
    }

    /// This one with the differences; `None` when they are many.
    fn patched(&self, parts: &[Part]) -> Option<Adjacency> {
        let edges = self.base.out.nodes.len();
        let most = (edges / REBUILD_PART).max(REBUILD_LEAST);
        let mut changes = self.removed.len() + self.added.len() / 2;
        let gone: Vec<&Part> =
            self.parts.iter().filter(|part| !parts.iter().any(|new| new.holds(part))).collect();
        let new: Vec<&Part> =
            parts.iter().filter(|part| !self.parts.iter().any(|old| part.holds(old))).collect();
        changes += gone.iter().chain(&new).map(|part| part.ends.src.len()).sum::<usize>();
        let thinned: Vec<(&Part, &Part)> = parts
            .iter()
            .filter_map(|part| self.parts.iter().find(|old| part.holds(old)).map(|old| (old, part)))
            .filter(|(old, part)| old.live_key != part.live_key)
            .collect();
        let deaths: Vec<(&Part, u32)> =
            thinned.iter().flat_map(|(old, part)| old.dead_in(part).map(|row| (*old, row))).collect();
        let births: Vec<(&Part, u32)> =
            thinned.iter().flat_map(|(old, part)| part.dead_in(old).map(|row| (*part, row))).collect();
        changes += deaths.len() + births.len();
        if changes > most {
            return None;
        }
        let base = self.base.clone();
        let mut next = Adjacency {
            base,
            added: self.added.clone(),
            removed: self.removed.clone(),
            parts: parts.to_vec(),
        };
        for part in gone {
            part.live_rows().for_each(|row| next.remove(part, row));
        }
        for (part, row) in deaths {
            next.remove(part, row);
        }
        // An older commit, or another branch, has edges that are deleted here.
        for (part, row) in births {
            next.add(part, row);
        }
        for part in new {
            part.live_rows().for_each(|row| next.add(part, row));
        }
        Some(next)
    }

    fn remove(&mut self, part: &Part, row: u32) {
        let addr = RowAddr::new(part.id, row).0;
        let (src, dst) = (part.ends.src[row as usize], part.ends.dst[row as usize]);
        let mut was_added = false;
        for key in [(true, src), (false, dst)] {
            if let Some(list) = self.added.get_mut(&key) {
                let before = list.len();
                list.retain(|(_, known)| *known != addr);
                was_added |= list.len() < before;
            }
        }
        if !was_added {
            self.removed.insert(addr);
        }
    }

    fn add(&mut self, part: &Part, row: u32) {
        let addr = RowAddr::new(part.id, row).0;
        let (src, dst) = (part.ends.src[row as usize], part.ends.dst[row as usize]);
        self.added.entry((true, src)).or_default().push((dst, addr));
        self.added.entry((false, dst)).or_default().push((src, addr));
    }
}

impl Part {
    /// Whether it is the same fragment, perhaps with more rows deleted.
    fn holds(&self, other: &Part) -> bool {
        self.id == other.id && self.files == other.files
    }

    fn is_live(&self, row: u32) -> bool {
        self.live.as_ref().is_none_or(|live| live.value(row as usize))
    }

    fn live_rows(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.ends.src.len() as u32).filter(|row| self.is_live(*row))
    }

    /// Rows that are live here and not there.
    fn dead_in<'a>(&'a self, other: &'a Part) -> impl Iterator<Item = u32> + 'a {
        self.live_rows().filter(|row| !other.is_live(*row))
    }
}

impl Base {
    fn of(parts: &[Part]) -> Base {
        Base { out: Csr::of(parts, true), into: Csr::of(parts, false) }
    }
}

impl Csr {
    /// Counting sort by the node at one end.
    fn of(parts: &[Part], out: bool) -> Csr {
        let ends = |part: &Part, row: u32| {
            let (src, dst) = (part.ends.src[row as usize], part.ends.dst[row as usize]);
            if out { (src, dst) } else { (dst, src) }
        };
        let mut starts: Vec<u32> = Vec::new();
        for part in parts {
            for row in part.live_rows() {
                let here = ends(part, row).0 as usize;
                if starts.len() < here + 2 {
                    starts.resize(here + 2, 0);
                }
                starts[here + 1] += 1;
            }
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let count = starts.last().copied().unwrap_or(0) as usize;
        let (mut nodes, mut rows) = (vec![0; count], vec![0; count]);
        let mut next = starts.clone();
        for part in parts {
            for row in part.live_rows() {
                let (here, there) = ends(part, row);
                let at = &mut next[here as usize];
                nodes[*at as usize] = there;
                rows[*at as usize] = RowAddr::new(part.id, row).0;
                *at += 1;
            }
        }
        Csr { starts, nodes, rows }
    }
}

impl Weight for Adjacency {
    fn weight(&self) -> usize {
        let csr = |csr: &Csr| csr.starts.len() * 4 + csr.nodes.len() * 12;
        csr(&self.base.out) + csr(&self.base.into) + (self.added.len() + self.removed.len()) * 64
    }
}
