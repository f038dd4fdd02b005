//! What the variables of rows stand for, and what is asked of that.

use super::texts::scanned;
use super::{Columns, Context, Entities};
use crate::error::{Error, Result};
use crate::exec::gather;
use crate::exec::rows::Rows;
use crate::search;
use crate::text::Match;
use crate::view::View;
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array};
use omnigraph_compiler::query::typed::{ExprKind, TextMatch};
use std::sync::Arc;

/// The variables of rows.
pub(crate) struct RowColumns<'a> {
    pub(crate) view: &'a View,
    pub(crate) rows: &'a Rows,
}

impl Columns for RowColumns<'_> {
    fn len(&self) -> usize {
        self.rows.len
    }

    fn property(&self, var: &str, property: &str) -> Result<ArrayRef> {
        match self.rows.edge(var) {
            Some(edges) => gather::edges(self.view, edges, property),
            None => gather::nodes(self.view, self.rows.node(var)?, property),
        }
    }

    fn type_at(&self, var: &str, row: usize) -> Option<&str> {
        if let Some(edges) = self.rows.edge(var) {
            return Some(&self.view.edge(edges.kinds.at(row)).name);
        }
        let nodes = self.rows.node(var).ok()?;
        Some(&self.view.node(nodes.kinds.at(row)).name)
    }

    fn text(&self, _: &Context<'_>, text: &TextMatch, what: Match) -> Result<BooleanArray> {
        if self.rows.edge(&text.var).is_some() {
            let column = self.property(&text.var, &text.property)?;
            return Ok(scanned(self, text, &what, crate::topology::texts(&column)?));
        }
        let column = self.rows.node(&text.var)?;
        let mut matched = vec![false; column.numbers.len()];
        for (kind, rows) in column.by_kind() {
            let numbers: Vec<u32> = rows.iter().map(|row| column.numbers[*row as usize]).collect();
            let found = search::matching_nodes(self.view, kind, &numbers, &text.property, &what)?;
            rows.iter().zip(found).for_each(|(row, is_match)| matched[*row as usize] = is_match);
        }
        Ok(BooleanArray::from(matched))
    }

    fn entities(&self, var: &str) -> Result<Entities> {
        match self.rows.edge(var) {
            Some(edges) => Ok(Entities::Edges(edges.clone())),
            None => Ok(Entities::Nodes(self.rows.node(var)?.clone())),
        }
    }

    fn other(&self, kind: &ExprKind) -> Result<ArrayRef> {
        let rows = self.rows;
        Ok(match kind {
            ExprKind::Id { var } => match rows.edge(var) {
                Some(edges) => gather::edges(self.view, edges, "id")?,
                None => gather::ids(self.view, rows.node(var)?),
            },
            ExprKind::TypeOf { var } => self.type_names(var)?,
            ExprKind::Src { var } => gather::edges(self.view, edge_of(rows, var)?, "src")?,
            ExprKind::Dst { var } => gather::edges(self.view, edge_of(rows, var)?, "dst")?,
            ExprKind::PathNodes { var } => self.path_nodes(var)?,
            ExprKind::PathEdges { var } => self.path_edges(var)?,
            ExprKind::PathHops { var } => {
                let hops =
                    path_of(rows, var)?.iter().map(|path| path.as_ref().map(|path| path.edges.len() as i64));
                Arc::new(hops.collect::<Int64Array>())
            }
            ExprKind::HasType { var, types } => self.has_type(var, types)?,
            ExprKind::ScoreSlot(at) => {
                let scores =
                    rows.scores.get(*at).ok_or_else(|| Error::damaged("a score that was not computed"))?;
                Arc::new(
                    scores.iter().map(|score| (!score.is_nan()).then_some(*score)).collect::<Float64Array>(),
                )
            }
            ExprKind::Flag(flag) => {
                let column = rows.flags.iter().find(|(known, _)| known == flag);
                let (_, column) = column.ok_or_else(|| Error::damaged("a flag that was not set"))?;
                Arc::new(BooleanArray::from(column.clone()))
            }
            ExprKind::Folded(value) => {
                let column = rows.folds.iter().find(|(known, _)| known == value);
                column.ok_or_else(|| Error::damaged("a value that was not computed"))?.1.array()?
            }
            other => return Err(Error::damaged(format!("{other:?} has no value here"))),
        })
    }
}

fn edge_of<'a>(rows: &'a Rows, var: &str) -> Result<&'a crate::exec::rows::EdgeColumn> {
    rows.edge(var).ok_or_else(|| Error::damaged(format!("the plan binds no edge ${var}")))
}

fn path_of<'a>(rows: &'a Rows, var: &str) -> Result<&'a [Option<Arc<crate::exec::rows::Path>>]> {
    rows.path(var).ok_or_else(|| Error::damaged(format!("the plan binds no path ${var}")))
}

impl RowColumns<'_> {
    fn path_nodes(&self, var: &str) -> Result<ArrayRef> {
        let mut lists = ListBuilder::new(StringBuilder::new());
        for path in path_of(self.rows, var)? {
            if let Some(path) = path {
                for (kind, node) in &path.nodes {
                    lists.values().append_value(self.view.node(*kind).ids.read().id(*node));
                }
            }
            lists.append(path.is_some());
        }
        Ok(Arc::new(lists.finish()))
    }

    fn path_edges(&self, var: &str) -> Result<ArrayRef> {
        let mut lists = ListBuilder::new(StringBuilder::new());
        for path in path_of(self.rows, var)? {
            if let Some(path) = path {
                let kinds =
                    crate::exec::rows::Kinds::Each(path.edges.iter().map(|(kind, _)| *kind).collect());
                let rows = path.edges.iter().map(|(_, row)| *row).collect();
                let ids = gather::edges(self.view, &crate::exec::rows::EdgeColumn { kinds, rows }, "id")?;
                crate::topology::texts(&ids)?.iter().for_each(|id| lists.values().append_option(id));
            }
            lists.append(path.is_some());
        }
        Ok(Arc::new(lists.finish()))
    }

    fn type_names(&self, var: &str) -> Result<ArrayRef> {
        let name = |row: usize| {
            if let Some(edges) = self.rows.edge(var) {
                let kind = || self.view.edge(edges.kinds.at(row)).name.as_str();
                return Ok((edges.rows[row] != crate::topology::NO_ROW).then(kind));
            }
            let nodes = self.rows.node(var)?;
            let kind = || self.view.node(nodes.kinds.at(row)).name.as_str();
            Ok((nodes.numbers[row] != crate::topology::NO_NODE).then(kind))
        };
        let names = (0..self.rows.len).map(name).collect::<Result<Vec<Option<&str>>>>()?;
        Ok(Arc::new(arrow_array::StringArray::from(names)))
    }

    fn has_type(&self, var: &str, types: &[String]) -> Result<ArrayRef> {
        let column = self.rows.node(var)?;
        let places = types.iter().map(|name| self.view.node_place(name)).collect::<Result<Vec<u16>>>()?;
        let is = |row: usize| match column.numbers[row] {
            crate::topology::NO_NODE => None,
            _ => Some(places.contains(&column.kinds.at(row))),
        };
        Ok(Arc::new((0..self.rows.len).map(is).collect::<BooleanArray>()))
    }
}
