//! What a new graph begins with: a marker that only one writer can put, and a first commit.

use crate::Result;
use crate::branch::Branch;
use crate::commit_id::{CommitId, random_uid};
use crate::error::Error;
use crate::objects::Created;
use crate::record::CommitRecord;
use crate::store::{FORMAT, MARKER, Marker, Store};
use std::collections::BTreeMap;

impl Store {
    /// Puts the marker and makes sure that a second put of it fails.
    pub(crate) async fn mark(&self) -> Result<()> {
        let marker =
            serde_json::to_vec(&Marker { format: FORMAT }).map_err(|error| Error::damaged(MARKER, error))?;
        let objects = &self.inner.objects;
        objects.create(MARKER, marker.clone().into()).await?;
        match objects.create(MARKER, marker.into()).await? {
            Created::Before => Ok(()),
            Created::Now => Err(Error::NoConditionalPut { location: self.inner.location.to_string() }),
        }
    }

    /// The commit that a graph begins with.
    pub(crate) async fn first_record(
        &self,
        branch: &Branch,
        schema: &str,
        actor: Option<&str>,
        now: i64,
    ) -> Result<CommitRecord> {
        Ok(CommitRecord {
            id: CommitId::new((now / 1000) as u64, &branch.uid, 1),
            parent: None,
            merge_parent: None,
            branch: branch.name.clone(),
            version: 1,
            actor: actor.map(str::to_owned),
            created_at: now,
            operation: "init".to_owned(),
            schema: self.put_schema(schema).await?,
            tables: BTreeMap::new(),
            changes: BTreeMap::new(),
            operation_hash: None,
            nonce: random_uid()?,
            released_at: None,
        })
    }
}
