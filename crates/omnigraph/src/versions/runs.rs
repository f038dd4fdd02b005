//! Runs: writes that are made on a private branch and published together, or not at all.

use super::merge::{MergeOptions, MergeReport};
use crate::access::Action;
use crate::error::{Error, Result};
use crate::graph::Graph;
use omnigraph_store::{CommitId, RunRecord, RunStatus, Snapshot};
use std::sync::Arc;

/// Commits of the target that are searched for a run which was published by a process that then died.
const SEARCHED: usize = 4_096;

/// A run that takes writes.
#[derive(Clone, Debug)]
pub struct BegunRun {
    /// The run.
    pub run: RunRecord,
    /// Whether it was begun just now, and not by an earlier try of the same operation.
    pub is_new: bool,
}

/// A run that is on its target.
#[derive(Clone, Debug)]
pub struct PublishedRun {
    /// The run.
    pub run: RunRecord,
    /// What publishing did; none when it was published before.
    pub report: Option<MergeReport>,
}

impl Graph {
    /// Begins a run on the newest commit of a branch. A second try with the same operation hash gets the same run, unless
    /// that one was given up.
    pub fn begin_run(&self, target: &str, operation_hash: Option<&str>) -> Result<BegunRun> {
        self.allow(Action::Change, Some(target), None)?;
        let (run, is_new) = self.store().begin_run(target, operation_hash, self.access().actor())?;
        Ok(BegunRun { run, is_new })
    }

    /// The runs of branches that may be read, newest first.
    pub fn runs(&self) -> Result<Vec<RunRecord>> {
        self.only_readable(self.store().runs()?, |run| Ok(Some(run.target_branch.clone())))
    }

    /// A run.
    pub fn run(&self, id: &str) -> Result<RunRecord> {
        let run = self.store().run(id)?;
        self.allow(Action::Read, Some(&run.target_branch), None)?;
        Ok(run)
    }

    /// Puts what a run wrote onto its target: as it is when the target has not moved, merged when it has. A conflict leaves
    /// the run running. Publishing a run again says where it went. The commit bears the name of whoever publishes, or else
    /// of whoever began the run.
    pub fn publish_run(&self, id: &str) -> Result<PublishedRun> {
        self.allow_end(Action::RunPublish, id)?;
        let (run, _) = self.store().decide_run(id, RunStatus::Running)?;
        match run.status {
            RunStatus::Running => {}
            RunStatus::Published => return Ok(PublishedRun { run, report: None }),
            RunStatus::Failed | RunStatus::Aborted => return Err(ended(&run)),
        }
        let merged = self.merge_run(&run);
        let report = match merged {
            Ok(report) => report,
            Err(error) => {
                self.store().reopen_run(&run.run_id)?;
                return Err(error);
            }
        };
        let commit = if report.committed {
            report.snapshot.id().clone()
        } else {
            self.published_as(&run, &report.source, &report.snapshot)?
        };
        let run = self.store().finish_run(&run.run_id, &commit)?;
        Ok(PublishedRun { run, report: Some(report) })
    }

    /// A run is ended on behalf of its target.
    fn allow_end(&self, action: Action, id: &str) -> Result<()> {
        if !self.access().is_guarded() {
            return Ok(());
        }
        self.allow(action, None, Some(&self.store().run(id)?.target_branch))
    }

    fn merge_run(&self, run: &RunRecord) -> Result<MergeReport> {
        let theirs = self.store().head(&run.run_branch)?;
        let options = MergeOptions {
            operation: Some("publish_run".to_owned()),
            operation_hash: run.operation_hash.clone(),
            ..MergeOptions::default()
        };
        let actor = self.access().actor().or(run.actor_id.as_deref());
        self.merge_snapshot(&theirs, &run.target_branch, &options, actor)
    }

    /// The commit that a run became, when the target has everything of it already: the one that merged it, or, for a run
    /// that wrote nothing, the one that it began at.
    fn published_as(&self, run: &RunRecord, theirs: &Snapshot, head: &Arc<Snapshot>) -> Result<CommitId> {
        let commits = self.store().history(head, SEARCHED)?;
        let merged = commits.iter().find(|commit| commit.record.merge_parent.as_ref() == Some(theirs.id()));
        Ok(merged.map_or_else(|| run.base_snapshot_id.clone(), |commit| commit.id().clone()))
    }

    /// Gives a run up: nothing of it will be on its target.
    pub fn abort_run(&self, id: &str) -> Result<RunRecord> {
        self.give_up(id, RunStatus::Aborted)
    }

    /// Gives a run up because of an error.
    pub fn fail_run(&self, id: &str) -> Result<RunRecord> {
        self.give_up(id, RunStatus::Failed)
    }

    fn give_up(&self, id: &str, status: RunStatus) -> Result<RunRecord> {
        self.allow_end(Action::RunAbort, id)?;
        let (run, _) = self.store().decide_run(id, status)?;
        match run.status {
            RunStatus::Aborted | RunStatus::Failed => {
                self.store().forget_run_branch(&run.run_id);
                Ok(run)
            }
            RunStatus::Published => Err(ended(&run)),
            RunStatus::Running => {
                let message = format!("run {} is being published; `run publish` finishes it", run.run_id);
                Err(Error::Conflict { message, rows: Vec::new() })
            }
        }
    }
}

fn ended(run: &RunRecord) -> Error {
    let message = format!("run {} is {} already", run.run_id, run.status.as_str());
    Error::Conflict { message, rows: Vec::new() }
}
