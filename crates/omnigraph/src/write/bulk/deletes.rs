//! Rows that a load takes away, and the edges that go with their nodes.

use super::Bulk;
use super::edges::EdgeLoad;
use crate::constraints::End;
use crate::error::{Error, Result};
use crate::load::{Block, Target};
use crate::topology::texts;
use crate::validate::{Code, Problem, Violation};
use crate::write::LoadMode;
use crate::write::transaction::stored_id;
use omnigraph_store::RowAddr;

impl Bulk<'_> {
    /// Takes rows away. One that is not there is gone already.
    pub(super) fn push_deletes(&mut self, block: &Block) -> Result<()> {
        if self.mode != LoadMode::Merge {
            let problem = Problem::new(Code::Record, "a record that deletes needs mode merge");
            let name = match &block.target {
                Target::Node(name) | Target::Edge(name) => name,
            };
            let violation = Violation::new(name, problem).at(block.lines.first().copied());
            self.violations.push(violation);
            return Ok(());
        }
        match &block.target {
            Target::Node(name) => self.delete_nodes(self.view.node_place(name)?, block),
            Target::Edge(name) => self.delete_edges(self.view.edge_place(name)?, block),
        }
    }

    fn delete_nodes(&mut self, place: u16, block: &Block) -> Result<()> {
        let name = self.view.node(place).name.clone();
        let ids = texts(block.batch.column(0))?.clone();
        let numbers = self.view.node(place).ids.intern(&ids);
        let mut load = self.take_nodes(place)?;
        for (row, number) in numbers.iter().enumerate() {
            let id = ids.value(row);
            if load.has(*number) {
                self.violations.push(twice(&name, id, block.lines.get(row).copied()));
                continue;
            }
            if !load.gone.insert(*number) {
                continue;
            }
            if let Some(addr) = self.view.index(place)?.row(*number) {
                load.table.stage.delete(addr);
                load.table.note_deleted(id);
                load.uniques.forget(id);
            }
        }
        self.nodes.insert(place, load);
        Ok(())
    }

    fn delete_edges(&mut self, place: u16, block: &Block) -> Result<()> {
        let stored = self.stored_edges(place, &block.batch)?;
        let ids = texts(block.batch.column(0))?;
        let edge = self.view.edge(place);
        let (name, keyed) = (edge.name.clone(), edge.keyed);
        let (from, to) = (self.view.node(edge.from as u16), self.view.node(edge.to as u16));
        let src = from.ids.intern(texts(block.batch.column(1))?);
        let dst = to.ids.intern(texts(block.batch.column(2))?);
        let mut load = self.take_edges(place)?;
        for (row, addr) in stored.iter().enumerate() {
            if load.has(src[row], dst[row], ids.value(row), keyed) {
                self.violations.push(twice(&name, ids.value(row), block.lines.get(row).copied()));
            } else if let Some(addr) = addr {
                let id = stored_id(&self.view, place, *addr)?;
                load.remove(*addr, &id, src[row]);
            }
            load.gone.insert(ids.value(row).to_owned());
        }
        self.edges.insert(place, load);
        Ok(())
    }

    /// Takes the edges of deleted nodes away, and finds edges of the load that would be left behind.
    pub(super) fn cascade(&mut self) -> Result<()> {
        let view = self.view.clone();
        for place in 0..view.edge_count() {
            let edge = view.edge(place);
            for (node, out) in [(edge.from as u16, true), (edge.to as u16, false)] {
                let Some(nodes) = self.nodes.get(&node).filter(|nodes| !nodes.gone.is_empty()) else {
                    continue;
                };
                let mut gone: Vec<u32> = nodes.gone.iter().copied().collect();
                gone.sort_unstable();
                self.left_behind(place, out, &gone);
                let adjacency = view.adjacency(place)?;
                let mut edges: Vec<(u32, RowAddr)> = Vec::new();
                for number in &gone {
                    let meets = adjacency.of(*number, out);
                    edges.extend(
                        meets.iter().map(|(other, row)| (if out { *number } else { other }, RowAddr(row))),
                    );
                }
                if edges.is_empty() {
                    continue;
                }
                let mut load = self.take_edges(place)?;
                for (src, addr) in edges {
                    let id = stored_id(&view, place, addr)?;
                    load.remove(addr, &id, src);
                }
                self.edges.insert(place, load);
            }
        }
        Ok(())
    }

    /// Edges of the load whose node the same load takes away.
    fn left_behind(&mut self, place: u16, out: bool, gone: &[u32]) {
        let Some(load) = self.edges.get(&place) else { return };
        let ends = load.pairs.iter().map(|pair| if out { (*pair >> 32) as u32 } else { *pair as u32 });
        // Those that wait for their node are reported with their line.
        let waits =
            |end: &u32| load.waiting.iter().any(|(is_src, number, _)| *is_src == out && number == end);
        let mut met: Vec<u32> =
            ends.filter(|end| gone.binary_search(end).is_ok()).filter(|end| !waits(end)).collect();
        met.sort_unstable();
        met.dedup();
        let [source, destination] = End::both(&self.view, place);
        let end = if out { source } else { destination };
        let ids = &self.view.node(end.node).ids;
        let found = met.iter().take(self.room()).map(|number| end.dangling(ids.read().id(*number), ""));
        let found: Vec<Violation> = found.collect();
        self.violations.extend(found);
    }

    fn take_edges(&mut self, place: u16) -> Result<EdgeLoad> {
        if let Some(load) = self.edges.remove(&place) {
            return Ok(load);
        }
        let name = self.view.edge(place).name.clone();
        let rules = self.rules.edge(&name).map_err(|problem| Error::damaged(problem.message))?.clone();
        self.new_edges(place, &rules)
    }
}

pub(super) fn twice(name: &str, id: &str, line: Option<u64>) -> Violation {
    let mut violation = Violation::duplicate(name, id, None).at(line);
    violation.message = format!("{name} '{id}' is both written and deleted");
    violation
}
