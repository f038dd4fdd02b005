//! Commits whose rows are no longer kept.

use crate::Result;
use crate::commit_id::CommitId;
use crate::error::Error;
use crate::snapshot::Snapshot;
use crate::store::Store;
use std::sync::Arc;

impl Store {
    /// The record of a commit, whether its rows are still there or not.
    pub fn look_up(&self, id: &CommitId) -> Result<Arc<Snapshot>> {
        self.wait(self.commit(id)).map(Arc::new)
    }
}

/// A commit whose rows are there.
pub(crate) fn kept(snapshot: Arc<Snapshot>) -> Result<Arc<Snapshot>> {
    match snapshot.record.released_at {
        Some(_) => Err(Error::CommitRemoved { commit: snapshot.id().clone() }),
        None => Ok(snapshot),
    }
}
