//! What can be checked when all rows of a load are known: ends, uniqueness, cardinality.

use super::{Bulk, LoadMode};
use crate::error::Result;
use crate::topology::texts;
use crate::validate::Violation;
use crate::view::{View, live_rows};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_row::{RowConverter, SortField};
use hashbrown::{HashMap, HashSet};

/// Values of the `@unique` sets of one type.
#[derive(Default)]
pub(super) struct Uniques {
    name: String,
    sets: Vec<Unique>,
    /// All rows of the load; what is stored of them is replaced, or is the same.
    ids: HashSet<Box<str>>,
}

struct Unique {
    properties: Vec<String>,
    /// Hash of the values to the id of the row. 128 bits do not collide by chance.
    owners: HashMap<[u8; 16], Box<str>>,
}

impl Uniques {
    pub(super) fn new(view: &View, name: &str) -> Uniques {
        let sets = view.catalog.body(name).map(|body| body.unique.clone()).unwrap_or_default();
        let set = |properties| Unique { properties, owners: HashMap::new() };
        Uniques { name: name.to_owned(), sets: sets.into_iter().map(set).collect(), ids: HashSet::new() }
    }

    /// A row whose stored values do not count.
    pub(super) fn forget(&mut self, id: &str) {
        if !self.sets.is_empty() {
            self.ids.insert(id.into());
        }
    }

    /// Takes in rows of the load.
    pub(super) fn push(
        &mut self,
        batch: &RecordBatch,
        lines: &[u64],
        found: &mut Vec<Violation>,
    ) -> Result<()> {
        if !self.sets.is_empty() {
            self.ids.extend(texts(batch.column(0))?.iter().flatten().map(Box::from));
        }
        for set in &mut self.sets {
            let Some(values) = hashes(&set.properties, batch)? else { continue };
            let ids = texts(batch.column(0))?;
            for (row, value) in values.into_iter().enumerate() {
                let Some(value) = value else { continue };
                match set.owners.get(&value) {
                    Some(other) if **other != *ids.value(row) => {
                        let line = lines.get(row).copied().filter(|_| lines.len() == batch.num_rows());
                        let names = &set.properties;
                        let shown = shown(names, batch, row)?;
                        found.push(
                            Violation::unique(&self.name, names, ids.value(row), &shown, other).at(line),
                        );
                    }
                    Some(_) => {}
                    None => {
                        set.owners.insert(value, ids.value(row).into());
                    }
                }
            }
        }
        Ok(())
    }
}

fn columns(properties: &[String], batch: &RecordBatch) -> Option<Vec<ArrayRef>> {
    properties.iter().map(|name| batch.column_by_name(name).cloned()).collect()
}

/// A hash of the values of every row; `None` where one is null.
fn hashes(properties: &[String], batch: &RecordBatch) -> Result<Option<Vec<Option<[u8; 16]>>>> {
    let Some(columns) = columns(properties, batch) else { return Ok(None) };
    let fields = columns.iter().map(|column| SortField::new(column.data_type().clone())).collect();
    let rows = RowConverter::new(fields)?.convert_columns(&columns)?;
    let hash = |row: usize| {
        let mut short = [0; 16];
        short.copy_from_slice(&blake3::hash(rows.row(row).data()).as_bytes()[..16]);
        columns.iter().all(|column| column.is_valid(row)).then_some(short)
    };
    Ok(Some((0..batch.num_rows()).map(hash).collect()))
}

fn shown(properties: &[String], batch: &RecordBatch, row: usize) -> Result<String> {
    let options = arrow_cast::display::FormatOptions::default();
    let mut parts = Vec::new();
    for column in columns(properties, batch).unwrap_or_default() {
        let formatter = arrow_cast::display::ArrayFormatter::try_new(column.as_ref(), &options)?;
        parts.push(formatter.value(row).to_string());
    }
    Ok(parts.join(", "))
}

impl Bulk<'_> {
    pub(super) fn check_all(&mut self) -> Result<()> {
        self.cascade()?;
        self.check_waiting()?;
        self.check_left_behind()?;
        self.check_stored_uniques()?;
        self.check_degrees()
    }

    pub(super) fn room(&self) -> usize {
        self.max_errors.saturating_sub(self.violations.len())
    }

    /// Ends that were not there when their edge was read.
    fn check_waiting(&mut self) -> Result<()> {
        let mut found = Vec::new();
        for (place, load) in &self.edges {
            let edge = self.view.edge(*place);
            for (is_src, number, line) in &load.waiting {
                let node = if *is_src { edge.from } else { edge.to } as u16;
                if found.len() >= self.room() {
                    break;
                }
                if !self.has_node(node, *number)? {
                    let table = self.view.node(node);
                    let end = if *is_src { "src" } else { "dst" };
                    let id = table.ids.read().id(*number).to_owned();
                    found.push(Violation::endpoint(&edge.name, end, &id, &table.name, "").at(Some(*line)));
                }
            }
        }
        self.violations.extend(found);
        Ok(())
    }

    /// Stored edges whose node is not in the file that replaces the nodes.
    fn check_left_behind(&mut self) -> Result<()> {
        if self.mode != LoadMode::Overwrite {
            return Ok(());
        }
        let view = self.view.clone();
        for place in (0..view.edge_count()).filter(|place| !self.edges.contains_key(place)) {
            let edge = view.edge(place);
            let ends = [(edge.from as u16, "src"), (edge.to as u16, "dst")];
            let replaced = |(node, _): &&(u16, &str)| self.nodes.contains_key(node);
            let ends: Vec<(u16, &str)> = ends.iter().filter(replaced).copied().collect();
            let Some(table) = view.edge_table(place)?.filter(|_| !ends.is_empty()) else { continue };
            for fragment in 0..table.fragments().len() {
                for (node, end) in &ends {
                    let numbers = view.node(*node).ids.intern(texts(&table.column(fragment, end)?)?);
                    for row in live_rows(table, fragment)? {
                        let number = numbers[row as usize];
                        if self.room() > 0 && !self.has_node(*node, number)? {
                            let id = view.node(*node).ids.read().id(number).to_owned();
                            let node = &view.node(*node).name;
                            self.violations.push(Violation::endpoint(&edge.name, end, &id, node, ""));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Values of stored rows that stay, against those of the load.
    fn check_stored_uniques(&mut self) -> Result<()> {
        if self.mode == LoadMode::Overwrite {
            return Ok(());
        }
        let view = self.view.clone();
        let mut found = Vec::new();
        let nodes = self.nodes.iter().map(|(place, load)| (view.node_table(*place), &load.uniques));
        let edges = self.edges.iter().map(|(place, load)| (view.edge_table(*place), &load.uniques));
        for (table, uniques) in nodes.chain(edges) {
            let Some(table) = table? else { continue };
            for set in uniques.sets.iter().filter(|set| !set.owners.is_empty()) {
                for place in 0..table.fragments().len() {
                    let mut names: Vec<&str> = vec!["id"];
                    names.extend(set.properties.iter().map(String::as_str).filter(|name| *name != "id"));
                    let columns = table.columns(place, &names)?;
                    let batch = RecordBatch::try_from_iter(names.iter().copied().zip(columns))?;
                    let Some(values) = hashes(&set.properties, &batch)? else { continue };
                    let ids = texts(batch.column(0))?;
                    for row in live_rows(table, place)? {
                        let row = row as usize;
                        if uniques.ids.contains(ids.value(row)) {
                            continue;
                        }
                        let owner = values[row].and_then(|value| set.owners.get(&value));
                        if let Some(owner) = owner {
                            let shown = shown(&set.properties, &batch, row)?;
                            let properties = &set.properties;
                            found.push(Violation::unique(
                                &uniques.name,
                                properties,
                                owner,
                                &shown,
                                ids.value(row),
                            ));
                        }
                    }
                }
            }
        }
        found.truncate(self.room());
        self.violations.extend(found);
        Ok(())
    }

    fn check_degrees(&mut self) -> Result<()> {
        let mut found = Vec::new();
        for place in 0..self.view.edge_count() {
            let edge = self.view.edge(place);
            let card = self.view.catalog.edges.get(&edge.name).map(|edge| edge.card).unwrap_or_default();
            let from = edge.from as u16;
            let load = self.edges.get(&place);
            let mut sources: Vec<u32> = Vec::new();
            sources.extend(
                load.and_then(|load| load.degrees.as_ref()).into_iter().flat_map(|degrees| degrees.keys()),
            );
            if card.min > 0
                && let Some(nodes) = self.nodes.get(&from)
            {
                sources.extend((0..nodes.lines.len() as u32).filter(|number| nodes.has(*number)));
            }
            sources.sort_unstable();
            sources.dedup();
            let replaced = self.mode == LoadMode::Overwrite && load.is_some();
            for source in sources {
                let new = load.and_then(|load| load.degrees.as_ref()?.get(&source)).copied().unwrap_or(0);
                let old =
                    if replaced { 0 } else { self.view.adjacency(place)?.of(source, true).iter().count() };
                if !self.has_node(from, source)? {
                    continue;
                }
                let count = u64::try_from(new + old as i64).unwrap_or(0);
                if count < u64::from(card.min) || card.max.is_some_and(|max| count > u64::from(max)) {
                    let id = self.view.node(from).ids.read().id(source).to_owned();
                    found.push(Violation::cardinality(&edge.name, &id, count, card.min, card.max));
                }
            }
        }
        found.truncate(self.room());
        self.violations.extend(found);
        Ok(())
    }
}
