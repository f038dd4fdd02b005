//! What can be checked when all rows of a load are known: ends, uniqueness, cardinality.

use super::{Bulk, LoadMode};
use crate::error::Result;
use crate::topology::texts;
use crate::validate::Violation;
use crate::view::live_rows;
use crate::write::uniques::{hashes, shown};
use arrow_array::RecordBatch;

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
