//! What a migration would take away from rows that are there.

use super::{Migration, Pair};
use crate::error::{Error, Result};
use crate::view::live_rows;
use arrow_array::Array;
use omnigraph_compiler::migrate::{Change, TypeKind};
use omnigraph_store::{Snapshot, Table};

impl Migration<'_> {
    /// Refuses to drop types with rows and properties with values. What is empty can go unasked.
    pub(super) fn refuse_losses(&self, base: &Snapshot, pairs: &[Pair<'_>]) -> Result<()> {
        let mut losses = Vec::new();
        for step in &self.plan.steps {
            match &step.change {
                Change::DropType { of } if of.kind != TypeKind::Interface => {
                    let entry = base.table(&format!("{}:{}", of.kind.as_str(), of.name));
                    if let Some(entry) = entry.filter(|entry| entry.rows > 0) {
                        losses.push(format!("{} {} has {}", of.kind.as_str(), of.name, rows(entry.rows)));
                    }
                }
                Change::DropProperty { of, property } => {
                    let pair = pairs.iter().find(|pair| pair.kind == of.kind && pair.name == of.name);
                    let Some(entry) = pair.and_then(|pair| base.table(&pair.old_key())) else { continue };
                    let count = values(&*self.store.table(entry)?, property)?;
                    if count > 0 {
                        losses.push(format!("{}.{property} has values in {}", of.name, rows(count)));
                    }
                }
                _ => {}
            }
        }
        if losses.is_empty() { Ok(()) } else { Err(Error::DataLoss(losses)) }
    }
}

/// Live rows with a value.
fn values(table: &Table, property: &str) -> Result<u64> {
    let mut count = 0;
    for place in 0..table.fragments().len() {
        let column = table.column(place, property)?;
        count += live_rows(table, place)?.iter().filter(|row| column.is_valid(**row as usize)).count();
    }
    Ok(count as u64)
}

fn rows(count: u64) -> String {
    format!("{count} row{}", if count == 1 { "" } else { "s" })
}
