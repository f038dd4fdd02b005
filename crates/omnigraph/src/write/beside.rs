//! What else changed, when edits were made on another state than the one that they are put on.
//!
//! Both states keep the promises of the schema, each for itself. So a promise that breaks when they are put together is
//! broken by a row that one side changed and a row that the other side changed: only those are compared, however large
//! the tables are. Under another schema nothing is known, and everything is.

use super::TableKey;
use std::collections::{BTreeMap, HashSet};

/// Changes of the state that the edits are put on, since the state that the edits were made on.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    /// Whether all rows are compared.
    pub(crate) is_whole: bool,
    pub(crate) tables: BTreeMap<TableKey, Touched>,
}

/// Changes of one table.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    /// Ids.
    pub(crate) deleted: HashSet<String>,
    /// Rows that are new or different, by fragment, in order.
    pub(crate) rows: BTreeMap<u32, Vec<u32>>,
    /// New edges: id, source, destination.
    pub(crate) new_edges: Vec<[String; 3]>,
    /// Sources that gained or lost edges.
    pub(crate) sources: HashSet<String>,
}

impl Beside {
    /// Whether a node that the edits rely on is gone.
    pub(super) fn lacks(&self, place: u16, id: &str) -> bool {
        self.tables.get(&TableKey::Node(place)).is_some_and(|touched| touched.deleted.contains(id))
    }

    /// The rows of a fragment to compare with.
    pub(super) fn rows_in(&self, key: TableKey, fragment: u32) -> &[u32] {
        let rows = self.tables.get(&key).and_then(|touched| touched.rows.get(&fragment));
        rows.map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether the edges of a source changed on this side, too.
    pub(super) fn moved(&self, place: u16, source: &str) -> bool {
        self.tables.get(&TableKey::Edge(place)).is_some_and(|touched| touched.sources.contains(source))
    }
}
