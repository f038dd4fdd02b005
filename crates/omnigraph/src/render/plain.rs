//! Values for people: text without quotes, dates and large integers as they are.

use crate::rows::write_cell;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

/// Adds the value; null adds nothing.
pub(super) fn write_plain(array: &ArrayRef, row: usize, out: &mut String) {
    if array.is_null(row) {
        return;
    }
    if let DataType::Utf8 = array.data_type() {
        return out.push_str(array.as_string::<i32>().value(row));
    }
    let start = out.len();
    write_cell(array, row, out);
    // Quotes of dates, moments, blobs and large integers, none of which has anything to escape.
    if out[start..].starts_with('"') && !matches!(array.data_type(), DataType::LargeUtf8 | DataType::Utf8View)
    {
        out.pop();
        out.remove(start);
    }
}
