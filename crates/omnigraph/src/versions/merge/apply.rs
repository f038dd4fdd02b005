//! Writing the tables of a merged graph.

use super::plan::Plan;
use super::table::TableMerge;
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::table_name::TableName;
use crate::validate::TypeRules;
use crate::versions::delta::entry_of;
use crate::versions::rows::AT_ONCE;
use arrow_array::RecordBatch;
use omnigraph_store::{RowAddr, Snapshot, TableEntry};
use std::collections::BTreeMap;
use std::sync::Arc;

/// All tables of the merged graph. Those that had to be written are on disk, and nothing names them.
#[derive(Debug)]
pub(super) struct Applied {
    pub(super) tables: BTreeMap<String, TableEntry>,
}

impl Graph {
    /// Puts what the other side changed onto the tables of the side that wins. A table that only one side changed is
    /// taken as it is: no row is copied.
    pub(super) fn apply_merge(&self, plan: &Plan, onto: &Snapshot, other: &Snapshot) -> Result<Applied> {
        let mut tables = onto.record.tables.clone();
        for table in &plan.tables {
            if plan.puts(table).is_empty() {
                continue;
            }
            let (changed, _) = plan.sides(table);
            let is_whole = changed.rows.is_empty() && table.settled.is_empty();
            let entry = if is_whole && plan.is_same_type(&table.key) {
                entry_of(&plan.seen, other, &table.key).cloned()
            } else {
                self.write_merged(plan, table, onto.table(&table.key))?
            };
            match entry {
                Some(entry) => tables.insert(table.key.clone(), entry),
                None => tables.remove(&table.key),
            };
        }
        Ok(Applied { tables })
    }

    fn write_merged(
        &self,
        plan: &Plan,
        table: &TableMerge,
        onto: Option<&TableEntry>,
    ) -> Result<Option<TableEntry>> {
        let rules = rules_of(plan, &table.key)?;
        let mut stage = self.store().stage(onto, rules.schema().clone())?;
        let puts = plan.puts(table);
        puts.iter().filter_map(|put| put.replaces).for_each(|row| stage.delete(row));
        let rows: Vec<RowAddr> = puts.iter().filter_map(|put| put.place).collect();
        for some in rows.chunks(AT_ONCE) {
            let batch = plan.reader(table)?.rows(some)?;
            stage.append(RecordBatch::try_new(rules.schema().clone(), batch.columns().to_vec())?)?;
        }
        Ok(stage.finish()?)
    }
}

/// The rules of a table's type in the merged graph.
pub(super) fn rules_of<'p>(plan: &'p Plan, key: &str) -> Result<&'p Arc<TypeRules>> {
    let rules = match TableName::of(key) {
        TableName::Edge(name) => plan.seen.rules.edge(name),
        TableName::Node(name) => plan.seen.rules.node(name),
    };
    rules.map_err(|problem| Error::damaged(problem.message))
}
