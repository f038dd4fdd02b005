//! Running a plan against a view of the graph, one operator per file.
//!
//! ```text
//! scan ─chunks─▶ expand, filter, join, semi, mark, optional ─▶ score ─▶ aggregate ─▶ sort ─▶ limit ─▶ project
//! ```
//!
//! Rows are bindings of variables to numbers; values are read where an expression asks for them. The part up to the first
//! operator that needs all rows runs chunk by chunk.

mod aggregate;
mod eval;
mod expand;
mod gather;
mod join;
mod nested;
mod profile;
mod project;
mod rank;
mod rows;
mod scan;
mod score;
mod sort;
mod walk;

pub(crate) use eval::{BatchColumns, Columns, Context, text_of};
pub(crate) use profile::Profile;
pub(crate) use rows::{Kinds, NodeColumn, Rows};
pub(crate) use scan::named_ids;

use crate::error::{Error, Result};
use aggregate::Groups;
use arrow_array::{Array, BooleanArray, RecordBatch, UInt64Array};
use arrow_schema::DataType;
use eval::RowColumns;
use omnigraph_compiler::query::plan::ReadPlan;
use omnigraph_compiler::query::plan::op::{Limit, Op};
use omnigraph_compiler::query::typed::Expr;
use std::ops::ControlFlow;

/// Rows that go through the pipeline together.
const CHUNK: usize = 64 << 10;

/// The rows of the result, with the columns of the plan.
pub(crate) fn run(context: &Context<'_>, plan: &ReadPlan, profile: &mut Profile) -> Result<RecordBatch> {
    let barrier = plan.ops.iter().position(needs_all).unwrap_or(plan.ops.len());
    let (pattern, output) = plan.ops.split_at(barrier);
    if let Some(rows) = rank::ranked(context, pattern, output, profile)? {
        return finish(context, rows, rank::behind(output), barrier + rank::LEN, profile);
    }
    if let Some((Op::Aggregate(op), rest)) = output.split_first() {
        let mut groups = Groups::new(context, op)?;
        drive(context, pattern, profile, |rows, profile| {
            profile.time(barrier, |_| groups.push(context, &rows))?;
            Ok(ControlFlow::Continue(()))
        })?;
        let groups = groups.finish(context)?;
        profile.rows(barrier, groups.len());
        return finish_groups(context, groups, rest, barrier + 1, profile);
    }
    let enough = early_end(context, output)?;
    let mut all = Rows::default();
    drive(context, pattern, profile, |rows, _| {
        all.append(rows);
        Ok(if all.len >= enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    finish(context, all, output, barrier, profile)
}

fn needs_all(op: &Op) -> bool {
    matches!(op, Op::Score(_) | Op::Aggregate(_) | Op::Sort(_) | Op::Limit(_) | Op::Project(_))
}

/// How many rows are enough when only a limit follows.
fn early_end(context: &Context<'_>, output: &[Op]) -> Result<usize> {
    match output.first() {
        Some(Op::Limit(limit)) => bounds(context, limit).map(|(skip, count)| skip.saturating_add(count)),
        _ => Ok(usize::MAX),
    }
}

/// Sends chunks of rows through the operators of a pattern.
fn drive(
    context: &Context<'_>,
    pattern: &[Op],
    profile: &mut Profile,
    mut sink: impl FnMut(Rows, &mut Profile) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let Some((Op::Scan(first), rest)) = pattern.split_first() else {
        return Err(Error::damaged("a plan that does not begin with a scan"));
    };
    let nodes = profile.time(0, |_| scan::nodes(context, first))?;
    profile.rows(0, nodes.iter().map(|(_, numbers)| numbers.len()).sum());
    let joins = join::prepare(context, rest)?;
    let mut any = false;
    for (kind, numbers) in nodes {
        for chunk in numbers.chunks(CHUNK) {
            let column = NodeColumn { kinds: Kinds::One(kind), numbers: chunk.to_vec() };
            let mut rows =
                Rows { len: chunk.len(), nodes: vec![(first.var.clone(), column)], ..Rows::default() };
            for (at, op) in rest.iter().enumerate() {
                rows = profile.time(at + 1, |_| apply(context, op, rows, &joins))?;
                profile.rows(at + 1, rows.len);
            }
            any = true;
            if sink(rows, profile)?.is_break() {
                return Ok(());
            }
        }
    }
    if !any {
        // The columns must be there even without rows.
        let column = NodeColumn { kinds: Kinds::One(0), numbers: Vec::new() };
        let mut rows = Rows { nodes: vec![(first.var.clone(), column)], ..Rows::default() };
        for op in rest {
            rows = apply(context, op, rows, &joins)?;
        }
        let _ = sink(rows, profile)?;
    }
    Ok(())
}

/// A pipeline that starts from rows at hand.
fn pipeline(context: &Context<'_>, ops: &[Op], rows: Rows) -> Result<Rows> {
    let joins = join::prepare(context, ops)?;
    ops.iter().try_fold(rows, |rows, op| apply(context, op, rows, &joins))
}

fn apply(context: &Context<'_>, op: &Op, rows: Rows, joins: &join::Prepared) -> Result<Rows> {
    match op {
        Op::Scan(op) => scan::cross(context, op, rows),
        Op::Expand(op) => expand::expand(context, op, rows),
        Op::Filter(condition) => keep(context, std::slice::from_ref(condition), rows),
        Op::Join(op) => joins.join(context, op, rows),
        Op::Semi(op) => nested::semi(context, op, rows),
        Op::Mark(op) => nested::mark(context, op, rows),
        Op::Optional(op) => nested::optional(context, op, rows),
        other => Err(Error::damaged(format!("{other:?} in the middle of a plan"))),
    }
}

/// The rows for which all conditions are true.
fn keep(context: &Context<'_>, conditions: &[Expr], rows: Rows) -> Result<Rows> {
    if conditions.is_empty() || rows.len == 0 {
        return Ok(rows);
    }
    let mask = context.holds(conditions, &RowColumns { view: context.view, rows: &rows })?;
    Ok(match mask {
        None => rows,
        Some(mask) => match picks(&mask) {
            picks if picks.len() == rows.len => rows,
            picks => rows.pick(&picks),
        },
    })
}

/// Where a mask is true.
fn picks(mask: &BooleanArray) -> Vec<u32> {
    let truth = match mask.nulls() {
        Some(known) => mask.values() & known.inner(),
        None => mask.values().clone(),
    };
    truth.set_indices().map(|row| row as u32).collect()
}

fn finish(
    context: &Context<'_>,
    mut rows: Rows,
    output: &[Op],
    first: usize,
    profile: &mut Profile,
) -> Result<RecordBatch> {
    for (at, op) in output.iter().enumerate() {
        rows = match op {
            Op::Aggregate(op) => {
                let mut groups = Groups::new(context, op)?;
                profile.time(first + at, |_| groups.push(context, &rows))?;
                let groups = groups.finish(context)?;
                profile.rows(first + at, groups.len());
                return finish_groups(context, groups, &output[at + 1..], first + at + 1, profile);
            }
            Op::Score(op) => {
                let wanted = wanted(context, &output[at + 1..])?;
                profile.time(first + at, |_| score::score(context, op, rows, wanted))?
            }
            Op::Sort(op) => profile.time(first + at, |_| sort::rows(context, op, rows))?,
            Op::Limit(limit) => {
                let (skip, count) = bounds(context, limit)?;
                let end = rows.len.min(skip.saturating_add(count));
                rows.pick(&(skip.min(end) as u32..end as u32).collect::<Vec<u32>>())
            }
            Op::Project(columns) => {
                let batch = profile.time(first + at, |_| {
                    project::project(context, columns, &RowColumns { view: context.view, rows: &rows })
                })?;
                profile.rows(first + at, batch.num_rows());
                return Ok(batch);
            }
            op => profile.time(first + at, |_| apply(context, op, rows, &join::Prepared::default()))?,
        };
        profile.rows(first + at, rows.len);
    }
    Err(Error::damaged("a plan without columns"))
}

fn finish_groups(
    context: &Context<'_>,
    mut groups: aggregate::Slots,
    output: &[Op],
    first: usize,
    profile: &mut Profile,
) -> Result<RecordBatch> {
    for (at, op) in output.iter().enumerate() {
        groups = match op {
            Op::Sort(op) => profile.time(first + at, |_| sort::groups(context, op, groups))?,
            Op::Filter(condition) => match context.holds(std::slice::from_ref(condition), &groups)? {
                Some(mask) => groups.pick(&picks(&mask))?,
                None => groups,
            },
            Op::Limit(limit) => {
                let (skip, count) = bounds(context, limit)?;
                let end = groups.len().min(skip.saturating_add(count));
                groups.pick(&(skip.min(end) as u32..end as u32).collect::<Vec<u32>>())?
            }
            Op::Project(columns) => {
                let batch = profile.time(first + at, |_| project::project(context, columns, &groups))?;
                profile.rows(first + at, batch.num_rows());
                return Ok(batch);
            }
            other => return Err(Error::damaged(format!("{other:?} behind groups"))),
        };
        profile.rows(first + at, groups.len());
    }
    Err(Error::damaged("a plan without columns"))
}

/// How many rows a plan is interested in, the ones it leaves out included.
fn wanted(context: &Context<'_>, output: &[Op]) -> Result<usize> {
    let limit = output.iter().find_map(|op| match op {
        Op::Sort(sort) => sort.top.as_ref(),
        Op::Limit(limit) => Some(limit),
        _ => None,
    });
    let bounds = limit.map(|limit| bounds(context, limit)).transpose()?;
    Ok(bounds.map_or(usize::MAX, |(skip, count)| skip.saturating_add(count)))
}

/// Rows to leave out, and to keep at most.
fn bounds(context: &Context<'_>, limit: &Limit) -> Result<(usize, usize)> {
    let number = |expr: &Option<Expr>, missing: usize, what: &str| -> Result<usize> {
        let found = expr.as_ref().map(|expr| whole_number(context, expr, what)).transpose()?.flatten();
        found.map_or(Ok(missing), |found| Ok(usize::try_from(found).unwrap_or(usize::MAX)))
    };
    Ok((number(&limit.skip, 0, "`skip`")?, number(&limit.limit, usize::MAX, "`limit`")?))
}

/// A constant that must be a whole number that is not negative; `None` for null.
pub(crate) fn whole_number(context: &Context<'_>, expr: &Expr, what: &str) -> Result<Option<u64>> {
    let value = context.constant(expr)?;
    let bad = || Error::request(format!("{what} must be a whole number that is not negative"));
    if value.is_null(0) || value.data_type() == &DataType::Null {
        return Ok(None);
    }
    let wide = if value.data_type() == &DataType::UInt64 {
        value
    } else {
        arrow_cast::cast(&value, &DataType::UInt64)?
    };
    let numbers = wide.as_any().downcast_ref::<UInt64Array>().ok_or_else(bad)?;
    if numbers.is_null(0) { Err(bad()) } else { Ok(Some(numbers.value(0))) }
}
