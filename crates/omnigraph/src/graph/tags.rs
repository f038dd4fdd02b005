//! Tags. A tag is a name for a state of the branch that its commit was made on, and that branch's rules hold for it.

use super::Graph;
use super::gate::meant_branch;
use crate::access::Action;
use crate::error::Result;
use omnigraph_store::{Error as StoreError, Tag};

impl Graph {
    /// The tags of branches that may be read, by name.
    pub fn tags(&self) -> Result<Vec<Tag>> {
        self.only_readable(self.store().tags()?, |tag| match self.branch_of_tag(tag) {
            Ok(branch) => Ok(Some(branch)),
            // Its log is gone, so nobody knows whose it was.
            Err(StoreError::NoCommit { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        })
    }

    /// Names a state. A tag that is there already stays what it is, unless it is moved on purpose; then the branch that it
    /// leaves has a say too.
    pub fn create_tag(&self, name: &str, from: &str, is_move: bool) -> Result<Tag> {
        let found = self.look_for(from);
        let branch = meant_branch(from, &found);
        let made_on = found.as_ref().map_or(branch, |(_, at)| at.record.branch.as_str());
        self.allow(Action::BranchCreate, Some(branch), Some(made_on))?;
        if is_move && self.access.is_guarded() {
            match self.store().tag(name) {
                Ok(old) => {
                    self.allow(Action::BranchCreate, Some(branch), Some(&self.branch_of_tag(&old)?))?;
                }
                Err(StoreError::NoTag { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let (_, at) = found?;
        Ok(self.store().create_tag(name, &at, self.access.actor(), is_move)?)
    }

    /// Removes a tag. The commit stays for as long as something else leads to it.
    pub fn delete_tag(&self, name: &str) -> Result<Tag> {
        if self.access.is_guarded() {
            let branch = self.branch_of_tag(&self.store().tag(name)?)?;
            self.allow(Action::BranchDelete, None, Some(&branch))?;
        }
        Ok(self.store().delete_tag(name)?)
    }

    fn branch_of_tag(&self, tag: &Tag) -> Result<String, StoreError> {
        Ok(self.store().look_up(&tag.commit)?.record.branch.clone())
    }
}
