//! Aggregates that are fed chunk by chunk.

use crate::error::{Error, Result};
use crate::exec::eval::{Context, RowColumns, type_of};
use crate::exec::rows::Rows;
use crate::topology::NO_NODE;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, ListArray, new_null_array};
use arrow_buffer::OffsetBuffer;
use arrow_cast::cast;
use arrow_row::{OwnedRow, RowConverter, SortField};
use arrow_schema::{DataType, Field};
use arrow_select::concat::concat;
use omnigraph_compiler::query::plan::output::AggregateCall;
use omnigraph_compiler::query::typed::{Aggregate, ExprKind};
use std::collections::HashSet;
use std::sync::Arc;

/// One aggregate over all groups.
pub(in crate::exec) struct Accumulator {
    state: State,
    seen: Option<HashSet<(u32, Seen)>>,
    converter: RowConverter,
}

/// A value that counts once.
#[derive(PartialEq, Eq, Hash)]
enum Seen {
    Node(u16, u32),
    Value(OwnedRow),
}

enum State {
    Count(Vec<i64>),
    Sum(Vec<Sum>),
    Least(Vec<Option<OwnedRow>>, bool),
    /// Encoded, so that they can be put in order.
    All(Vec<Vec<OwnedRow>>),
}

/// Whole numbers are summed as such, so that large sums lose nothing before the end.
#[derive(Clone, Copy, Default)]
struct Sum {
    whole: i128,
    broken: f64,
    count: u64,
}

impl Accumulator {
    pub(in crate::exec) fn new(call: &AggregateCall) -> Result<Accumulator> {
        let state = match call.function {
            Aggregate::Count => State::Count(Vec::new()),
            Aggregate::Sum | Aggregate::Avg => State::Sum(Vec::new()),
            Aggregate::Min => State::Least(Vec::new(), true),
            Aggregate::Max => State::Least(Vec::new(), false),
            Aggregate::Collect => State::All(Vec::new()),
        };
        let converter = RowConverter::new(vec![SortField::new(type_of(&call.arg))])?;
        Ok(Accumulator { state, seen: call.distinct.then(HashSet::new), converter })
    }

    /// Takes in rows whose groups are given; `count` groups are known so far.
    pub(in crate::exec) fn push(
        &mut self,
        context: &Context<'_>,
        call: &AggregateCall,
        rows: &Rows,
        groups: &[u32],
        count: usize,
    ) -> Result<()> {
        // Counting nodes needs no values.
        if let (ExprKind::Id { var }, State::Count(counts)) = (&call.arg.kind, &mut self.state)
            && let Ok(column) = rows.node(var)
        {
            counts.resize(count, 0);
            for (row, group) in groups.iter().enumerate() {
                let node = column.numbers[row];
                let new =
                    |seen: &mut HashSet<_>| seen.insert((*group, Seen::Node(column.kinds.at(row), node)));
                if node != NO_NODE && self.seen.as_mut().is_none_or(new) {
                    counts[*group as usize] += 1;
                }
            }
            return Ok(());
        }
        let values = context.typed(&call.arg, &RowColumns { view: context.view, rows })?;
        let fresh = self.fresh(&values, groups)?;
        self.add(&values, groups, count, &fresh)
    }

    /// Which rows count: those with a value, and with `distinct` the first of equal ones.
    fn fresh(&mut self, values: &ArrayRef, groups: &[u32]) -> Result<Vec<bool>> {
        let known = (0..values.len()).map(|row| values.is_valid(row));
        let Some(seen) = &mut self.seen else { return Ok(known.collect()) };
        let encoded = self.converter.convert_columns(std::slice::from_ref(values))?;
        let known: Vec<bool> = known.collect();
        let fresh = known.iter().zip(groups).enumerate().map(|(row, (known, group))| {
            *known && seen.insert((*group, Seen::Value(encoded.row(row).owned())))
        });
        Ok(fresh.collect())
    }

    fn add(&mut self, values: &ArrayRef, groups: &[u32], count: usize, fresh: &[bool]) -> Result<()> {
        let chosen = fresh.iter().zip(groups).enumerate().filter(|(_, (fresh, _))| **fresh);
        let chosen = chosen.map(|(row, (_, group))| (row, *group as usize));
        match &mut self.state {
            State::Count(counts) => {
                counts.resize(count, 0);
                chosen.for_each(|(_, group)| counts[group] += 1);
            }
            State::Sum(sums) => {
                sums.resize(count, Sum::default());
                add_sums(values, sums, chosen)?;
            }
            State::Least(best, least) => {
                best.resize(count, None);
                let encoded = self.converter.convert_columns(std::slice::from_ref(values))?;
                for (row, group) in chosen {
                    let new = encoded.row(row);
                    let better = best[group]
                        .as_ref()
                        .is_none_or(|old| if *least { new < old.row() } else { new > old.row() });
                    if better {
                        best[group] = Some(new.owned());
                    }
                }
            }
            State::All(lists) => {
                lists.resize(count, Vec::new());
                let encoded = self.converter.convert_columns(std::slice::from_ref(values))?;
                chosen.for_each(|(row, group)| lists[group].push(encoded.row(row).owned()));
            }
        }
        Ok(())
    }

    pub(in crate::exec) fn finish(
        self,
        _: &Context<'_>,
        call: &AggregateCall,
        len: usize,
    ) -> Result<ArrayRef> {
        Ok(match self.state {
            State::Count(mut counts) => {
                counts.resize(len, 0);
                Arc::new(Int64Array::from(counts))
            }
            State::Sum(mut sums) => {
                sums.resize(len, Sum::default());
                let value = |sum: &Sum| {
                    let total = sum.whole as f64 + sum.broken;
                    let value =
                        if call.function == Aggregate::Avg { total / sum.count as f64 } else { total };
                    (sum.count > 0).then_some(value)
                };
                Arc::new(sums.iter().map(value).collect::<Float64Array>())
            }
            State::Least(mut best, _) => {
                best.resize(len, None);
                let ty = type_of(&call.arg);
                let decoded = best.iter().map(|best| match best {
                    Some(row) => Ok(self.converter.convert_rows([row.row()])?.remove(0)),
                    None => Ok(new_null_array(&ty, 1)),
                });
                let decoded = decoded.collect::<Result<Vec<ArrayRef>>>()?;
                let parts: Vec<&dyn Array> = decoded.iter().map(AsRef::as_ref).collect();
                if parts.is_empty() { new_null_array(&ty, 0) } else { concat(&parts)? }
            }
            State::All(mut lists) => {
                lists.resize(len, Vec::new());
                collected(&self.converter, lists)?
            }
        })
    }
}

/// Lists of encoded values, each with its least value first.
fn collected(converter: &RowConverter, mut lists: Vec<Vec<OwnedRow>>) -> Result<ArrayRef> {
    for list in &mut lists {
        list.sort_unstable();
    }
    let values = converter.convert_rows(lists.iter().flatten().map(OwnedRow::row))?.remove(0);
    let field = Arc::new(Field::new("item", values.data_type().clone(), true));
    let offsets = OffsetBuffer::from_lengths(lists.iter().map(Vec::len));
    Ok(Arc::new(ListArray::try_new(field, offsets, values, None)?))
}

fn add_sums(values: &ArrayRef, sums: &mut [Sum], chosen: impl Iterator<Item = (usize, usize)>) -> Result<()> {
    let unknown = || Error::damaged("a sum of what is not a number");
    if values.data_type().is_floating() {
        let values = cast(values, &DataType::Float64)?;
        let values = values.as_primitive_opt::<Float64Type>().ok_or_else(unknown)?;
        for (row, group) in chosen {
            sums[group].broken += values.value(row);
            sums[group].count += 1;
        }
    } else if values.data_type() == &DataType::UInt64 {
        let values = values.as_primitive_opt::<UInt64Type>().ok_or_else(unknown)?;
        for (row, group) in chosen {
            sums[group].whole += i128::from(values.value(row));
            sums[group].count += 1;
        }
    } else {
        let values = cast(values, &DataType::Int64)?;
        let values = values.as_primitive_opt::<Int64Type>().ok_or_else(unknown)?;
        for (row, group) in chosen {
            sums[group].whole += i128::from(values.value(row));
            sums[group].count += 1;
        }
    }
    Ok(())
}
