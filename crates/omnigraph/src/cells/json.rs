//! Values as JSON, straight from arrays, and JSON values as cells.

use super::calendar::discard;
use super::cell::{Cell, cell_at};
use super::{write_date, write_datetime};
use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::fmt::Write as _;

/// The greatest integer up to which every integer is a JavaScript number: 2^53 - 1.
const SAFE: i64 = (1 << 53) - 1;

/// One value as JSON.
pub fn cell_to_json(array: &ArrayRef, row: usize) -> String {
    let mut out = String::new();
    write_cell(array, row, &mut out);
    out
}

/// Adds one value as JSON. Integers beyond 2^53 are strings, so that JavaScript reads what was meant; dates are
/// `YYYY-MM-DD`, moments RFC 3339 with milliseconds, blobs `base64:…`; what JSON has no number for is null.
pub fn write_cell(array: &ArrayRef, row: usize, out: &mut String) {
    if array.is_null(row) {
        return out.push_str("null");
    }
    match array.data_type() {
        DataType::Float32 => write_float(array.as_primitive::<Float32Type>().value(row), out),
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            let offsets = list.value_offsets();
            write_items(list.values(), offsets[row] as usize..offsets[row + 1] as usize, out);
        }
        DataType::FixedSizeList(_, dim) => {
            let list = array.as_fixed_size_list();
            let start = list.value_offset(row) as usize;
            write_items(list.values(), start..start + *dim as usize, out);
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            for (at, (field, column)) in fields.iter().zip(columns).enumerate() {
                out.push(if at == 0 { '{' } else { ',' });
                write_string(field.name(), out);
                out.push(':');
                write_cell(column, row, out);
            }
            out.push_str(if columns.is_empty() { "{}" } else { "}" });
        }
        _ => write_scalar(&cell_at(array, row), out),
    }
}

fn write_items(items: &ArrayRef, range: std::ops::Range<usize>, out: &mut String) {
    out.push('[');
    let start = range.start;
    for at in range {
        if at > start {
            out.push(',');
        }
        write_cell(items, at, out);
    }
    out.push(']');
}

fn write_scalar(cell: &Cell<'_>, out: &mut String) {
    match cell {
        Cell::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Cell::Int(value) if (-SAFE..=SAFE).contains(value) => discard(write!(out, "{value}")),
        Cell::Int(value) => discard(write!(out, "\"{value}\"")),
        Cell::UInt(value) if *value <= SAFE as u64 => discard(write!(out, "{value}")),
        Cell::UInt(value) => discard(write!(out, "\"{value}\"")),
        Cell::Float(value) if value.is_finite() => discard(write!(out, "{value:?}")),
        Cell::Text(text) => write_string(text, out),
        Cell::Date(days) => quoted(out, |out| write_date(i64::from(*days), out)),
        Cell::DateTime(millis) => quoted(out, |out| write_datetime(*millis, out)),
        Cell::Bytes(bytes) => quoted(out, |out| {
            out.push_str("base64:");
            STANDARD.encode_string(bytes, out);
        }),
        Cell::Null | Cell::Float(_) | Cell::List(_) | Cell::Floats(_) | Cell::Foreign(_) => {
            out.push_str("null");
        }
    }
}

fn write_float(value: f32, out: &mut String) {
    if value.is_finite() {
        discard(write!(out, "{value:?}"));
    } else {
        out.push_str("null");
    }
}

fn quoted(out: &mut String, write: impl FnOnce(&mut String)) {
    out.push('"');
    write(out);
    out.push('"');
}

/// Adds a text in quotes, escaped as JSON wants it.
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[plain..at]);
        plain = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            control => discard(write!(out, "\\u{control:04x}")),
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

/// A JSON value as a cell.
pub fn json_cell(value: &Value) -> Cell<'_> {
    match value {
        Value::Null => Cell::Null,
        Value::Bool(value) => Cell::Bool(*value),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(value), _) => Cell::Int(value),
            (_, Some(value)) => Cell::UInt(value),
            _ => Cell::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => Cell::Text(text),
        Value::Array(items) => Cell::List(items.iter().map(json_cell).collect()),
        Value::Object(_) => Cell::Foreign("an object"),
    }
}
