//! Making, naming and removing branches. A branch is a pointer: nothing is copied, and nothing of a table is touched.

use crate::Result;
use crate::branch::Branch;
use crate::error::Error;
use crate::objects::Created;
use crate::released::kept;
use crate::snapshot::{Snapshot, Target};
use crate::store::{Store, now_micros};
use std::sync::Arc;

impl Store {
    /// The branches that people made, by name.
    pub fn branches(&self) -> Result<Vec<String>> {
        let mut names = self.all_branches()?;
        names.retain(|name| !Branch::is_internal(name));
        Ok(names)
    }

    /// All branches, those of runs included: whatever they lead to is in use.
    pub fn all_branches(&self) -> Result<Vec<String>> {
        self.wait(Branch::names(&self.inner.objects))
    }

    /// What is stored about a branch.
    pub fn describe_branch(&self, name: &str) -> Result<Branch> {
        self.wait(self.branch(name))
    }

    /// Makes a branch that starts at a commit. Nothing is copied. Where a tag has the same name, the branch is meant.
    pub fn create_branch(&self, name: &str, from: &Snapshot, actor: Option<&str>) -> Result<Branch> {
        refuse_internal(name)?;
        self.put_branch(name, from, actor)
    }

    pub(crate) fn put_branch(&self, name: &str, from: &Snapshot, actor: Option<&str>) -> Result<Branch> {
        let mut branch = Branch::new(name, Some(from.id().clone()), now_micros())?;
        branch.actor = actor.map(str::to_owned);
        if self.wait(branch.create(&self.inner.objects))? == Created::Before {
            return Err(Error::BranchExists { name: name.to_owned() });
        }
        // Whoever cleans up puts its mark before it lists the branches, so one of both sees the other.
        match self.look_up(from.id()).and_then(kept) {
            Ok(_) => Ok(branch),
            Err(error) => {
                self.wait(Branch::delete(&self.inner.objects, name))?;
                Err(error)
            }
        }
    }

    /// Gives a branch another name; its history stays what it is. A process that dies in between leaves both names.
    pub fn rename_branch(&self, old: &str, new: &str) -> Result<Branch> {
        refuse_main(old, "the first branch of a graph cannot be renamed")?;
        refuse_internal(new)?;
        self.refuse_tag(new)?;
        let renamed = self.wait(async {
            let branch = self.branch(old).await?;
            let named = Branch::new(new, branch.fork.clone(), branch.created_at)?;
            let renamed = Branch { name: named.name, ..branch };
            match renamed.create(&self.inner.objects).await? {
                Created::Now => Branch::delete(&self.inner.objects, old).await.map(|()| renamed),
                Created::Before => Err(Error::BranchExists { name: new.to_owned() }),
            }
        })?;
        self.forget(old);
        Ok(renamed)
    }

    /// A name means one thing.
    fn refuse_tag(&self, name: &str) -> Result<()> {
        match self.tag(name) {
            Err(Error::NoTag { .. }) => Ok(()),
            Err(error) => Err(error),
            Ok(_) => {
                let reason = "a tag has this name".to_owned();
                Err(Error::BranchName { name: name.to_owned(), reason })
            }
        }
    }

    /// Removes a branch. Its commits can still be read by their ids until they are cleaned up.
    pub fn delete_branch(&self, name: &str) -> Result<()> {
        refuse_main(name, "the first branch of a graph cannot be deleted")?;
        self.wait(async {
            self.branch(name).await?;
            Branch::delete(&self.inner.objects, name).await
        })?;
        self.forget(name);
        Ok(())
    }

    /// What a person calls a state of the graph: a branch, a tag, the id of a commit, or `manifest:BRANCH:vN`.
    pub fn named(&self, text: &str) -> Result<(Target, Arc<Snapshot>)> {
        let none = || Error::NoTarget { wanted: text.to_owned() };
        let target = match Target::snapshot(text) {
            Ok(Target::Tag(name)) => {
                let branch = Target::Branch(name.clone());
                match self.resolve(&branch) {
                    Ok(head) => return Ok((branch, head)),
                    Err(Error::NoBranch { .. }) => Target::Tag(name),
                    Err(error) => return Err(error),
                }
            }
            Ok(target) => target,
            Err(_) => return Err(none()),
        };
        match self.resolve(&target) {
            Ok(found) => Ok((target, found)),
            Err(Error::NoTag { .. }) => Err(none()),
            Err(error) => Err(error),
        }
    }
}

fn refuse_main(name: &str, reason: &str) -> Result<()> {
    if name != Branch::MAIN {
        return Ok(());
    }
    Err(Error::BranchName { name: name.to_owned(), reason: reason.to_owned() })
}

fn refuse_internal(name: &str) -> Result<()> {
    if !Branch::is_internal(name) {
        return Ok(());
    }
    let reason = "names that begin with `__` belong to runs".to_owned();
    Err(Error::BranchName { name: name.to_owned(), reason })
}
