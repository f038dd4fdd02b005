//! Commits whose rows are no longer kept.

use crate::Result;
use crate::commit_id::CommitId;
use crate::error::Error;
use crate::log;
use crate::snapshot::Snapshot;
use crate::store::Store;
use std::sync::Arc;

impl Store {
    /// The record of a commit, whether its rows are still there or not.
    pub fn look_up(&self, id: &CommitId) -> Result<Arc<Snapshot>> {
        self.wait(self.fresh(id))
    }

    /// Not from memory: others may have marked it since.
    pub(crate) async fn fresh(&self, id: &CommitId) -> Result<Arc<Snapshot>> {
        let (uid, seq) = id.place();
        let record = log::read(&self.inner.objects, uid, seq).await?;
        let record = record.filter(|record| record.id == *id);
        let record = record.ok_or_else(|| Error::NoCommit { wanted: id.to_string() })?;
        Ok(Arc::new(Snapshot { record, uid: uid.to_owned(), seq }))
    }
}

/// A commit whose rows are there.
pub(crate) fn kept(snapshot: Arc<Snapshot>) -> Result<Arc<Snapshot>> {
    match snapshot.record.released_at {
        Some(_) => Err(Error::CommitRemoved { commit: snapshot.id().clone() }),
        None => Ok(snapshot),
    }
}
