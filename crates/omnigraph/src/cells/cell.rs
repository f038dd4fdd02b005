//! One value of a row, whatever it came from: a literal, a JSON value, a cell of an Arrow array.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use omnigraph_compiler::{Literal, parse_date, parse_datetime};
use std::borrow::Cow;

/// A value on its way into a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// No value.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number; what fits an `i64` may come as [`Cell::Int`] too.
    UInt(u64),
    /// Any other number.
    Float(f64),
    /// Text, also that of an enum, a date, a moment, a blob or a 64-bit integer.
    Text(&'a str),
    /// Days since 1970-01-01.
    Date(i32),
    /// Milliseconds since 1970-01-01T00:00:00Z.
    DateTime(i64),
    /// Bytes.
    Bytes(Cow<'a, [u8]>),
    /// Elements of a list or a vector.
    List(Vec<Cell<'a>>),
    /// Elements of a vector, at once.
    Floats(&'a [f32]),
    /// Something that is not a value of any property, such as a JSON object; the text says what.
    Foreign(&'a str),
}

impl<'a> From<&'a Literal> for Cell<'a> {
    /// A date or moment that cannot be read stays text, so that it is reported where it is stored.
    fn from(literal: &'a Literal) -> Cell<'a> {
        match literal {
            Literal::Null => Cell::Null,
            Literal::Bool(value) => Cell::Bool(*value),
            Literal::Int(value) => match (i64::try_from(*value), u64::try_from(*value)) {
                (Ok(value), _) => Cell::Int(value),
                (_, Ok(value)) => Cell::UInt(value),
                _ => Cell::Float(*value as f64),
            },
            Literal::Float(value) => Cell::Float(*value),
            Literal::String(text) => Cell::Text(text),
            Literal::Date(text) => parse_date(text).map_or(Cell::Text(text), Cell::Date),
            Literal::DateTime(text) => parse_datetime(text).map_or(Cell::Text(text), Cell::DateTime),
        }
    }
}

impl Cell<'_> {
    /// The text that an admitted value has in an id.
    pub(crate) fn write_key(&self, out: &mut String) {
        match self {
            Cell::Text(text) => out.push_str(text),
            Cell::Date(days) => super::write_date(i64::from(*days), out),
            Cell::DateTime(millis) => super::write_datetime(*millis, out),
            Cell::Bool(value) => out.push_str(&value.to_string()),
            Cell::Int(value) => out.push_str(&value.to_string()),
            Cell::UInt(value) => out.push_str(&value.to_string()),
            Cell::Float(value) => out.push_str(&value.to_string()),
            // What else there is cannot be part of a key.
            other => out.push_str(&other.excerpt()),
        }
    }

    /// As it is shown in a message, cut to a readable length.
    pub(crate) fn excerpt(&self) -> String {
        let text = match self {
            Cell::Null => "null".into(),
            Cell::Bool(value) => value.to_string(),
            Cell::Int(value) => value.to_string(),
            Cell::UInt(value) => value.to_string(),
            Cell::Float(value) => value.to_string(),
            Cell::Text(text) => return format!("\"{}\"", cut(text)),
            Cell::Date(days) => {
                let mut out = String::new();
                super::write_date(i64::from(*days), &mut out);
                out
            }
            Cell::DateTime(millis) => {
                let mut out = String::new();
                super::write_datetime(*millis, &mut out);
                out
            }
            Cell::Bytes(bytes) => format!("{} bytes", bytes.len()),
            Cell::List(_) | Cell::Floats(_) => "a list".into(),
            Cell::Foreign(what) => (*what).into(),
        };
        cut(&text)
    }
}

fn cut(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// The cell of an array; types that no property has come as [`Cell::Foreign`].
pub fn cell_at(array: &ArrayRef, row: usize) -> Cell<'_> {
    // An array of nothing but nulls has no bits that say so.
    if array.is_null(row) || array.data_type() == &DataType::Null {
        return Cell::Null;
    }
    match array.data_type() {
        DataType::Boolean => Cell::Bool(array.as_boolean().value(row)),
        DataType::Utf8 => Cell::Text(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Cell::Text(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Cell::Text(array.as_string_view().value(row)),
        DataType::Binary => Cell::Bytes(Cow::Borrowed(array.as_binary::<i32>().value(row))),
        DataType::LargeBinary => Cell::Bytes(Cow::Borrowed(array.as_binary::<i64>().value(row))),
        DataType::BinaryView => Cell::Bytes(Cow::Borrowed(array.as_binary_view().value(row))),
        DataType::List(_) => list_cell(array.as_list::<i32>().value_offsets(), array, row),
        DataType::LargeList(_) => list_cell(array.as_list::<i64>().value_offsets(), array, row),
        DataType::FixedSizeList(_, dim) => fixed_cell(array, *dim as usize, row),
        _ => number_at(array, row),
    }
}

/// The text that a value of a column has in an id.
pub(crate) fn key_text(array: &ArrayRef, row: usize) -> String {
    let mut text = String::new();
    match array.data_type() {
        // As a 64-bit number it would have digits that the column does not hold.
        DataType::Float32 => text.push_str(&at::<Float32Type>(array, row).to_string()),
        _ => cell_at(array, row).write_key(&mut text),
    }
    text
}

fn number_at(array: &ArrayRef, row: usize) -> Cell<'_> {
    match array.data_type() {
        DataType::Int8 => Cell::Int(at::<Int8Type>(array, row).into()),
        DataType::Int16 => Cell::Int(at::<Int16Type>(array, row).into()),
        DataType::Int32 => Cell::Int(at::<Int32Type>(array, row).into()),
        DataType::Int64 => Cell::Int(at::<Int64Type>(array, row)),
        DataType::UInt8 => Cell::Int(at::<UInt8Type>(array, row).into()),
        DataType::UInt16 => Cell::Int(at::<UInt16Type>(array, row).into()),
        DataType::UInt32 => Cell::Int(at::<UInt32Type>(array, row).into()),
        DataType::UInt64 => Cell::UInt(at::<UInt64Type>(array, row)),
        DataType::Float32 => Cell::Float(at::<Float32Type>(array, row).into()),
        DataType::Float64 => Cell::Float(at::<Float64Type>(array, row)),
        DataType::Date32 => Cell::Date(at::<Date32Type>(array, row)),
        DataType::Date64 => Cell::DateTime(at::<Date64Type>(array, row)),
        DataType::Timestamp(TimeUnit::Second, _) => {
            Cell::DateTime(at::<TimestampSecondType>(array, row).saturating_mul(1000))
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            Cell::DateTime(at::<TimestampMillisecondType>(array, row))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Cell::DateTime(at::<TimestampMicrosecondType>(array, row).div_euclid(1000))
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            Cell::DateTime(at::<TimestampNanosecondType>(array, row).div_euclid(1_000_000))
        }
        _ => Cell::Foreign("a value of another type"),
    }
}

fn at<T: ArrowPrimitiveType>(array: &ArrayRef, row: usize) -> T::Native {
    array.as_primitive::<T>().value(row)
}

fn list_cell<'a, O: arrow_array::OffsetSizeTrait>(
    offsets: &[O],
    array: &'a ArrayRef,
    row: usize,
) -> Cell<'a> {
    let child = match array.data_type() {
        DataType::List(_) => array.as_list::<i32>().values(),
        _ => array.as_list::<i64>().values(),
    };
    let (start, end) = (offsets[row].as_usize(), offsets[row + 1].as_usize());
    Cell::List((start..end).map(|at| cell_at(child, at)).collect())
}

fn fixed_cell(array: &ArrayRef, dim: usize, row: usize) -> Cell<'_> {
    let list = array.as_fixed_size_list();
    let start = list.value_offset(row) as usize;
    let child = list.values();
    match child.as_primitive_opt::<Float32Type>() {
        Some(floats) if floats.null_count() == 0 => Cell::Floats(&floats.values()[start..start + dim]),
        _ => Cell::List((start..start + dim).map(|at| cell_at(child, at)).collect()),
    }
}
