//! Naming states, and the branches that hold them.

use super::Graph;
use crate::access::Action;
use crate::error::{Error, Result};
use omnigraph_store::{Snapshot, Target};
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

    /// Gives a branch another name: who does it takes one branch away and makes another.
    pub fn rename_branch(&self, old: &str, new: &str) -> Result<()> {
        self.allow(Action::BranchDelete, None, Some(old))?;
        self.allow(Action::BranchCreate, Some(old), Some(new))?;
        self.store().rename_branch(old, new)?;
        Ok(())
    }

    /// Removes a branch. Its commits can still be read by their ids until they are cleaned up.
    pub fn delete_branch(&self, name: &str) -> Result<()> {
        self.allow(Action::BranchDelete, None, Some(name))?;
        Ok(self.store().delete_branch(name)?)
    }
}
