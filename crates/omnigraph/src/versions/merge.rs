//! Merging: what one state changed since the base is put onto another.
//!
//! ```text
//! ours, theirs ─meeting points─▶ Base ─plan (delta × 2, decide)─▶ Plan ─check─▶ conflicts | apply ─publish─▶ Snapshot
//! ```

mod apply;
mod base;
mod check;
mod conflict;
mod decide;
mod plan;
mod schema;
mod settle;
mod table;

pub(super) use base::Base;
pub use conflict::{ConflictKind, ConflictRows, MergeConflict};
pub use schema::Side;
pub use settle::{Resolutions, ResolvedConflict};

use crate::access::Action;
use crate::error::{Error, Result};
use crate::graph::{Attempt, Graph};
use omnigraph_store::{CommitId, Draft, Snapshot, TableChange, TableEntry};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a merge is made, and on what condition.
#[derive(Clone, Debug, Default)]
pub struct MergeOptions {
    /// The merge is refused unless this is the newest commit of the target.
    pub if_commit: Option<CommitId>,
    /// Whether only to say what would happen.
    pub dry_run: bool,
    /// Kept in the record, to recognise what was merged before.
    pub operation_hash: Option<String>,
    /// What the record calls it: `merge` if nothing is given.
    pub operation: Option<String>,
    /// What becomes of rows in conflict.
    pub resolutions: Resolutions,
}

/// How a merge went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeOutcome {
    /// The target has everything already.
    AlreadyUpToDate,
    /// The target had nothing of its own: it is now what the source is.
    FastForward,
    /// Both had something.
    Merged,
}

impl MergeOutcome {
    /// A stable word for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            MergeOutcome::AlreadyUpToDate => "already_up_to_date",
            MergeOutcome::FastForward => "fast_forward",
            MergeOutcome::Merged => "merged",
        }
    }
}

/// What a merge did.
#[derive(Clone, Debug)]
pub struct MergeReport {
    /// How it went.
    pub outcome: MergeOutcome,
    /// The target behind it. When nothing was written, the one before it.
    pub snapshot: Arc<Snapshot>,
    /// What was merged.
    pub source: Arc<Snapshot>,
    /// Whether there is a new commit.
    pub committed: bool,
    /// What the target gained, by table.
    pub changes: BTreeMap<String, TableChange>,
    /// Conflicts for which a side was taken.
    pub resolved: Vec<ResolvedConflict>,
}

/// The tables of a merged graph on their way to a commit.
pub(super) struct Merged {
    outcome: MergeOutcome,
    pub(super) schema: String,
    tables: BTreeMap<String, TableEntry>,
    pub(super) changes: BTreeMap<String, TableChange>,
    pub(super) resolved: Vec<ResolvedConflict>,
}

impl Graph {
    /// Merges a state (whatever [`Graph::state`] takes) into a branch. Every conflict there is, is in the error. A dry run
    /// asks for the same as the merge.
    pub fn merge(&self, source: &str, target: &str, options: &MergeOptions) -> Result<MergeReport> {
        let (_, theirs) = self.named(source, Action::BranchMerge, Some(target))?;
        self.merge_snapshot(&theirs, target, options, self.access().actor())
    }

    pub(super) fn merge_snapshot(
        &self,
        theirs: &Arc<Snapshot>,
        target: &str,
        options: &MergeOptions,
        actor: Option<&str>,
    ) -> Result<MergeReport> {
        let done = self.publication(target, options.if_commit.as_ref()).run(|ours| {
            let Some(merged) = self.merged(ours, theirs, options)? else {
                return Ok(Attempt::Nothing((MergeOutcome::AlreadyUpToDate, BTreeMap::new(), Vec::new())));
            };
            options.resolutions.check_used(&merged.resolved)?;
            let answer = (merged.outcome, merged.changes.clone(), merged.resolved.clone());
            if options.dry_run {
                return Ok(Attempt::Nothing(answer));
            }
            let operation = options.operation.as_deref().unwrap_or("merge");
            let mut draft = merged.into_draft(ours, Some(theirs), operation);
            draft.operation_hash.clone_from(&options.operation_hash);
            draft.actor = actor.map(str::to_owned);
            Ok(Attempt::Commit(Box::new(draft), answer))
        })?;
        let (outcome, changes, resolved) = done.answer;
        Ok(MergeReport {
            outcome,
            snapshot: done.snapshot,
            source: theirs.clone(),
            committed: done.committed,
            changes,
            resolved,
        })
    }

    /// The merged graph; none when the target has everything already.
    fn merged(
        &self,
        ours: &Arc<Snapshot>,
        theirs: &Arc<Snapshot>,
        options: &MergeOptions,
    ) -> Result<Option<Merged>> {
        let points = self.store().meeting_points(ours, theirs)?;
        if points.iter().any(|point| point.id() == theirs.id()) {
            return Ok(None);
        }
        if points.iter().any(|point| point.id() == ours.id()) {
            return Ok(Some(self.replaced(ours, theirs)?));
        }
        Ok(Some(self.put_together(&self.merge_base(points)?, ours, theirs, options)?))
    }

    /// One state in the place of another.
    pub(super) fn replaced(&self, ours: &Arc<Snapshot>, theirs: &Arc<Snapshot>) -> Result<Merged> {
        Ok(Merged {
            outcome: MergeOutcome::FastForward,
            schema: theirs.record.schema.clone(),
            tables: theirs.record.tables.clone(),
            changes: self.changes_between(ours, theirs)?,
            resolved: Vec::new(),
        })
    }

    /// Both states, compared with what they have in common.
    pub(super) fn put_together(
        &self,
        base: &Base,
        ours: &Arc<Snapshot>,
        theirs: &Arc<Snapshot>,
        options: &MergeOptions,
    ) -> Result<Merged> {
        let mut plan = self.plan_merge(base, ours, theirs)?;
        let (onto, other) = match plan.winner {
            Side::Ours => (ours, theirs),
            Side::Theirs => (theirs, ours),
        };
        let schemas = plan.conflicts.iter().find(|found| found.kind == ConflictKind::DivergentSchema);
        if let Some(schemas) = schemas {
            // Under neither schema would the rest mean anything.
            return Err(Error::MergeConflicts(vec![schemas.clone()]));
        }
        let mut resolved = Vec::new();
        let differing = std::mem::take(&mut plan.conflicts);
        let differing = plan.settle(&options.resolutions, differing, &mut resolved)?;
        // What is decided may break a promise that is decided about in turn; each row is decided about once.
        loop {
            let broken = self.check_merge(&plan, onto)?;
            let found = broken.len();
            let broken = plan.settle(&options.resolutions, broken, &mut resolved)?;
            if broken.len() < found {
                continue;
            }
            let mut conflicts = [differing, broken].concat();
            if conflicts.is_empty() {
                break;
            }
            conflicts.sort();
            conflicts.dedup();
            plan.show(&mut conflicts)?;
            return Err(Error::MergeConflicts(conflicts));
        }
        resolved.sort();
        let tables =
            if options.dry_run { BTreeMap::new() } else { self.apply_merge(&plan, onto, other)?.tables };
        Ok(Merged {
            outcome: MergeOutcome::Merged,
            schema: onto.record.schema.clone(),
            tables,
            changes: plan.changes(),
            resolved,
        })
    }
}

impl Merged {
    /// As a commit on top of the target, behind what was merged if it is a merge.
    pub(super) fn into_draft(self, ours: &Snapshot, theirs: Option<&Snapshot>, operation: &str) -> Draft {
        let mut tables: BTreeMap<String, Option<TableEntry>> = BTreeMap::new();
        let gone = ours.record.tables.keys().filter(|key| !self.tables.contains_key(*key));
        tables.extend(gone.map(|key| (key.clone(), None)));
        let new = self.tables.into_iter().filter(|(key, entry)| ours.table(key) != Some(entry));
        tables.extend(new.map(|(key, entry)| (key, Some(entry))));
        Draft {
            operation: operation.to_owned(),
            schema: Some(self.schema),
            tables,
            // The graph was looked at as a whole: no other write may slip in before.
            reads: ours.record.tables.keys().cloned().collect(),
            changes: self.changes,
            merge_parent: theirs.map(|theirs| theirs.id().clone()),
            ..Draft::default()
        }
    }
}
