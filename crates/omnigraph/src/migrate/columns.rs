//! Where the columns of a table come from.

use super::values::{Values, has_fill, is_null_everywhere};
use super::{MOST, invalid};
use crate::error::{Error, Result};
use crate::rows::ID;
use crate::topology::texts;
use crate::validate::Violation;
use crate::view::live_rows;
use arrow_array::Array;
use arrow_schema::Field;
use omnigraph_compiler::Scalar;
use omnigraph_compiler::migrate::TypeKind;
use omnigraph_compiler::schema::catalog::Property;
use omnigraph_store::{ColumnSource, NewColumn, Table};

/// The columns of the table as it shall be. Rows that cannot be brought there are violations.
pub(super) fn planned(values: &Values<'_>, table: &Table) -> Result<Vec<NewColumn>> {
    let pair = values.pair;
    let built_in: &[&str] = if pair.kind == TypeKind::Edge { &["id", "src", "dst"] } else { &["id"] };
    let mut columns = Vec::new();
    let mut found = Vec::new();
    for field in pair.rules.schema().fields() {
        let property = pair.now.property(field.name()).filter(|_| !built_in.contains(&field.name().as_str()));
        let source = match property {
            None => ColumnSource::Kept(field.name().clone()),
            Some(property) => source(values, table, field, property, &mut found)?,
        };
        columns.push(NewColumn { field: field.as_ref().clone(), source });
    }
    invalid(found)?;
    Ok(columns)
}

fn source(
    values: &Values<'_>,
    table: &Table,
    field: &Field,
    property: &Property,
    found: &mut Vec<Violation>,
) -> Result<ColumnSource> {
    let Some(old) = values.before(property) else {
        if !has_fill(property) {
            missing(values, table, property, |_, _| Ok(true), found)?;
            return Ok(if table.rows() == 0 { ColumnSource::Null } else { ColumnSource::Computed });
        }
        return Ok(if is_null_everywhere(property) { ColumnSource::Null } else { ColumnSource::Computed });
    };
    refuse_key_change(values, property, old)?;
    let stored = table.schema().field_with_name(&old.name).map_err(Error::from)?;
    if old.name == ID || stored.data_type() != field.data_type() {
        if !property.ty.nullable && !has_fill(property) {
            missing_nulls(values, table, property, old, found)?;
        }
        return Ok(ColumnSource::Computed);
    }
    if field.is_nullable() || !stored.is_nullable() {
        return Ok(ColumnSource::Kept(old.name.clone()));
    }
    let mut has_nulls = false;
    for place in 0..table.fragments().len() {
        has_nulls |= table.column(place, &old.name)?.null_count() > 0;
    }
    if has_nulls && !has_fill(property) {
        missing_nulls(values, table, property, old, found)?;
    }
    Ok(if has_nulls { ColumnSource::Computed } else { ColumnSource::Kept(old.name.clone()) })
}

/// Live rows without a value.
fn missing_nulls(
    values: &Values<'_>,
    table: &Table,
    property: &Property,
    old: &Property,
    found: &mut Vec<Violation>,
) -> Result<()> {
    let is_null = |place: usize, row: u32| Ok(table.column(place, &old.name)?.is_null(row as usize));
    missing(values, table, property, is_null, found)
}

/// Reports live rows that need a value and have none.
fn missing(
    values: &Values<'_>,
    table: &Table,
    property: &Property,
    is_missing: impl Fn(usize, u32) -> Result<bool>,
    found: &mut Vec<Violation>,
) -> Result<()> {
    let rules = &values.pair.rules;
    let rule = rules.position(&property.name).and_then(|at| rules.rule(at));
    let rule = rule.ok_or_else(|| Error::damaged("a property without a rule"))?;
    for place in 0..table.fragments().len() {
        let ids = table.column(place, ID)?;
        for row in live_rows(table, place)? {
            if found.len() >= MOST {
                return Ok(());
            }
            if is_missing(place, row)? {
                let violation = Violation::new(rules.name(), rule.missing()).of(&property.name);
                found.push(violation.in_row(texts(&ids)?.value(row as usize)));
            }
        }
    }
    Ok(())
}

/// Ids are the texts of keys, and that of a float changes with its width.
fn refuse_key_change(values: &Values<'_>, property: &Property, old: &Property) -> Result<()> {
    let widens = old.ty.scalar == Scalar::F32 && property.ty.scalar == Scalar::F64;
    if widens && values.pair.now.key.contains(&property.name) {
        let name = &values.pair.name;
        let message = format!("`{name}.{}` is part of the key and cannot become F64", property.name);
        return Err(Error::request(message));
    }
    Ok(())
}
