//! Following edges from a node.

use super::eval::Context;
use super::rows::Path;
use crate::error::{Error, Result};
use crate::topology::Adjacency;
use crate::view::View;
use omnigraph_compiler::query::typed::{Arm, UNBOUNDED, Way};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One direction of one edge type.
struct Lane<'a> {
    edge: u16,
    adjacency: &'a Adjacency,
    out: bool,
    from: u16,
    to: u16,
    keyed: bool,
    /// Whether another lane follows the same edges the other way, and has met those from a node to itself.
    is_return: bool,
}

/// The edges that a traversal may follow.
pub(super) struct Walker<'a> {
    lanes: Vec<Lane<'a>>,
    /// For each node type, which nodes were met, marked with the walk's number.
    met: Vec<Vec<u32>>,
    walk: u32,
}

/// Where a step leads, and along which edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) kind: u16,
    pub(super) node: u32,
    pub(super) edge: u16,
    pub(super) row: u64,
}

impl<'a> Walker<'a> {
    pub(super) fn new(view: &'a View, arms: &[Arm]) -> Result<Walker<'a>> {
        let mut lanes = Vec::new();
        for arm in arms {
            let edge = view.edge_place(&arm.edge)?;
            let adjacency: &Adjacency = view.adjacency(edge)?;
            let table = view.edge(edge);
            let (from, to, keyed) = (table.from as u16, table.to as u16, table.keyed);
            if arm.way != Way::In {
                lanes.push(Lane { edge, adjacency, out: true, from, to, keyed, is_return: false });
            }
            if arm.way != Way::Out {
                let is_return = arm.way == Way::Both;
                lanes.push(Lane { edge, adjacency, out: false, from: to, to: from, keyed, is_return });
            }
        }
        Ok(Walker { lanes, met: vec![Vec::new(); view.node_count()], walk: 0 })
    }

    /// Whether two nodes can be joined in more than one way.
    pub(super) fn repeats(&self) -> bool {
        self.lanes.len() > 1 || self.lanes.iter().any(|lane| lane.keyed)
    }

    /// The nodes at the other ends as a slice, when there is one simple way to them.
    pub(super) fn plain(&self, kind: u16, node: u32) -> Option<(u16, &'a [u32])> {
        let [lane] = self.lanes.as_slice() else { return None };
        if lane.from != kind || lane.keyed {
            return None;
        }
        let adjacency: &'a Adjacency = lane.adjacency;
        let neighbours = adjacency.of(node, lane.out);
        neighbours.into_plain().map(|nodes| (lane.to, nodes))
    }

    /// Every edge of a node, in order of edge types and rows; an undirected edge once.
    pub(super) fn steps(&self, kind: u16, node: u32, mut take: impl FnMut(Step)) {
        for lane in self.lanes.iter().filter(|lane| lane.from == kind) {
            for (other, row) in lane.adjacency.of(node, lane.out).iter() {
                if !lane.is_return || (lane.to, other) != (kind, node) {
                    take(Step { kind: lane.to, node: other, edge: lane.edge, row });
                }
            }
        }
    }

    /// Every edge that leads to a node, as a step back to where it comes from.
    pub(super) fn steps_to(&self, kind: u16, node: u32, mut take: impl FnMut(Step)) {
        for lane in self.lanes.iter().filter(|lane| lane.to == kind) {
            for (other, row) in lane.adjacency.of(node, !lane.out).iter() {
                take(Step { kind: lane.from, node: other, edge: lane.edge, row });
            }
        }
    }

    /// Begins a walk in which no node was met.
    pub(super) fn begin(&mut self) {
        self.walk += 1;
    }

    /// Whether a node is met for the first time in this walk.
    pub(super) fn meet(&mut self, kind: u16, node: u32) -> bool {
        let met = &mut self.met[kind as usize];
        let at = node as usize;
        if met.len() <= at {
            met.resize((at + 1).next_power_of_two(), 0);
        }
        let new = met[at] != self.walk;
        met[at] = self.walk;
        new
    }

    /// All nodes at a shortest distance between the bounds, nearest first. The start is among them only when an edge
    /// leads from it to itself: longer ways back do not count.
    pub(super) fn within(&mut self, walk: &Walk<'_>, mut take: impl FnMut(u16, u32)) -> Result<()> {
        self.begin();
        let start = walk.start;
        let mut border = vec![start];
        for hop in 1..=walk.max {
            let mut next = Vec::new();
            for (kind, node) in border {
                if let Some((to, nodes)) = self.plain(kind, node) {
                    next.extend(nodes.iter().filter(|node| self.meet(to, **node)).map(|node| (to, *node)));
                    continue;
                }
                let mut found = Vec::new();
                self.steps(kind, node, |step| found.push((step.kind, step.node)));
                next.extend(found.into_iter().filter(|(kind, node)| self.meet(*kind, *node)));
            }
            if hop >= walk.min {
                for (kind, node) in &next {
                    take(*kind, *node);
                }
            }
            if hop == 1 {
                self.meet(start.0, start.1);
            }
            if walk.ends(&next)? {
                break;
            }
            border = next;
        }
        Ok(())
    }

    /// The same with one shortest path to each node that fits.
    pub(super) fn paths(
        &mut self,
        walk: &Walk<'_>,
        fits: &dyn Fn(u16, u32) -> bool,
    ) -> Result<Vec<Arc<Path>>> {
        self.begin();
        let start = walk.start;
        self.meet(start.0, start.1);
        let mut back = Back::new();
        let (mut border, mut found) = (vec![start], Vec::new());
        let mut around: Option<Step> = None;
        for hop in 1..=walk.max {
            let mut next = Vec::new();
            for here in border {
                let mut steps = Vec::new();
                self.steps(here.0, here.1, |step| steps.push(step));
                for step in steps {
                    if hop == 1 && (step.kind, step.node) == start {
                        around.get_or_insert(step);
                    } else if self.meet(step.kind, step.node) {
                        back.insert((step.kind, step.node), (here, step));
                        next.push((step.kind, step.node));
                    }
                }
            }
            if hop >= walk.min {
                let circle = around.take().filter(|_| fits(start.0, start.1)).map(|step| circle(start, step));
                let ends = next.iter().filter(|(kind, node)| fits(*kind, *node));
                found.extend(circle.into_iter().chain(ends.map(|end| path_to(*end, &back))));
            }
            around = None;
            if walk.ends(&next)? {
                break;
            }
            border = next;
        }
        Ok(found)
    }
}

/// A walk of several hops from one node.
pub(super) struct Walk<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) start: (u16, u32),
    pub(super) min: u32,
    pub(super) max: u32,
    /// The only node that is looked for.
    pub(super) until: Option<(u16, u32)>,
}

impl Walk<'_> {
    /// Counts nodes that were met. Fails when there are too many.
    pub(super) fn count(&self, nodes: usize) -> Result<()> {
        self.context.stop.check()?;
        if self.max == UNBOUNDED {
            self.context.walks.meet(nodes)?;
        }
        Ok(())
    }

    /// Whether nothing is left to find behind these nodes. Fails when too many were met.
    fn ends(&self, next: &[(u16, u32)]) -> Result<bool> {
        self.count(next.len())?;
        let is_start = self.until == Some(self.start); // it is there after the first hop or never
        Ok(next.is_empty() || is_start || self.until.is_some_and(|node| next.contains(&node)))
    }
}

/// How many nodes the walks of a query may meet that have no greatest number of hops.
#[derive(Debug)]
pub(crate) struct Walks {
    most: u64,
    met: AtomicU64,
}

impl Walks {
    pub(crate) fn at_most(most: u64) -> Walks {
        Walks { most, met: AtomicU64::new(0) }
    }

    fn meet(&self, nodes: usize) -> Result<()> {
        let met = self.met.fetch_add(nodes as u64, Ordering::Relaxed) + nodes as u64;
        if met <= self.most {
            return Ok(());
        }
        Err(Error::request(format!(
            "a walk without a greatest number of hops met more than {} nodes: start from fewer nodes, or give it \
             a number, such as `{{1,10}}`",
            self.most
        )))
    }
}

/// The node before each, and the step from there.
type Back = HashMap<(u16, u32), ((u16, u32), Step)>;

fn path_to(end: (u16, u32), back: &Back) -> Arc<Path> {
    let (mut nodes, mut edges) = (vec![end], Vec::new());
    let mut at = end;
    while let Some((before, step)) = back.get(&at) {
        edges.push((step.edge, step.row));
        nodes.push(*before);
        at = *before;
    }
    nodes.reverse();
    edges.reverse();
    Arc::new(Path { nodes, edges })
}

/// The way from a node to itself along one edge.
fn circle(node: (u16, u32), step: Step) -> Arc<Path> {
    Arc::new(Path { nodes: vec![node, node], edges: vec![(step.edge, step.row)] })
}

impl Walker<'_> {
    /// Whether every edge ends at a node of one of these types.
    pub(super) fn leads_only_to(&self, kinds: &[u16]) -> bool {
        self.lanes.iter().all(|lane| kinds.contains(&lane.to))
    }

    /// Whether an edge leads from a node to one of these types.
    pub(super) fn any(&self, kind: u16, node: u32, kinds: &[u16]) -> bool {
        let mut lanes = self.lanes.iter().filter(|lane| lane.from == kind && kinds.contains(&lane.to));
        lanes.any(|lane| lane.adjacency.of(node, lane.out).iter().next().is_some())
    }
}
