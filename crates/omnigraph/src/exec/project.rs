//! The columns of the result.

use super::eval::{Columns, Context, type_of};
use crate::error::Result;
use arrow_array::{Array, RecordBatch, RecordBatchOptions};
use arrow_cast::cast;
use arrow_schema::{Field, Schema};
use omnigraph_compiler::query::typed::Column;
use std::sync::Arc;

pub(super) fn project(context: &Context<'_>, columns: &[Column], rows: &dyn Columns) -> Result<RecordBatch> {
    let mut arrays = Vec::with_capacity(columns.len());
    let mut fields = Vec::with_capacity(columns.len());
    for column in columns {
        let array = context.column(&column.expr, rows)?;
        let wanted = type_of(&column.expr);
        let array = if *array.data_type() == wanted { array } else { cast(&array, &wanted)? };
        fields.push(Field::new(&column.name, wanted, true));
        arrays.push(array);
    }
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    Ok(RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options)?)
}
