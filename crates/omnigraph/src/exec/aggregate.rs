//! Groups of rows, and what is computed over them.

mod accumulate;

use super::eval::{Columns, Context, RowColumns};
use super::rows::{Kinds, NodeColumn, Rows};
use crate::error::{Error, Result};
use crate::text::Match;
pub(super) use accumulate::Accumulator;
use arrow_array::{ArrayRef, BooleanArray, UInt32Array};
use arrow_row::{OwnedRow, RowConverter, SortField};
use arrow_select::take::take;
use omnigraph_compiler::query::plan::output::AggregateOp;
use omnigraph_compiler::query::typed::{Expr, ExprKind, TextMatch};
use std::collections::HashMap;

const UNKNOWN: u32 = u32::MAX;

/// Groups that are being filled.
pub(super) struct Groups<'o> {
    op: &'o AggregateOp,
    converter: Option<RowConverter>,
    by_value: HashMap<OwnedRow, u32>,
    keys: Vec<OwnedRow>,
    /// When all keys are properties of one node: the group of each node that was met.
    by_node: Option<NodeGroups>,
    accumulators: Vec<Accumulator>,
}

struct NodeGroups {
    var: String,
    groups: Vec<Vec<u32>>,
}

/// Keys, then aggregates, one row per group.
pub(super) struct Slots {
    columns: Vec<ArrayRef>,
    len: usize,
}

impl<'o> Groups<'o> {
    pub(super) fn new(context: &Context<'_>, op: &'o AggregateOp) -> Result<Groups<'o>> {
        let fields: Vec<SortField> =
            op.keys.iter().map(|key| SortField::new(super::eval::type_of(key))).collect();
        let converter = if fields.is_empty() { None } else { Some(RowConverter::new(fields)?) };
        let groups = vec![Vec::new(); context.view.node_count()];
        Ok(Groups {
            op,
            converter,
            by_value: HashMap::new(),
            keys: Vec::new(),
            by_node: of_one_node(&op.keys).map(|var| NodeGroups { var, groups }),
            accumulators: op.aggregates.iter().map(Accumulator::new).collect::<Result<_>>()?,
        })
    }

    pub(super) fn push(&mut self, context: &Context<'_>, rows: &Rows) -> Result<()> {
        if rows.len == 0 {
            return Ok(());
        }
        let columns = RowColumns { view: context.view, rows };
        let node = self.by_node.as_ref().and_then(|by_node| rows.node(&by_node.var).ok());
        let groups = match node {
            _ if self.converter.is_none() => vec![0; rows.len],
            Some(node) => self.by_nodes(context, node)?,
            None => self.by_values(context, &columns)?,
        };
        let count = self.keys.len().max(usize::from(self.converter.is_none()));
        for (accumulator, call) in self.accumulators.iter_mut().zip(&self.op.aggregates) {
            accumulator.push(context, call, rows, &groups, count)?;
        }
        Ok(())
    }

    /// Whether further rows cannot change what is shown, as so many distinct rows are enough.
    pub(super) fn is_enough(&self, wanted: usize) -> bool {
        self.op.aggregates.is_empty() && self.keys.len() >= wanted
    }

    fn by_values(&mut self, context: &Context<'_>, columns: &dyn Columns) -> Result<Vec<u32>> {
        let keys = self.op.keys.iter().map(|key| context.typed(key, columns)).collect::<Result<Vec<_>>>()?;
        let converter = self.converter.as_ref().ok_or_else(|| Error::damaged("groups without keys"))?;
        let rows = converter.convert_columns(&keys)?;
        let mut groups = Vec::with_capacity(columns.len());
        for row in &rows {
            let next = self.keys.len() as u32;
            let group = *self.by_value.entry(row.owned()).or_insert(next);
            if group == next {
                self.keys.push(row.owned());
            }
            groups.push(group);
        }
        Ok(groups)
    }

    /// Values are read once per node, not once per row.
    fn by_nodes(&mut self, context: &Context<'_>, column: &NodeColumn) -> Result<Vec<u32>> {
        let Some(mut by_node) = self.by_node.take() else { return Err(Error::damaged("no groups of nodes")) };
        let mut new: Vec<(u16, u32)> = Vec::new();
        for (row, number) in column.numbers.iter().enumerate() {
            let kind = column.kinds.at(row);
            let groups = &mut by_node.groups[kind as usize];
            let at = number.wrapping_add(1) as usize; // no node has the first place
            if groups.len() <= at {
                groups.resize(at + 1, UNKNOWN);
            }
            if groups[at] == UNKNOWN {
                groups[at] = 0;
                new.push((kind, *number));
            }
        }
        let kinds = Kinds::of(new.iter().map(|(kind, _)| *kind).collect());
        let numbers: Vec<u32> = new.iter().map(|(_, number)| *number).collect();
        let nodes = vec![(by_node.var.clone(), NodeColumn { kinds, numbers })];
        let rows = Rows { len: new.len(), nodes, ..Rows::default() };
        let groups = self.by_values(context, &RowColumns { view: context.view, rows: &rows })?;
        for ((kind, number), group) in new.iter().zip(groups) {
            by_node.groups[*kind as usize][number.wrapping_add(1) as usize] = group;
        }
        let of = |(row, number): (usize, &u32)| {
            by_node.groups[column.kinds.at(row) as usize][number.wrapping_add(1) as usize]
        };
        let groups = column.numbers.iter().enumerate().map(of).collect();
        self.by_node = Some(by_node);
        Ok(groups)
    }

    pub(super) fn finish(self, context: &Context<'_>) -> Result<Slots> {
        let len = if self.converter.is_none() { 1 } else { self.keys.len() };
        let mut columns = match &self.converter {
            Some(converter) => converter.convert_rows(self.keys.iter().map(OwnedRow::row))?,
            None => Vec::new(),
        };
        for (accumulator, call) in self.accumulators.into_iter().zip(&self.op.aggregates) {
            columns.push(accumulator.finish(context, call, len)?);
        }
        Ok(Slots { columns, len })
    }
}

/// The node that all keys are values of.
fn of_one_node(keys: &[Expr]) -> Option<String> {
    let var = |key: &Expr| match &key.kind {
        ExprKind::Property { var, .. } | ExprKind::Id { var } => Some(var.clone()),
        _ => None,
    };
    let first = var(keys.first()?)?;
    keys.iter().all(|key| var(key).as_ref() == Some(&first)).then_some(first)
}

impl Slots {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn columns(&self) -> &[ArrayRef] {
        &self.columns
    }

    pub(super) fn pick(&self, rows: &[u32]) -> Result<Slots> {
        let rows = UInt32Array::from(rows.to_vec());
        let columns =
            self.columns.iter().map(|column| Ok(take(column, &rows, None)?)).collect::<Result<_>>()?;
        Ok(Slots { columns, len: rows.len() })
    }
}

impl Columns for Slots {
    fn len(&self) -> usize {
        self.len
    }

    fn property(&self, var: &str, property: &str) -> Result<ArrayRef> {
        Err(Error::damaged(format!("${var}.{property} behind groups")))
    }

    fn text(&self, _: &Context<'_>, _: &TextMatch, _: Match) -> Result<BooleanArray> {
        Err(Error::damaged("a text search behind groups"))
    }

    fn other(&self, kind: &ExprKind) -> Result<ArrayRef> {
        match kind {
            ExprKind::Slot(at) => {
                self.columns.get(*at).cloned().ok_or_else(|| Error::damaged("a value that was not computed"))
            }
            other => Err(Error::damaged(format!("{other:?} behind groups"))),
        }
    }
}
