//! Rows that are Arrow already, such as those a merge is about to write.

use super::rule::Rule;
use super::types::TypeRules;
use super::violation::{Code, Problem, Violation};
use crate::cells::{Cell, ID, MAX_ID_BYTES, cell_at};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use omnigraph_compiler::Scalar;

/// What is wrong with the rows, at most `limit` findings, in the order of rows within each column.
pub fn validate_batch(rules: &TypeRules, batch: &RecordBatch, limit: usize) -> Vec<Violation> {
    let ids = batch.column_by_name(ID).and_then(|ids| ids.as_string_opt::<i32>());
    let mut found = Vec::new();
    for rule in &rules.rules {
        let Some(column) = batch.column_by_name(&rule.name) else {
            if !rule.ty.nullable && batch.num_rows() > 0 {
                found.push(Violation::new(&rules.name, rule.missing()).of(&rule.name));
            }
            continue;
        };
        let room = limit.saturating_sub(found.len());
        let bad = (0..batch.num_rows()).filter_map(|row| {
            let problem = check(rule, column, row).err()?;
            Some(named(Violation::new(&rules.name, problem).of(&rule.name), ids, row))
        });
        found.extend(bad.take(room));
    }
    let names = batch.schema();
    let known = |name: &str| rules.schema().index_of(name).is_ok();
    let unknown = names.fields().iter().filter(|field| !known(field.name()));
    found.extend(
        unknown.map(|field| Violation::new(&rules.name, rules.unknown(field.name())).of(field.name())),
    );
    found.truncate(limit);
    found
}

fn check(rule: &Rule, column: &ArrayRef, row: usize) -> Result<(), Problem> {
    let is_vector = rule.is_vector();
    match cell_at(column, row) {
        Cell::Null if rule.ty.nullable => Ok(()),
        Cell::Null => Err(rule.missing()),
        Cell::Floats(floats) if is_vector => {
            vector(rule, floats.iter().map(|float| Cell::Float((*float).into())), floats.len())
        }
        Cell::List(cells) if is_vector => {
            let found = cells.len();
            vector(rule, cells.into_iter(), found)
        }
        Cell::List(cells) if rule.ty.list => cells.into_iter().try_for_each(|cell| match cell {
            Cell::Null => Err(rule.null_element()),
            cell => rule.admit(cell).map(drop),
        }),
        cell if rule.ty.list || is_vector => Err(rule.mismatch(&cell)),
        cell => rule.admit(cell).map(drop),
    }
}

fn vector<'a>(rule: &Rule, mut cells: impl Iterator<Item = Cell<'a>>, found: usize) -> Result<(), Problem> {
    match rule.ty.scalar {
        Scalar::Vector(dim) if dim as usize != found => Err(rule.dimension(found)),
        _ => cells.try_for_each(|cell| rule.admit_float(&cell).map(drop)),
    }
}

fn named(violation: Violation, ids: Option<&StringArray>, row: usize) -> Violation {
    match ids {
        Some(ids) if ids.is_valid(row) => violation.in_row(ids.value(row)),
        _ => violation,
    }
}

/// Why a text cannot be an id; `None` when it can.
pub(crate) fn bad_id(type_name: &str, what: &str, id: &str) -> Option<Problem> {
    if id.is_empty() {
        return Some(Problem::new(Code::Id, format!("{type_name}: the {what} is empty")));
    }
    (id.len() > MAX_ID_BYTES).then(|| {
        let message = format!("{type_name}: the {what} has {} bytes, {MAX_ID_BYTES} are allowed", id.len());
        Problem::new(Code::Id, message)
    })
}
