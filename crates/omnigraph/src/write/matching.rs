//! Rows of a table that a statement is about, and whole rows by address.

use super::TableKey;
use super::transaction::Transaction;
use crate::error::{Error, Result};
use crate::exec::{Columns, Context, named_ids};
use arrow_array::{Array, ArrayRef, RecordBatch, UInt32Array};
use arrow_schema::SchemaRef;
use arrow_select::interleave::interleave;
use omnigraph_compiler::query::typed::Expr;
use omnigraph_store::{RowAddr, Table};

/// Stored rows that pass all conditions, whatever the edits say.
pub(super) fn stored(
    transaction: &Transaction,
    context: &Context<'_>,
    key: TableKey,
    conditions: &[Expr],
) -> Result<Vec<RowAddr>> {
    let Some(table) = transaction.table(key)? else { return Ok(Vec::new()) };
    if let TableKey::Node(place) = key
        && let Some(ids) = named_ids(context, place, conditions)?
    {
        let rows = ids.iter().map(|id| super::transaction::stored_node(&transaction.view, place, id));
        let mut rows: Vec<RowAddr> = rows.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        rows.sort_unstable();
        rows.dedup();
        return passing(context, table, rows, conditions);
    }
    let mut found = Vec::new();
    for (place, fragment) in table.fragments().iter().enumerate() {
        let live = table.live(place)?;
        let mask = context.holds(conditions, &Fragment { table, place })?;
        let rows = (0..fragment.rows()).filter(|row| {
            let row = *row as usize;
            live.as_ref().is_none_or(|live| live.value(row))
                && mask.as_ref().is_none_or(|mask| mask.is_valid(row) && mask.value(row))
        });
        found.extend(rows.map(|row| RowAddr::new(fragment.id(), row)));
    }
    Ok(found)
}

/// Those of the rows that pass all conditions.
fn passing(
    context: &Context<'_>,
    table: &Table,
    rows: Vec<RowAddr>,
    conditions: &[Expr],
) -> Result<Vec<RowAddr>> {
    let mut left = Vec::new();
    for row in rows {
        let place = table.place(row.fragment()).ok_or_else(|| Error::damaged("a row without a fragment"))?;
        let one = OneRow { fragment: Fragment { table, place }, row: row.row() };
        let mask = context.holds(conditions, &one)?;
        if mask.is_none_or(|mask| mask.is_valid(0) && mask.value(0)) {
            left.push(row);
        }
    }
    Ok(left)
}

/// Whole rows, in this order.
pub(super) fn whole(table: &Table, schema: &SchemaRef, rows: &[RowAddr]) -> Result<RecordBatch> {
    let mut fragments: Vec<u32> = rows.iter().map(|row| row.fragment()).collect();
    fragments.sort_unstable();
    fragments.dedup();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let mut parts: Vec<Vec<ArrayRef>> = Vec::new();
    for id in &fragments {
        let place = table.place(*id).ok_or_else(|| Error::damaged("a row without a fragment"))?;
        parts.push(table.columns(place, &names)?);
    }
    let places: Vec<(usize, usize)> = rows
        .iter()
        .map(|row| (fragments.binary_search(&row.fragment()).unwrap_or_default(), row.row() as usize))
        .collect();
    let columns = (0..names.len()).map(|at| {
        let arrays: Vec<&dyn Array> = parts.iter().map(|part| part[at].as_ref()).collect();
        if arrays.is_empty() {
            return Ok(arrow_array::new_empty_array(schema.field(at).data_type()));
        }
        Ok(interleave(&arrays, &places)?)
    });
    Ok(RecordBatch::try_new(schema.clone(), columns.collect::<Result<Vec<_>>>()?)?)
}

struct Fragment<'a> {
    table: &'a Table,
    place: usize,
}

impl Columns for Fragment<'_> {
    fn len(&self) -> usize {
        self.table.fragments()[self.place].rows() as usize
    }

    fn property(&self, _: &str, property: &str) -> Result<ArrayRef> {
        Ok(self.table.column(self.place, property)?)
    }
}

struct OneRow<'a> {
    fragment: Fragment<'a>,
    row: u32,
}

impl OneRow<'_> {
    fn take(&self, column: &ArrayRef) -> Result<ArrayRef> {
        Ok(arrow_select::take::take(column, &UInt32Array::from(vec![self.row]), None)?)
    }
}

impl Columns for OneRow<'_> {
    fn len(&self) -> usize {
        1
    }

    fn property(&self, var: &str, property: &str) -> Result<ArrayRef> {
        self.take(&self.fragment.property(var, property)?)
    }
}
