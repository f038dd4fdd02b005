//! The constraints of edits: which rows of a transaction are asked about, and what is there beside them.

use super::TableKey;
use super::edit::{Edit, Fate, ids, text};
use super::transaction::{Transaction, stored_id};
use crate::constraints::{Bounds, End, Uniques};
use crate::error::{Error, Result};
use crate::validate::Violation;
use omnigraph_store::RowAddr;
use std::collections::BTreeSet;

/// Violations that are reported at most.
const MOST: usize = 20;

impl Transaction {
    /// Whether the graph is whole with all edits in it.
    pub(crate) fn check(&self) -> Result<()> {
        let mut found = self.violations()?;
        if found.is_empty() {
            return Ok(());
        }
        let truncated = found.len() > MOST;
        found.truncate(MOST);
        Err(Error::Invalid { violations: found, truncated })
    }

    /// Every promise that is broken with all edits in the graph.
    pub(crate) fn violations(&self) -> Result<Vec<Violation>> {
        let mut found = Vec::new();
        for (key, edit) in &self.edits {
            if let TableKey::Edge(place) = key {
                self.check_ends(*place, edit, &mut found)?;
            }
            self.check_unique(*key, edit, &mut found)?;
        }
        for place in 0..self.view.edge_count() {
            self.check_left_behind(place, &mut found);
            self.check_cardinality(place, &mut found)?;
        }
        Ok(found)
    }

    /// Edges that came meanwhile, of nodes that the edits remove.
    fn check_left_behind(&self, place: u16, found: &mut Vec<Violation>) {
        let key = TableKey::Edge(place);
        let Some(touched) = self.beside.as_ref().and_then(|beside| beside.tables.get(&key)) else { return };
        let gone = |node: u16, id: &str| {
            let edit = self.edit(TableKey::Node(node));
            edit.and_then(|edit| edit.fate(id)) == Some(Fate::Gone)
        };
        let [source, destination] = End::both(&self.view, place);
        for [id, src, dst] in &touched.new_edges {
            let dangling =
                [(source, src), (destination, dst)].into_iter().filter(|(end, node)| gone(end.node, node));
            found.extend(dangling.map(|(end, node)| end.dangling(node, id)));
        }
    }

    fn check_ends(&self, place: u16, edit: &Edit, found: &mut Vec<Violation>) -> Result<()> {
        for batch in edit.current()? {
            for end in End::both(&self.view, place) {
                let nodes = text(&batch, end.column)?;
                end.check(ids(&batch)?, nodes, |_, id| self.has_node(end.node, id), found)?;
            }
        }
        Ok(())
    }

    fn check_unique(&self, key: TableKey, edit: &Edit, found: &mut Vec<Violation>) -> Result<()> {
        let name = match key {
            TableKey::Node(place) => &self.view.node(place).name,
            TableKey::Edge(place) => &self.view.edge(place).name,
        };
        let mut uniques = Uniques::new(&self.view, name);
        let Some(rows) = edit.rows()?.filter(|_| !uniques.is_empty()) else { return Ok(()) };
        uniques.push(&rows, &[], found)?;
        edit.gone().for_each(|id| uniques.forget(id));
        let Some(table) = self.table(key)? else { return Ok(()) };
        let beside = self.beside.as_ref().filter(|beside| !beside.is_whole);
        uniques.check_stored(table, |fragment| beside.map(|beside| beside.rows_in(key, fragment)), found)
    }

    /// Counts the edges of every source that gained or lost one, and of new nodes that must have some.
    fn check_cardinality(&self, place: u16, found: &mut Vec<Violation>) -> Result<()> {
        let Some(bounds) = Bounds::of(&self.view, place) else { return Ok(()) };
        let from = self.view.edge(place).from as u16;
        let beside = self.beside.as_ref().filter(|beside| !beside.is_whole);
        for source in self.sources(place, bounds.need_some())? {
            if beside.is_some_and(|beside| !beside.moved(place, &source)) || !self.has_node(from, &source)? {
                continue;
            }
            found.extend(bounds.check(&source, self.degree(place, from, &source)?));
        }
        Ok(())
    }

    fn sources(&self, place: u16, new_nodes: bool) -> Result<BTreeSet<String>> {
        let mut sources = BTreeSet::new();
        if let Some(edit) = self.edit(TableKey::Edge(place)) {
            for batch in edit.current()? {
                sources.extend(text(&batch, "src")?.iter().flatten().map(str::to_owned));
            }
            let table = self.view.edge_table(place)?;
            for row in edit.replaced() {
                if let Some((table, at)) = table.and_then(|table| Some((table, table.place(row.fragment())?)))
                {
                    let column = table.column(at, "src")?;
                    sources.insert(crate::topology::texts(&column)?.value(row.row() as usize).to_owned());
                }
            }
        }
        let nodes = self.edit(TableKey::Node(self.view.edge(place).from as u16)).filter(|_| new_nodes);
        if let Some(edit) = nodes {
            sources.extend(edit.ids().inserted);
        }
        Ok(sources)
    }

    /// Edges that leave a node, edits included.
    fn degree(&self, place: u16, from: u16, source: &str) -> Result<u64> {
        let edit = self.edit(TableKey::Edge(place));
        let mut edges = BTreeSet::new();
        // Reading the edges numbers the ids of their ends: asked for before that, no id of a graph that was just opened
        // has a number, and its stored edges would not count.
        let adjacency = self.view.adjacency(place)?;
        if let Some(number) = self.view.node(from).ids.find(source) {
            for (_, row) in adjacency.of(number, true).iter() {
                let id = stored_id(&self.view, place, RowAddr(row))?;
                if edit.and_then(|edit| edit.fate(&id)) != Some(Fate::Gone) {
                    edges.insert(id);
                }
            }
        }
        for batch in edit.map(Edit::current).transpose()?.unwrap_or_default() {
            let (ids, ends) = (ids(&batch)?, text(&batch, "src")?);
            let met = (0..batch.num_rows()).filter(|row| ends.value(*row) == source);
            edges.extend(met.map(|row| ids.value(row).to_owned()));
        }
        Ok(edges.len() as u64)
    }
}
