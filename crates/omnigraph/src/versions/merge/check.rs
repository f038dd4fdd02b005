//! Whether a merged graph keeps what its schema promises. The validator is the one of all writes; this hands it the rows.

use super::apply::rules_of;
use super::conflict::{ConflictKind, MergeConflict};
use super::plan::{Plan, Put};
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
        let mut beside = Beside { is_whole: plan.crosses_schemas(), tables: BTreeMap::new() };
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
    puts.iter().filter(|put| put.place.is_none()).for_each(|put| edit.remove(&put.row.id, put.replaces));
    let names = names(plan, &table.key)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let rows: Vec<&Put<'_>> = puts.iter().filter(|put| put.place.is_some()).collect();
    let replaces: HashMap<&str, RowAddr> =
        rows.iter().filter_map(|put| Some((put.row.id.as_str(), put.replaces?))).collect();
    for some in rows.chunks(AT_ONCE) {
        let batch = if names == [ID] {
            let ids: StringArray = some.iter().map(|put| Some(put.row.id.as_str())).collect();
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
    for row in &onto.rows {
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
    for some in onto.rows.chunks(AT_ONCE) {
        let some: Vec<&RowChange> = some.iter().collect();
        for (row, ends) in some.iter().zip(ends(onto, &some)?) {
            let Some(ends) = ends else { continue };
            if row.op() != ChangeOp::Update {
                touched.sources.insert(ends.src.clone());
            }
            if row.op() == ChangeOp::Insert {
                touched.new_edges.push([row.id.clone(), ends.src, ends.dst]);
            }
        }
    }
    Ok(touched)
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
    MergeConflict {
        table_key: table.key.clone(),
        row_id: Some(put.row.id.clone()),
        kind: ConflictKind::ValueConstraintViolation,
        message: format!("the merged schema has no type {}", TableName::of(&table.key).type_name()),
    }
}

/// A broken promise as a conflict.
fn conflict(plan: &Plan, found: &Violation) -> MergeConflict {
    let is_edge = plan.seen.catalog.edges.contains_key(&found.type_name);
    let table = if is_edge { TableName::Edge } else { TableName::Node };
    MergeConflict {
        table_key: table(&found.type_name).key(),
        row_id: found.row.clone(),
        kind: kind(found.code),
        message: found.message.clone(),
    }
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
