//! Values of columns that are new or of another type.

use super::Pair;
use crate::embedding;
use crate::error::{Error, Result};
use crate::rows::{Cell, Column};
use crate::topology::texts;
use crate::validate::Violation;
use arrow_array::{Array, ArrayRef, BooleanArray, Scalar, UInt32Array, make_array, new_null_array};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::DataType;
use arrow_select::take::take;
use arrow_select::zip::zip;
use omnigraph_compiler::Literal;
use omnigraph_compiler::schema::catalog::{Backfill, Property};
use omnigraph_store::Table;

/// Backfills that copy from each other, at most.
const DEPTH: usize = 8;

/// Computes columns of one type.
pub(super) struct Values<'p> {
    pub(super) pair: &'p Pair<'p>,
}

impl Values<'_> {
    /// The property that a property was before; `None` when it is new.
    pub(super) fn before(&self, property: &Property) -> Option<&Property> {
        let (before, now) = (self.pair.before, self.pair.now);
        let renamed = property.metadata.renamed_from.as_deref().filter(|from| now.property(from).is_none());
        before.property(&property.name).or_else(|| before.property(renamed?))
    }

    /// A column of a fragment as the desired schema has it, with a value for every row, deleted ones included.
    pub(super) fn column(&self, table: &Table, place: usize, name: &str) -> Result<ArrayRef> {
        self.at_depth(table, place, name, 0)
    }

    fn at_depth(&self, table: &Table, place: usize, name: &str, depth: usize) -> Result<ArrayRef> {
        let property =
            self.pair.now.property(name).ok_or_else(|| Error::damaged(format!("no property {name}")))?;
        if depth > DEPTH {
            let message = format!("the backfill of `{}.{name}` leads back to itself", self.pair.name);
            return Err(Error::request(message));
        }
        let ty = crate::rows::data_type(&property.ty);
        let mut column = match self.before(property) {
            Some(old) => converted(&table.column(place, &old.name)?, &ty)?,
            None => new_null_array(&ty, table.fragments()[place].rows() as usize),
        };
        let is_new = self.before(property).is_none();
        if column.null_count() > 0 && (is_new || !property.ty.nullable) {
            column = self.filled(table, place, property, column, depth)?;
        }
        // What is left are deleted rows; their values do not matter, but they must be some.
        Ok(if property.ty.nullable { column } else { without_nulls(&column)? })
    }

    /// The column with other values for nulls.
    fn filled(
        &self,
        table: &Table,
        place: usize,
        property: &Property,
        column: ArrayRef,
        depth: usize,
    ) -> Result<ArrayRef> {
        let value = match (&property.backfill, &property.default, &property.embed) {
            (Some(Backfill::Property(name)), ..) => {
                let other = self.at_depth(table, place, name, depth + 1)?;
                let other = converted(&other, column.data_type())?;
                return Ok(zip(&is_valid(&column), &column, &other)?);
            }
            (Some(Backfill::Value(value)), ..) | (None, Some(value), _) => value,
            (None, None, Some(source)) => {
                let source = self.at_depth(table, place, source, depth + 1)?;
                return embedding::vectors_of(&column, texts(&source)?);
            }
            (None, None, None) => return Ok(column),
        };
        if *value == Literal::Null {
            return Ok(column);
        }
        let constant = self.constant(property, value)?;
        if column.null_count() == column.len() {
            return Ok(take(&constant, &UInt32Array::from(vec![0; column.len()]), None)?);
        }
        Ok(zip(&is_valid(&column), &column, &Scalar::new(constant))?)
    }

    /// A value of the property, as an array of one.
    fn constant(&self, property: &Property, value: &Literal) -> Result<ArrayRef> {
        let rules = &self.pair.rules;
        let rule = rules.position(&property.name).and_then(|at| rules.rule(at));
        let rule = rule.ok_or_else(|| Error::damaged("a property without a rule"))?;
        let mut column = Column::new(rule.clone());
        column.put(Cell::from(value)).map_err(|problem| Error::Invalid {
            violations: vec![Violation::new(rules.name(), problem).of(&property.name)],
            truncated: false,
        })?;
        Ok(column.finish()?)
    }
}

/// Whether rows that have no value can get one.
pub(super) fn has_fill(property: &Property) -> bool {
    property.backfill.is_some()
        || property.default.is_some()
        || property.ty.nullable
        || property.embed.is_some()
}

/// Whether a new property is null in all rows.
pub(super) fn is_null_everywhere(property: &Property) -> bool {
    let is_null = |value: &Literal| *value == Literal::Null;
    match (&property.backfill, &property.default) {
        (Some(Backfill::Value(value)), _) | (None, Some(value)) => is_null(value),
        (Some(Backfill::Property(_)), _) => false,
        (None, None) => property.embed.is_none(),
    }
}

fn is_valid(column: &ArrayRef) -> BooleanArray {
    (0..column.len()).map(|row| Some(column.is_valid(row))).collect()
}

fn converted(column: &ArrayRef, ty: &DataType) -> Result<ArrayRef> {
    if column.data_type() == ty {
        return Ok(column.clone());
    }
    Ok(cast_with_options(column, ty, &CastOptions { safe: false, ..CastOptions::default() })?)
}

/// The same with some value wherever there is none.
fn without_nulls(column: &ArrayRef) -> Result<ArrayRef> {
    if column.null_count() == 0 {
        return Ok(column.clone());
    }
    Ok(make_array(column.to_data().into_builder().nulls(None).build()?))
}
