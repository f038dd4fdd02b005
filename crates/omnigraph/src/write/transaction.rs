//! Edits of a graph on top of one commit, seen by the statements behind them.

use super::TableKey;
use super::beside::Beside;
use super::edit::{Edit, Fate, text};
use crate::error::{Error, Result};
use crate::rows::Ulids;
use crate::validate::{RuleBook, TypeRules};
use crate::view::View;
use arrow_array::RecordBatch;
use omnigraph_store::{RowAddr, Table};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Edits as they were.
pub(crate) struct Saved(BTreeMap<TableKey, Edit>);

/// Edits on top of one commit.
pub(crate) struct Transaction {
    pub(crate) view: Arc<View>,
    pub(crate) rules: Arc<RuleBook>,
    pub(super) edits: BTreeMap<TableKey, Edit>,
    pub(super) ids: Ulids,
    /// Only when the edits were made on another state.
    pub(super) beside: Option<Beside>,
}

impl Transaction {
    pub(crate) fn new(view: Arc<View>, rules: Arc<RuleBook>) -> Transaction {
        Transaction { view, rules, edits: BTreeMap::new(), ids: Ulids::new(), beside: None }
    }

    /// Of edits that were made on another state.
    pub(crate) fn beside(
        view: Arc<View>,
        rules: Arc<RuleBook>,
        edits: BTreeMap<TableKey, Edit>,
        beside: Beside,
    ) -> Transaction {
        Transaction { view, rules, edits, ids: Ulids::new(), beside: Some(beside) }
    }

    pub(super) fn rules_of(&self, key: TableKey) -> Result<Arc<TypeRules>> {
        let found = match key {
            TableKey::Node(place) => self.rules.node(&self.view.node(place).name),
            TableKey::Edge(place) => self.rules.edge(&self.view.edge(place).name),
        };
        found.cloned().map_err(|problem| Error::damaged(problem.message))
    }

    pub(super) fn table(&self, key: TableKey) -> Result<Option<&Arc<Table>>> {
        match key {
            TableKey::Node(place) => self.view.node_table(place),
            TableKey::Edge(place) => self.view.edge_table(place),
        }
    }

    pub(super) fn edit(&self, key: TableKey) -> Option<&Edit> {
        self.edits.get(&key)
    }

    /// Whether a node is there, edits included.
    pub(super) fn has_node(&self, place: u16, id: &str) -> Result<bool> {
        match self.edit(TableKey::Node(place)).and_then(|edit| edit.fate(id)) {
            Some(Fate::Row(..)) => Ok(true),
            Some(Fate::Gone) => Ok(false),
            None if self.beside.as_ref().is_some_and(|beside| !beside.is_whole) => {
                Ok(self.beside.as_ref().is_none_or(|beside| !beside.lacks(place, id)))
            }
            None => Ok(stored_node(&self.view, place, id)?.is_some()),
        }
    }

    /// Adds rows, or replaces those with the same ids.
    pub(super) fn put(&mut self, key: TableKey, batch: RecordBatch) -> Result<()> {
        let edit = self.edits.entry(key).or_default();
        let view = &self.view;
        match key {
            TableKey::Node(place) => edit.put(batch, |_, id| stored_node(view, place, id)),
            TableKey::Edge(place) => {
                let ends = [text(&batch, "src")?.clone(), text(&batch, "dst")?.clone()];
                edit.put(batch, |row, id| {
                    stored_edge(view, place, ends[0].value(row), ends[1].value(row), id)
                })
            }
        }
    }

    /// Takes rows away.
    pub(super) fn remove(&mut self, key: TableKey, id: &str, stored: Option<RowAddr>) {
        self.edits.entry(key).or_default().remove(id, stored);
    }

    /// What to go back to when a part of it fails.
    pub(crate) fn save(&self) -> Saved {
        Saved(self.edits.clone())
    }

    /// Forgets what was edited since.
    pub(crate) fn restore(&mut self, saved: Saved) {
        self.edits = saved.0;
    }

    /// Whether anything is different.
    pub(crate) fn is_empty(&self) -> bool {
        self.edits.values().all(Edit::is_empty)
    }
}

/// Where a node is stored.
pub(super) fn stored_node(view: &View, place: u16, id: &str) -> Result<Option<RowAddr>> {
    let index = view.index(place)?;
    Ok(view.node(place).ids.find(id).and_then(|number| index.row(number)))
}

/// Where an edge is stored.
pub(super) fn stored_edge(
    view: &View,
    place: u16,
    src: &str,
    dst: &str,
    id: &str,
) -> Result<Option<RowAddr>> {
    let edge = view.edge(place);
    let (from, to) = (edge.from as u16, edge.to as u16);
    let adjacency = view.adjacency(place)?;
    let (Some(src), Some(dst)) = (view.node(from).ids.find(src), view.node(to).ids.find(dst)) else {
        return Ok(None);
    };
    for (_, row) in adjacency.of(src, true).iter().filter(|(other, _)| *other == dst) {
        let addr = RowAddr(row);
        if !edge.keyed || stored_id(view, place, addr)? == id {
            return Ok(Some(addr));
        }
    }
    Ok(None)
}

/// The id of a stored edge.
pub(super) fn stored_id(view: &View, place: u16, addr: RowAddr) -> Result<String> {
    let table = view.edge_table(place)?.ok_or_else(|| Error::damaged("an edge without a table"))?;
    let fragment =
        table.place(addr.fragment()).ok_or_else(|| Error::damaged("an edge without a fragment"))?;
    let column = table.column(fragment, "id")?;
    Ok(crate::topology::texts(&column)?.value(addr.row() as usize).to_owned())
}
