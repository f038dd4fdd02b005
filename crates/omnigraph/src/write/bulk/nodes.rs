//! Nodes of a load.

use super::compare::different;
use super::{Bulk, LoadMode, TableLoad};
use crate::constraints::Uniques;
use crate::error::{Error, Result};
use crate::load::Block;
use crate::table_name::TableName;
use crate::topology::{NO_ROW, texts};
use crate::validate::Violation;
use crate::write::matching::whole;
use arrow_array::{Array, BooleanArray, RecordBatch};
use arrow_select::filter::filter_record_batch;
use hashbrown::HashSet;
use omnigraph_store::RowAddr;

/// Nodes of one type.
pub(super) struct NodeLoad {
    pub(super) table: TableLoad,
    /// The line of each node of the load by its number; 0 for none.
    pub(super) lines: Vec<u32>,
    pub(super) uniques: Uniques,
    /// Nodes that the load takes away.
    pub(super) gone: HashSet<u32>,
}

impl NodeLoad {
    /// Whether the load has the node.
    pub(super) fn has(&self, number: u32) -> bool {
        self.lines.get(number as usize).is_some_and(|line| *line != 0)
    }
}

impl Bulk<'_> {
    pub(super) fn push_nodes(&mut self, place: u16, block: Block) -> Result<()> {
        let name = self.view.node(place).name.clone();
        let rules = self.rules.node(&name).map_err(|problem| Error::damaged(problem.message))?.clone();
        let batch =
            crate::embedding::filled(&rules, self.view.catalog.nodes.get(&name), block.batch, &block.lines)?;
        let ids = texts(batch.column(0))?.clone();
        let numbers = self.view.node(place).ids.intern(&ids);
        let mut load = self.take_nodes(place)?;
        let most = numbers.iter().copied().max().map_or(0, |most| most as usize + 1);
        if load.lines.len() < most {
            load.lines.resize(most, 0);
        }
        for (row, number) in numbers.iter().enumerate() {
            let line =
                block.lines.get(row).map_or(u32::MAX, |line| (*line).clamp(1, u64::from(u32::MAX)) as u32);
            let first = std::mem::replace(&mut load.lines[*number as usize], line);
            if first != 0 && self.violations.len() < self.max_errors {
                let violation = Violation::duplicate(&name, ids.value(row), Some(u64::from(first)));
                self.violations.push(violation.at(Some(u64::from(line))));
            } else if load.gone.contains(number) {
                self.violations.push(super::deletes::twice(&name, ids.value(row), Some(u64::from(line))));
            }
        }
        if self.violations.is_empty() {
            load.uniques.push(&batch, &block.lines, &mut self.violations)?;
            let batch = self.settle(place, &mut load, batch, &numbers, &block.lines)?;
            if batch.num_rows() > 0 {
                load.table.stage.append(batch)?;
            }
        }
        self.nodes.insert(place, load);
        Ok(())
    }

    /// What the load has of a type so far.
    pub(super) fn take_nodes(&mut self, place: u16) -> Result<NodeLoad> {
        if let Some(load) = self.nodes.remove(&place) {
            return Ok(load);
        }
        let name = self.view.node(place).name.clone();
        let rules = self.rules.node(&name).map_err(|problem| Error::damaged(problem.message))?.clone();
        Ok(NodeLoad {
            table: TableLoad::new(self.store, self.base(&TableName::Node(&name).key()), &rules)?,
            lines: Vec::new(),
            uniques: Uniques::new(&self.view, &name),
            gone: HashSet::new(),
        })
    }

    /// Decides about nodes that are stored already; what is left is written.
    fn settle(
        &mut self,
        place: u16,
        load: &mut NodeLoad,
        batch: RecordBatch,
        numbers: &[u32],
        lines: &[u64],
    ) -> Result<RecordBatch> {
        let ids = texts(batch.column(0))?.clone();
        let view = self.view.clone();
        let table = view.node_table(place)?.filter(|_| self.mode != LoadMode::Overwrite);
        let Some(table) = table else {
            (0..ids.len()).for_each(|row| load.table.note(ids.value(row), true));
            return Ok(batch);
        };
        let index = view.index(place)?;
        let stored: Vec<Option<RowAddr>> = numbers
            .iter()
            .map(|number| Some(index.raw(*number)).filter(|row| *row != NO_ROW).map(RowAddr))
            .collect();
        if self.mode == LoadMode::Append {
            for row in (0..stored.len()).filter(|row| stored[*row].is_some()) {
                let violation = Violation::duplicate(&view.node(place).name, ids.value(row), None);
                self.violations.push(violation.at(lines.get(row).copied()));
            }
        }
        let rows: Vec<u32> = (0..stored.len() as u32).filter(|row| stored[*row as usize].is_some()).collect();
        let addrs: Vec<RowAddr> = stored.iter().flatten().copied().collect();
        let mut keep = vec![true; batch.num_rows()];
        if !addrs.is_empty() {
            let old = whole(table, &batch.schema(), &addrs)?;
            for row in &rows {
                keep[*row as usize] = false;
            }
            for at in different(&old, &batch, &rows)? {
                keep[rows[at] as usize] = true;
                load.table.stage.delete(addrs[at]);
            }
        }
        for row in (0..keep.len()).filter(|row| keep[*row]) {
            load.table.note(ids.value(row), stored[row].is_none());
        }
        Ok(filter_record_batch(&batch, &BooleanArray::from(keep))?)
    }
}
