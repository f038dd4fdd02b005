//! Typed values beside each other, without nulls.

use crate::cells::{Cell, write_date, write_datetime};
use crate::validate::{Problem, Rule};
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Float32Type, Float64Type, Int32Type, Int64Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{
    ArrayRef, BooleanArray, FixedSizeListArray, LargeBinaryArray, PrimitiveArray, StringArray,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use omnigraph_compiler::Scalar;
use std::fmt::Write as _;
use std::sync::Arc;

/// Offsets of texts and lists are 32 bits wide.
const MOST_BYTES: usize = i32::MAX as usize;

/// Values of one scalar type. Texts and blobs are bytes with the end of each.
#[derive(Debug)]
pub(super) enum Values {
    Text(String, Vec<i32>),
    Bool(Vec<bool>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Date(Vec<i32>),
    DateTime(Vec<i64>),
    Blob(Vec<u8>, Vec<i64>),
    Vector(usize, Vec<f32>),
}

impl Values {
    pub(super) fn new(scalar: &Scalar) -> Values {
        match scalar {
            Scalar::String | Scalar::Enum(_) => Values::Text(String::new(), Vec::new()),
            Scalar::Bool => Values::Bool(Vec::new()),
            Scalar::I32 => Values::I32(Vec::new()),
            Scalar::I64 => Values::I64(Vec::new()),
            Scalar::U32 => Values::U32(Vec::new()),
            Scalar::U64 => Values::U64(Vec::new()),
            Scalar::F32 => Values::F32(Vec::new()),
            Scalar::F64 => Values::F64(Vec::new()),
            Scalar::Date => Values::Date(Vec::new()),
            Scalar::DateTime => Values::DateTime(Vec::new()),
            Scalar::Blob => Values::Blob(Vec::new(), Vec::new()),
            Scalar::Vector(dim) => Values::Vector(*dim as usize, Vec::new()),
        }
    }

    /// Adds an admitted value.
    pub(super) fn push(&mut self, cell: Cell<'_>, rule: &Rule) -> Result<(), Problem> {
        match (self, cell) {
            (Values::Text(buffer, ends), Cell::Text(text)) => {
                let fits = buffer.len() + text.len() <= MOST_BYTES;
                if fits {
                    buffer.push_str(text);
                }
                ends.push(buffer.len() as i32);
                return if fits { Ok(()) } else { Err(rule.too_large()) };
            }
            (Values::Bool(values), Cell::Bool(value)) => values.push(value),
            (Values::I32(values), Cell::Int(value)) => values.push(value as i32),
            (Values::I64(values), Cell::Int(value)) => values.push(value),
            (Values::U32(values), Cell::Int(value)) => values.push(value as u32),
            (Values::U64(values), Cell::Int(value)) => values.push(value as u64),
            (Values::U64(values), Cell::UInt(value)) => values.push(value),
            (Values::F32(values), Cell::Float(value)) => values.push(value as f32),
            (Values::F64(values), Cell::Float(value)) => values.push(value),
            (Values::Date(values), Cell::Date(value)) => values.push(value),
            (Values::DateTime(values), Cell::DateTime(value)) => values.push(value),
            (Values::Blob(buffer, ends), Cell::Bytes(bytes)) => {
                buffer.extend_from_slice(&bytes);
                ends.push(buffer.len() as i64);
            }
            (values, cell) => {
                values.pad();
                return Err(rule.mismatch(&cell));
            }
        }
        Ok(())
    }

    /// Adds a value that stands for none.
    pub(super) fn pad(&mut self) {
        match self {
            Values::Text(buffer, ends) => ends.push(buffer.len() as i32),
            Values::Bool(values) => values.push(false),
            Values::I32(values) | Values::Date(values) => values.push(0),
            Values::I64(values) | Values::DateTime(values) => values.push(0),
            Values::U32(values) => values.push(0),
            Values::U64(values) => values.push(0),
            Values::F32(values) => values.push(0.0),
            Values::F64(values) => values.push(0.0),
            Values::Blob(buffer, ends) => ends.push(buffer.len() as i64),
            Values::Vector(dim, values) => values.resize(values.len() + *dim, 0.0),
        }
    }

    /// How many there are; of a vector its floats.
    pub(super) fn len(&self) -> usize {
        match self {
            Values::Text(_, ends) => ends.len(),
            Values::Bool(values) => values.len(),
            Values::I32(values) | Values::Date(values) => values.len(),
            Values::I64(values) | Values::DateTime(values) => values.len(),
            Values::U32(values) => values.len(),
            Values::U64(values) => values.len(),
            Values::F32(values) | Values::Vector(_, values) => values.len(),
            Values::F64(values) => values.len(),
            Values::Blob(_, ends) => ends.len(),
        }
    }

    /// Takes back what an abandoned list added.
    pub(super) fn truncate(&mut self, len: usize) {
        match self {
            Values::Text(buffer, ends) => {
                ends.truncate(len);
                buffer.truncate(ends.last().map_or(0, |end| *end as usize));
            }
            Values::Bool(values) => values.truncate(len),
            Values::I32(values) | Values::Date(values) => values.truncate(len),
            Values::I64(values) | Values::DateTime(values) => values.truncate(len),
            Values::U32(values) => values.truncate(len),
            Values::U64(values) => values.truncate(len),
            Values::F32(values) | Values::Vector(_, values) => values.truncate(len),
            Values::F64(values) => values.truncate(len),
            Values::Blob(buffer, ends) => {
                ends.truncate(len);
                buffer.truncate(ends.last().map_or(0, |end| *end as usize));
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Values::Text(buffer, ends) => buffer.len() + ends.len() * 4,
            Values::Blob(buffer, ends) => buffer.len() + ends.len() * 8,
            Values::Bool(values) => values.len(),
            Values::I64(_) | Values::DateTime(_) | Values::U64(_) | Values::F64(_) => self.len() * 8,
            _ => self.len() * 4,
        }
    }

    pub(super) fn write_last(&self, out: &mut String) {
        let written = match self {
            Values::Text(buffer, ends) => {
                let end = ends.last().map_or(0, |end| *end as usize);
                let start = ends.len().checked_sub(2).map_or(0, |at| ends[at] as usize);
                out.push_str(&buffer[start..end]);
                Ok(())
            }
            Values::Bool(values) => write!(out, "{}", values.last().copied().unwrap_or_default()),
            Values::I32(values) => write!(out, "{}", values.last().copied().unwrap_or_default()),
            Values::I64(values) => write!(out, "{}", values.last().copied().unwrap_or_default()),
            Values::U32(values) => write!(out, "{}", values.last().copied().unwrap_or_default()),
            Values::U64(values) => write!(out, "{}", values.last().copied().unwrap_or_default()),
            Values::F32(values) => write!(out, "{}", values.last().copied().unwrap_or_default()),
            Values::F64(values) => write!(out, "{}", values.last().copied().unwrap_or_default()),
            Values::Date(values) => {
                write_date(values.last().copied().unwrap_or_default().into(), out);
                Ok(())
            }
            Values::DateTime(values) => {
                write_datetime(values.last().copied().unwrap_or_default(), out);
                Ok(())
            }
            Values::Blob(..) | Values::Vector(..) => Ok(()), // never part of a key
        };
        crate::cells::calendar::discard(written);
    }

    pub(super) fn finish(self, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Values::Text(buffer, ends) => {
                let bytes = Buffer::from_vec(buffer.into_bytes());
                Arc::new(StringArray::try_new(offsets(ends)?, bytes, nulls)?)
            }
            Values::Blob(buffer, mut ends) => {
                ends.insert(0, 0);
                let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
                Arc::new(LargeBinaryArray::try_new(offsets, Buffer::from_vec(buffer), nulls)?)
            }
            Values::Bool(values) => Arc::new(BooleanArray::new(BooleanBuffer::from(values), nulls)),
            Values::I32(values) => primitive::<Int32Type>(values, nulls)?,
            Values::I64(values) => primitive::<Int64Type>(values, nulls)?,
            Values::U32(values) => primitive::<UInt32Type>(values, nulls)?,
            Values::U64(values) => primitive::<UInt64Type>(values, nulls)?,
            Values::F32(values) => primitive::<Float32Type>(values, nulls)?,
            Values::F64(values) => primitive::<Float64Type>(values, nulls)?,
            Values::Date(values) => primitive::<Date32Type>(values, nulls)?,
            Values::DateTime(values) => primitive::<Date64Type>(values, nulls)?,
            Values::Vector(dim, values) => {
                let item = Arc::new(Field::new_list_field(DataType::Float32, true));
                let floats = primitive::<Float32Type>(values, None)?;
                Arc::new(FixedSizeListArray::try_new(item, dim as i32, floats, nulls)?)
            }
        })
    }
}

fn primitive<T: ArrowPrimitiveType>(
    values: Vec<T::Native>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(PrimitiveArray::<T>::try_new(ScalarBuffer::from(values), nulls)?))
}

/// Offsets that begin with 0.
pub(super) fn offsets(mut ends: Vec<i32>) -> Result<OffsetBuffer<i32>, ArrowError> {
    ends.insert(0, 0);
    if ends.is_sorted() {
        Ok(OffsetBuffer::new(ScalarBuffer::from(ends)))
    } else {
        Err(ArrowError::OffsetOverflowError(MOST_BYTES))
    }
}
