//! Commits: what was written when, by whom.

use super::Graph;
use crate::access::Action;
use crate::error::Result;
use omnigraph_store::{CommitId, Snapshot, Target};
use std::sync::Arc;

impl Graph {
    /// The commits of a branch along the way that they were made, newest first; with `before`, those older than that
    /// commit, which must be among them. Commits whose rows were cleaned up are listed too.
    pub fn commits(
        &self,
        branch: &str,
        before: Option<&CommitId>,
        limit: usize,
    ) -> Result<Vec<Arc<Snapshot>>> {
        self.allow(Action::Read, Some(branch), None)?;
        let head = self.store().head(branch)?;
        let Some(before) = before else { return Ok(self.store().history(&head, limit)?) };
        // Fails for a commit that is not on the way: it may be that of a branch which must not be read.
        self.store().after(before, &head, 0)?;
        let known = self.store().look_up(before)?;
        let found = self.store().history(&known, limit.saturating_add(1))?;
        Ok(found.into_iter().skip(1).collect())
    }

    /// A commit by its id, or whatever [`Graph::state`] takes. What is known of a commit outlives its rows.
    pub fn commit(&self, text: &str) -> Result<Arc<Snapshot>> {
        let Ok(Target::Commit(id)) = Target::snapshot(text) else { return Ok(self.state(text)?.1) };
        let snapshot = self.store().look_up(&id)?;
        self.allow(Action::Read, Some(&snapshot.record.branch), None)?;
        Ok(snapshot)
    }
}
