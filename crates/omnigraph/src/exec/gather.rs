//! Columns of values for rows: of tables, by row address, and of ids.

use super::rows::{EdgeColumn, Kinds, NodeColumn};
use crate::error::{Error, Result};
use crate::topology::{NO_NODE, NO_ROW};
use crate::view::View;
use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, UInt32Array, new_null_array};
use arrow_schema::DataType;
use arrow_select::interleave::interleave;
use arrow_select::take::take;
use omnigraph_store::{RowAddr, Table};
use std::sync::Arc;

/// A property of nodes.
pub(crate) fn nodes(view: &View, column: &NodeColumn, property: &str) -> Result<ArrayRef> {
    let mut gather = Gather::new(view, property, true);
    match &column.kinds {
        Kinds::One(kind) => {
            let index = view.index(*kind)?;
            gather.rows(*kind, column.numbers.iter().map(|node| index.raw(*node)))?;
        }
        Kinds::Each(kinds) => {
            for (kind, node) in kinds.iter().zip(&column.numbers) {
                let row = if *node == NO_NODE { NO_ROW } else { view.index(*kind)?.raw(*node) };
                gather.rows(*kind, std::iter::once(row))?;
            }
        }
    }
    gather.finish()
}

/// A property, `id`, `src` or `dst` of edges.
pub(crate) fn edges(view: &View, column: &EdgeColumn, property: &str) -> Result<ArrayRef> {
    let mut gather = Gather::new(view, property, false);
    match &column.kinds {
        Kinds::One(kind) => gather.rows(*kind, column.rows.iter().copied())?,
        Kinds::Each(kinds) => {
            for (kind, row) in kinds.iter().zip(&column.rows) {
                gather.rows(*kind, std::iter::once(*row))?;
            }
        }
    }
    gather.finish()
}

/// The ids of nodes.
pub(crate) fn ids(view: &View, column: &NodeColumn) -> ArrayRef {
    let mut texts = StringBuilder::with_capacity(column.numbers.len(), column.numbers.len() * 12);
    let mut at = 0;
    while at < column.numbers.len() {
        let kind = column.kinds.at(at);
        let known = view.node(kind).ids.read();
        while at < column.numbers.len() && column.kinds.at(at) == kind {
            match column.numbers[at] {
                NO_NODE => texts.append_null(),
                number => texts.append_value(known.id(number)),
            }
            at += 1;
        }
    }
    Arc::new(texts.finish())
}

/// Collects places of values in the fragments of one or more tables.
struct Gather<'a> {
    view: &'a View,
    property: &'a str,
    of_nodes: bool,
    arrays: Vec<ArrayRef>,
    /// Type and fragment to place among the arrays.
    known: Vec<((u16, u32), usize)>,
    places: Vec<(usize, usize)>,
    null: Option<usize>,
}

impl<'a> Gather<'a> {
    fn new(view: &'a View, property: &'a str, of_nodes: bool) -> Gather<'a> {
        Gather {
            view,
            property,
            of_nodes,
            arrays: Vec::new(),
            known: Vec::new(),
            places: Vec::new(),
            null: None,
        }
    }

    /// A variable of several types may be asked for what not all of them have.
    fn is_there(&self, kind: u16) -> bool {
        let name = if self.of_nodes { &self.view.node(kind).name } else { &self.view.edge(kind).name };
        self.view.catalog.property_type(name, self.property).is_some()
    }

    fn rows(&mut self, kind: u16, rows: impl Iterator<Item = u64>) -> Result<()> {
        let is_there = self.is_there(kind);
        let mut last = (u32::MAX, 0);
        for row in rows {
            if row == NO_ROW || !is_there {
                let null = self.null();
                self.places.push((null, 0));
                continue;
            }
            let addr = RowAddr(row);
            if addr.fragment() != last.0 {
                last = (addr.fragment(), self.array(kind, addr.fragment())?);
            }
            self.places.push((last.1, addr.row() as usize));
        }
        Ok(())
    }

    fn table(&self, kind: u16) -> Result<&'a Arc<Table>> {
        let table = if self.of_nodes { self.view.node_table(kind)? } else { self.view.edge_table(kind)? };
        table.ok_or_else(|| Error::damaged("a row of a table that is not there"))
    }

    fn array(&mut self, kind: u16, fragment: u32) -> Result<usize> {
        if let Some((_, at)) = self.known.iter().find(|(key, _)| *key == (kind, fragment)) {
            return Ok(*at);
        }
        let table = self.table(kind)?;
        let place =
            table.place(fragment).ok_or_else(|| Error::damaged("a row of a fragment that is not there"))?;
        self.arrays.push(table.column(place, self.property)?);
        self.known.push(((kind, fragment), self.arrays.len() - 1));
        Ok(self.arrays.len() - 1)
    }

    /// A place for null; its type is known at the end.
    fn null(&mut self) -> usize {
        *self.null.get_or_insert_with(|| {
            self.arrays.push(new_null_array(&DataType::Null, 1));
            self.arrays.len() - 1
        })
    }

    /// Without any value it has no type of its own.
    fn finish(mut self) -> Result<ArrayRef> {
        let ty = self.arrays.iter().map(Array::data_type).find(|ty| **ty != DataType::Null).cloned();
        if let (Some(null), Some(ty)) = (self.null, &ty) {
            self.arrays[null] = new_null_array(ty, 1);
        }
        match self.arrays.as_slice() {
            [] => Ok(new_null_array(&DataType::Null, self.places.len())),
            [only] => {
                let rows: UInt32Array = self.places.iter().map(|(_, row)| *row as u32).collect();
                Ok(take(only, &rows, None)?)
            }
            _ => {
                let arrays: Vec<&dyn Array> = self.arrays.iter().map(AsRef::as_ref).collect();
                Ok(interleave(&arrays, &self.places)?)
            }
        }
    }
}
