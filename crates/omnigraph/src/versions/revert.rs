//! Taking back: what one commit did, or everything since a state. Both are commits of their own, so that they can be taken
//! back in turn.

use super::merge::{Base, MergeOptions, Resolutions, ResolvedConflict};
use crate::access::Action;
use crate::error::{Error, Result};
use crate::graph::{Attempt, Graph};
use omnigraph_store::{CommitId, Snapshot, TableChange, Target};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a commit is taken back, and on what condition.
#[derive(Clone, Debug, Default)]
pub struct RevertOptions {
    /// Refused unless this is the newest commit of the branch.
    pub if_commit: Option<CommitId>,
    /// Whether only to say what would happen.
    pub dry_run: bool,
    /// What becomes of rows that were changed again since: `ours` is what the branch has, `theirs` what was before the
    /// commit.
    pub resolutions: Resolutions,
}

/// What taking a commit back did.
#[derive(Clone, Debug)]
pub struct RevertReport {
    /// The branch behind it. When nothing was written, as it was.
    pub snapshot: Arc<Snapshot>,
    /// The commit that was taken back.
    pub reverted: Arc<Snapshot>,
    /// Whether there is a new commit.
    pub committed: bool,
    /// What the branch gained, by table.
    pub changes: BTreeMap<String, TableChange>,
    /// Conflicts for which a side was taken.
    pub resolved: Vec<ResolvedConflict>,
}

/// What a reset did.
#[derive(Clone, Debug)]
pub struct ResetReport {
    /// The branch behind it. When nothing was written, as it was.
    pub snapshot: Arc<Snapshot>,
    /// The state that the branch has now.
    pub to: Arc<Snapshot>,
    /// Whether there is a new commit.
    pub committed: bool,
    /// What the branch gained, by table.
    pub changes: BTreeMap<String, TableChange>,
}

impl RevertOptions {
    fn as_merge(&self) -> MergeOptions {
        MergeOptions {
            dry_run: self.dry_run,
            resolutions: self.resolutions.clone(),
            ..MergeOptions::default()
        }
    }
}

impl Graph {
    /// Takes back what a commit did, as a commit on a branch: the state before it is merged in as if it had come behind
    /// it. What was changed again since is a conflict. Of a merge, what it brought to its branch is taken back.
    pub fn revert(&self, commit: &str, branch: &str, options: &RevertOptions) -> Result<RevertReport> {
        self.allow(Action::Change, Some(branch), None)?;
        let (_, reverted) = self.state(commit)?;
        let Some(parent) = &reverted.record.parent else {
            return Err(Error::request(format!(
                "{} is the first commit of the graph: there is nothing before it",
                reverted.id()
            )));
        };
        let before = self.store().resolve(&Target::Commit(parent.clone()))?;
        if before.record.schema != reverted.record.schema {
            return Err(Error::request(format!(
                "commit {} changed the schema; `schema apply` with the schema before it leads back, `reset` to {parent} \
                 takes everything back that came since",
                reverted.id()
            )));
        }
        let base = Base::of(reverted.clone());
        let how = options.as_merge();
        let done = self.publication(branch, options.if_commit.as_ref()).run(|ours| {
            let merged = self.put_together(&base, ours, &before, &how)?;
            self.allow_changes(branch, &merged.changes)?;
            options.resolutions.check_used(&merged.resolved)?;
            let answer = (merged.changes.clone(), merged.resolved.clone());
            if options.dry_run || merged.changes.is_empty() {
                return Ok(Attempt::Nothing(answer));
            }
            let mut draft = merged.into_draft(ours, None, "revert");
            draft.operation_hash = Some(format!("revert:{}", reverted.id()));
            draft.actor = self.actor();
            Ok(Attempt::Commit(Box::new(draft), answer))
        })?;
        let (changes, resolved) = done.answer;
        Ok(RevertReport { snapshot: done.snapshot, reverted, committed: done.committed, changes, resolved })
    }

    /// Makes a branch what another state is, schema included, as one commit. The commits since stay in its history.
    pub fn reset(
        &self,
        branch: &str,
        to: &str,
        if_commit: Option<&CommitId>,
        dry_run: bool,
    ) -> Result<ResetReport> {
        self.allow(Action::Change, Some(branch), None)?;
        let (_, to) = self.state(to)?;
        let done = self.publication(branch, if_commit).run(|ours| {
            if ours.record.schema != to.record.schema {
                self.allow(Action::SchemaApply, None, Some(branch))?;
            }
            let merged = self.replaced(ours, &to)?;
            self.allow_changes(branch, &merged.changes)?;
            let changes = merged.changes.clone();
            let is_same = ours.record.tables == to.record.tables && ours.record.schema == to.record.schema;
            if dry_run || is_same {
                return Ok(Attempt::Nothing(changes));
            }
            let mut draft = merged.into_draft(ours, None, "reset");
            draft.operation_hash = Some(format!("reset:{}", to.id()));
            draft.actor = self.actor();
            Ok(Attempt::Commit(Box::new(draft), changes))
        })?;
        Ok(ResetReport { snapshot: done.snapshot, to, committed: done.committed, changes: done.answer })
    }
}
