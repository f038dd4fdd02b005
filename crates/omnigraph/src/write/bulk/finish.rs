//! The constraints of a load, asked about when all of its rows are known.

use super::{Bulk, LoadMode};
use crate::constraints::{Bounds, End};
use crate::error::Result;
use crate::topology::texts;
use crate::view::live_rows;
use std::collections::HashMap;

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
            let [source, destination] = End::both(&self.view, *place);
            for (is_src, number, line) in &load.waiting {
                let end = if *is_src { source } else { destination };
                if found.len() >= self.room() {
                    break;
                }
                if !self.has_node(end.node, *number)? {
                    let ids = self.view.node(end.node).ids.read();
                    found.push(end.dangling(ids.id(*number), "").at(Some(*line)));
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
            let mut ends = End::both(&view, place).to_vec();
            ends.retain(|end| self.nodes.contains_key(&end.node));
            let Some(table) = view.edge_table(place)?.filter(|_| !ends.is_empty()) else { continue };
            for fragment in 0..table.fragments().len() {
                for end in &ends {
                    let ids = &view.node(end.node).ids;
                    let numbers = ids.intern(texts(&table.column(fragment, end.column)?)?);
                    for row in live_rows(table, fragment)? {
                        let number = numbers[row as usize];
                        if self.room() > 0 && !self.has_node(end.node, number)? {
                            self.violations.push(end.dangling(ids.read().id(number), ""));
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
            if let Some(table) = table? {
                uniques.check_stored(table, |_| None, &mut found)?;
            }
        }
        found.truncate(self.room());
        self.violations.extend(found);
        Ok(())
    }

    fn check_degrees(&mut self) -> Result<()> {
        let mut found = Vec::new();
        for place in 0..self.view.edge_count() {
            let Some(bounds) = Bounds::of(&self.view, place) else { continue };
            let from = self.view.edge(place).from as u16;
            let load = self.edges.get(&place);
            let degrees = load.and_then(|load| load.degrees.as_ref());
            let mut sources: Vec<u32> = degrees.into_iter().flat_map(HashMap::keys).copied().collect();
            if let Some(nodes) = self.nodes.get(&from).filter(|_| bounds.need_some()) {
                sources.extend((0..nodes.lines.len() as u32).filter(|number| nodes.has(*number)));
            }
            sources.sort_unstable();
            sources.dedup();
            let replaced = self.mode == LoadMode::Overwrite && load.is_some();
            for source in sources {
                let new = degrees.and_then(|degrees| degrees.get(&source)).copied().unwrap_or(0);
                let old =
                    if replaced { 0 } else { self.view.adjacency(place)?.of(source, true).iter().count() };
                if self.has_node(from, source)? {
                    let count = u64::try_from(new + old as i64).unwrap_or(0);
                    found.extend(bounds.check(self.view.node(from).ids.read().id(source), count));
                }
            }
        }
        found.truncate(self.room());
        self.violations.extend(found);
        Ok(())
    }
}
