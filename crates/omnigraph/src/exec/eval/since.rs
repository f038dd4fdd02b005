//! Which nodes and edges changed since a state of the graph.

use super::{Columns, Context, text_of};
use crate::error::{Error, Result};
use crate::exec::gather;
use crate::exec::rows::{EdgeColumn, NodeColumn};
use crate::table_name::TableName;
use crate::topology::{NO_NODE, NO_ROW, texts};
use arrow_array::cast::AsArray;
use arrow_array::types::Date64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, new_null_array};
use arrow_schema::DataType;
use omnigraph_compiler::query::typed::{Change, Expr};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What a query compares the graph with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum State {
    /// A commit, a tag or a branch.
    Named(String),
    /// The branch at this time, in milliseconds since 1970.
    At(i64),
}

/// Knows the states of a graph.
pub(crate) trait History {
    /// The rows of a table that are there and were not, or had other values, in a state: their ids, and whether they are new.
    fn changed(&self, table: TableName<'_>, since: &State) -> Result<Vec<(String, bool)>>;
}

/// Changed rows by id, and whether they are new.
type Changed = HashMap<String, bool>;

/// What a query has been told of changes so far.
pub(crate) struct Changes<'a> {
    /// None for what reads no history.
    history: Option<&'a dyn History>,
    known: Mutex<HashMap<(String, State), Arc<Changed>>>,
}

impl<'a> Changes<'a> {
    pub(crate) fn told_by(history: Option<&'a dyn History>) -> Changes<'a> {
        Changes { history, known: Mutex::default() }
    }

    fn of(&self, table: TableName<'_>, since: &State) -> Result<Arc<Changed>> {
        let key = (table.key(), since.clone());
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(known.clone());
        }
        let history = self.history.ok_or_else(|| Error::damaged("changes where no history is"))?;
        let found = Arc::new(history.changed(table, since)?.into_iter().collect::<Changed>());
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, found.clone());
        Ok(found)
    }
}

/// What a variable stands for in each row.
pub(crate) enum Entities {
    Nodes(NodeColumn),
    Edges(EdgeColumn),
}

impl Context<'_> {
    /// Whether something happened to what a variable stands for; null where that is nothing.
    pub(super) fn happened(
        &self,
        (var, change): (&str, Change),
        since: &Expr,
        columns: &dyn Columns,
    ) -> Result<ArrayRef> {
        let Some(state) = self.state(since)? else {
            return Ok(new_null_array(&DataType::Boolean, columns.len()));
        };
        let fits = |new: Option<&bool>| match change {
            Change::Changed => new.is_some(),
            Change::Inserted => new == Some(&true),
            Change::Updated => new == Some(&false),
        };
        let rows: Vec<Option<bool>> = match columns.entities(var)? {
            Entities::Nodes(nodes) => {
                let mut rows = vec![None; nodes.numbers.len()];
                for (kind, places) in nodes.by_kind() {
                    let table = self.view.node(kind);
                    let changed = self.changes.of(TableName::Node(&table.name), &state)?;
                    let known = table.ids.read();
                    for place in places {
                        let number = nodes.numbers[place as usize];
                        rows[place as usize] =
                            (number != NO_NODE).then(|| fits(changed.get(known.id(number))));
                    }
                }
                rows
            }
            Entities::Edges(edges) => {
                let ids = gather::edges(self.view, &edges, "id")?;
                let row = |row: usize| {
                    if edges.rows[row] == NO_ROW {
                        return Ok(None);
                    }
                    let table = TableName::Edge(&self.view.edge(edges.kinds.at(row)).name);
                    Ok(Some(fits(self.changes.of(table, &state)?.get(texts(&ids)?.value(row)))))
                };
                (0..edges.rows.len()).map(row).collect::<Result<_>>()?
            }
        };
        Ok(Arc::new(BooleanArray::from(rows)))
    }

    /// The ids of the nodes of a type that changed.
    pub(in crate::exec) fn changed_ids(&self, type_name: &str, since: &Expr) -> Result<Vec<String>> {
        let Some(state) = self.state(since)? else { return Ok(Vec::new()) };
        let changed = self.changes.of(TableName::Node(type_name), &state)?;
        let mut ids: Vec<String> = changed.keys().cloned().collect();
        ids.sort_unstable();
        Ok(ids)
    }

    /// `None` for null: nothing is known to have changed since an unknown state.
    fn state(&self, since: &Expr) -> Result<Option<State>> {
        let value = self.constant(since)?;
        Ok(match value.as_primitive_opt::<Date64Type>() {
            Some(times) => times.is_valid(0).then(|| State::At(times.value(0))),
            None => text_of(&value)?.map(|text| State::Named(text.to_owned())),
        })
    }
}
