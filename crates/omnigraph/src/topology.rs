//! What traversal needs in memory, derived from immutable fragments: dense numbers for ids, where the rows of nodes are,
//! and which nodes the edges join.
//!
//! Numbers are given once per node type and graph and never change while the graph is open, so what is derived from an
//! edge table does not depend on versions of node tables, and branches share it.

mod adjacency;
mod ids;
mod nodes;
mod parts;

pub(crate) use adjacency::Adjacency;
pub(crate) use ids::Ids;
pub(crate) use nodes::NodeIndex;
pub(crate) use parts::{Ends, Numbers, texts};

/// No node: what an optional pattern leaves behind.
pub(crate) const NO_NODE: u32 = u32::MAX;

/// No row.
pub(crate) const NO_ROW: u64 = u64::MAX;
