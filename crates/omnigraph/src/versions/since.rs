//! Rows of a state that were not there, or were different, in another: what queries ask with `changed since`.

use super::delta::{Lens, entry_of};
use crate::access::Action;
use crate::error::Result;
use crate::exec::{History, State};
use crate::graph::Reading;
use crate::table_name::TableName;
use omnigraph_store::Target;

impl History for Reading<'_> {
    fn changed(&self, table: TableName<'_>, since: &State) -> Result<Vec<(String, bool)>> {
        let graph = self.graph;
        let (target, before) = match since {
            State::Named(text) => graph.state(text)?,
            State::At(millis) => {
                let branch = self.branch().to_owned();
                // The whole millisecond counts, as wherever a time names a state.
                let target = Target::At(branch, millis.saturating_mul(1000).saturating_add(999));
                let before = graph.readable(&target)?;
                (target, before)
            }
        };
        graph.allow_types_at(Action::Read, (&target, &before), [table.type_name()])?;
        let (loaded, key) = (graph.schema_of(self.snapshot)?, table.key());
        let lens = Lens { loaded: &loaded, key: &key };
        let (old, new) = (entry_of(&loaded, &before, &key), self.snapshot.table(&key));
        let delta = graph.delta(&lens, old, new, &|| Ok(None))?;
        let there = delta.rows.into_iter().filter(|row| row.new.is_some());
        Ok(there.map(|row| (row.id, row.old.is_none())).collect())
    }
}
