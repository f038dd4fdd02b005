//! Bulk loads: rows are staged as they are read, checked against each other and the graph, and published at once.

mod compare;
mod deletes;
mod edges;
mod finish;
mod nodes;

pub(crate) use compare::different;

use super::TableKey;
use crate::error::{Error, Result};
use crate::load::{Block, Target};
use crate::table_name::TableName;
use crate::validate::{RuleBook, TypeRules, Violation};
use crate::view::View;
use edges::EdgeLoad;
use nodes::NodeLoad;
use omnigraph_store::{ChangedIds, Draft, Snapshot, Stage, Store, TableChange};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What becomes of rows that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadMode {
    /// The tables that the file has rows for are replaced.
    Overwrite,
    /// Rows must be new.
    Append,
    /// Rows with the same id are replaced.
    Merge,
}

/// What a load did.
#[derive(Clone, Debug)]
pub struct LoadReport {
    /// The graph behind it. When nothing changed, the one before it.
    pub snapshot: Arc<Snapshot>,
    /// Whether there is a new commit.
    pub committed: bool,
    /// Rows of the file by table.
    pub rows: BTreeMap<String, u64>,
    /// What is different now, by table.
    pub changes: BTreeMap<String, TableChange>,
}

/// Rows that wait in memory in all tables together.
const BUFFERED: usize = 192 << 20;

/// A load in progress.
pub(crate) struct Bulk<'g> {
    pub(crate) view: Arc<View>,
    store: &'g Store,
    rules: Arc<RuleBook>,
    mode: LoadMode,
    nodes: BTreeMap<u16, NodeLoad>,
    edges: BTreeMap<u16, EdgeLoad>,
    violations: Vec<Violation>,
    max_errors: usize,
    rows: BTreeMap<String, u64>,
}

/// Changes of one table on their way.
struct TableLoad {
    stage: Stage,
    change: TableChange,
}

impl TableLoad {
    fn new(
        store: &Store,
        base: Option<&omnigraph_store::TableEntry>,
        rules: &TypeRules,
    ) -> Result<TableLoad> {
        let change = TableChange { ids: Some(ChangedIds::default()), ..TableChange::default() };
        Ok(TableLoad { stage: store.stage(base, rules.schema().clone())?, change })
    }

    fn note(&mut self, id: &str, is_new: bool) {
        if is_new {
            self.change.inserted += 1;
            self.list(id, |ids| &mut ids.inserted);
        } else {
            self.change.updated += 1;
            self.list(id, |ids| &mut ids.updated);
        }
    }

    fn note_deleted(&mut self, id: &str) {
        self.change.deleted += 1;
        self.list(id, |ids| &mut ids.deleted);
    }

    /// Ids are named while they are few.
    fn list(&mut self, id: &str, list: impl FnOnce(&mut ChangedIds) -> &mut Vec<String>) {
        let total = self.change.inserted + self.change.updated + self.change.deleted;
        match &mut self.change.ids {
            Some(_) if total > ChangedIds::MOST as u64 => self.change.ids = None,
            Some(ids) => list(ids).push(id.to_owned()),
            None => {}
        }
    }
}

impl<'g> Bulk<'g> {
    pub(crate) fn new(
        view: Arc<View>,
        store: &'g Store,
        rules: Arc<RuleBook>,
        mode: LoadMode,
        max_errors: usize,
    ) -> Bulk<'g> {
        Bulk {
            view,
            store,
            rules,
            mode,
            nodes: BTreeMap::new(),
            edges: BTreeMap::new(),
            violations: Vec::new(),
            max_errors: max_errors.max(1),
            rows: BTreeMap::new(),
        }
    }

    /// Takes in rows of one type.
    pub(crate) fn push(&mut self, block: Block) -> Result<()> {
        match &block.target {
            _ if block.is_delete => self.push_deletes(&block)?,
            Target::Node(name) => {
                *self.rows.entry(TableName::Node(name).key()).or_default() += block.batch.num_rows() as u64;
                let place = self.view.node_place(name)?;
                self.push_nodes(place, block)?;
            }
            Target::Edge(name) => {
                *self.rows.entry(TableName::Edge(name).key()).or_default() += block.batch.num_rows() as u64;
                let place = self.view.edge_place(name)?;
                self.push_edges(place, block)?;
            }
        }
        if self.violations.len() >= self.max_errors {
            return self.valid();
        }
        self.make_room()
    }

    /// Writes the largest buffer when all together are large.
    fn make_room(&mut self) -> Result<()> {
        let nodes = self.nodes.values_mut().map(|load| &mut load.table.stage);
        let edges = self.edges.values_mut().map(|load| &mut load.table.stage);
        let mut stages: Vec<&mut Stage> = nodes.chain(edges).collect();
        if stages.iter().map(|stage| stage.buffered_bytes()).sum::<usize>() > BUFFERED
            && let Some(largest) = stages.iter_mut().max_by_key(|stage| stage.buffered_bytes())
        {
            largest.flush()?;
        }
        Ok(())
    }

    fn valid(&mut self) -> Result<()> {
        if self.violations.is_empty() {
            return Ok(());
        }
        let mut violations = std::mem::take(&mut self.violations);
        violations.sort_by_key(|violation| violation.line);
        let truncated = violations.len() >= self.max_errors;
        violations.truncate(self.max_errors);
        Err(Error::Invalid { violations, truncated })
    }

    /// Checks what needs all rows, and writes the rest. `None` when nothing is different.
    pub(crate) fn finish(mut self) -> Result<(Option<Draft>, BTreeMap<String, u64>)> {
        self.check_all()?;
        self.valid()?;
        let mut draft = Draft { operation: "load".to_owned(), ..Draft::default() };
        let nodes = std::mem::take(&mut self.nodes);
        let edges = std::mem::take(&mut self.edges);
        let nodes = nodes.into_iter().map(|(place, load)| (TableKey::Node(place), load.table));
        let edges = edges.into_iter().map(|(place, load)| (TableKey::Edge(place), load.table));
        for (key, table) in nodes.chain(edges) {
            let name = self.name(key);
            let change = self.whole_change(&name, table.change);
            if change.inserted + change.updated + change.deleted == 0 {
                continue;
            }
            draft.tables.insert(name.clone(), table.stage.finish()?);
            draft.changes.insert(name, change);
            match key {
                TableKey::Edge(place) => {
                    let edge = self.view.edge(place);
                    let ends = [edge.from, edge.to].map(|node| self.name(TableKey::Node(node as u16)));
                    draft.reads.extend(ends);
                }
                TableKey::Node(node) if draft.changes.values().any(|change| change.deleted > 0) => {
                    draft.reads.extend(self.edges_of(node));
                }
                TableKey::Node(_) => {}
            }
        }
        let is_empty = draft.tables.is_empty();
        Ok(((!is_empty).then_some(draft), self.rows))
    }

    /// A table that is replaced loses what it had.
    fn whole_change(&self, name: &str, mut change: TableChange) -> TableChange {
        if self.mode == LoadMode::Overwrite
            && let Some(old) = self.view.snapshot.table(name)
        {
            change.deleted += old.rows;
            change.ids = None;
        }
        change
    }

    /// The tables of edges that join nodes of a type.
    fn edges_of(&self, node: u16) -> Vec<String> {
        let meets = |place: &u16| {
            let edge = self.view.edge(*place);
            [edge.from, edge.to].contains(&(node as usize))
        };
        (0..self.view.edge_count()).filter(meets).map(|place| self.name(TableKey::Edge(place))).collect()
    }

    fn name(&self, key: TableKey) -> String {
        match key {
            TableKey::Node(place) => TableName::Node(&self.view.node(place).name).key(),
            TableKey::Edge(place) => TableName::Edge(&self.view.edge(place).name).key(),
        }
    }

    /// The version that rows of a table are put on; none when it is replaced.
    fn base(&self, name: &str) -> Option<&omnigraph_store::TableEntry> {
        self.view.snapshot.table(name).filter(|_| self.mode != LoadMode::Overwrite)
    }
}
