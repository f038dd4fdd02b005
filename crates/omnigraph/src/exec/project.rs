//! The columns of the result.

use super::eval::{Columns, Context, type_of};
use crate::error::Result;
use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{Field, Schema};
use omnigraph_compiler::query::typed::Column;
use std::sync::Arc;

pub(super) fn project(context: &Context<'_>, columns: &[Column], rows: &dyn Columns) -> Result<RecordBatch> {
    let mut arrays = Vec::with_capacity(columns.len());
    let mut fields = Vec::with_capacity(columns.len());
    for column in columns {
        fields.push(Field::new(&column.name, type_of(&column.expr), true));
        arrays.push(context.typed(&column.expr, rows)?);
    }
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    Ok(RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options)?)
}
