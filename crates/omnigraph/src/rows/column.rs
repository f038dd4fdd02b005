//! One column that is being built: typed values beside each other, one per row.

use super::values::{Values, offsets};
use crate::cells::{Cell, data_type};
use crate::validate::{Problem, Rule};
use arrow_array::{ArrayRef, ListArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{ArrowError, DataType};
use std::sync::Arc;

/// A column under construction. Every `put` adds exactly one row, also when the value does not fit: the rows then
/// never become a batch, but what follows is checked too.
#[derive(Debug)]
pub struct Column {
    rule: Rule,
    values: Values,
    /// Ends of the lists among the values; only for lists.
    ends: Option<Vec<i32>>,
    nulls: NullBufferBuilder,
    /// Number of values where the open list began.
    opened: usize,
    problem: Option<Problem>,
}

impl Column {
    /// Empty.
    pub fn new(rule: Rule) -> Column {
        let values = Values::new(&rule.ty.scalar);
        let ends = rule.ty.list.then(Vec::new);
        Column { rule, values, ends, nulls: NullBufferBuilder::new(0), opened: 0, problem: None }
    }

    /// What its values obey.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Adds a row.
    pub fn put(&mut self, cell: Cell<'_>) -> Result<(), Problem> {
        match cell {
            Cell::List(cells) => {
                self.open_list();
                for cell in cells {
                    self.put_element(cell);
                }
                return self.close_list();
            }
            Cell::Floats(floats) => return self.put_floats(floats),
            Cell::Null => return self.put_null(),
            _ => {}
        }
        if self.takes_elements() {
            self.pad();
            return Err(self.rule.mismatch(&cell));
        }
        match self.rule.admit(cell) {
            Ok(cell) => {
                let stored = self.values.push(cell, &self.rule);
                self.nulls.append_non_null();
                stored
            }
            Err(problem) => {
                self.pad();
                Err(problem)
            }
        }
    }

    /// Adds a row without a value: the default if there is one.
    pub fn put_missing(&mut self) -> Result<(), Problem> {
        match self.rule.default.clone() {
            Some(literal) => self.put(Cell::from(&literal)),
            None => self.put_null(),
        }
    }

    fn put_null(&mut self) -> Result<(), Problem> {
        if !self.rule.ty.nullable
            && let Some(literal) = self.rule.default.clone()
        {
            return self.put(Cell::from(&literal));
        }
        self.values_null();
        if self.rule.ty.nullable || self.rule.is_embedded { Ok(()) } else { Err(self.rule.missing()) }
    }

    /// Begins a list or a vector.
    pub fn open_list(&mut self) {
        self.opened = self.values.len();
        self.problem = None;
    }

    /// Adds an element to the open list.
    pub fn put_element(&mut self, cell: Cell<'_>) {
        if self.problem.is_some() || !self.takes_elements() {
            return;
        }
        let added = match &mut self.values {
            Values::Vector(_, floats) if self.ends.is_none() => {
                self.rule.admit_float(&cell).map(|value| floats.push(value))
            }
            values => match cell {
                Cell::Null => Err(self.rule.null_element()),
                cell => self.rule.admit(cell).and_then(|cell| values.push(cell, &self.rule)),
            },
        };
        self.problem = added.err();
    }

    /// Ends the open list; this adds the row.
    pub fn close_list(&mut self) -> Result<(), Problem> {
        let problem = if self.takes_elements() {
            self.problem.take().or_else(|| self.wrong_dimension(self.values.len() - self.opened))
        } else {
            Some(self.rule.mismatch(&Cell::List(Vec::new())))
        };
        if let Some(problem) = problem {
            self.values.truncate(self.opened);
            self.pad();
            return Err(problem);
        }
        self.end_row();
        self.nulls.append_non_null();
        Ok(())
    }

    fn put_floats(&mut self, floats: &[f32]) -> Result<(), Problem> {
        let finite = floats.iter().all(|value| value.is_finite());
        match &mut self.values {
            Values::Vector(dim, values) if self.ends.is_none() && *dim == floats.len() && finite => {
                values.extend_from_slice(floats);
                self.nulls.append_non_null();
                Ok(())
            }
            _ => self.put(Cell::List(floats.iter().map(|value| Cell::Float((*value).into())).collect())),
        }
    }

    fn wrong_dimension(&self, found: usize) -> Option<Problem> {
        match &self.values {
            Values::Vector(dim, _) if self.ends.is_none() && found != *dim => {
                Some(self.rule.dimension(found))
            }
            _ => None,
        }
    }

    fn takes_elements(&self) -> bool {
        self.ends.is_some() || matches!(self.values, Values::Vector(..))
    }

    fn values_null(&mut self) {
        self.nulls.append_null();
        match &mut self.ends {
            Some(_) => self.end_row(),
            None => self.values.pad(),
        }
    }

    /// A row in place of one that did not fit.
    fn pad(&mut self) {
        self.values_null();
    }

    fn end_row(&mut self) {
        if let Some(ends) = &mut self.ends {
            ends.push(i32::try_from(self.values.len()).unwrap_or(i32::MAX));
        }
    }

    /// The text of the last value, as a part of a key.
    pub(super) fn write_last(&self, out: &mut String) {
        self.values.write_last(out);
    }

    /// Bytes that the values take, roughly.
    pub fn bytes(&self) -> usize {
        self.values.bytes()
    }

    /// The array of all rows; the column is empty behind it.
    pub fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let nulls = self.nulls.finish();
        let values = std::mem::replace(&mut self.values, Values::new(&self.rule.ty.scalar));
        let Some(ends) = self.ends.as_mut().map(std::mem::take) else { return values.finish(nulls) };
        let child = values.finish(None)?;
        let DataType::List(item) = data_type(&self.rule.ty) else {
            return Err(ArrowError::SchemaError("a list without items".into()));
        };
        Ok(Arc::new(ListArray::try_new(item, offsets(ends)?, child, nulls)?))
    }
}
