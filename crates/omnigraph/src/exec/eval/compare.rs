//! Comparisons, with values brought to one type first.

use super::{Value, lists};
use crate::error::Result;
use arrow_array::{Array, ArrayRef, BooleanArray, new_null_array};
use arrow_cast::cast;
use arrow_ord::cmp;
use arrow_ord::ord::make_comparator;
use arrow_schema::{DataType, SortOptions};
use arrow_string::like;
use omnigraph_compiler::query::typed::CompareOp;
use std::cmp::Ordering;
use std::sync::Arc;

pub(super) fn compare(op: CompareOp, left: Value, right: Value, len: usize) -> Result<Value> {
    if is_untyped(&left) || is_untyped(&right) {
        return Ok(Value::each(new_null_array(&DataType::Boolean, len)));
    }
    if op == CompareOp::Contains && matches!(left.array.data_type(), DataType::List(_)) {
        return Ok(Value::each(Arc::new(lists::contains(left, right, len)?)));
    }
    let (left, right) = unified(left, right)?;
    if left.array.data_type().is_nested() {
        return nested(op, left.expand(len)?, right.expand(len)?);
    }
    let both_one = left.one && right.one;
    let (l, r) = (left.datum(), right.datum());
    let (l, r) = (l.as_ref(), r.as_ref());
    let found = match op {
        CompareOp::Eq => cmp::eq(l, r)?,
        CompareOp::Ne => cmp::neq(l, r)?,
        CompareOp::Lt => cmp::lt(l, r)?,
        CompareOp::Le => cmp::lt_eq(l, r)?,
        CompareOp::Gt => cmp::gt(l, r)?,
        CompareOp::Ge => cmp::gt_eq(l, r)?,
        CompareOp::Contains => like::contains(l, r)?,
        CompareOp::StartsWith => like::starts_with(l, r)?,
        CompareOp::EndsWith => like::ends_with(l, r)?,
    };
    let array: ArrayRef = Arc::new(found);
    Ok(if both_one { Value::one(array) } else { Value::each(array) })
}

fn is_untyped(value: &Value) -> bool {
    value.array.data_type() == &DataType::Null
}

/// Both in one type. A value that is the same for all rows takes the type of the column when it fits, so that columns
/// are compared as they are.
pub(super) fn unified(left: Value, right: Value) -> Result<(Value, Value)> {
    let (l, r) = (left.array.data_type().clone(), right.array.data_type().clone());
    if l == r {
        return Ok((left, right));
    }
    if right.one
        && let Some(array) = fitted(&right.array, &l)
    {
        return Ok((left, Value { array, one: true }));
    }
    if left.one
        && let Some(array) = fitted(&left.array, &r)
    {
        return Ok((Value { array, one: true }, right));
    }
    let common = common(&l, &r);
    let left = Value { array: cast(&left.array, &common)?, one: left.one };
    let right = Value { array: cast(&right.array, &common)?, one: right.one };
    Ok((left, right))
}

/// The values in another type, if nothing is lost. Floats may lose digits to a narrower float: `0.1` means the `0.1` that
/// the column can hold.
pub(in crate::exec) fn fitted(values: &ArrayRef, ty: &DataType) -> Option<ArrayRef> {
    let from = values.data_type();
    if from == ty {
        return Some(values.clone());
    }
    if !from.is_numeric() || !ty.is_numeric() {
        return None;
    }
    let there = cast(values, ty).ok()?;
    if there.null_count() != values.null_count() {
        return None;
    }
    if from.is_floating() && ty.is_floating() {
        return Some(there);
    }
    let back = cast(&there, from).ok()?;
    (back.as_ref() == values.as_ref()).then_some(there)
}

/// A type that holds the values of both.
pub(in crate::exec) fn common(left: &DataType, right: &DataType) -> DataType {
    match (left, right) {
        _ if left == right => left.clone(),
        _ if left.is_floating() || right.is_floating() => DataType::Float64,
        (DataType::UInt64, _) | (_, DataType::UInt64) => DataType::Decimal128(38, 0),
        _ if left.is_numeric() && right.is_numeric() => DataType::Int64,
        _ => left.clone(),
    }
}

fn nested(op: CompareOp, left: ArrayRef, right: ArrayRef) -> Result<Value> {
    let order = make_comparator(&left, &right, SortOptions::default())?;
    let truth = |row: usize| {
        let order = order(row, row);
        match op {
            CompareOp::Eq => order == Ordering::Equal,
            CompareOp::Ne => order != Ordering::Equal,
            CompareOp::Lt => order == Ordering::Less,
            CompareOp::Le => order != Ordering::Greater,
            CompareOp::Gt => order == Ordering::Greater,
            CompareOp::Ge => order != Ordering::Less,
            CompareOp::Contains | CompareOp::StartsWith | CompareOp::EndsWith => false,
        }
    };
    let known = |row: &usize| left.is_valid(*row) && right.is_valid(*row);
    let found: BooleanArray = (0..left.len()).map(|row| known(&row).then(|| truth(row))).collect();
    Ok(Value::each(Arc::new(found)))
}
