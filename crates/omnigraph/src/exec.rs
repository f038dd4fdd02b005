//! Running a plan against a view of the graph, one operator per file.
//!
//! ```text
//! scan ─chunks─▶ expand, filter, join, semi, mark, fold, optional
//!      ─▶ score ─▶ aggregate ─▶ sort ─▶ limit ─▶ mark, fold ─▶ project
//! ```
//!
//! Rows are bindings of variables to numbers; values are read where an expression asks for them. The operators of the
//! pattern, and groups right behind it, take rows chunk by chunk; the rest of the output needs all of them.

mod aggregate;
mod between;
mod eval;
mod expand;
mod folds;
mod gather;
mod join;
mod nested;
mod output;
mod profile;
mod project;
mod rank;
mod rows;
mod scan;
mod score;
mod sort;
mod walk;

pub(crate) use eval::{BatchColumns, Changes, Columns, Context, History, State, exact, text_of};
pub(crate) use profile::Profile;
pub(crate) use rows::{Kinds, NodeColumn, Rows};
pub(crate) use scan::named_ids;
pub(crate) use walk::Walks;

use crate::error::{Error, Result};
use aggregate::Groups;
use arrow_array::{Array, BooleanArray, RecordBatch, UInt64Array};
use arrow_schema::DataType;
use eval::RowColumns;
use omnigraph_compiler::query::plan::ReadPlan;
use omnigraph_compiler::query::plan::op::Op;
use omnigraph_compiler::query::plan::output::Limit;
use omnigraph_compiler::query::typed::Expr;
use std::ops::ControlFlow;

/// Rows that go through the pipeline together.
const CHUNK: usize = 64 << 10;

/// The rows of the result, with the columns of the plan.
pub(crate) fn run(context: &Context<'_>, plan: &ReadPlan, profile: &mut Profile) -> Result<RecordBatch> {
    let (pattern, output) = (&plan.pattern[..], &plan.output);
    // The place of an operator in the text of the plan, where its rows and time are shown.
    let mut at = pattern.len();
    let rows = match (&output.scores, &output.groups) {
        (None, Some(op)) => {
            let mut groups = Groups::new(context, op)?;
            let enough = output::enough(context, output)?;
            drive(context, pattern, profile, |rows, profile| {
                profile.time(at, |_| groups.push(context, &rows))?;
                let done = groups.is_enough(enough);
                Ok(if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
            return output::of_groups(context, groups, output, at, profile);
        }
        (None, None) => all(context, pattern, output::enough(context, output)?, profile)?,
        (Some(op), _) => {
            let rows = if let Some(rows) = rank::ranked(context, plan, op, profile)? {
                rows
            } else {
                let rows = all(context, pattern, usize::MAX, profile)?;
                let wanted = output::wanted(context, output)?;
                profile.time(at, |_| score::score(context, op, rows, wanted))?
            };
            profile.rows(at, rows.len);
            let rows = output::filtered(context, &op.filters, rows, at + 1, profile)?;
            at += 1 + op.filters.len();
            rows
        }
    };
    match &output.groups {
        Some(op) => {
            let mut groups = Groups::new(context, op)?;
            profile.time(at, |_| groups.push(context, &rows))?;
            output::of_groups(context, groups, output, at, profile)
        }
        None => output::finish(context, rows, output, at, profile),
    }
}

/// The rows of a pattern, at least as many as are enough.
fn all(context: &Context<'_>, pattern: &[Op], enough: usize, profile: &mut Profile) -> Result<Rows> {
    let mut all = Rows::default();
    drive(context, pattern, profile, |rows, _| {
        all.append(rows);
        Ok(if all.len >= enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(all)
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
            context.stop.check()?;
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
    context.stop.check()?;
    match op {
        Op::Scan(op) => scan::cross(context, op, rows),
        Op::Expand(op) => expand::expand(context, op, rows),
        Op::Filter(condition) => keep(context, std::slice::from_ref(condition), rows),
        Op::Join(op) => joins.join(context, op, rows),
        Op::Semi(op) => nested::semi(context, op, rows),
        Op::Mark(op) => nested::mark(context, op, rows),
        Op::Fold(op) => nested::fold(context, op, rows),
        Op::Optional(op) => nested::optional(context, op, rows),
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
