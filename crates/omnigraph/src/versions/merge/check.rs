//! Whether a merged graph keeps what its schema promises. The validator is the one of all writes; this hands it the rows.

use super::apply::rules_of;
use super::conflict::{ConflictKind, MergeConflict};
use super::plan::{Plan, Put};
use super::schema::Side;
use super::table::TableMerge;
use crate::error::Result;
use crate::graph::Graph;
use crate::rows::{DST, ID, SRC};
use crate::table_name::TableName;
use crate::validate::{Code, Violation, validate_batch};
use crate::versions::delta::{Lens, RowChange};
use crate::versions::diff::{ChangeOp, ends};
use crate::versions::rows::AT_ONCE;
use crate::view::View;
use crate::write::{Beside, Edit, TableKey, Touched, Transaction};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use omnigraph_compiler::schema::catalog::Cardinality;
use omnigraph_store::{RowAddr, Snapshot};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

impl Graph {
    /// What would be wrong with the merged graph.
    pub(super) fn check_merge(&self, plan: &Plan, onto: &Arc<Snapshot>) -> Result<Vec<MergeConflict>> {
        let view = self.view(onto)?;
        let mut conflicts = Vec::new();
        let mut edits = BTreeMap::new();
        // What is left of a side when rows are taken from the other was never a graph of its own.
        let is_whole = plan.crosses_schemas() || plan.has_settled();
        let mut beside = Beside { is_whole, tables: BTreeMap::new() };
        for table in &plan.tables {
            let puts = plan.puts(table);
            if plan.seen.catalog.body(TableName::of(&table.key).type_name()).is_none() {
                conflicts.extend(puts.iter().map(|put| without_type(table, put)));
                continue;
            }
            let key = table_key(&view, &table.key)?;
            if !plan.is_same_type(&table.key) {
                conflicts.extend(check_values(plan, table, &puts)?);
            }
            edits.insert(key, edit(plan, table, &puts)?);
            beside.tables.insert(key, touched(plan, table)?);
        }
        let transaction = Transaction::beside(view, plan.seen.rules.clone(), edits, beside);
        conflicts.extend(transaction.violations()?.iter().map(|found| conflict(plan, found)));
        Ok(conflicts)
    }
}

fn table_key(view: &View, key: &str) -> Result<TableKey> {
    Ok(match TableName::of(key) {
        TableName::Edge(name) => TableKey::Edge(view.edge_place(name)?),
        TableName::Node(name) => TableKey::Node(view.node_place(name)?),
    })
}

/// The columns that promises about several rows are about.
fn names(plan: &Plan, key: &str) -> Result<Vec<String>> {
    let mut names = vec![ID.to_owned()];
    if TableName::of(key).is_edge() {
        names.extend([SRC.to_owned(), DST.to_owned()]);
    }
    let body = Lens { loaded: &plan.seen, key }.body()?;
    for property in body.unique.iter().flatten() {
        if !names.contains(property) {
            names.push(property.clone());
        }
    }
    Ok(names)
}

/// What is put onto the winning side, as the validator takes it.
fn edit(plan: &Plan, table: &TableMerge, puts: &[Put<'_>]) -> Result<Edit> {
    let mut edit = Edit::default();
    puts.iter().filter(|put| put.place.is_none()).for_each(|put| edit.remove(put.id, put.replaces));
    let names = names(plan, &table.key)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let rows: Vec<&Put<'_>> = puts.iter().filter(|put| put.place.is_some()).collect();
    let replaces: HashMap<&str, RowAddr> =
        rows.iter().filter_map(|put| Some((put.id, put.replaces?))).collect();
    for some in rows.chunks(AT_ONCE) {
        let batch = if names == [ID] {
            let ids: StringArray = some.iter().map(|put| Some(put.id)).collect();
            RecordBatch::try_from_iter([(ID, Arc::new(ids) as ArrayRef)])?
        } else {
            let places: Vec<RowAddr> = some.iter().filter_map(|put| put.place).collect();
            plan.reader(table)?.narrowed(&names).rows(&places)?
        };
        edit.put(batch, |_, id| Ok(replaces.get(id).copied()))?;
    }
    Ok(edit)
}

/// What the winning side changed, as far as the validator asks.
fn touched(plan: &Plan, table: &TableMerge) -> Result<Touched> {
    let (onto, _) = plan.sides(table);
    let mut touched = Touched::default();
    let body = Lens { loaded: &plan.seen, key: &table.key }.body()?;
    // A row that is taken from the other side is not as this one left it.
    let is_kept =
        |row: &&RowChange| table.settled.get(&row.id).is_none_or(|settled| settled.take == plan.winner);
    let rows: Vec<&RowChange> = onto.rows.iter().filter(is_kept).collect();
    for row in &rows {
        match row.new {
            None => drop(touched.deleted.insert(row.id.clone())),
            Some(place) if !body.unique.is_empty() => {
                touched.rows.entry(place.fragment()).or_default().push(place.row());
            }
            Some(_) => {}
        }
    }
    touched.rows.values_mut().for_each(|rows| rows.sort_unstable());
    let Some(edge) = plan.seen.catalog.edges.get(TableName::of(&table.key).type_name()) else {
        return Ok(touched);
    };
    let counts = edge.card != Cardinality::default();
    let nodes = [&edge.from, &edge.to].map(|node| TableName::Node(node).key());
    let deletes = |other: &TableMerge| plan.puts(other).iter().any(|put| put.place.is_none());
    if !counts && !plan.tables.iter().any(|other| nodes.contains(&other.key) && deletes(other)) {
        return Ok(touched);
    }
    for some in rows.chunks(AT_ONCE) {
        for (row, ends) in some.iter().zip(ends(onto, some)?) {
            let Some(ends) = ends else { continue };
            if row.op() != ChangeOp::Update {
                touched.sources.insert(ends.src.clone());
            }
            if row.op() == ChangeOp::Insert {
                touched.new_edges.push([row.id.clone(), ends.src, ends.dst]);
            }
        }
    }
    // An edge that stays by decision is new to a side that removed it with its node.
    let stays = kept(plan, table);
    for (row, ends) in stays.iter().zip(ends(onto, &stays.iter().collect::<Vec<_>>())?) {
        touched.new_edges.extend(ends.map(|ends| [row.id.clone(), ends.src, ends.dst]));
    }
    Ok(touched)
}

/// Rows of the winning side that stay because somebody decided so.
fn kept(plan: &Plan, table: &TableMerge) -> Vec<RowChange> {
    let rows = table.settled.iter().filter(|(_, settled)| settled.take == plan.winner);
    let rows = rows.filter_map(|(id, settled)| {
        let place = match plan.winner {
            Side::Ours => settled.ours,
            Side::Theirs => settled.theirs,
        };
        Some(RowChange { id: id.clone(), old: None, new: Some(place?) })
    });
    rows.collect()
}

/// Rows of the other side under the schema that wins.
fn check_values(plan: &Plan, table: &TableMerge, puts: &[Put<'_>]) -> Result<Vec<MergeConflict>> {
    let rules = rules_of(plan, &table.key)?;
    let places: Vec<RowAddr> = puts.iter().filter_map(|put| put.place).collect();
    let mut found = Vec::new();
    for some in places.chunks(AT_ONCE) {
        let batch = plan.reader(table)?.rows(some)?;
        let violations = validate_batch(rules, &batch, usize::MAX);
        found.extend(violations.iter().map(|violation| conflict(plan, violation)));
    }
    Ok(found)
}

/// The schema that wins has no such type.
fn without_type(table: &TableMerge, put: &Put<'_>) -> MergeConflict {
    let message = format!("the merged schema has no type {}", TableName::of(&table.key).type_name());
    MergeConflict::new(&table.key, Some(put.id.to_owned()), ConflictKind::ValueConstraintViolation, message)
}

/// A broken promise as a conflict.
fn conflict(plan: &Plan, found: &Violation) -> MergeConflict {
    let is_edge = plan.seen.catalog.edges.contains_key(&found.type_name);
    let table = if is_edge { TableName::Edge } else { TableName::Node };
    let key = table(&found.type_name).key();
    MergeConflict::new(&key, found.row.clone(), kind(found.code), found.message.clone())
}

fn kind(code: Code) -> ConflictKind {
    match code {
        Code::Endpoint => ConflictKind::OrphanEdge,
        Code::Unique | Code::Duplicate => ConflictKind::UniqueViolation,
        Code::Cardinality => ConflictKind::CardinalityViolation,
        Code::Type
        | Code::Required
        | Code::Enum
        | Code::Range
        | Code::Check
        | Code::Dimension
        | Code::UnknownProperty
        | Code::UnknownType
        | Code::Repeated
        | Code::Id
        | Code::Record => ConflictKind::ValueConstraintViolation,
    }
}
