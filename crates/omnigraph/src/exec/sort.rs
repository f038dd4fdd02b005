//! Ordering rows. Ties are broken by the ids of the nodes in a row, so that the order does not depend on where rows are
//! stored.

use super::aggregate::Slots;
use super::bounds;
use super::eval::{Columns, Context, RowColumns};
use super::rows::Rows;
use crate::error::Result;
use crate::topology::NO_NODE;
use arrow_array::ArrayRef;
use arrow_ord::ord::{DynComparator, make_comparator};
use arrow_schema::SortOptions;
use omnigraph_compiler::query::plan::output::Sort;
use omnigraph_compiler::query::typed::Direction;
use std::cmp::Ordering;

pub(super) fn rows(context: &Context<'_>, op: &Sort, rows: Rows) -> Result<Rows> {
    let columns = RowColumns { view: context.view, rows: &rows };
    let ties = |left: u32, right: u32| by_ids(context, &rows, left as usize, right as usize);
    let order = order(context, op, &columns, &ties)?;
    Ok(rows.pick(&order))
}

pub(super) fn groups(context: &Context<'_>, op: &Sort, groups: Slots) -> Result<Slots> {
    let ascending = SortOptions { descending: false, nulls_first: true };
    let comparators = groups.columns().iter().map(|column| make_comparator(column, column, ascending));
    let comparators = comparators.collect::<Result<Vec<DynComparator>, _>>()?;
    let ties = |left: u32, right: u32| compared(&comparators, left, right);
    let order = order(context, op, &groups, &ties)?;
    groups.pick(&order)
}

fn compared(comparators: &[DynComparator], left: u32, right: u32) -> Ordering {
    let by = |comparator: &DynComparator| comparator(left as usize, right as usize);
    comparators.iter().map(by).find(|order| *order != Ordering::Equal).unwrap_or(Ordering::Equal)
}

/// The rows in order, or those of them that a limit keeps.
fn order(
    context: &Context<'_>,
    op: &Sort,
    columns: &dyn Columns,
    ties: &dyn Fn(u32, u32) -> Ordering,
) -> Result<Vec<u32>> {
    let mut keys: Vec<DynComparator> = Vec::new();
    for key in &op.keys {
        let column: ArrayRef = context.column(&key.expr, columns)?;
        let descending = key.direction == Direction::Desc;
        let options = SortOptions { descending, nulls_first: !descending };
        keys.push(make_comparator(&column, &column, options)?);
    }
    let by = |left: &u32, right: &u32| {
        compared(&keys, *left, *right).then_with(|| ties(*left, *right)).then_with(|| left.cmp(right))
    };
    let mut order: Vec<u32> = (0..columns.len() as u32).collect();
    if let Some(top) = &op.top {
        let (skip, count) = bounds(context, top)?;
        let wanted = skip.saturating_add(count);
        if wanted == 0 {
            return Ok(Vec::new());
        }
        if wanted < order.len() {
            order.select_nth_unstable_by(wanted - 1, by);
            order.truncate(wanted);
        }
    }
    order.sort_unstable_by(by);
    Ok(order)
}

fn by_ids(context: &Context<'_>, rows: &Rows, left: usize, right: usize) -> Ordering {
    for (_, column) in &rows.nodes {
        let (here, there) = (column.numbers[left], column.numbers[right]);
        let (here_kind, there_kind) = (column.kinds.at(left), column.kinds.at(right));
        if (here_kind, here) == (there_kind, there) {
            continue;
        }
        if here == NO_NODE || there == NO_NODE {
            return (here != NO_NODE).cmp(&(there != NO_NODE));
        }
        if here_kind != there_kind {
            return here_kind.cmp(&there_kind);
        }
        let known = context.view.node(here_kind).ids.read();
        return known.id(here).cmp(known.id(there));
    }
    Ordering::Equal
}
