//! Whether all rows of a graph keep what the schema says of them: the rules of single rows, and everything that needs other
//! rows. What a load or a statement checks of the rows it brings is checked here of those that are there.

use crate::constraints::{Bounds, End, Uniques};
use crate::error::{Error, Result};
use crate::rows::{DST, ID, SRC, cell_at, edge_id};
use crate::topology::texts;
use crate::validate::{Code, Problem, RuleBook, TypeRules, Violation, validate_batch};
use crate::view::{View, live_rows};
use arrow_array::{RecordBatch, StringArray, UInt32Array};
use arrow_select::take::take_record_batch;
use hashbrown::HashSet;
use omnigraph_store::Table;
use std::sync::Arc;

/// Rows of one graph against its rules.
pub(crate) struct Audit<'v> {
    view: &'v View,
    rules: &'v RuleBook,
    limit: usize,
    /// What is wrong, in the order of the tables that were asked about.
    pub(crate) found: Vec<Violation>,
    /// Rows that were looked at.
    pub(crate) rows: u64,
}

impl<'v> Audit<'v> {
    /// Stops at about `limit` findings.
    pub(crate) fn new(view: &'v View, rules: &'v RuleBook, limit: usize) -> Audit<'v> {
        Audit { view, rules, limit: limit.max(1), found: Vec::new(), rows: 0 }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= self.limit
    }

    /// All nodes of a type.
    pub(crate) fn nodes(&mut self, place: u16) -> Result<()> {
        let name = &self.view.node(place).name;
        let rules = self.rules.node(name).map_err(|problem| Error::damaged(problem.message))?;
        let Some(table) = self.view.node_table(place)? else { return Ok(()) };
        let mut uniques = Uniques::new(self.view, name);
        let mut seen: HashSet<u32> = HashSet::new();
        for fragment in 0..table.fragments().len() {
            let batch = live_batch(table, rules, fragment)?;
            let ids = texts(batch.column(0))?;
            for (row, number) in self.view.node(place).ids.intern(ids).into_iter().enumerate() {
                if !seen.insert(number) {
                    self.duplicate(name, ids.value(row));
                }
            }
            self.values(rules, &batch);
            self.node_ids(rules, &batch, ids);
            uniques.push(&batch, &[], &mut self.found)?;
            if self.is_full() {
                break;
            }
        }
        Ok(())
    }

    /// All edges of a type, their ends and how many leave each node.
    pub(crate) fn edges(&mut self, place: u16) -> Result<()> {
        let edge = self.view.edge(place);
        let rules = self.rules.edge(&edge.name).map_err(|problem| Error::damaged(problem.message))?;
        if let Some(table) = self.view.edge_table(place)? {
            let mut uniques = Uniques::new(self.view, &edge.name);
            let mut seen: HashSet<Box<str>> = HashSet::new();
            for fragment in 0..table.fragments().len() {
                let batch = live_batch(table, rules, fragment)?;
                let ids = texts(batch.column(0))?;
                for id in ids.iter().flatten() {
                    if !seen.insert(id.into()) {
                        self.duplicate(&edge.name, id);
                    }
                }
                self.values(rules, &batch);
                self.edge_ids(rules, &batch, ids)?;
                self.ends(place, &batch, ids)?;
                uniques.push(&batch, &[], &mut self.found)?;
                if self.is_full() {
                    return Ok(());
                }
            }
        }
        self.cardinality(place)
    }

    fn duplicate(&mut self, name: &str, id: &str) {
        let problem = Problem::new(Code::Duplicate, format!("{name} '{id}' is there more than once"));
        self.found.push(Violation::new(name, problem).in_row(id));
    }

    fn values(&mut self, rules: &TypeRules, batch: &RecordBatch) {
        self.rows += batch.num_rows() as u64;
        let room = self.limit.saturating_sub(self.found.len());
        self.found.extend(validate_batch(rules, batch, room));
    }

    /// A node with a key is called by it.
    fn node_ids(&mut self, rules: &TypeRules, batch: &RecordBatch, ids: &StringArray) {
        let columns = rules.key.iter().map(|at| batch.column_by_name(&rules.rules[*at].name));
        let Some(columns) = columns.collect::<Option<Vec<_>>>().filter(|columns| !columns.is_empty()) else {
            return;
        };
        for row in 0..batch.num_rows() {
            let key: Vec<_> = columns.iter().map(|column| cell_at(column, row)).collect();
            // A key that is not a key is reported as a value.
            if let Ok(Some(key)) = rules.id_of(&key)
                && key != ids.value(row)
            {
                let message = format!("{}: the id '{}' is not the key '{key}'", rules.name(), ids.value(row));
                let problem = Problem::new(Code::Id, message);
                self.found.push(Violation::new(rules.name(), problem).in_row(ids.value(row)));
            }
        }
    }

    /// An edge is called by its ends and its key.
    fn edge_ids(&mut self, rules: &TypeRules, batch: &RecordBatch, ids: &StringArray) -> Result<()> {
        let expected = edge_ids(rules, batch)?;
        for (row, expected) in expected.iter().enumerate() {
            if expected != ids.value(row) {
                let message =
                    format!("{}: the id '{}' is not that of its ends and key", rules.name(), ids.value(row));
                let problem = Problem::new(Code::Id, message);
                self.found.push(Violation::new(rules.name(), problem).in_row(ids.value(row)));
            }
        }
        Ok(())
    }

    fn ends(&mut self, place: u16, batch: &RecordBatch, ids: &StringArray) -> Result<()> {
        for (at, end) in [1, 2].into_iter().zip(End::both(self.view, place)) {
            let ends = texts(batch.column(at))?;
            let index = self.view.index(end.node)?;
            let numbers = self.view.node(end.node).ids.intern(ends);
            end.check(ids, ends, |row, _| Ok(index.row(numbers[row]).is_some()), &mut self.found)?;
        }
        Ok(())
    }

    fn cardinality(&mut self, place: u16) -> Result<()> {
        let Some(bounds) = Bounds::of(self.view, place) else { return Ok(()) };
        let from = self.view.edge(place).from as u16;
        let Some(table) = self.view.node_table(from)? else { return Ok(()) };
        let adjacency = self.view.adjacency(place)?;
        for fragment in 0..table.fragments().len() {
            let numbers = self.view.numbers(table, fragment, &self.view.node(from).ids)?;
            for row in live_rows(table, fragment)? {
                let number = numbers.0[row as usize];
                let count = adjacency.of(number, true).iter().count() as u64;
                self.found.extend(bounds.check(self.view.node(from).ids.read().id(number), count));
            }
            if self.is_full() {
                break;
            }
        }
        Ok(())
    }
}

/// The live rows of a fragment with the columns of their type.
pub(crate) fn live_batch(table: &Table, rules: &Arc<TypeRules>, fragment: usize) -> Result<RecordBatch> {
    let schema = rules.schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let columns = table.columns(fragment, &names)?;
    let open = schema.fields().iter().map(|field| field.as_ref().clone().with_nullable(true));
    let open = Arc::new(arrow_schema::Schema::new(open.collect::<Vec<_>>()));
    let batch = RecordBatch::try_new(open, columns)?;
    let live = live_rows(table, fragment)?;
    if live.len() == batch.num_rows() {
        return Ok(batch);
    }
    Ok(take_record_batch(&batch, &UInt32Array::from(live))?)
}

/// The ids that edges have by their ends and key. A value that is not a value of its property counts as it is shown.
pub(crate) fn edge_ids(rules: &TypeRules, batch: &RecordBatch) -> Result<Vec<String>> {
    let column = |name: &str| {
        batch.column_by_name(name).ok_or_else(|| Error::damaged(format!("{} has no {name}", rules.name())))
    };
    let (src, dst) = (texts(column(SRC)?)?, texts(column(DST)?)?);
    let key = rules.key.iter().map(|at| Ok((&rules.rules[*at], column(&rules.rules[*at].name)?)));
    let key = key.collect::<Result<Vec<_>>>()?;
    let id = |row: usize| {
        let parts = key.iter().map(|(rule, column)| {
            let mut part = String::new();
            let cell = rule.admit(cell_at(column, row)).unwrap_or(crate::rows::Cell::Null);
            rule.narrow(cell).write_key(&mut part);
            part
        });
        let parts: Vec<String> = parts.collect();
        edge_id(rules.name(), src.value(row), dst.value(row), parts.iter().map(String::as_str))
    };
    Ok((0..batch.num_rows()).map(id).collect())
}

/// The ids of all rows of a batch.
pub(crate) fn ids_of(batch: &RecordBatch) -> Result<&StringArray> {
    texts(batch.column_by_name(ID).ok_or_else(|| Error::damaged("rows without ids"))?)
}
