//! Statements: insert, update, delete.

use super::TableKey;
use super::edit::{Fate, ids, text};
use super::matching;
use super::transaction::{Transaction, stored_id};
use crate::error::{Error, Result};
use crate::exec::{BatchColumns, Context, exact, text_of};
use crate::rows::{Cell, Column, RowBuilder, cell_at};
use crate::validate::{Violation, validate_batch};
use arrow_array::{ArrayRef, BooleanArray, RecordBatch, UInt32Array};
use arrow_select::filter::filter_record_batch;
use arrow_select::take::take;
use omnigraph_compiler::query::plan::op::MutationOp;
use omnigraph_compiler::query::typed::{Expr, ExprKind, Target};
use omnigraph_store::RowAddr;
use std::collections::HashSet;

/// Rows that statements changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Affected {
    pub(crate) nodes: usize,
    pub(crate) edges: usize,
}

impl Affected {
    fn of(key: TableKey, count: usize) -> Affected {
        match key {
            TableKey::Node(_) => Affected { nodes: count, edges: 0 },
            TableKey::Edge(_) => Affected { nodes: 0, edges: count },
        }
    }

    pub(crate) fn add(&mut self, other: Affected) {
        self.nodes += other.nodes;
        self.edges += other.edges;
    }
}

/// Violations that a statement reports at most.
const VIOLATIONS: usize = 20;

impl Transaction {
    /// Runs one statement on what those before it left.
    pub(crate) fn statement(&mut self, context: &Context<'_>, op: &MutationOp) -> Result<Affected> {
        match op {
            MutationOp::InsertNode { type_name, values } => {
                let key = TableKey::Node(self.view.node_place(type_name)?);
                self.insert(context, key, None, values)
            }
            MutationOp::InsertEdge { type_name, from, to, values } => {
                let key = TableKey::Edge(self.view.edge_place(type_name)?);
                self.insert(context, key, Some((from, to)), values)
            }
            MutationOp::Update { target, filters, values, .. } => {
                let key = self.key(target)?;
                self.update(context, key, filters, values)
            }
            MutationOp::Delete { target, filters, .. } => {
                let key = self.key(target)?;
                self.delete(context, key, filters)
            }
        }
    }

    fn key(&self, target: &Target) -> Result<TableKey> {
        Ok(match target {
            Target::Node(name) => TableKey::Node(self.view.node_place(name)?),
            Target::Edge(name) => TableKey::Edge(self.view.edge_place(name)?),
        })
    }

    fn insert(
        &mut self,
        context: &Context<'_>,
        key: TableKey,
        ends: Option<(&Expr, &Expr)>,
        values: &[(String, Expr)],
    ) -> Result<Affected> {
        let mut builder = RowBuilder::new(self.rules_of(key)?);
        builder.start(None);
        if let Some((from, to)) = ends {
            builder.ends(&end(context, from, "from")?, &end(context, to, "to")?);
        }
        for (property, value) in values {
            let value = context.constant(value)?;
            builder.set(property, cell_at(&value, 0));
        }
        builder.end();
        let batch = builder.finish(&mut self.ids)?;
        let batch = self.embedded(key, batch)?;
        self.put(key, batch)?;
        Ok(Affected::of(key, 1))
    }

    fn update(
        &mut self,
        context: &Context<'_>,
        key: TableKey,
        filters: &[Expr],
        values: &[(String, Expr)],
    ) -> Result<Affected> {
        let constants = self.constants(context, key, values)?;
        let batches = self.matching(context, key, filters)?;
        let mut count = 0;
        for (batch, _) in batches {
            count += batch.num_rows();
            let changed = self.changed(context, key, &batch, (values, &constants))?;
            self.put(key, changed)?;
        }
        Ok(Affected::of(key, count))
    }

    /// Values that are the same for all rows, as they are stored. One that no row can have is an error whether a row is
    /// there or not.
    fn constants(
        &self,
        context: &Context<'_>,
        key: TableKey,
        values: &[(String, Expr)],
    ) -> Result<Vec<Option<ArrayRef>>> {
        let rules = self.rules_of(key)?;
        let stored = |(property, value): &(String, Expr)| {
            if !is_constant(value) {
                return Ok(None);
            }
            let rule = rules.position(property).and_then(|at| rules.rule(at));
            let rule = rule.ok_or_else(|| Error::damaged("a value of an unknown property"))?;
            let value = context.constant(value)?;
            let mut column = Column::new(rule.clone());
            let put = match cell_at(&value, 0) {
                // An update does not fall back on a default.
                Cell::Null if !rule.ty.nullable && !rule.is_embedded => Err(rule.missing()),
                cell => column.put(cell),
            };
            put.map_err(|problem| {
                let violations = vec![Violation::new(rules.name(), problem).of(property)];
                Error::Invalid { violations, truncated: false }
            })?;
            Ok(Some(column.finish()?))
        };
        values.iter().map(stored).collect()
    }

    /// The rows with other values.
    fn changed(
        &self,
        context: &Context<'_>,
        key: TableKey,
        batch: &RecordBatch,
        (values, constants): (&[(String, Expr)], &[Option<ArrayRef>]),
    ) -> Result<RecordBatch> {
        let rules = self.rules_of(key)?;
        let schema = rules.open_schema().clone();
        let mut columns: Vec<ArrayRef> = batch.columns().to_vec();
        let first = UInt32Array::from(vec![0; batch.num_rows()]);
        for ((property, value), constant) in values.iter().zip(constants) {
            let at = schema.index_of(property)?;
            columns[at] = match constant {
                Some(constant) => take(constant, &first, None)?,
                None => exact(&context.column(value, &BatchColumns(batch))?, schema.field(at).data_type())?,
            };
            // What was computed from the old text is out of date.
            for embedded in self.embedded_from(key, property) {
                if values.iter().all(|(given, _)| *given != embedded) {
                    let at = schema.index_of(&embedded)?;
                    columns[at] = arrow_array::new_null_array(schema.field(at).data_type(), batch.num_rows());
                }
            }
        }
        let nullable = schema.fields().iter().map(|field| field.as_ref().clone().with_nullable(true));
        let loose = std::sync::Arc::new(arrow_schema::Schema::new(nullable.collect::<Vec<_>>()));
        let batch = RecordBatch::try_new(loose, columns)?;
        let violations = validate_batch(&rules, &batch, VIOLATIONS);
        if !violations.is_empty() {
            let truncated = violations.len() == VIOLATIONS;
            return Err(Error::Invalid { violations, truncated });
        }
        self.embedded(key, batch)
    }

    fn delete(&mut self, context: &Context<'_>, key: TableKey, filters: &[Expr]) -> Result<Affected> {
        let batches = self.matching(context, key, filters)?;
        let mut affected = Affected::default();
        for (batch, stored) in batches {
            affected.add(Affected::of(key, batch.num_rows()));
            let ids = ids(&batch)?;
            for row in 0..batch.num_rows() {
                self.remove(key, ids.value(row), stored.as_ref().map(|stored| stored[row]));
            }
            if let TableKey::Node(place) = key {
                let gone: HashSet<&str> = ids.iter().flatten().collect();
                affected.edges += self.cascade(place, &gone)?;
            }
        }
        Ok(affected)
    }

    /// Removes the edges of nodes that are gone.
    fn cascade(&mut self, node: u16, gone: &HashSet<&str>) -> Result<usize> {
        let view = self.view.clone();
        let mut count = 0;
        for place in 0..view.edge_count() {
            let edge = view.edge(place);
            let key = TableKey::Edge(place);
            let ways = [(edge.from as u16 == node, true, "src"), (edge.to as u16 == node, false, "dst")];
            for (_, out, column) in ways.into_iter().filter(|(meets, _, _)| *meets) {
                let mut edges: Vec<(String, Option<RowAddr>)> = Vec::new();
                let adjacency = view.adjacency(place)?;
                for number in gone.iter().filter_map(|id| view.node(node).ids.find(id)) {
                    for (_, row) in adjacency.of(number, out).iter() {
                        edges.push((stored_id(&view, place, RowAddr(row))?, Some(RowAddr(row))));
                    }
                }
                for batch in self.edit(key).map(super::edit::Edit::current).transpose()?.unwrap_or_default() {
                    let (ids, ends) = (ids(&batch)?, text(&batch, column)?);
                    let met = (0..batch.num_rows()).filter(|row| gone.contains(ends.value(*row)));
                    edges.extend(met.map(|row| (ids.value(row).to_owned(), None)));
                }
                edges.sort();
                edges.dedup_by(|left, right| left.0 == right.0);
                for (id, stored) in edges {
                    if self.edit(key).and_then(|edit| edit.fate(&id)) != Some(Fate::Gone) {
                        self.remove(key, &id, stored);
                        count += 1;
                    }
                }
            }
        }
        Ok(count)
    }

    /// Rows that pass the filters now: stored ones that no edit speaks of, with their addresses, and edited ones.
    fn matching(
        &self,
        context: &Context<'_>,
        key: TableKey,
        filters: &[Expr],
    ) -> Result<Vec<(RecordBatch, Option<Vec<RowAddr>>)>> {
        let rules = self.rules_of(key)?;
        let mut found = Vec::new();
        let stored = matching::stored(self, context, key, filters)?;
        if let Some(table) = self.table(key)?.filter(|_| !stored.is_empty()) {
            let batch = matching::whole(table, rules.schema(), &stored)?;
            let ids = ids(&batch)?;
            let untouched =
                |row: &usize| self.edit(key).is_none_or(|edit| edit.fate(ids.value(*row)).is_none());
            let keep: Vec<bool> = (0..batch.num_rows()).map(|row| untouched(&row)).collect();
            let rows = stored.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(row, _)| *row).collect();
            found.push((filter_record_batch(&batch, &BooleanArray::from(keep))?, Some(rows)));
        }
        for batch in self.edit(key).map(super::edit::Edit::current).transpose()?.unwrap_or_default() {
            match context.holds(filters, &BatchColumns(&batch))? {
                Some(mask) => found.push((filter_record_batch(&batch, &mask)?, None)),
                None => found.push((batch, None)),
            }
        }
        found.retain(|(batch, _)| batch.num_rows() > 0);
        Ok(found)
    }
}

/// The id of a node at an end of a new edge.
fn end(context: &Context<'_>, value: &Expr, name: &str) -> Result<String> {
    let value = context.constant(value)?;
    let text = arrow_cast::cast(&value, &arrow_schema::DataType::Utf8)?;
    match text_of(&text)? {
        Some(id) => Ok(id.to_owned()),
        None => Err(Error::request(format!("`{name}` of a new edge is null"))),
    }
}

/// Whether a value is the same for all rows, by its form.
fn is_constant(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Literal(_) | ExprKind::List(_) | ExprKind::Param(_) | ExprKind::Now)
}
