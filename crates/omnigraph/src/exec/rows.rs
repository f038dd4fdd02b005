//! Rows between operators: which node, edge or path each variable stands for. Properties are read when an expression
//! asks for them.

use super::folds::FoldColumn;
use crate::error::{Error, Result};
use std::sync::Arc;

/// Bindings of variables, column by column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) len: usize,
    pub(crate) nodes: Vec<(String, NodeColumn)>,
    pub(crate) edges: Vec<(String, EdgeColumn)>,
    pub(crate) paths: Vec<(String, Vec<Option<Arc<Path>>>)>,
    /// By their numbers; not a number where there is no score.
    pub(crate) scores: Vec<Vec<f64>>,
    pub(crate) flags: Vec<(usize, Vec<bool>)>,
    pub(crate) folds: Vec<(usize, FoldColumn)>,
    /// For a pipeline that runs for every row of another: which one.
    pub(crate) origin: Option<Vec<u32>>,
}

/// Nodes, by place of their type and number.
#[derive(Clone, Debug)]
pub(crate) struct NodeColumn {
    pub(crate) kinds: Kinds,
    pub(crate) numbers: Vec<u32>,
}

/// Edges, by place of their type and row address.
#[derive(Clone, Debug)]
pub(crate) struct EdgeColumn {
    pub(crate) kinds: Kinds,
    pub(crate) rows: Vec<u64>,
}

/// The types of the things in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kinds {
    /// All the same.
    One(u16),
    /// Each its own.
    Each(Vec<u16>),
}

/// The way from one node to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// Types and numbers, both ends included.
    pub(crate) nodes: Vec<(u16, u32)>,
    /// Types and row addresses.
    pub(crate) edges: Vec<(u16, u64)>,
}

impl Kinds {
    pub(crate) fn at(&self, row: usize) -> u16 {
        match self {
            Kinds::One(kind) => *kind,
            Kinds::Each(kinds) => kinds[row],
        }
    }

    fn pick(&self, rows: &[u32]) -> Kinds {
        match self {
            Kinds::One(kind) => Kinds::One(*kind),
            Kinds::Each(kinds) => Kinds::Each(rows.iter().map(|row| kinds[*row as usize]).collect()),
        }
    }

    /// From one kind per thing; one for all when they agree.
    pub(crate) fn of(kinds: Vec<u16>) -> Kinds {
        match kinds.first() {
            Some(first) if kinds.iter().all(|kind| kind == first) => Kinds::One(*first),
            _ => Kinds::Each(kinds),
        }
    }

    fn extend(&mut self, len: usize, other: &Kinds, other_len: usize) {
        if let (Kinds::One(here), Kinds::One(there)) = (&*self, other)
            && (here == there || other_len == 0)
        {
            return;
        }
        let mut all: Vec<u16> = (0..len).map(|row| self.at(row)).collect();
        all.extend((0..other_len).map(|row| other.at(row)));
        *self = Kinds::of(all);
    }
}

fn pick<T: Clone>(values: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|row| values[*row as usize].clone()).collect()
}

impl NodeColumn {
    /// The rows of each type, in order of first sight.
    pub(crate) fn by_kind(&self) -> Vec<(u16, Vec<u32>)> {
        let mut found: Vec<(u16, Vec<u32>)> = Vec::new();
        if let Kinds::One(kind) = self.kinds {
            return vec![(kind, (0..self.numbers.len() as u32).collect())];
        }
        for row in 0..self.numbers.len() {
            let kind = self.kinds.at(row);
            match found.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, rows)) => rows.push(row as u32),
                None => found.push((kind, vec![row as u32])),
            }
        }
        found
    }

    pub(crate) fn pick(&self, rows: &[u32]) -> NodeColumn {
        NodeColumn { kinds: self.kinds.pick(rows), numbers: pick(&self.numbers, rows) }
    }
}

impl Rows {
    /// One row without variables: where a pipeline starts.
    pub(crate) fn unit() -> Rows {
        Rows { len: 1, ..Rows::default() }
    }

    /// These rows, in this order.
    pub(crate) fn pick(&self, rows: &[u32]) -> Rows {
        let edge = |column: &EdgeColumn| EdgeColumn {
            kinds: column.kinds.pick(rows),
            rows: pick(&column.rows, rows),
        };
        Rows {
            len: rows.len(),
            nodes: self.nodes.iter().map(|(name, column)| (name.clone(), column.pick(rows))).collect(),
            edges: self.edges.iter().map(|(name, column)| (name.clone(), edge(column))).collect(),
            paths: self.paths.iter().map(|(name, column)| (name.clone(), pick(column, rows))).collect(),
            scores: self.scores.iter().map(|column| pick(column, rows)).collect(),
            flags: self.flags.iter().map(|(flag, column)| (*flag, pick(column, rows))).collect(),
            folds: self.folds.iter().map(|(value, column)| (*value, column.pick(rows))).collect(),
            origin: self.origin.as_ref().map(|column| pick(column, rows)),
        }
    }

    /// Rows of the same variables behind these.
    pub(crate) fn append(&mut self, other: Rows) {
        if self.len == 0 {
            *self = other;
            return;
        }
        if other.len == 0 {
            return;
        }
        for ((_, here), (_, there)) in self.nodes.iter_mut().zip(other.nodes) {
            here.kinds.extend(here.numbers.len(), &there.kinds, there.numbers.len());
            here.numbers.extend(there.numbers);
        }
        for ((_, here), (_, there)) in self.edges.iter_mut().zip(other.edges) {
            here.kinds.extend(here.rows.len(), &there.kinds, there.rows.len());
            here.rows.extend(there.rows);
        }
        self.paths.iter_mut().zip(other.paths).for_each(|((_, here), (_, there))| here.extend(there));
        self.scores.iter_mut().zip(other.scores).for_each(|(here, there)| here.extend(there));
        self.flags.iter_mut().zip(other.flags).for_each(|((_, here), (_, there))| here.extend(there));
        self.folds.iter_mut().zip(other.folds).for_each(|((_, here), (_, there))| here.extend(there));
        if let (Some(here), Some(there)) = (&mut self.origin, other.origin) {
            here.extend(there);
        }
        self.len += other.len;
    }

    pub(crate) fn node(&self, var: &str) -> Result<&NodeColumn> {
        let found = self.nodes.iter().find(|(name, _)| name == var);
        found
            .map(|(_, column)| column)
            .ok_or_else(|| Error::damaged(format!("the plan binds no node ${var}")))
    }

    pub(crate) fn edge(&self, var: &str) -> Option<&EdgeColumn> {
        self.edges.iter().find(|(name, _)| name == var).map(|(_, column)| column)
    }

    pub(crate) fn path(&self, var: &str) -> Option<&[Option<Arc<Path>>]> {
        self.paths.iter().find(|(name, _)| name == var).map(|(_, column)| column.as_slice())
    }

    /// Columns of another set of rows of the same length beside these. A variable of both is taken from here.
    pub(crate) fn beside(mut self, other: Rows) -> Rows {
        for (name, column) in other.nodes {
            if self.nodes.iter().all(|(known, _)| *known != name) {
                self.nodes.push((name, column));
            }
        }
        for (name, column) in other.edges {
            if self.edges.iter().all(|(known, _)| *known != name) {
                self.edges.push((name, column));
            }
        }
        for (name, column) in other.paths {
            if self.paths.iter().all(|(known, _)| *known != name) {
                self.paths.push((name, column));
            }
        }
        self.flags.extend(other.flags);
        self.folds.extend(other.folds);
        self
    }
}
