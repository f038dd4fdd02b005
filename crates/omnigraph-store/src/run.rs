//! Runs: private branches with a record of what they are for and how they ended.
//!
//! A run is two objects. `runs/<id>.json` says what it is and never changes; `run-ends/<id>.json` says how it ended. The
//! end is put before anything is done about it, and only one writer can put it: a run cannot be published and aborted.

use crate::Result;
use crate::branch::Branch;
use crate::commit_id::{CommitId, base32, random_uid};
use crate::error::Error;
use crate::objects::Created;
use crate::store::{Store, now_micros};
use futures::future::try_join_all;
use serde::{Deserialize, Serialize};

/// Runs that are read at a time.
const AT_ONCE: usize = 32;

/// What the names of private branches begin with.
const PRIVATE: &str = "__run__";

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It takes writes.
    Running,
    /// What it wrote is on its target.
    Published,
    /// It was given up because of an error.
    Failed,
    /// It was given up.
    Aborted,
}

impl RunStatus {
    /// The word that is printed and stored.
    pub fn as_str(self) -> &'static str {
        match self {
            RunStatus::Running => "running",
            RunStatus::Published => "published",
            RunStatus::Failed => "failed",
            RunStatus::Aborted => "aborted",
        }
    }
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRecord {
    /// A ULID.
    pub run_id: String,
    /// Where it will be published.
    pub target_branch: String,
    /// Where it writes: `__run__` and the id.
    pub run_branch: String,
    /// The commit of the target that it began at.
    pub base_snapshot_id: CommitId,
    /// The version of that commit.
    pub base_manifest_version: u64,
    /// Given by who began it, to recognise a second try.
    pub operation_hash: Option<String>,
    /// Who began it.
    pub actor_id: Option<String>,
    /// How it stands.
    pub status: RunStatus,
    /// The commit of the target that it became.
    pub published_snapshot_id: Option<CommitId>,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// Microseconds since 1970.
    pub updated_at: i64,
}

/// What `runs/<id>.json` holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Begun {
    id: String,
    target: String,
    base: CommitId,
    base_version: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    operation_hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actor: Option<String>,
    created_at: i64,
}

/// What `run-ends/<id>.json` holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct End {
    /// [`RunStatus::Running`] while it is being published.
    status: RunStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    published: Option<CommitId>,
    at: i64,
}

impl RunRecord {
    fn of(begun: Begun, end: Option<End>) -> RunRecord {
        RunRecord {
            run_branch: branch_of(&begun.id),
            run_id: begun.id,
            target_branch: begun.target,
            base_snapshot_id: begun.base,
            base_manifest_version: begun.base_version,
            operation_hash: begun.operation_hash,
            actor_id: begun.actor,
            status: end.as_ref().map_or(RunStatus::Running, |end| end.status),
            updated_at: end.as_ref().map_or(begun.created_at, |end| end.at),
            published_snapshot_id: end.and_then(|end| end.published),
            created_at: begun.created_at,
        }
    }
}

impl Store {
    /// Begins a run on the newest commit of a branch. With the hash of an operation that has a run which was not given
    /// up, it is that run, and the answer says `false`: nothing new was begun.
    pub fn begin_run(
        &self,
        target: &str,
        operation_hash: Option<&str>,
        actor: Option<&str>,
    ) -> Result<(RunRecord, bool)> {
        if let Some(run) = self.run_of_operation(target, operation_hash)? {
            return Ok((run, false));
        }
        let base = self.head(target)?;
        let now = now_micros();
        let begun = Begun {
            id: format!("{}{}{}", base32((now / 1000) as u64, 10), random_uid()?, random_uid()?),
            target: target.to_owned(),
            base: base.id().clone(),
            base_version: base.record.version,
            operation_hash: operation_hash.map(str::to_owned),
            actor: actor.map(str::to_owned),
            created_at: now,
        };
        self.put_branch(&branch_of(&begun.id), &base, actor)?;
        let object = run_object(&begun.id);
        let bytes = serde_json::to_vec(&begun).map_err(|error| Error::damaged(&object, error))?;
        self.wait(self.inner.objects.create(&object, bytes.into()))?;
        if let Some(hash) = operation_hash
            && let Some(first) = self.claim_operation(target, hash, &begun.id)?
        {
            // Another begin of the same operation was faster; this one leaves nothing behind.
            self.wait(async {
                self.inner.objects.delete(&object).await?;
                Branch::delete(&self.inner.objects, &branch_of(&begun.id)).await
            })?;
            return Ok((first, false));
        }
        Ok((RunRecord::of(begun, None), true))
    }

    /// The run of an operation that is running or was published.
    fn run_of_operation(&self, target: &str, hash: Option<&str>) -> Result<Option<RunRecord>> {
        let Some(hash) = hash else { return Ok(None) };
        for attempt in 0.. {
            let object = operation_object(target, hash, attempt);
            let Some(bytes) = self.wait(self.inner.objects.get(&object))? else { return Ok(None) };
            let run = self.run(&String::from_utf8_lossy(&bytes))?;
            if matches!(run.status, RunStatus::Running | RunStatus::Published) {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    /// Says that a run is that of an operation; the run that is it already, if there is one.
    fn claim_operation(&self, target: &str, hash: &str, id: &str) -> Result<Option<RunRecord>> {
        for attempt in 0.. {
            let object = operation_object(target, hash, attempt);
            let bytes = id.as_bytes().to_vec();
            if self.wait(self.inner.objects.create(&object, bytes.into()))? == Created::Now {
                return Ok(None);
            }
            if let Some(run) = self.run_of_operation(target, Some(hash))? {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    /// A run.
    pub fn run(&self, id: &str) -> Result<RunRecord> {
        self.wait(self.read_run(id))
    }

    /// The run that writes to a branch; none for a branch that people made.
    pub fn run_of_branch(&self, name: &str) -> Result<Option<RunRecord>> {
        let Some(id) = name.strip_prefix(PRIVATE) else { return Ok(None) };
        match self.run(id) {
            Ok(run) => Ok(Some(run)),
            Err(Error::NoRun { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn read_run(&self, id: &str) -> Result<RunRecord> {
        let none = || Error::NoRun { id: id.to_owned() };
        let is_id = id.len() == 26 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let id = if is_id { id.to_ascii_uppercase() } else { return Err(none()) };
        let object = run_object(&id);
        let bytes = self.inner.objects.get(&object).await?.ok_or_else(none)?;
        let begun = serde_json::from_slice(&bytes).map_err(|error| Error::damaged(object, error))?;
        Ok(RunRecord::of(begun, self.read_end(&id).await?))
    }

    async fn read_end(&self, id: &str) -> Result<Option<End>> {
        let object = end_object(id);
        let Some(bytes) = self.inner.objects.get(&object).await? else { return Ok(None) };
        serde_json::from_slice(&bytes).map(Some).map_err(|error| Error::damaged(object, error))
    }

    /// All runs, newest first.
    pub fn runs(&self) -> Result<Vec<RunRecord>> {
        self.wait(async {
            let files = self.inner.objects.list("runs").await?;
            let ids: Vec<&str> = files.iter().rev().filter_map(|file| file.strip_suffix(".json")).collect();
            let mut runs = Vec::new();
            for some in ids.chunks(AT_ONCE) {
                runs.extend(try_join_all(some.iter().map(|id| self.read_run(id))).await?);
            }
            Ok(runs)
        })
    }

    /// Decides how a run ends, unless that is decided; the run as it then is, and whether this call decided.
    /// [`RunStatus::Running`] is the decision to publish it.
    pub fn decide_run(&self, id: &str, status: RunStatus) -> Result<(RunRecord, bool)> {
        let run = self.run(id)?;
        let end = End { status, published: None, at: now_micros() };
        let object = end_object(&run.run_id);
        let bytes = serde_json::to_vec(&end).map_err(|error| Error::damaged(&object, error))?;
        let decided = self.wait(self.inner.objects.create(&object, bytes.into()))? == Created::Now;
        Ok((self.run(&run.run_id)?, decided))
    }

    /// Takes back the decision to publish a run: its rows are in conflict with those of its target.
    pub fn reopen_run(&self, id: &str) -> Result<()> {
        self.wait(async {
            match self.read_end(id).await? {
                Some(end) if end.status == RunStatus::Running => {
                    self.inner.objects.delete(&end_object(id)).await
                }
                _ => Ok(()),
            }
        })
    }

    /// Says which commit a run became, and forgets its branch.
    pub fn finish_run(&self, id: &str, commit: &CommitId) -> Result<RunRecord> {
        let end = End { status: RunStatus::Published, published: Some(commit.clone()), at: now_micros() };
        let object = end_object(id);
        let bytes = serde_json::to_vec(&end).map_err(|error| Error::damaged(&object, error))?;
        self.wait(self.inner.objects.put(&object, bytes.into()))?;
        self.forget_run_branch(id);
        self.run(id)
    }

    /// Removes the branch of a run that has ended. It is only a name: who fails here leaves it to the next.
    pub fn forget_run_branch(&self, id: &str) {
        let name = branch_of(id);
        let _ = self.wait(Branch::delete(&self.inner.objects, &name));
        self.forget(&name);
    }
}

fn branch_of(id: &str) -> String {
    format!("{PRIVATE}{id}")
}

fn run_object(id: &str) -> String {
    format!("runs/{id}.json")
}

fn end_object(id: &str) -> String {
    format!("run-ends/{id}.json")
}

fn operation_object(target: &str, hash: &str, attempt: u32) -> String {
    let name = blake3::hash(format!("{target}\n{hash}").as_bytes()).to_hex();
    format!("operations/{}-{attempt:04}", &name[..32])
}
