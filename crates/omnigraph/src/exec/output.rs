//! What becomes of the rows of a pattern, and in the same way of groups of them: order, limit, columns.

use super::aggregate::{Groups, Slots};
use super::eval::{Columns, Context, RowColumns};
use super::profile::Profile;
use super::rows::Rows;
use super::{bounds, keep, pipeline, project, sort};
use crate::error::Result;
use arrow_array::RecordBatch;
use omnigraph_compiler::query::plan::op::Op;
use omnigraph_compiler::query::plan::output::{Output, Sort};
use omnigraph_compiler::query::typed::Expr;

/// How many rows of the pattern are enough: only a limit needs no more than it keeps.
pub(super) fn enough(context: &Context<'_>, output: &Output) -> Result<usize> {
    if output.sort.is_some() { Ok(usize::MAX) } else { wanted(context, output) }
}

/// How many rows a query is interested in, the ones it leaves out included.
pub(super) fn wanted(context: &Context<'_>, output: &Output) -> Result<usize> {
    let top = output.sort.as_ref().and_then(|sort| sort.top.as_ref());
    let bounds = top.or(output.limit.as_ref()).map(|limit| bounds(context, limit)).transpose()?;
    Ok(bounds.map_or(usize::MAX, |(skip, count)| skip.saturating_add(count)))
}

/// The rows that pass one filter after the other.
pub(super) fn filtered(
    context: &Context<'_>,
    filters: &[Expr],
    mut rows: Rows,
    first: usize,
    profile: &mut Profile,
) -> Result<Rows> {
    for (filter, at) in filters.iter().zip(first..) {
        rows = profile.time(at, |_| keep(context, std::slice::from_ref(filter), rows))?;
        profile.rows(at, rows.len);
    }
    Ok(rows)
}

/// The result of a query that groups; `at` is the place of the groups.
pub(super) fn of_groups(
    context: &Context<'_>,
    groups: Groups<'_>,
    output: &Output,
    at: usize,
    profile: &mut Profile,
) -> Result<RecordBatch> {
    let groups = groups.finish(context)?;
    profile.rows(at, groups.len());
    finish(context, groups, output, at + 1, profile)
}

/// What can be ordered, cut, and shown.
pub(super) trait Sheet: Sized {
    fn len(&self) -> usize;
    fn sorted(self, context: &Context<'_>, op: &Sort) -> Result<Self>;
    fn pick(&self, rows: &[u32]) -> Result<Self>;
    /// With what a block gives for each row; groups have none.
    fn with_block(self, _: &Context<'_>, _: &Op) -> Result<Self> {
        Ok(self)
    }
    fn with_columns<T>(&self, context: &Context<'_>, work: impl FnOnce(&dyn Columns) -> T) -> T;
}

impl Sheet for Rows {
    fn len(&self) -> usize {
        self.len
    }

    fn sorted(self, context: &Context<'_>, op: &Sort) -> Result<Rows> {
        sort::rows(context, op, self)
    }

    fn pick(&self, rows: &[u32]) -> Result<Rows> {
        Ok(Rows::pick(self, rows))
    }

    fn with_block(self, context: &Context<'_>, op: &Op) -> Result<Rows> {
        pipeline(context, std::slice::from_ref(op), self)
    }

    fn with_columns<T>(&self, context: &Context<'_>, work: impl FnOnce(&dyn Columns) -> T) -> T {
        work(&RowColumns { view: context.view, rows: self })
    }
}

impl Sheet for Slots {
    fn len(&self) -> usize {
        Slots::len(self)
    }

    fn sorted(self, context: &Context<'_>, op: &Sort) -> Result<Slots> {
        sort::groups(context, op, self)
    }

    fn pick(&self, rows: &[u32]) -> Result<Slots> {
        Slots::pick(self, rows)
    }

    fn with_columns<T>(&self, _: &Context<'_>, work: impl FnOnce(&dyn Columns) -> T) -> T {
        work(self)
    }
}

/// The result; `at` is the place of what stands behind the rows or groups.
pub(super) fn finish<S: Sheet>(
    context: &Context<'_>,
    mut sheet: S,
    output: &Output,
    mut at: usize,
    profile: &mut Profile,
) -> Result<RecordBatch> {
    if let Some(op) = &output.sort {
        sheet = profile.time(at, |_| sheet.sorted(context, op))?;
        profile.rows(at, sheet.len());
        at += 1;
    }
    if let Some(limit) = &output.limit {
        let (skip, count) = bounds(context, limit)?;
        let end = sheet.len().min(skip.saturating_add(count));
        sheet = sheet.pick(&(skip.min(end) as u32..end as u32).collect::<Vec<u32>>())?;
        profile.rows(at, sheet.len());
        at += 1;
    }
    for op in &output.late {
        sheet = profile.time(at, |_| sheet.with_block(context, op))?;
        profile.rows(at, sheet.len());
        at += 1;
    }
    let batch = profile.time(at, |_| {
        sheet.with_columns(context, |columns| project::project(context, &output.columns, columns))
    })?;
    profile.rows(at, batch.num_rows());
    Ok(batch)
}
