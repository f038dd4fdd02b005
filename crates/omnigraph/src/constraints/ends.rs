//! Both ends of an edge are nodes of the graph.

use crate::error::Result;
use crate::rows::{DST, SRC};
use crate::validate::Violation;
use crate::view::View;
use arrow_array::{Array, StringArray};

/// One end of the edges of a type.
#[derive(Clone, Copy)]
pub(crate) struct End<'v> {
    edge: &'v str,
    node_type: &'v str,
    /// Where the edges say it.
    pub(crate) column: &'static str,
    /// The place of the type of its nodes.
    pub(crate) node: u16,
}

impl<'v> End<'v> {
    /// Source and destination.
    pub(crate) fn both(view: &'v View, edge: u16) -> [End<'v>; 2] {
        let edge = view.edge(edge);
        [(SRC, edge.from as u16), (DST, edge.to as u16)].map(|(column, node)| End {
            edge: &edge.name,
            node_type: &view.node(node).name,
            column,
            node,
        })
    }

    /// Checks this end of some edges; `has_node` tells, by row and id, whether the node is there.
    pub(crate) fn check(
        &self,
        edges: &StringArray,
        nodes: &StringArray,
        mut has_node: impl FnMut(usize, &str) -> Result<bool>,
        found: &mut Vec<Violation>,
    ) -> Result<()> {
        for row in 0..edges.len() {
            let node = nodes.value(row);
            if !has_node(row, node)? {
                found.push(self.dangling(node, edges.value(row)));
            }
        }
        Ok(())
    }

    /// The node is not there. The edge may be unnamed where the line of a file says which one it is.
    pub(crate) fn dangling(&self, node: &str, edge: &str) -> Violation {
        Violation::endpoint(self.edge, self.column, node, self.node_type, edge)
    }
}
