//! The one step that makes a commit visible.

use crate::Result;
use crate::branch::Branch;
use crate::collect::GRACE;
use crate::commit_id::{CommitId, random_uid};
use crate::error::Error;
use crate::log;
use crate::objects::Created;
use crate::record::{CommitRecord, TableChange, TableEntry};
use crate::snapshot::Snapshot;
use crate::store::{Store, now_micros};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A commit that is staged and not visible.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// What kind of write.
    pub operation: String,
    /// The name of the actor.
    pub actor: Option<String>,
    /// Another schema than that of the base.
    pub schema: Option<String>,
    /// Tables with another version than in the base; `None` for those without rows.
    pub tables: BTreeMap<String, Option<TableEntry>>,
    /// Tables whose rows the draft relies on without changing them.
    pub reads: BTreeSet<String>,
    /// What it changes.
    pub changes: BTreeMap<String, TableChange>,
    /// What was merged.
    pub merge_parent: Option<CommitId>,
    /// See [`CommitRecord::operation_hash`].
    pub operation_hash: Option<String>,
}

/// What became of a draft.
#[derive(Clone, Debug)]
pub enum Published {
    /// It is the head of its branch.
    Done(Arc<Snapshot>),
    /// Another commit was first and changed a table, or the schema, that the draft relies on. This is the head now.
    Lost(Arc<Snapshot>),
}

impl Store {
    /// Makes a draft on `base` the next commit of a branch. When others were first but changed nothing that the draft
    /// changes or relies on, it is put behind them.
    pub fn publish(&self, branch: &str, base: &Arc<Snapshot>, draft: &Draft) -> Result<Published> {
        self.wait(self.publish_on(branch, base, draft))
    }

    async fn publish_on(&self, name: &str, base: &Arc<Snapshot>, draft: &Draft) -> Result<Published> {
        self.check_age(draft)?;
        let (branch, mut head) = self.head_of(name).await?;
        loop {
            if head.id() != base.id() && !self.rests(base, &head, draft) {
                return Ok(Published::Lost(head));
            }
            let seq = if head.uid == branch.uid { head.seq + 1 } else { 1 };
            let record = next_record(&branch, &head, seq, draft)?;
            match self.put_record(&branch, seq, &record).await? {
                Created::Now => {
                    let snapshot = Arc::new(Snapshot { record, uid: branch.uid.clone(), seq });
                    self.remember(&branch, &snapshot);
                    draft.tables.values().flatten().for_each(|entry| self.look_after(entry));
                    return Ok(Published::Done(snapshot));
                }
                Created::Before => (_, head) = self.head_of(name).await?,
            }
        }
    }

    /// Files that nothing names are not kept for ever, so a draft must not name files that are too old.
    fn check_age(&self, draft: &Draft) -> Result<()> {
        let tables = draft.tables.values().flatten().filter_map(|entry| self.known_table(entry));
        match tables.filter_map(|table| table.staged_for()).max() {
            Some(age) if age > GRACE / 2 => Err(Error::Stale { hours: age.as_secs() / 3600 }),
            _ => Ok(()),
        }
    }

    /// Puts a record; after an error, finds out whether it is there.
    async fn put_record(&self, branch: &Branch, seq: u64, record: &CommitRecord) -> Result<Created> {
        let objects = &self.inner.objects;
        let put = log::append(objects, &branch.uid, seq, record).await;
        if let Ok(Created::Now) = put {
            return Ok(Created::Now);
        }
        // A put whose answer was lost is tried again below us and then finds itself.
        match (log::read(objects, &branch.uid, seq).await, put) {
            (Ok(Some(found)), _) if found.nonce == record.nonce => Ok(Created::Now),
            (Ok(Some(_)), _) => Ok(Created::Before),
            (Ok(None), Err(error)) => Err(error),
            (Ok(None), Ok(_)) => Err(Error::damaged(format!("log {}", branch.uid), "a record came and went")),
            (Err(error), _) => {
                Err(Error::CommitUnknown { commit: record.id.clone(), reason: error.to_string() })
            }
        }
    }

    /// Whether everything that a draft changes or relies on is the same in both.
    #[expect(clippy::unused_self, reason = "reads as a question to the store")]
    fn rests(&self, base: &Snapshot, head: &Snapshot, draft: &Draft) -> bool {
        let same = |key: &String| base.record.tables.get(key) == head.record.tables.get(key);
        // A table that came meanwhile has the columns of the old schema: nobody has brought it to the new one.
        let is_known = |key: &String| draft.schema.is_none() || base.record.tables.contains_key(key);
        base.record.schema == head.record.schema
            && draft.merge_parent.is_none()
            && head.record.tables.keys().all(is_known)
            && draft.tables.keys().all(same)
            && draft.reads.iter().all(same)
    }
}

fn next_record(branch: &Branch, head: &Snapshot, seq: u64, draft: &Draft) -> Result<CommitRecord> {
    // Later than both parents, whatever the clocks say: walks of the history rely on it.
    let merged = draft.merge_parent.as_ref().map_or(0, |merged| (merged.millis() + 1) * 1_000);
    let created_at = now_micros().max(head.record.created_at + 1).max(merged);
    let mut tables = head.record.tables.clone();
    for (key, entry) in &draft.tables {
        match entry {
            Some(entry) => tables.insert(key.clone(), entry.clone()),
            None => tables.remove(key),
        };
    }
    Ok(CommitRecord {
        id: CommitId::new((created_at / 1000) as u64, &branch.uid, seq),
        parent: Some(head.id().clone()),
        merge_parent: draft.merge_parent.clone(),
        branch: branch.name.clone(),
        version: head.record.version + 1,
        actor: draft.actor.clone(),
        created_at,
        operation: draft.operation.clone(),
        schema: draft.schema.clone().unwrap_or_else(|| head.record.schema.clone()),
        tables,
        changes: draft.changes.clone(),
        operation_hash: draft.operation_hash.clone(),
        nonce: random_uid()?,
        released_at: None,
    })
}
