//! Lists: constant ones, and membership.

use super::compare::unified;
use super::{Context, Value};
use crate::error::{Error, Result};
use crate::rows::data_type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, FixedSizeListArray, ListArray, UInt32Array, new_null_array,
};
use arrow_buffer::OffsetBuffer;
use arrow_cast::cast;
use arrow_ord::cmp;
use arrow_schema::{DataType, Field};
use arrow_select::concat::concat;
use arrow_select::take::take;
use omnigraph_compiler::query::typed::Expr;
use omnigraph_compiler::{Scalar, Type};
use std::sync::Arc;

/// A list of values that do not depend on a row, as one value.
pub(super) fn constant(context: &Context<'_>, items: &[Expr], ty: &Type) -> Result<ArrayRef> {
    let element = match ty.scalar {
        Scalar::Vector(_) => DataType::Float32,
        _ => data_type(&ty.element()),
    };
    let items = items.iter().map(|item| Ok(cast(&context.constant(item)?, &element)?));
    let items = items.collect::<Result<Vec<ArrayRef>>>()?;
    let parts: Vec<&dyn Array> = items.iter().map(AsRef::as_ref).collect();
    let values = if parts.is_empty() { new_null_array(&element, 0) } else { concat(&parts)? };
    let field = Arc::new(Field::new("item", element, true));
    if let Scalar::Vector(dimension) = ty.scalar {
        return Ok(Arc::new(FixedSizeListArray::try_new(field, dimension as i32, values, None)?));
    }
    let offsets = OffsetBuffer::from_lengths([values.len()]);
    Ok(Arc::new(ListArray::try_new(field, offsets, values, None)?))
}

/// Whether lists have an item. Null when either is null.
pub(super) fn contains(list: Value, item: Value, len: usize) -> Result<BooleanArray> {
    let untyped = |value: &Value| value.array.data_type() == &DataType::Null;
    if untyped(&list) || untyped(&item) {
        return Ok(BooleanArray::new_null(len));
    }
    let lists = list.array.as_any().downcast_ref::<ListArray>();
    let lists = lists.ok_or_else(|| Error::damaged("membership in what is not a list"))?;
    if list.one {
        return among(lists, item, len);
    }
    let first = lists.offsets()[0] as usize;
    let count = lists.offsets()[lists.len()] as usize - first;
    let elements = lists.values().slice(first, count);
    let item = if item.one {
        item
    } else {
        let owners = (0..lists.len())
            .flat_map(|row| std::iter::repeat_n(row as u32, lists.value_length(row) as usize));
        Value::each(take(&item.array, &owners.collect::<UInt32Array>(), None)?)
    };
    let unknown: Option<BooleanArray> =
        (!item.one).then(|| arrow_arith::boolean::is_null(&item.array)).transpose()?;
    let one_unknown = item.one && item.array.is_null(0);
    let (elements, item) = unified(Value::each(elements), item)?;
    let equal = cmp::eq(elements.datum().as_ref(), item.datum().as_ref())?;
    let found = |row: usize| {
        let start = lists.offsets()[row] as usize - first;
        let mut range = start..start + lists.value_length(row) as usize;
        let has_unknown = unknown.as_ref().is_some_and(|unknown| range.clone().any(|at| unknown.value(at)));
        let known = lists.is_valid(row) && !one_unknown && !has_unknown;
        known.then(|| range.any(|at| equal.is_valid(at) && equal.value(at)))
    };
    Ok((0..len).map(found).collect())
}

/// Whether items are in one list.
fn among(lists: &ListArray, item: Value, len: usize) -> Result<BooleanArray> {
    if lists.is_null(0) {
        return Ok(BooleanArray::new_null(len));
    }
    let elements = lists.value(0);
    let items = item.expand(len)?;
    let mut found = vec![false; len];
    for at in 0..elements.len() {
        if elements.is_null(at) {
            continue;
        }
        let (items, element) = unified(Value::each(items.clone()), Value::one(elements.slice(at, 1)))?;
        let equal = cmp::eq(items.datum().as_ref(), element.datum().as_ref())?;
        equal.iter().zip(&mut found).for_each(|(equal, found)| *found |= equal == Some(true));
    }
    Ok((0..len).map(|row| items.is_valid(row).then(|| found[row])).collect())
}
