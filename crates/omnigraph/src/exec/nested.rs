//! Pipelines that run for the rows of another: semi-join, anti-join, `exists` and aggregates as values, optional match.

use super::aggregate::Accumulator;
use super::eval::Context;
use super::folds::FoldColumn;
use super::pipeline;
use super::rows::{EdgeColumn, Kinds, NodeColumn, Rows};
use super::walk::Walker;
use crate::error::Result;
use crate::topology::{NO_NODE, NO_ROW};
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{ArrayRef, Float64Array, Int64Array};
use omnigraph_compiler::query::plan::op::{Expand, Fold, Mark, Op, Optional, Semi};
use omnigraph_compiler::query::plan::output::AggregateCall;
use omnigraph_compiler::query::typed::{Aggregate, Expr};
use std::sync::Arc;

/// Rows of a nested pipeline that are worked on at once.
const CHUNK: usize = 4 << 10;

pub(super) fn semi(context: &Context<'_>, op: &Semi, rows: Rows) -> Result<Rows> {
    let matched = matched(context, &op.inner, &rows)?;
    let picks: Vec<u32> = (0..rows.len as u32).filter(|row| matched[*row as usize] != op.negated).collect();
    Ok(rows.pick(&picks))
}

pub(super) fn mark(context: &Context<'_>, op: &Mark, mut rows: Rows) -> Result<Rows> {
    let matched = matched(context, &op.inner, &rows)?;
    rows.flags.push((op.flag, matched));
    Ok(rows)
}

/// Whether the pipeline has a row for each of these.
fn matched(context: &Context<'_>, inner: &[Op], rows: &Rows) -> Result<Vec<bool>> {
    if let Some(matched) = has_neighbour(context, inner, rows)? {
        return Ok(matched);
    }
    let mut matched = vec![false; rows.len];
    for (start, chunk) in chunks(rows) {
        let found = pipeline(context, inner, chunk)?;
        for origin in found.origin.unwrap_or_default() {
            matched[start + origin as usize] = true;
        }
    }
    Ok(matched)
}

/// What is computed over the rows of the pipeline, for each of these.
pub(super) fn fold(context: &Context<'_>, op: &Fold, mut rows: Rows) -> Result<Rows> {
    let values: ArrayRef = match &op.arg {
        None => Arc::new(Int64Array::from(counted(context, &op.inner, &rows)?)),
        Some(arg) => accumulated(context, op, arg, &rows)?,
    };
    rows.folds.push((op.value, FoldColumn::new(values)));
    Ok(rows)
}

/// How many rows the pipeline has for each of these.
fn counted(context: &Context<'_>, inner: &[Op], rows: &Rows) -> Result<Vec<i64>> {
    if let Some(counts) = neighbours(context, inner, rows)? {
        return Ok(counts);
    }
    let mut counts = vec![0; rows.len];
    for (start, chunk) in chunks(rows) {
        let found = pipeline(context, inner, chunk)?;
        for origin in found.origin.unwrap_or_default() {
            counts[start + origin as usize] += 1;
        }
    }
    Ok(counts)
}

fn accumulated(context: &Context<'_>, op: &Fold, arg: &Expr, rows: &Rows) -> Result<ArrayRef> {
    let call = AggregateCall { function: op.function, distinct: op.distinct, arg: arg.clone() };
    let mut accumulator = Accumulator::new(&call)?;
    for (start, chunk) in chunks(rows) {
        let found = pipeline(context, &op.inner, chunk)?;
        if found.len > 0 {
            let origins = found.origin.iter().flatten().map(|origin| start as u32 + origin);
            accumulator.push(context, &call, &found, &origins.collect::<Vec<u32>>(), rows.len)?;
        }
    }
    let values = accumulator.finish(context, &call, rows.len)?;
    Ok(match values.as_primitive_opt::<Float64Type>() {
        // Nothing sums up to 0.
        Some(sums) if op.function == Aggregate::Sum => {
            Arc::new(sums.iter().map(Option::unwrap_or_default).collect::<Float64Array>())
        }
        _ => values,
    })
}

/// The only operator, when it is a step without conditions.
fn plain_step(inner: &[Op]) -> Option<&Expand> {
    let [Op::Expand(op)] = inner else { return None };
    let plain = op.min <= 1
        && !op.into
        && op.filters.is_empty()
        && op.search.is_empty()
        && op.edge_filters.is_empty();
    (plain && op.max > 0).then_some(op)
}

/// The common case of one step without conditions along one edge: count, do not walk.
fn neighbours(context: &Context<'_>, inner: &[Op], rows: &Rows) -> Result<Option<Vec<i64>>> {
    let Some(op) = plain_step(inner).filter(|op| op.max == 1 && op.edge.is_none()) else { return Ok(None) };
    let places = op.types.iter().map(|name| context.view.node_place(name)).collect::<Result<Vec<u16>>>()?;
    let walker = Walker::new(context.view, &op.arms)?;
    let source = rows.node(&op.src)?;
    let count = |row: usize| {
        let (kind, node) = (source.kinds.at(row), source.numbers[row]);
        if node == NO_NODE {
            return Some(0);
        }
        let (to, nodes) = walker.plain(kind, node)?;
        Some(if places.contains(&to) { nodes.len() as i64 } else { 0 })
    };
    Ok((0..rows.len).map(count).collect())
}

/// The common case of one step without conditions: look, do not walk.
fn has_neighbour(context: &Context<'_>, inner: &[Op], rows: &Rows) -> Result<Option<Vec<bool>>> {
    let Some(op) = plain_step(inner) else { return Ok(None) };
    let places = op.types.iter().map(|name| context.view.node_place(name)).collect::<Result<Vec<u16>>>()?;
    let walker = Walker::new(context.view, &op.arms)?;
    // A farther node of the right type may be there where no nearer one is.
    if op.max > 1 && !walker.leads_only_to(&places) {
        return Ok(None);
    }
    let source = rows.node(&op.src)?;
    let found = |row: usize| {
        let (kind, node) = (source.kinds.at(row), source.numbers[row]);
        node != NO_NODE && walker.any(kind, node, &places)
    };
    Ok(Some((0..rows.len).map(found).collect()))
}

/// Parts of the rows, each with the numbers of its rows as origin.
fn chunks(rows: &Rows) -> impl Iterator<Item = (usize, Rows)> + '_ {
    (0..rows.len).step_by(CHUNK).map(|start| {
        let end = rows.len.min(start + CHUNK);
        let mut chunk = rows.pick(&(start as u32..end as u32).collect::<Vec<u32>>());
        chunk.origin = Some((0..(end - start) as u32).collect());
        (start, chunk)
    })
}

pub(super) fn optional(context: &Context<'_>, op: &Optional, rows: Rows) -> Result<Rows> {
    let mut all = Rows::default();
    if rows.len == 0 {
        let mut chunk = rows;
        chunk.origin.get_or_insert_default();
        return pipeline(context, &op.inner, chunk);
    }
    for (start, chunk) in chunks(&rows) {
        let count = chunk.len;
        let found = pipeline(context, &op.inner, chunk.clone())?;
        let origins = found.origin.clone().unwrap_or_default();
        let mut matched = vec![false; count];
        for origin in &origins {
            matched[*origin as usize] = true;
        }
        let alone: Vec<u32> = (0..count as u32).filter(|row| !matched[*row as usize]).collect();
        let nulls = with_nulls(&chunk.pick(&alone), &found);
        let mut order: Vec<(u32, u32)> = origins.iter().copied().zip(0..).collect();
        order.extend(alone.iter().copied().zip(found.len as u32..));
        order.sort_unstable();
        let mut both = found;
        both.append(nulls);
        let mut both = both.pick(&order.iter().map(|(_, row)| *row).collect::<Vec<u32>>());
        both.origin = rows
            .origin
            .as_ref()
            .map(|outer| order.iter().map(|(origin, _)| outer[start + *origin as usize]).collect());
        all.append(both);
    }
    Ok(all)
}

/// Rows with nothing for the variables that only `like` has.
fn with_nulls(rows: &Rows, like: &Rows) -> Rows {
    let mut next = rows.clone();
    for (name, _) in &like.nodes[rows.nodes.len()..] {
        let column = NodeColumn { kinds: Kinds::One(0), numbers: vec![NO_NODE; rows.len] };
        next.nodes.push((name.clone(), column));
    }
    for (name, _) in &like.edges[rows.edges.len()..] {
        next.edges.push((name.clone(), EdgeColumn { kinds: Kinds::One(0), rows: vec![NO_ROW; rows.len] }));
    }
    for (name, _) in &like.paths[rows.paths.len()..] {
        next.paths.push((name.clone(), vec![None; rows.len]));
    }
    for (value, column) in &like.folds[rows.folds.len()..] {
        next.folds.push((*value, column.nulls(rows.len)));
    }
    for (flag, _) in &like.flags[rows.flags.len()..] {
        next.flags.push((*flag, vec![false; rows.len]));
    }
    next
}
