//! `@embed`: vectors that rows get from their texts when they are written.

use super::{Embedder, Task};
use crate::error::Error;
use crate::rows::{ID, node_schema};
use crate::validate::{Code, Problem, Violation};
use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use arrow_array::{Array, ArrayRef, FixedSizeListArray, Float32Array, RecordBatch, StringArray};
use arrow_buffer::NullBuffer;
use arrow_schema::Field;
use omnigraph_compiler::schema::catalog::{NodeType, Property};
use std::sync::Arc;

/// Computes the vectors that the rows do not give and brings the batch into the schema of its type. A row without
/// text gets no vector; where one is required that is a violation. `lines` are those of the rows, or empty.
pub fn fill(
    batch: &RecordBatch,
    node: &NodeType,
    embedder: &dyn Embedder,
    lines: &[u64],
) -> Result<RecordBatch, Error> {
    let mut columns = batch.columns().to_vec();
    for property in &node.body.properties {
        let Some(source) = &property.embed else { continue };
        let at = batch.schema().index_of(&property.name)?;
        let text = batch.column_by_name(source).and_then(|text| text.as_string_opt::<i32>());
        let text = text.ok_or_else(|| Error::Internal(format!("no text `{source}` to embed")))?;
        if columns[at].null_count() > 0 {
            columns[at] = vectors(&columns[at], text, embedder)?;
        }
        if !property.ty.nullable && columns[at].null_count() > 0 {
            let violations = missing(batch, node, property, &columns[at], lines);
            return Err(Error::Invalid { violations, truncated: false });
        }
    }
    Ok(RecordBatch::try_new(node_schema(node), columns)?)
}

/// The column with a vector wherever there is a text.
pub(crate) fn vectors(
    column: &ArrayRef,
    text: &StringArray,
    embedder: &dyn Embedder,
) -> Result<ArrayRef, Error> {
    let given = column.as_fixed_size_list();
    let dim = given.value_length() as usize;
    let is_wanted =
        |row: &usize| given.is_null(*row) && text.is_valid(*row) && !text.value(*row).trim().is_empty();
    let wanted: Vec<usize> = (0..given.len()).filter(is_wanted).collect();
    let texts: Vec<&str> = wanted.iter().map(|row| text.value(*row)).collect();
    let made = embedder.embed(&texts, Task::Document, dim)?;
    let start = given.value_offset(0) as usize;
    let mut floats =
        given.values().as_primitive::<Float32Type>().values()[start..start + given.len() * dim].to_vec();
    let mut valid: Vec<bool> = (0..given.len()).map(|row| given.is_valid(row)).collect();
    for (row, vector) in wanted.into_iter().zip(made) {
        floats[row * dim..(row + 1) * dim].copy_from_slice(&vector);
        valid[row] = true;
    }
    let item = Arc::new(Field::new_list_field(arrow_schema::DataType::Float32, true));
    let values = Arc::new(Float32Array::from(floats));
    Ok(Arc::new(FixedSizeListArray::try_new(item, dim as i32, values, Some(NullBuffer::from(valid)))?))
}

fn missing(
    batch: &RecordBatch,
    node: &NodeType,
    property: &Property,
    column: &ArrayRef,
    lines: &[u64],
) -> Vec<Violation> {
    let ids = batch.column_by_name(ID).and_then(|ids| ids.as_string_opt::<i32>());
    let source = property.embed.as_deref().unwrap_or_default();
    let rows = (0..column.len()).filter(|row| column.is_null(*row));
    let violation = |row: usize| {
        let message = format!(
            "{}.{} is required, and there is no text in `{source}` to compute it from",
            node.name, property.name
        );
        let violation = Violation::new(&node.name, Problem::new(Code::Required, message)).of(&property.name);
        let violation = violation.at(lines.get(row).copied());
        match ids {
            Some(ids) if ids.is_valid(row) => violation.in_row(ids.value(row)),
            _ => violation,
        }
    };
    rows.map(violation).collect()
}
