//! Loading into a branch that is made when it is missing.

use crate::access::Action;
use crate::error::Result;
use crate::graph::{Graph, LoadOptions, LoadProgress};
use crate::load::Blocks;
use crate::validate::RuleBook;
use crate::write::{LoadMode, LoadReport};
use omnigraph_store::{Branch, Error as StoreError, Target};
use std::sync::Arc;

/// What to load, and where.
#[derive(Clone, Debug)]
pub struct IngestOptions {
    /// As for any load.
    pub load: LoadOptions,
    /// What the branch is made from when it is missing: whatever [`Graph::state`] takes.
    pub from: String,
}

/// What an ingest did.
#[derive(Clone, Debug)]
pub struct IngestReport {
    /// Where the rows went.
    pub branch: String,
    /// What the branch was made from: now, or when it was made. None for the first branch of a graph.
    pub base_branch: Option<String>,
    /// Whether it was made now.
    pub branch_created: bool,
    /// What became of rows that were there.
    pub mode: LoadMode,
    /// The load.
    pub load: LoadReport,
}

impl Graph {
    /// Loads rows into a branch, which is made when it is missing. When the load fails, a branch that was made for it is
    /// gone again.
    pub fn ingest(
        &self,
        options: &IngestOptions,
        open: &mut dyn FnMut(&Arc<RuleBook>) -> Result<Blocks>,
        progress: &mut dyn FnMut(LoadProgress),
    ) -> Result<IngestReport> {
        let branch = options.load.branch.clone().unwrap_or_else(|| Branch::MAIN.to_owned());
        self.allow(Action::Change, Some(&branch), None)?;
        let (branch_created, base_branch) = self.ensure_branch(&branch, options)?;
        let mode = options.load.mode;
        match self.put_rows(&options.load, open, progress) {
            Ok(load) => Ok(IngestReport { branch, base_branch, branch_created, mode, load }),
            Err(error) => {
                if branch_created {
                    self.store().delete_branch(&branch)?;
                }
                Err(error)
            }
        }
    }

    /// Makes a branch when there is none. Says whether it did, and what the branch comes from.
    fn ensure_branch(&self, branch: &str, options: &IngestOptions) -> Result<(bool, Option<String>)> {
        match self.store().describe_branch(branch) {
            Ok(known) => {
                let fork = known.fork.map(|fork| self.store().resolve(&Target::Commit(fork))).transpose()?;
                return Ok((false, fork.map(|fork| fork.record.branch.clone())));
            }
            Err(StoreError::NoBranch { .. }) if branch != Branch::MAIN => {}
            Err(error) => return Err(error.into()),
        }
        let (_, base) = self.named(&options.from, Action::BranchCreate, Some(branch))?;
        match self.store().create_branch(branch, &base, self.access().actor()) {
            Ok(_) => Ok((true, Some(options.from.clone()))),
            Err(StoreError::BranchExists { .. }) => Ok((false, Some(options.from.clone()))),
            Err(error) => Err(error.into()),
        }
    }
}
