//! Combining rows of independent pipelines.

use super::eval::{Context, RowColumns, common};
use super::pipeline;
use super::rows::Rows;
use crate::error::{Error, Result};
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_row::{RowConverter, SortField};
use omnigraph_compiler::query::plan::op::{Join, Op};
use std::collections::HashMap;

/// The other sides of joins, which are the same for all chunks of rows.
#[derive(Default)]
pub(super) struct Prepared {
    sides: Vec<(Join, Rows)>,
}

/// Runs the other side of every join among the operators.
pub(super) fn prepare(context: &Context<'_>, ops: &[Op]) -> Result<Prepared> {
    let mut prepared = Prepared::default();
    for op in ops {
        if let Op::Join(join) = op {
            prepared.sides.push((join.clone(), pipeline(context, &join.inner, Rows::unit())?));
        }
    }
    Ok(prepared)
}

impl Prepared {
    pub(super) fn join(&self, context: &Context<'_>, op: &Join, rows: Rows) -> Result<Rows> {
        let side = self.sides.iter().find(|(join, _)| join == op);
        let (_, other) = side.ok_or_else(|| Error::damaged("a join without its other side"))?;
        let (here, there) =
            if op.on.is_empty() { product(&rows, other) } else { equal(context, op, &rows, other)? };
        Ok(rows.pick(&here).beside(other.pick(&there)))
    }
}

fn product(rows: &Rows, other: &Rows) -> (Vec<u32>, Vec<u32>) {
    let all = 0..other.len as u32;
    (0..rows.len as u32).flat_map(|row| all.clone().map(move |there| (row, there))).unzip()
}

/// Pairs of rows with equal values; null equals nothing.
fn equal(context: &Context<'_>, op: &Join, rows: &Rows, other: &Rows) -> Result<(Vec<u32>, Vec<u32>)> {
    let mut sides: [Vec<ArrayRef>; 2] = [Vec::new(), Vec::new()];
    for (here, there) in &op.on {
        let here = context.column(here, &RowColumns { view: context.view, rows })?;
        let there = context.column(there, &RowColumns { view: context.view, rows: other })?;
        let ty = common(here.data_type(), there.data_type());
        sides[0].push(cast(&here, &ty)?);
        sides[1].push(cast(&there, &ty)?);
    }
    let fields = sides[0].iter().map(|column| SortField::new(column.data_type().clone())).collect();
    let converter = RowConverter::new(fields)?;
    let (left, right) = (converter.convert_columns(&sides[0])?, converter.convert_columns(&sides[1])?);
    let known = |columns: &[ArrayRef], row: usize| columns.iter().all(|column| column.is_valid(row));
    let mut by_value: HashMap<&[u8], Vec<u32>> = HashMap::new();
    for row in (0..other.len).filter(|row| known(&sides[1], *row)) {
        by_value.entry(right.row(row).data()).or_default().push(row as u32);
    }
    let mut pairs = (Vec::new(), Vec::new());
    for row in (0..rows.len).filter(|row| known(&sides[0], *row)) {
        for there in by_value.get(left.row(row).data()).into_iter().flatten() {
            pairs.0.push(row as u32);
            pairs.1.push(*there);
        }
    }
    Ok(pairs)
}
