//! Naming states, and the branches that hold them.

use super::Graph;
use crate::access::Action;
use crate::error::{Error, Result};
use omnigraph_store::{Branch, Dependents, RunRecord, Snapshot, Target};
use std::sync::Arc;

impl Graph {
    /// What a person calls a state of the graph: a branch, a tag, the id of a commit, `manifest:BRANCH:vN`, or
    /// `BRANCH@TIME`.
    pub fn state(&self, text: &str) -> Result<(Target, Arc<Snapshot>)> {
        self.named(text, Action::Read, None)
    }

    /// The branches that people made and that may be read, by name.
    pub fn branches(&self) -> Result<Vec<String>> {
        self.only_readable(self.store().branches()?, |name| Ok(Some(name.clone())))
    }

    /// Makes a branch that starts at a state, or, with a time in microseconds since 1970, at what a branch was then. The
    /// answer is the commit that it starts from.
    pub fn create_branch(&self, name: &str, from: &str, at: Option<i64>) -> Result<Arc<Snapshot>> {
        let (target, snapshot) = self.named(from, Action::BranchCreate, Some(name))?;
        let base = match (target, at) {
            (_, None) => snapshot,
            (Target::Branch(branch), Some(time)) => self.store().resolve(&Target::At(branch, time))?,
            (other, Some(_)) => {
                return Err(Error::request(format!(
                    "{other} is the same at all times: a time goes with a branch and says what the branch was"
                )));
            }
        };
        self.store().create_branch(name, &base, self.access.actor())?;
        Ok(base)
    }

    /// Gives a branch another name: who does it takes one branch away and makes another. Runs know their branch by its
    /// name, so there must be none under way.
    pub fn rename_branch(&self, old: &str, new: &str) -> Result<()> {
        self.allow(Action::BranchDelete, None, Some(old))?;
        self.allow(Action::BranchCreate, Some(old), Some(new))?;
        let runs = self.dependents(old)?.runs;
        if !runs.is_empty() {
            return Err(in_use(old, Vec::new(), &runs));
        }
        self.store().rename_branch(old, new)?;
        Ok(())
    }

    /// What depends on a branch that can go; the first branch of a graph cannot, whatever depends on it.
    fn dependents(&self, name: &str) -> Result<Dependents> {
        if name == Branch::MAIN { Ok(Dependents::default()) } else { Ok(self.store().dependents(name)?) }
    }

    /// Removes a branch. Its commits can still be read by their ids until they are cleaned up. A branch from which others
    /// were made, or for which runs are under way, is removed only by `force`: the others stay, the runs are aborted.
    pub fn delete_branch(&self, name: &str, force: bool) -> Result<DeletedBranch> {
        self.allow(Action::BranchDelete, None, Some(name))?;
        let found = self.dependents(name)?;
        let branches = self.only_readable(found.branches.clone(), |name| Ok(Some(name.clone())))?;
        if !found.is_empty() && !force {
            return Err(in_use(name, branches, &found.runs));
        }
        for run in &found.runs {
            self.abort_run(&run.run_id)?;
        }
        self.store().delete_branch(name)?;
        Ok(DeletedBranch { branches, runs: ids_of(&found.runs) })
    }
}

/// What a branch that was deleted has left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeletedBranch {
    /// Branches that were made from it, as far as they may be read. They stay as they are.
    pub branches: Vec<String>,
    /// The ids of runs that were to be published on it and are aborted now.
    pub runs: Vec<String>,
}

fn in_use(name: &str, branches: Vec<String>, runs: &[RunRecord]) -> Error {
    Error::BranchInUse { name: name.to_owned(), branches, runs: ids_of(runs) }
}

fn ids_of(runs: &[RunRecord]) -> Vec<String> {
    runs.iter().map(|run| run.run_id.clone()).collect()
}
