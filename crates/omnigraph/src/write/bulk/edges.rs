//! Edges of a load.

use super::compare::different;
use super::{Bulk, LoadMode, TableLoad};
use crate::constraints::{Bounds, Uniques};
use crate::error::{Error, Result};
use crate::load::Block;
use crate::table_name::TableName;
use crate::topology::texts;
use crate::validate::Violation;
use crate::write::matching::whole;
use crate::write::transaction::stored_id;
use arrow_array::{BooleanArray, RecordBatch, StringArray};
use arrow_select::filter::filter_record_batch;
use hashbrown::HashSet;
use omnigraph_store::RowAddr;
use std::collections::HashMap;

/// Edges of one type.
pub(super) struct EdgeLoad {
    pub(super) table: TableLoad,
    /// Ends of the edges that the load has had, and ids of those with a key.
    pub(super) pairs: HashSet<u64>,
    keyed: HashSet<String>,
    /// Ids of edges that the load takes away, and the stored rows of those that go.
    pub(super) gone: HashSet<String>,
    removed: HashSet<u64>,
    /// Ends whose node was not there when the edge was read: end, number, line.
    pub(super) waiting: Vec<(bool, u32, u64)>,
    /// Edges by source, where the schema bounds them: new ones less replaced ones.
    pub(super) degrees: Option<HashMap<u32, i64>>,
    pub(super) uniques: Uniques,
}

impl EdgeLoad {
    fn is_first(&mut self, src: u32, dst: u32, id: &str, keyed: bool) -> bool {
        let is_new = self.pairs.insert(pair(src, dst));
        if keyed { self.keyed.insert(id.to_owned()) } else { is_new }
    }

    /// Whether the load has had the edge.
    pub(super) fn has(&self, src: u32, dst: u32, id: &str, keyed: bool) -> bool {
        if keyed { self.keyed.contains(id) } else { self.pairs.contains(&pair(src, dst)) }
    }

    /// Takes a stored edge away, once.
    pub(super) fn remove(&mut self, addr: RowAddr, id: &str, src: u32) {
        if !self.removed.insert(addr.0) {
            return;
        }
        self.table.stage.delete(addr);
        self.table.note_deleted(id);
        self.uniques.forget(id);
        if let Some(degrees) = &mut self.degrees {
            *degrees.entry(src).or_default() -= 1;
        }
    }
}

fn pair(src: u32, dst: u32) -> u64 {
    (u64::from(src) << 32) | u64::from(dst)
}

/// Columns and numbers of a block of edges.
struct Ends<'b> {
    ids: StringArray,
    src: Vec<u32>,
    dst: Vec<u32>,
    lines: &'b [u64],
}

impl Bulk<'_> {
    pub(super) fn push_edges(&mut self, place: u16, block: Block) -> Result<()> {
        let edge = self.view.edge(place);
        let (name, from, to) = (edge.name.clone(), edge.from as u16, edge.to as u16);
        let rules = self.rules.edge(&name).map_err(|problem| Error::damaged(problem.message))?.clone();
        let batch = crate::embedding::filled(&rules, None, block.batch, &block.lines)?;
        let ends = Ends {
            ids: texts(batch.column(0))?.clone(),
            src: self.view.node(from).ids.intern(texts(batch.column(1))?),
            dst: self.view.node(to).ids.intern(texts(batch.column(2))?),
            lines: &block.lines,
        };
        let mut load = match self.edges.remove(&place) {
            Some(load) => load,
            None => self.new_edges(place, &rules)?,
        };
        let batch = self.first_ones(place, &mut load, batch, &ends)?;
        self.wait_for_ends(&mut load, from, to, &ends)?;
        if self.violations.is_empty() {
            load.uniques.push(&batch, &block.lines, &mut self.violations)?;
            let batch = self.settle_edges(place, &mut load, batch, &block.lines)?;
            if batch.num_rows() > 0 {
                load.table.stage.append(batch)?;
            }
        }
        self.edges.insert(place, load);
        Ok(())
    }

    pub(super) fn new_edges(&self, place: u16, rules: &crate::validate::TypeRules) -> Result<EdgeLoad> {
        let name = &self.view.edge(place).name;
        Ok(EdgeLoad {
            table: TableLoad::new(self.store, self.base(&TableName::Edge(name).key()), rules)?,
            pairs: HashSet::new(),
            keyed: HashSet::new(),
            gone: HashSet::new(),
            removed: HashSet::new(),
            waiting: Vec::new(),
            degrees: Bounds::of(&self.view, place).map(|_| HashMap::new()),
            uniques: Uniques::new(&self.view, name),
        })
    }

    /// Edges that the load has not had. One that has nothing but its ends may be there again in a merge; any other
    /// repetition is an error, because it does not say which one is meant.
    fn first_ones(
        &mut self,
        place: u16,
        load: &mut EdgeLoad,
        batch: RecordBatch,
        ends: &Ends<'_>,
    ) -> Result<RecordBatch> {
        let keyed = self.view.edge(place).keyed;
        let forgiving = self.mode == LoadMode::Merge && batch.num_columns() == 3;
        let mut keep = vec![true; batch.num_rows()];
        for (row, keep) in keep.iter_mut().enumerate() {
            let is_gone = load.gone.contains(ends.ids.value(row));
            if load.is_first(ends.src[row], ends.dst[row], ends.ids.value(row), keyed) && !is_gone {
                continue;
            }
            *keep = false;
            if (!forgiving || is_gone) && self.violations.len() < self.max_errors {
                let name = &self.view.edge(place).name;
                let shown = format!(
                    "{} -> {}",
                    texts(batch.column(1))?.value(row),
                    texts(batch.column(2))?.value(row)
                );
                let mut violation = Violation::duplicate(name, &shown, None).at(ends.lines.get(row).copied());
                violation.message = format!("{name} '{shown}' is in the file more than once");
                self.violations.push(violation);
            }
        }
        if keep.iter().all(|keep| *keep) {
            return Ok(batch);
        }
        Ok(filter_record_batch(&batch, &BooleanArray::from(keep))?)
    }

    /// Remembers ends whose node may come later.
    fn wait_for_ends(&self, load: &mut EdgeLoad, from: u16, to: u16, ends: &Ends<'_>) -> Result<()> {
        for (numbers, node, is_src) in [(&ends.src, from, true), (&ends.dst, to, false)] {
            for (row, number) in numbers.iter().enumerate() {
                if !self.has_node(node, *number)? {
                    load.waiting.push((is_src, *number, ends.lines.get(row).copied().unwrap_or_default()));
                }
            }
        }
        Ok(())
    }

    /// Whether the load or the graph below it has a node.
    pub(super) fn has_node(&self, node: u16, number: u32) -> Result<bool> {
        let load = self.nodes.get(&node);
        if load.is_some_and(|load| load.has(number)) {
            return Ok(true);
        }
        if load.is_some_and(|load| load.gone.contains(&number)) {
            return Ok(false);
        }
        let replaced = self.mode == LoadMode::Overwrite && load.is_some();
        Ok(!replaced && self.view.index(node)?.row(number).is_some())
    }

    /// Decides about edges that are stored already.
    fn settle_edges(
        &mut self,
        place: u16,
        load: &mut EdgeLoad,
        batch: RecordBatch,
        lines: &[u64],
    ) -> Result<RecordBatch> {
        let ids = texts(batch.column(0))?.clone();
        let sources = self.view.node(self.view.edge(place).from as u16).ids.intern(texts(batch.column(1))?);
        let stored = self.stored_edges(place, &batch)?;
        let (rows, addrs): (Vec<u32>, Vec<RowAddr>) =
            stored.iter().enumerate().filter_map(|(row, addr)| Some((row as u32, (*addr)?))).unzip();
        let mut keep = vec![true; batch.num_rows()];
        if self.mode == LoadMode::Append {
            for row in rows.iter().map(|row| *row as usize) {
                let name = &self.view.edge(place).name;
                let (src, dst) = (texts(batch.column(1))?.value(row), texts(batch.column(2))?.value(row));
                let line = lines.get(row).copied().filter(|_| lines.len() == batch.num_rows());
                let mut violation = Violation::duplicate(name, ids.value(row), None).at(line);
                violation.message = format!("{name} '{src} -> {dst}' is there already");
                self.violations.push(violation);
            }
        } else if let Some(table) = self.view.edge_table(place)?.filter(|_| !addrs.is_empty()) {
            for row in &rows {
                keep[*row as usize] = false;
            }
            let old = whole(table, &batch.schema(), &addrs)?;
            for at in different(&old, &batch, &rows)? {
                keep[rows[at] as usize] = true;
                load.table.stage.delete(addrs[at]);
            }
        }
        for row in (0..keep.len()).filter(|row| keep[*row]) {
            load.table.note(ids.value(row), stored[row].is_none());
            if let Some(degrees) = load.degrees.as_mut().filter(|_| stored[row].is_none()) {
                *degrees.entry(sources[row]).or_default() += 1;
            }
        }
        Ok(filter_record_batch(&batch, &BooleanArray::from(keep))?)
    }

    pub(super) fn stored_edges(&self, place: u16, batch: &RecordBatch) -> Result<Vec<Option<RowAddr>>> {
        if self.mode == LoadMode::Overwrite || self.view.edge_table(place)?.is_none() {
            return Ok(vec![None; batch.num_rows()]);
        }
        let edge = self.view.edge(place);
        let (from, to) = (self.view.node(edge.from as u16), self.view.node(edge.to as u16));
        let (src, dst) = (from.ids.intern(texts(batch.column(1))?), to.ids.intern(texts(batch.column(2))?));
        let ids = texts(batch.column(0))?;
        let adjacency = self.view.adjacency(place)?;
        let mut stored = Vec::with_capacity(batch.num_rows());
        for row in 0..batch.num_rows() {
            let mut found = None;
            for (_, addr) in adjacency.of(src[row], true).iter().filter(|(other, _)| *other == dst[row]) {
                if !edge.keyed || stored_id(&self.view, place, RowAddr(addr))? == ids.value(row) {
                    found = Some(RowAddr(addr));
                    break;
                }
            }
            stored.push(found);
        }
        Ok(stored)
    }
}
