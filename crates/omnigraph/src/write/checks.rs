//! What needs other rows: ends of edges, uniqueness, cardinality.

use super::TableKey;
use super::edit::{Edit, Fate, ids, text};
use super::transaction::{Transaction, stored_id};
use crate::error::{Error, Result};
use crate::validate::Violation;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_row::{OwnedRow, RowConverter, SortField};
use omnigraph_compiler::schema::catalog::Cardinality;
use omnigraph_store::RowAddr;
use std::collections::{BTreeSet, HashMap};

/// Violations that are reported at most.
const MOST: usize = 20;

impl Transaction {
    /// Whether the graph is whole with all edits in it.
    pub(crate) fn check(&self) -> Result<()> {
        let mut found = self.violations()?;
        if found.is_empty() {
            return Ok(());
        }
        let truncated = found.len() > MOST;
        found.truncate(MOST);
        Err(Error::Invalid { violations: found, truncated })
    }

    /// Every promise that is broken with all edits in the graph.
    pub(crate) fn violations(&self) -> Result<Vec<Violation>> {
        let mut found = Vec::new();
        for (key, edit) in &self.edits {
            if let TableKey::Edge(place) = key {
                self.check_ends(*place, edit, &mut found)?;
            }
            self.check_unique(*key, edit, &mut found)?;
        }
        for place in 0..self.view.edge_count() {
            self.check_left_behind(place, &mut found);
            self.check_cardinality(place, &mut found)?;
        }
        Ok(found)
    }

    /// Edges that came meanwhile, of nodes that the edits remove.
    fn check_left_behind(&self, place: u16, found: &mut Vec<Violation>) {
        let key = TableKey::Edge(place);
        let Some(touched) = self.beside.as_ref().and_then(|beside| beside.tables.get(&key)) else { return };
        let edge = self.view.edge(place);
        let gone = |node: usize, id: &str| {
            let edit = self.edit(TableKey::Node(node as u16));
            edit.and_then(|edit| edit.fate(id)) == Some(Fate::Gone)
        };
        for [id, src, dst] in &touched.new_edges {
            for (end, node, node_id) in [("src", edge.from, src), ("dst", edge.to, dst)] {
                if gone(node, node_id) {
                    let node = &self.view.node(node as u16).name;
                    found.push(Violation::endpoint(&edge.name, end, node_id, node, id));
                }
            }
        }
    }

    fn check_ends(&self, place: u16, edit: &Edit, found: &mut Vec<Violation>) -> Result<()> {
        let edge = self.view.edge(place);
        for batch in edit.current()? {
            for (end, node) in [("src", edge.from as u16), ("dst", edge.to as u16)] {
                let (ids, ends) = (ids(&batch)?, text(&batch, end)?);
                for row in 0..batch.num_rows() {
                    if !self.has_node(node, ends.value(row))? {
                        let node = &self.view.node(node).name;
                        found.push(Violation::endpoint(
                            &edge.name,
                            end,
                            ends.value(row),
                            node,
                            ids.value(row),
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    fn check_unique(&self, key: TableKey, edit: &Edit, found: &mut Vec<Violation>) -> Result<()> {
        let name = match key {
            TableKey::Node(place) => &self.view.node(place).name,
            TableKey::Edge(place) => &self.view.edge(place).name,
        };
        let body = self.view.catalog.body(name).ok_or_else(|| Error::damaged("a type without a body"))?;
        let Some(rows) = edit.rows()?.filter(|_| !body.unique.is_empty()) else { return Ok(()) };
        for properties in &body.unique {
            let columns: Vec<ArrayRef> =
                properties.iter().filter_map(|name| rows.column_by_name(name).cloned()).collect();
            let converter = converter(&columns)?;
            let values = converter.convert_columns(&columns)?;
            let mut owners: HashMap<OwnedRow, String> = HashMap::new();
            for (row, id) in valued(&columns, &rows)? {
                let value = values.row(row).owned();
                if let Some(other) = owners.get(&value) {
                    found.push(Violation::unique(name, properties, &id, &shown(&columns, row)?, other));
                } else {
                    owners.insert(value, id);
                }
            }
            self.check_stored(key, properties, &converter, &owners, (name, edit), found)?;
        }
        Ok(())
    }

    /// Compares new values with those of stored rows that stay.
    fn check_stored(
        &self,
        key: TableKey,
        properties: &[String],
        converter: &RowConverter,
        owners: &HashMap<OwnedRow, String>,
        (name, edit): (&str, &Edit),
        found: &mut Vec<Violation>,
    ) -> Result<()> {
        let Some(table) = self.table(key)?.filter(|_| !owners.is_empty()) else { return Ok(()) };
        let names: Vec<&str> = properties.iter().map(String::as_str).collect();
        let replaced: BTreeSet<RowAddr> = edit.replaced().collect();
        for (place, fragment) in table.fragments().iter().enumerate() {
            let some = self.beside.as_ref().filter(|beside| !beside.is_whole);
            let some = some.map(|beside| beside.rows_in(key, fragment.id()));
            let columns = match some {
                Some([]) => continue,
                Some(rows) => table.rows_of(place, &names, rows)?,
                None => table.columns(place, &names)?,
            };
            let values = converter.convert_columns(&columns)?;
            let live = table.live(place)?;
            for at in 0..values.num_rows() {
                let row = some.map_or(at, |rows| rows[at] as usize);
                let stays = live.as_ref().is_none_or(|live| live.value(row))
                    && !replaced.contains(&RowAddr::new(fragment.id(), row as u32));
                if !stays || columns.iter().any(|column| column.is_null(at)) {
                    continue;
                }
                if let Some(id) = owners.get(&values.row(at).owned()) {
                    let other = &table.rows_of(place, &["id"], &[row as u32])?[0];
                    let other = crate::topology::texts(other)?.value(0).to_owned();
                    found.push(Violation::unique(name, properties, id, &shown(&columns, at)?, &other));
                }
            }
        }
        Ok(())
    }

    /// Counts the edges of every source that gained or lost one, and of new nodes that must have some.
    fn check_cardinality(&self, place: u16, found: &mut Vec<Violation>) -> Result<()> {
        let edge = self.view.edge(place);
        let card = self.view.catalog.edges.get(&edge.name).map(|edge| edge.card).unwrap_or_default();
        if card == Cardinality::default() {
            return Ok(());
        }
        let from = edge.from as u16;
        let beside = self.beside.as_ref().filter(|beside| !beside.is_whole);
        for source in self.sources(place, card.min > 0)? {
            if beside.is_some_and(|beside| !beside.moved(place, &source)) || !self.has_node(from, &source)? {
                continue;
            }
            let count = self.degree(place, from, &source)?;
            if count < u64::from(card.min) || card.max.is_some_and(|max| count > u64::from(max)) {
                found.push(Violation::cardinality(&edge.name, &source, count, card.min, card.max));
            }
        }
        Ok(())
    }

    fn sources(&self, place: u16, new_nodes: bool) -> Result<BTreeSet<String>> {
        let mut sources = BTreeSet::new();
        if let Some(edit) = self.edit(TableKey::Edge(place)) {
            for batch in edit.current()? {
                sources.extend(text(&batch, "src")?.iter().flatten().map(str::to_owned));
            }
            let table = self.view.edge_table(place)?;
            for row in edit.replaced() {
                if let Some((table, at)) = table.and_then(|table| Some((table, table.place(row.fragment())?)))
                {
                    let column = table.column(at, "src")?;
                    sources.insert(crate::topology::texts(&column)?.value(row.row() as usize).to_owned());
                }
            }
        }
        let nodes = self.edit(TableKey::Node(self.view.edge(place).from as u16)).filter(|_| new_nodes);
        if let Some(edit) = nodes {
            sources.extend(edit.ids().inserted);
        }
        Ok(sources)
    }

    /// Edges that leave a node, edits included.
    fn degree(&self, place: u16, from: u16, source: &str) -> Result<u64> {
        let edit = self.edit(TableKey::Edge(place));
        let mut edges = BTreeSet::new();
        // Reading the edges numbers the ids of their ends: asked for before that, no id of a graph that was just opened
        // has a number, and its stored edges would not count.
        let adjacency = self.view.adjacency(place)?;
        if let Some(number) = self.view.node(from).ids.find(source) {
            for (_, row) in adjacency.of(number, true).iter() {
                let id = stored_id(&self.view, place, RowAddr(row))?;
                if edit.and_then(|edit| edit.fate(&id)) != Some(Fate::Gone) {
                    edges.insert(id);
                }
            }
        }
        for batch in edit.map(Edit::current).transpose()?.unwrap_or_default() {
            let (ids, ends) = (ids(&batch)?, text(&batch, "src")?);
            let met = (0..batch.num_rows()).filter(|row| ends.value(*row) == source);
            edges.extend(met.map(|row| ids.value(row).to_owned()));
        }
        Ok(edges.len() as u64)
    }
}

fn converter(columns: &[ArrayRef]) -> Result<RowConverter> {
    let fields = columns.iter().map(|column| SortField::new(column.data_type().clone())).collect();
    Ok(RowConverter::new(fields)?)
}

/// Rows without a null among the columns, with their ids. Null is equal to nothing.
fn valued(columns: &[ArrayRef], rows: &RecordBatch) -> Result<Vec<(usize, String)>> {
    let ids = ids(rows)?;
    let whole = (0..rows.num_rows()).filter(|row| columns.iter().all(|column| column.is_valid(*row)));
    Ok(whole.map(|row| (row, ids.value(row).to_owned())).collect())
}

/// Values as people read them.
fn shown(columns: &[ArrayRef], row: usize) -> Result<String> {
    let options = FormatOptions::default();
    let parts = columns
        .iter()
        .map(|column| Ok(ArrayFormatter::try_new(column.as_ref(), &options)?.value(row).to_string()));
    Ok(parts.collect::<Result<Vec<String>>>()?.join(", "))
}
