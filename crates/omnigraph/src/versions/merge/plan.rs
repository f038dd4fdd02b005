//! What a merge would do, table by table.

use super::base::Base;
use super::conflict::MergeConflict;
use super::schema::{Side, reconcile, same_type};
use super::table::{TableMerge, summed};
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::loaded::Loaded;
use crate::table_name::TableName;
use crate::versions::delta::{Delta, Lens, tables};
use crate::versions::rows::Reader;
use omnigraph_store::{RowAddr, Snapshot, TableChange, TableEntry};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Two states beside each other, with what becomes of every row that changed since their base.
#[derive(Debug)]
pub(super) struct Plan {
    /// Whose tables the merged graph is built on: whose schema it has.
    pub(super) winner: Side,
    /// The schema of the merged graph.
    pub(super) seen: Arc<Loaded>,
    /// The schema of the other side.
    pub(super) other: Arc<Loaded>,
    pub(super) tables: Vec<TableMerge>,
    /// Rows that differ on both sides, and schemas that do.
    pub(super) conflicts: Vec<MergeConflict>,
}

/// A row to put onto the side that wins, in the place of one that is there.
pub(super) struct Put<'p> {
    pub(super) id: &'p str,
    /// Where the other side has it; none when it deleted it.
    pub(super) place: Option<RowAddr>,
    /// Where the winning side has it.
    pub(super) replaces: Option<RowAddr>,
}

impl Plan {
    /// Whether rows are read as another schema sees them than the one that they were written with.
    pub(super) fn crosses_schemas(&self) -> bool {
        self.seen.catalog != self.other.catalog
    }

    /// Whether somebody decided about rows.
    pub(super) fn has_settled(&self) -> bool {
        self.tables.iter().any(|table| !table.settled.is_empty())
    }

    /// Whether both sides have the same idea of a type.
    pub(super) fn is_same_type(&self, key: &str) -> bool {
        same_type(&self.seen, &self.other, TableName::of(key).type_name())
    }

    /// The changes of the side that wins, and those of the other.
    pub(super) fn sides<'p>(&self, table: &'p TableMerge) -> (&'p Delta, &'p Delta) {
        match self.winner {
            Side::Ours => (&table.ours, &table.theirs),
            Side::Theirs => (&table.theirs, &table.ours),
        }
    }

    /// What is put onto the side that wins.
    pub(super) fn puts<'p>(&self, table: &'p TableMerge) -> Vec<Put<'p>> {
        let (onto, from) = self.sides(table);
        let rows = match self.winner {
            Side::Ours => &table.only_theirs,
            Side::Theirs => &table.only_ours,
        };
        let put = |at: &usize| {
            let row = &from.rows[*at];
            Put { id: &row.id, place: row.new, replaces: row.old.map(|old| onto.place(old)) }
        };
        let taken = table.settled.iter().filter(|(_, settled)| settled.take != self.winner);
        let taken = taken.map(|(id, settled)| match self.winner {
            Side::Ours => Put { id, place: settled.theirs, replaces: settled.ours },
            Side::Theirs => Put { id, place: settled.ours, replaces: settled.theirs },
        });
        let taken = taken.filter(|put| put.place.or(put.replaces).is_some());
        let mut puts: Vec<Put<'p>> = rows.iter().map(put).chain(taken).collect();
        puts.sort_by_key(|put| put.id);
        puts
    }

    /// What the target gains, by table.
    pub(super) fn changes(&self) -> BTreeMap<String, TableChange> {
        let gained = self.tables.iter().filter(|table| table.gains());
        gained.map(|table| (table.key.clone(), table.change())).collect()
    }

    /// The reader of the other side's rows.
    pub(super) fn reader<'p>(&self, table: &'p TableMerge) -> Result<&'p Reader> {
        self.sides(table).1.new.as_ref().ok_or_else(|| Error::damaged("rows without a table"))
    }
}

impl Graph {
    /// Compares two states with their base and decides about every row.
    pub(super) fn plan_merge(
        &self,
        base: &Base,
        ours: &Arc<Snapshot>,
        theirs: &Arc<Snapshot>,
    ) -> Result<Plan> {
        let schema = |snapshot: &Snapshot| self.schema_of(snapshot);
        let (base_schema, our_schema, their_schema) =
            (schema(&base.snapshot)?, schema(ours)?, schema(theirs)?);
        let mut conflicts = Vec::new();
        let winner = reconcile(&base_schema, &our_schema, &their_schema).unwrap_or_else(|conflict| {
            conflicts.push(conflict);
            Side::Ours
        });
        let (seen, other) = match winner {
            Side::Ours => (our_schema, their_schema),
            Side::Theirs => (their_schema, our_schema),
        };
        let mut plan = Plan { winner, seen, other, tables: Vec::new(), conflicts };
        let seen = plan.seen.clone();
        let all = tables(&seen, [&base.snapshot, ours, theirs]);
        let theirs_moved: BTreeSet<&str> =
            all.iter().filter(|(_, [was, _, is])| was != is).map(|(key, _)| key.as_str()).collect();
        for (key, [was, our, their]) in &all {
            let matters = plan.crosses_schemas() || touches(&seen, key, &theirs_moved);
            if was == their && (was == our || !matters) {
                continue;
            }
            let is_known = seen.catalog.body(TableName::of(key).type_name()).is_some();
            let lens = Lens { loaded: if is_known { &seen } else { &plan.other }, key };
            let delta = |new: Option<&TableEntry>, side: &Arc<Snapshot>| {
                self.delta(&lens, *was, new, &|| {
                    if base.is_commit { self.known_ids(key, &base.snapshot, side) } else { Ok(None) }
                })
            };
            let contested = base.contested.get(key);
            let merge = TableMerge::new(key.clone(), delta(*our, ours)?, delta(*their, theirs)?, contested)?;
            plan.conflicts.extend(merge.conflicts.iter().cloned());
            plan.tables.push(merge);
        }
        Ok(plan)
    }

    /// What changed, when one state is only ahead of the other.
    pub(super) fn changes_between(
        &self,
        from: &Arc<Snapshot>,
        to: &Arc<Snapshot>,
    ) -> Result<BTreeMap<String, TableChange>> {
        let deltas = self.deltas(from, to, &crate::versions::ChangeFilter::default())?;
        let changed = deltas.iter().filter(|(_, delta)| !delta.rows.is_empty());
        Ok(changed.map(|(key, delta)| (key.clone(), summed(delta.rows.iter()))).collect())
    }
}

/// Whether edges of one of these tables join nodes of the other.
fn touches(seen: &Loaded, key: &str, moved: &BTreeSet<&str>) -> bool {
    let name = TableName::of(key).type_name();
    if TableName::of(key).is_edge() {
        return seen.catalog.edges.get(name).is_some_and(|edge| {
            [&edge.from, &edge.to]
                .into_iter()
                .any(|node| moved.contains(TableName::Node(node).key().as_str()))
        });
    }
    let ends = |edge: &str| {
        let edge = seen.catalog.edges.get(TableName::of(edge).type_name());
        edge.is_some_and(|edge| edge.from == name || edge.to == name)
    };
    moved.iter().filter(|key| TableName::of(key).is_edge()).any(|key| ends(key))
}
