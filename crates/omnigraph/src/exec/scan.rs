//! Nodes of some types that pass filters.

use super::eval::{Columns, Context, Entities, fitted};
use super::rows::{Kinds, NodeColumn, Rows};
use super::{keep, picks};
use crate::error::{Error, Result};
use crate::rows::{data_type, key_text};
use crate::text::Match;
use crate::topology::NO_ROW;
use crate::view::{View, live_rows};
use arrow_array::{Array, ArrayRef, BooleanArray, ListArray, StringArray};
use arrow_schema::DataType;
use omnigraph_compiler::query::plan::op::{Access, Scan};
use omnigraph_compiler::query::typed::{CompareOp, Expr, ExprKind, TextMatch};
use omnigraph_store::Table;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Numbers of nodes, type by type.
pub(crate) fn nodes(context: &Context<'_>, op: &Scan) -> Result<Vec<(u16, Vec<u32>)>> {
    let mut found = Vec::new();
    for name in &op.types {
        let kind = context.view.node_place(name)?;
        let by_key = match op.access {
            Access::Key => keyed(context, kind, op)?,
            Access::Changes => changed(context, kind, op)?,
            _ => None,
        };
        let numbers = match by_key {
            Some(numbers) => numbers,
            None => scanned(context, kind, op)?,
        };
        if !numbers.is_empty() {
            found.push((kind, numbers));
        }
    }
    Ok(found)
}

/// Combines every row with every node.
pub(super) fn cross(context: &Context<'_>, op: &Scan, rows: Rows) -> Result<Rows> {
    let nodes = nodes(context, op)?;
    let count: usize = nodes.iter().map(|(_, numbers)| numbers.len()).sum();
    let mut kinds = Vec::with_capacity(count);
    let mut numbers = Vec::with_capacity(count);
    for (kind, found) in nodes {
        kinds.extend(std::iter::repeat_n(kind, found.len()));
        numbers.extend(found);
    }
    let picks: Vec<u32> = (0..rows.len as u32).flat_map(|row| std::iter::repeat_n(row, count)).collect();
    let all: Vec<u32> = (0..rows.len).flat_map(|_| 0..count as u32).collect();
    let column = NodeColumn { kinds: Kinds::of(kinds), numbers }.pick(&all);
    let mut crossed = rows.pick(&picks);
    crossed.nodes.push((op.var.clone(), column));
    Ok(crossed)
}

/// The nodes of the ids that the filters name; `None` when they do not spell them out.
fn keyed(context: &Context<'_>, kind: u16, op: &Scan) -> Result<Option<Vec<u32>>> {
    named_ids(context, kind, &op.filters)?.map(|ids| of_ids(context, kind, op, &ids)).transpose()
}

/// The nodes that changed since the state that a filter names.
fn changed(context: &Context<'_>, kind: u16, op: &Scan) -> Result<Option<Vec<u32>>> {
    let state = op.filters.iter().find_map(|filter| match &filter.kind {
        ExprKind::Since { since, .. } => Some(since),
        _ => None,
    });
    let Some(since) = state else { return Ok(None) };
    let ids = context.changed_ids(&context.view.node(kind).name, since)?;
    of_ids(context, kind, op, &ids).map(Some)
}

/// The nodes with these ids that pass the filters.
fn of_ids(context: &Context<'_>, kind: u16, op: &Scan, ids: &[String]) -> Result<Vec<u32>> {
    let (known, index) = (context.view.node(kind).ids.clone(), context.view.index(kind)?);
    let mut numbers: Vec<u32> = ids.iter().filter_map(|id| known.find(id)).collect();
    numbers.retain(|number| index.raw(*number) != NO_ROW);
    numbers.sort_unstable();
    numbers.dedup();
    let column = NodeColumn { kinds: Kinds::One(kind), numbers };
    let rows = Rows { len: column.numbers.len(), nodes: vec![(op.var.clone(), column)], ..Rows::default() };
    let mut rows = keep(context, &op.filters, rows)?;
    for search in &op.search {
        rows = keep(context, &[text_expr(search)], rows)?;
    }
    Ok(rows.nodes.pop().map(|(_, column)| column.numbers).unwrap_or_default())
}

/// The ids that equalities on the id, or on all parts of the key, leave.
pub(crate) fn named_ids(context: &Context<'_>, kind: u16, filters: &[Expr]) -> Result<Option<Vec<String>>> {
    let body = context.view.catalog.body(&context.view.node(kind).name);
    let body = body.ok_or_else(|| Error::damaged("a type without a body"))?;
    let by_id = |expr: &ExprKind| matches!(expr, ExprKind::Id { .. });
    if let Some(ids) = first_named(context, filters, &by_id, &DataType::Utf8) {
        return Ok(Some(ids));
    }
    let mut parts: Vec<Vec<String>> = Vec::new();
    for key in &body.key {
        let is = |expr: &ExprKind| matches!(expr, ExprKind::Property { property, .. } if property == key);
        let property = body.property(key).ok_or_else(|| Error::damaged("a key without a property"))?;
        match first_named(context, filters, &is, &data_type(&property.ty)) {
            Some(values) => parts.push(values),
            None => return Ok(None),
        }
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let combine = |ids: Vec<Vec<String>>, part: &Vec<String>| {
        ids.iter()
            .flat_map(|id| part.iter().map(|value| [id.clone(), vec![value.clone()]].concat()))
            .collect()
    };
    let ids: Vec<Vec<String>> = parts.iter().fold(vec![Vec::new()], combine);
    Ok(Some(ids.iter().map(|parts| crate::rows::key_id(parts.iter().map(String::as_str))).collect()))
}

/// What the first condition that pins something pins it to, as it reads in ids.
fn first_named(
    context: &Context<'_>,
    filters: &[Expr],
    is: &dyn Fn(&ExprKind) -> bool,
    ty: &DataType,
) -> Option<Vec<String>> {
    for filter in filters {
        let Some(values) = values_of(context, filter, is) else { continue };
        // A value that the column cannot hold is left to the comparison itself.
        if let Some(values) = fitted(&values, ty) {
            let there = (0..values.len()).filter(|at| values.is_valid(*at));
            return Some(there.map(|at| key_text(&values, at)).collect());
        }
    }
    None
}

/// The values that a condition pins something to.
fn values_of(context: &Context<'_>, condition: &Expr, is: &dyn Fn(&ExprKind) -> bool) -> Option<ArrayRef> {
    match &condition.kind {
        ExprKind::Compare { op: CompareOp::Eq, left, right } if is(&left.kind) => constant(context, right),
        ExprKind::Compare { op: CompareOp::Eq, left, right } if is(&right.kind) => constant(context, left),
        ExprKind::In { item, list, negated: false } if is(&item.kind) => {
            let list = constant(context, list)?;
            let list = list.as_any().downcast_ref::<ListArray>()?;
            list.is_valid(0).then(|| list.value(0))
        }
        _ => None,
    }
}

fn constant(context: &Context<'_>, expr: &Expr) -> Option<ArrayRef> {
    match expr.kind {
        ExprKind::Literal(_) | ExprKind::Param(_) | ExprKind::List(_) => context.constant(expr).ok(),
        _ => None,
    }
}

/// A search as a condition.
fn text_expr(search: &TextMatch) -> Expr {
    let ty = omnigraph_compiler::Type::scalar(omnigraph_compiler::Scalar::Bool);
    Expr { kind: ExprKind::Text(search.clone()), ty }
}

fn scanned(context: &Context<'_>, kind: u16, op: &Scan) -> Result<Vec<u32>> {
    let view = context.view;
    let Some(table) = view.node_table(kind)? else { return Ok(Vec::new()) };
    let searches: Vec<Expr> = op.search.iter().map(text_expr).collect();
    let conditions: Vec<Expr> = op.filters.iter().chain(&searches).cloned().collect();
    let mut found = Vec::new();
    let asked = RefCell::default();
    for place in 0..table.fragments().len() {
        context.stop.check()?;
        // The first fragment has shown which columns the conditions ask for.
        if place == 1 {
            let names: BTreeSet<String> = asked.take();
            table.prefetch(&names.iter().map(String::as_str).chain(["id"]).collect::<Vec<_>>())?;
        }
        let numbers = view.numbers(table, place, &view.node(kind).ids)?;
        let columns = FragmentColumns { view, kind, table, place, asked: &asked };
        match context.holds(&conditions, &columns)? {
            None if table.fragments()[place].deleted() == 0 => found.extend_from_slice(&numbers.0),
            None => found.extend(live_rows(table, place)?.into_iter().map(|row| numbers.0[row as usize])),
            Some(mask) => {
                let live = table.live(place)?;
                let rows = picks(&mask).into_iter();
                let rows = rows.filter(|row| live.as_ref().is_none_or(|live| live.value(*row as usize)));
                found.extend(rows.map(|row| numbers.0[row as usize]));
            }
        }
    }
    Ok(found)
}

/// The columns of one fragment as they are, deleted rows included.
struct FragmentColumns<'a> {
    view: &'a View,
    kind: u16,
    table: &'a Table,
    place: usize,
    asked: &'a RefCell<BTreeSet<String>>,
}

impl Columns for FragmentColumns<'_> {
    fn len(&self) -> usize {
        self.table.fragments()[self.place].rows() as usize
    }

    fn property(&self, _: &str, property: &str) -> Result<ArrayRef> {
        if self.place == 0 {
            self.asked.borrow_mut().insert(property.to_owned());
        }
        Ok(self.table.column(self.place, property)?)
    }

    fn text(&self, context: &Context<'_>, text: &TextMatch, what: Match) -> Result<BooleanArray> {
        context.searches.matching_fragment(context.view, self.kind, self.place, &text.property, what)
    }

    fn entities(&self, _: &str) -> Result<Entities> {
        let numbers = self.view.numbers(self.table, self.place, &self.view.node(self.kind).ids)?;
        Ok(Entities::Nodes(NodeColumn { kinds: Kinds::One(self.kind), numbers: numbers.0.clone() }))
    }

    fn other(&self, kind: &ExprKind) -> Result<ArrayRef> {
        match kind {
            ExprKind::Id { .. } => self.property("", "id"),
            ExprKind::TypeOf { .. } => {
                let name = self.view.node(self.kind).name.as_str();
                Ok(std::sync::Arc::new(StringArray::from(vec![name; self.len()])))
            }
            ExprKind::HasType { types, .. } => {
                let is = types.contains(&self.view.node(self.kind).name);
                Ok(std::sync::Arc::new(BooleanArray::from(vec![is; self.len()])))
            }
            other => Err(Error::damaged(format!("{other:?} in a scan"))),
        }
    }
}
