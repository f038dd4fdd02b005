//! Rows of one type on their way into a batch.

use super::checked::Rows;
use super::column::Column;
use crate::cells::{Cell, DST, ID, SRC, Ulids, cell_at, edge_id, key_id};
use crate::error::Error;
use crate::validate::{Code, Problem, TypeRules, Violation, bad_id};
use arrow_array::builder::{ArrayBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use std::sync::Arc;

/// The most rows of a block.
pub const BLOCK_ROWS: usize = 8192;

/// How many violations are kept unless told otherwise.
const VIOLATIONS: usize = 100;

/// Gathers rows cell by cell and checks each.
///
/// ```text
/// start(line) → ends(src, dst)? → set(property, cell)… → end()   for each row, then finish()
/// ```
///
/// A row that breaks a rule stays in place as a placeholder so that the rest is checked too; `finish` then gives the
/// violations instead of rows.
#[derive(Debug)]
pub struct RowBuilder {
    rules: Arc<TypeRules>,
    ids: StringBuilder,
    ends: Option<[StringBuilder; 2]>,
    columns: Vec<Column>,
    lines: Vec<u64>,
    row: Row,
    violations: Vec<Violation>,
    limit: usize,
}

/// The row that is being built.
#[derive(Debug, Default)]
struct Row {
    line: Option<u64>,
    id: Option<String>,
    src: String,
    dst: String,
    given: Vec<bool>,
    /// How many violations there were before it.
    before: usize,
    key: String,
}

impl RowBuilder {
    /// For rows that obey the rules.
    pub fn new(rules: Arc<TypeRules>) -> RowBuilder {
        let columns = rules.rules.iter().cloned().map(Column::new).collect();
        let ends = rules.ends.as_ref().map(|_| [StringBuilder::new(), StringBuilder::new()]);
        let row = Row { given: vec![false; rules.rules.len()], ..Row::default() };
        let ids = StringBuilder::new();
        RowBuilder {
            rules,
            ids,
            ends,
            columns,
            lines: Vec::new(),
            row,
            violations: Vec::new(),
            limit: VIOLATIONS,
        }
    }

    /// Keeps at most so many violations.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> RowBuilder {
        self.limit = limit.max(1);
        self
    }

    /// How many violations it keeps.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// The rules its rows obey.
    pub fn rules(&self) -> &Arc<TypeRules> {
        &self.rules
    }

    /// Begins a row.
    pub fn start(&mut self, line: Option<u64>) {
        self.row.line = line;
        self.row.id = None;
        self.row.src.clear();
        self.row.dst.clear();
        self.row.given.fill(false);
        self.row.before = self.violations.len();
    }

    /// The ids of the nodes that the edge goes between.
    pub fn ends(&mut self, src: &str, dst: &str) {
        self.row.src.push_str(src);
        self.row.dst.push_str(dst);
    }

    /// An id that the input gives. It wins where rows have no key; elsewhere it must say the same as the key.
    pub fn id(&mut self, id: &str) {
        self.row.id = Some(id.to_owned());
    }

    /// The key of the row that was ended last; empty where rows have none.
    pub fn key(&self) -> &str {
        &self.row.key
    }

    /// An id that stands beside the properties. It is the property `id` of types that have one.
    pub fn id_beside(&mut self, id: &str) {
        if let Some(position) = self.rules.position("id") {
            self.set_at(position, Cell::Text(id));
        } else if self.row.id.as_deref().is_some_and(|given| given != id) {
            let message = format!("{}: two ids are given, and they differ", self.rules.name);
            self.violate(None, Problem::new(Code::Id, message));
        } else {
            self.id(id);
        }
    }

    /// Sets a property by name.
    pub fn set(&mut self, property: &str, cell: Cell<'_>) {
        match self.rules.position(property) {
            Some(position) => self.set_at(position, cell),
            None => self.unknown(property),
        }
    }

    /// Sets a property by its position in the type.
    pub fn set_at(&mut self, position: usize, cell: Cell<'_>) {
        if self.claim(position) {
            let done = self.columns[position].put(cell);
            self.note(position, done);
        }
    }

    /// Takes what the row has not been given yet from a stored one, ends and random id too: a change of some
    /// properties is `start`, `set` for each, `copy`, `end`.
    pub fn copy(&mut self, batch: &RecordBatch, row: usize) {
        let text = |name: &str| {
            let texts = batch.column_by_name(name).and_then(|column| column.as_string_opt::<i32>());
            texts.filter(|texts| texts.is_valid(row)).map(|texts| texts.value(row))
        };
        if self.ends.is_some() {
            if let (true, Some(src)) = (self.row.src.is_empty(), text(SRC)) {
                self.row.src.push_str(src);
            }
            if let (true, Some(dst)) = (self.row.dst.is_empty(), text(DST)) {
                self.row.dst.push_str(dst);
            }
        } else if self.rules.key.is_empty() && self.row.id.is_none() {
            self.row.id = text(ID).map(str::to_owned);
        }
        for position in 0..self.columns.len() {
            if !self.row.given[position]
                && let Some(column) = batch.column_by_name(&self.rules.rules[position].name)
            {
                self.set_at(position, cell_at(column, row));
            }
        }
    }

    /// Reports a property that the type does not have.
    pub(crate) fn unknown(&mut self, property: &str) {
        let problem = self.rules.unknown(property);
        self.violate(Some(property), problem);
    }

    /// Whether the property is still without a value; a second one is reported.
    pub(crate) fn claim(&mut self, position: usize) -> bool {
        let is_first = !std::mem::replace(&mut self.row.given[position], true);
        if !is_first {
            let name = self.rules.rules[position].name.clone();
            let message = format!("{}.{name} is given twice", self.rules.name);
            self.violate(Some(&name), Problem::new(Code::Repeated, message));
        }
        is_first
    }

    /// The column of a property, for lists that are put element by element.
    pub(crate) fn column(&mut self, position: usize) -> &mut Column {
        &mut self.columns[position]
    }

    /// Reports what putting a value into a column said.
    pub(crate) fn note(&mut self, position: usize, done: Result<(), Problem>) {
        if let Err(problem) = done {
            let name = self.rules.rules[position].name.clone();
            self.violate(Some(&name), problem);
        }
    }

    /// Reports a problem of the open row.
    pub fn violate(&mut self, property: Option<&str>, problem: Problem) {
        if self.violations.len() < self.limit {
            let violation = Violation::new(&self.rules.name, problem).at(self.row.line);
            self.violations.push(match property {
                Some(property) => violation.of(property),
                None => violation,
            });
        }
    }

    /// Ends a row: fills what was not given and makes its id.
    pub fn end(&mut self) {
        for position in 0..self.columns.len() {
            if !self.row.given[position] {
                let done = self.columns[position].put_missing();
                self.note(position, done);
            }
        }
        if let Some([src, dst]) = &mut self.ends {
            src.append_value(&self.row.src);
            dst.append_value(&self.row.dst);
        }
        let id = self.make_id();
        for violation in &mut self.violations[self.row.before..] {
            violation.row.clone_from(&id);
        }
        self.ids.append_option(id.as_deref());
        if let Some(line) = self.row.line {
            self.lines.push(line);
        }
    }

    /// The id of the open row; `None` when it is to be random. What cannot be an id is reported.
    fn make_id(&mut self) -> Option<String> {
        let given = self.row.id.take();
        let is_good = self.violations.len() == self.row.before;
        if self.ends.is_some() {
            return Some(self.make_edge_id(is_good));
        }
        if self.rules.key.is_empty() {
            if let (Some(problem), true) =
                (given.as_deref().and_then(|id| bad_id(&self.rules.name, "id", id)), is_good)
            {
                self.violate(None, problem);
            }
            return given;
        }
        self.make_key();
        let key = self.row.key.clone();
        if is_good {
            if let Some(problem) = bad_id(&self.rules.name, "key", &key) {
                self.violate(None, problem);
            } else if let Some(given) = given.filter(|given| *given != key) {
                let message = format!("{}: the id '{given}' contradicts the key '{key}'", self.rules.name);
                self.violate(None, Problem::new(Code::Id, message));
            }
        }
        Some(key)
    }

    fn make_edge_id(&mut self, is_good: bool) -> String {
        if is_good {
            let bad = [("id of `from`", &self.row.src), ("id of `to`", &self.row.dst)]
                .map(|(what, id)| bad_id(&self.rules.name, what, id));
            bad.into_iter().flatten().for_each(|problem| self.violate(None, problem));
        }
        let parts = self.key_parts();
        edge_id(&self.rules.name, &self.row.src, &self.row.dst, parts.iter().map(String::as_str))
    }

    fn make_key(&mut self) {
        self.row.key.clear();
        if let [only] = self.rules.key[..] {
            self.columns[only].write_last(&mut self.row.key);
        } else {
            self.row.key = key_id(self.key_parts().iter().map(String::as_str));
        }
    }

    fn key_parts(&self) -> Vec<String> {
        let parts = self.rules.key.iter().map(|position| {
            let mut part = String::new();
            self.columns[*position].write_last(&mut part);
            part
        });
        parts.collect()
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that the rows take, roughly.
    pub fn bytes(&self) -> usize {
        self.columns.iter().map(Column::bytes).sum::<usize>() + self.ids.values_slice().len() * 2
    }

    /// What is wrong so far.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Takes what is wrong, so that building can go on.
    pub(crate) fn take_violations(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.violations)
    }

    /// All rows; the builder is empty behind it. Ids that nobody gave come from `ids`.
    pub fn finish(&mut self, ids: &mut Ulids) -> Result<RecordBatch, Error> {
        let rows = self.finish_rows()?;
        let violations = self.take_violations();
        if violations.is_empty() {
            return rows.into_batch(ids);
        }
        let truncated = violations.len() >= self.limit;
        Err(Error::Invalid { violations, truncated })
    }

    /// All rows, whether violated or not.
    pub(crate) fn finish_rows(&mut self) -> Result<Rows, Error> {
        let mut arrays: Vec<ArrayRef> = vec![Arc::new(self.ids.finish())];
        for end in self.ends.iter_mut().flatten() {
            arrays.push(Arc::new(end.finish()));
        }
        let id_property = self.rules.id_property();
        for (position, column) in self.columns.iter_mut().enumerate() {
            let array = column.finish()?;
            if id_property != Some(position) {
                arrays.push(array);
            }
        }
        Ok(Rows { rules: Arc::clone(&self.rules), arrays, lines: std::mem::take(&mut self.lines) })
    }
}
