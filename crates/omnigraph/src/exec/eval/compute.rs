//! Numbers of numbers, texts of texts.

use super::Value;
use crate::error::{Error, Result};
use crate::topology::texts;
use arrow_arith::numeric;
use arrow_array::{ArrayRef, StringArray};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_ord::cmp;
use arrow_schema::{ArrowError, DataType};
use arrow_select::nullif::nullif;
use omnigraph_compiler::query::typed::ArithOp;
use std::sync::Arc;

/// A value of two others, of the type that the checker gave it.
pub(super) fn arithmetic(op: ArithOp, left: Value, right: Value, ty: &DataType, len: usize) -> Result<Value> {
    if ty == &DataType::Utf8 {
        return joined(left, right, len);
    }
    let both_one = left.one && right.one;
    let left = Value { array: exact(&left.array, ty)?, one: left.one };
    let mut right = Value { array: exact(&right.array, ty)?, one: right.one };
    if matches!(op, ArithOp::Div | ArithOp::Rem) {
        // Nothing is the quotient of a division by zero.
        let zero = exact(&(Arc::new(arrow_array::Int64Array::from(vec![0])) as ArrayRef), ty)?;
        let is_zero = cmp::eq(&right.array, &arrow_array::Scalar::new(zero))?;
        right.array = nullif(&right.array, &is_zero)?;
    }
    let (l, r) = (left.datum(), right.datum());
    let (l, r) = (l.as_ref(), r.as_ref());
    let found = match op {
        ArithOp::Add => numeric::add(l, r),
        ArithOp::Sub => numeric::sub(l, r),
        ArithOp::Mul => numeric::mul(l, r),
        ArithOp::Div => numeric::div(l, r),
        ArithOp::Rem => numeric::rem(l, r),
    };
    let array = found.map_err(|error| match error {
        ArrowError::ArithmeticOverflow(_) => {
            Error::request(format!("a number is too great: `{}` leads out of I64", op.as_str()))
        }
        error => error.into(),
    })?;
    Ok(if both_one { Value::one(array) } else { Value::each(array) })
}

/// The same numbers in another type; one that it does not hold is an error.
pub(crate) fn exact(array: &ArrayRef, ty: &DataType) -> Result<ArrayRef> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    cast_with_options(array, ty, &options)
        .map_err(|_| Error::request(format!("a number is too great: it does not fit {ty}")))
}

fn joined(left: Value, right: Value, len: usize) -> Result<Value> {
    let both_one = left.one && right.one;
    let len = if both_one { 1 } else { len };
    let (left, right) = (left.expand(len)?, right.expand(len)?);
    let pairs = texts(&left)?.iter().zip(texts(&right)?);
    let joined: StringArray = pairs.map(|(left, right)| Some(format!("{}{}", left?, right?))).collect();
    let array: ArrayRef = Arc::new(joined);
    Ok(if both_one { Value::one(array) } else { Value::each(array) })
}

/// A text in capitals, or in small letters.
pub(super) fn case(upper: bool, value: Value) -> Result<Value> {
    let write = |text: &str| if upper { text.to_uppercase() } else { text.to_lowercase() };
    let written: StringArray = texts(&value.array)?.iter().map(|text| text.map(write)).collect();
    Ok(Value { array: Arc::new(written), one: value.one })
}
