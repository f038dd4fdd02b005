//! A shortest way between two nodes, searched from both ends.
//!
//! The sides go on by whole hops, the one with fewer edges ahead first. Before they meet they are farther apart than the
//! hops of both together, so those are the distance where they meet.

use super::rows::Path;
use super::walk::{Step, Walk, Walker};
use crate::error::Result;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

type Node = (u16, u32);

/// What was met from one end.
struct Side {
    is_start: bool,
    /// For each node the one before it, and the step between the two; nothing for the end itself.
    met: HashMap<Node, Option<(Node, Step)>>,
    border: Vec<Node>,
    /// How many edges lead on from the border.
    ahead: usize,
}

impl Walker<'_> {
    /// A shortest path from where a walk starts to another node; `None` when that is nearer or farther than the walk goes.
    pub(super) fn between(&self, walk: &Walk<'_>, end: Node) -> Result<Option<Arc<Path>>> {
        let mut start = Side::new(self, walk.start, true);
        let mut end = Side::new(self, end, false);
        for hop in 1..=walk.max {
            let (side, other) =
                if start.ahead <= end.ahead { (&mut start, &end) } else { (&mut end, &start) };
            let meeting = side.go_on(self, other);
            walk.count(side.border.len())?;
            if let Some(node) = meeting {
                return Ok((hop >= walk.min).then(|| through(node, &start, &end)));
            }
            if side.border.is_empty() {
                break;
            }
        }
        Ok(None)
    }
}

impl Side {
    fn new(walker: &Walker<'_>, node: Node, is_start: bool) -> Side {
        let met = HashMap::from([(node, None)]);
        let mut side = Side { is_start, met, border: vec![node], ahead: 0 };
        side.look(walker);
        side
    }

    fn steps(&self, walker: &Walker<'_>, node: Node, take: impl FnMut(Step)) {
        if self.is_start { walker.steps(node.0, node.1, take) } else { walker.steps_to(node.0, node.1, take) }
    }

    fn look(&mut self, walker: &Walker<'_>) {
        let mut ahead = 0;
        self.border.iter().for_each(|node| self.steps(walker, *node, |_| ahead += 1));
        self.ahead = ahead;
    }

    /// One more hop; the first node that the other side has met too.
    fn go_on(&mut self, walker: &Walker<'_>, other: &Side) -> Option<Node> {
        let mut next = Vec::new();
        for here in std::mem::take(&mut self.border) {
            let mut steps = Vec::new();
            self.steps(walker, here, |step| steps.push(step));
            for step in steps {
                let node = (step.kind, step.node);
                if let Entry::Vacant(place) = self.met.entry(node) {
                    place.insert(Some((here, step)));
                    if other.met.contains_key(&node) {
                        return Some(node);
                    }
                    next.push(node);
                }
            }
        }
        self.border = next;
        self.look(walker);
        None
    }

    /// From a node to the end of this side: nodes, and the edges between them.
    fn way(&self, from: Node) -> (Vec<Node>, Vec<(u16, u64)>) {
        let (mut nodes, mut edges) = (vec![from], Vec::new());
        let mut at = from;
        while let Some(Some((before, step))) = self.met.get(&at) {
            edges.push((step.edge, step.row));
            nodes.push(*before);
            at = *before;
        }
        (nodes, edges)
    }
}

fn through(node: Node, start: &Side, end: &Side) -> Arc<Path> {
    let (mut nodes, mut edges) = start.way(node);
    nodes.reverse();
    edges.reverse();
    let (behind, along) = end.way(node);
    nodes.extend_from_slice(&behind[1..]);
    edges.extend(along);
    Arc::new(Path { nodes, edges })
}
