//! Vectors that are computed from texts when rows are written.

use super::TableKey;
use super::transaction::Transaction;
use crate::error::Result;
use arrow_array::RecordBatch;

impl Transaction {
    /// The vectors of a type that are computed from this property.
    pub(super) fn embedded_from(&self, key: TableKey, property: &str) -> Vec<String> {
        let name = match key {
            TableKey::Node(place) => &self.view.node(place).name,
            TableKey::Edge(place) => &self.view.edge(place).name,
        };
        let body = self.view.catalog.body(name);
        let properties = body.into_iter().flat_map(|body| &body.properties);
        properties
            .filter(|vector| vector.embed.as_deref() == Some(property))
            .map(|vector| vector.name.clone())
            .collect()
    }

    /// The rows with the vectors that are missing.
    pub(super) fn embedded(&self, key: TableKey, batch: RecordBatch) -> Result<RecordBatch> {
        let node = match key {
            TableKey::Node(place) => self.view.catalog.nodes.get(&self.view.node(place).name),
            TableKey::Edge(_) => None,
        };
        crate::embedding::filled(&*self.rules_of(key)?, node, batch, &[])
    }
}
