//! From edits to a commit.

use super::TableKey;
use super::mutate::Affected;
use super::transaction::Transaction;
use crate::error::{Error, Result};
use crate::table_name::TableName;
use omnigraph_store::{CommitId, Draft, Snapshot, Store, TableChange};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Who writes, and on what condition.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriteOptions {
    pub(crate) branch: String,
    pub(crate) actor: Option<String>,
    /// The write is refused unless this is the newest commit of the branch.
    pub(crate) if_commit: Option<CommitId>,
    pub(crate) operation: &'static str,
    pub(crate) operation_hash: Option<String>,
}

/// What a write did.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// The graph behind it. When nothing changed, the one before it.
    pub snapshot: Arc<Snapshot>,
    /// Whether there is a new commit.
    pub committed: bool,
    /// Nodes that statements inserted, updated or deleted.
    pub affected_nodes: usize,
    /// Edges, those that went with their nodes included.
    pub affected_edges: usize,
    /// By table.
    pub changes: BTreeMap<String, TableChange>,
}

impl Receipt {
    pub(crate) fn nothing(snapshot: Arc<Snapshot>, affected: Affected) -> Receipt {
        Receipt {
            snapshot,
            committed: false,
            affected_nodes: affected.nodes,
            affected_edges: affected.edges,
            changes: BTreeMap::new(),
        }
    }

    pub(crate) fn of(snapshot: Arc<Snapshot>, affected: Affected) -> Receipt {
        let changes = snapshot.record.changes.clone();
        Receipt {
            snapshot,
            committed: true,
            affected_nodes: affected.nodes,
            affected_edges: affected.edges,
            changes,
        }
    }
}

/// Fails unless the newest commit of a branch is the one that was named.
pub(crate) fn expect_commit(branch: &str, head: &Snapshot, wanted: Option<&CommitId>) -> Result<()> {
    match wanted.filter(|wanted| *wanted != head.id()) {
        None => Ok(()),
        Some(wanted) => Err(Error::NotAtCommit {
            branch: branch.to_owned(),
            head: head.id().clone(),
            wanted: wanted.clone(),
        }),
    }
}

impl Transaction {
    /// Writes all edits to tables that nothing names yet.
    pub(crate) fn stage(&self, store: &Store, options: &WriteOptions) -> Result<Draft> {
        let mut draft = Draft {
            operation: options.operation.to_owned(),
            actor: options.actor.clone(),
            operation_hash: options.operation_hash.clone(),
            ..Draft::default()
        };
        for (key, edit) in self.edits.iter().filter(|(_, edit)| !edit.is_empty()) {
            let name = self.name(*key);
            let rules = self.rules_of(*key)?;
            let mut stage = store.stage(self.view.snapshot.table(&name), rules.schema().clone())?;
            edit.replaced().for_each(|row| stage.delete(row));
            if let Some(rows) = edit.rows()? {
                stage.append(rows)?;
            }
            draft.tables.insert(name.clone(), stage.finish()?);
            draft.changes.insert(name, edit.change());
            self.relies_on(*key, &mut draft);
        }
        Ok(draft)
    }

    /// Tables that the checks looked at: nodes for edges, edges for nodes that may be gone.
    fn relies_on(&self, key: TableKey, draft: &mut Draft) {
        match key {
            TableKey::Edge(place) => {
                let edge = self.view.edge(place);
                for node in [edge.from, edge.to] {
                    draft.reads.insert(self.name(TableKey::Node(node as u16)));
                }
            }
            TableKey::Node(node) => {
                let deletes = self.edit(key).is_some_and(|edit| !edit.ids().deleted.is_empty());
                for place in (0..self.view.edge_count()).filter(|_| deletes) {
                    let edge = self.view.edge(place);
                    if [edge.from, edge.to].contains(&(node as usize)) {
                        draft.reads.insert(self.name(TableKey::Edge(place)));
                    }
                }
            }
        }
    }

    pub(super) fn name(&self, key: TableKey) -> String {
        match key {
            TableKey::Node(place) => TableName::Node(&self.view.node(place).name).key(),
            TableKey::Edge(place) => TableName::Edge(&self.view.edge(place).name).key(),
        }
    }
}
