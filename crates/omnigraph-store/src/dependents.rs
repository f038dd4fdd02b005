//! What depends on a branch: the branches that were made from it, and the runs that are to be published on it.

use crate::Result;
use crate::branch::Branch;
use crate::run::{RunRecord, RunStatus};
use crate::store::Store;
use futures::future::try_join_all;

/// Branches that are read at a time.
const AT_ONCE: usize = 32;

/// What depends on a branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependents {
    /// Branches that begin at a commit that was made on it, by name.
    pub branches: Vec<String>,
    /// Runs that are under way, newest first.
    pub runs: Vec<RunRecord>,
}

impl Dependents {
    /// Whether nothing depends on it.
    pub fn is_empty(&self) -> bool {
        self.branches.is_empty() && self.runs.is_empty()
    }
}

impl Store {
    /// What depends on a branch. Costs a request for each other branch, and none for rows or commits.
    pub fn dependents(&self, name: &str) -> Result<Dependents> {
        let uid = self.wait(self.branch(name))?.uid;
        let mut names = self.all_branches()?;
        names.retain(|other| other != name && other != Branch::MAIN);
        let (private, made): (Vec<String>, Vec<String>) =
            names.into_iter().partition(|name| Branch::is_internal(name));
        let mut found = Dependents::default();
        for some in made.chunks(AT_ONCE) {
            let read = some.iter().map(|name| Branch::read(&self.inner.objects, name));
            // One that is gone by now depends on nothing.
            let read = self.wait(try_join_all(read))?.into_iter().flatten();
            let is_from = |branch: &Branch| branch.fork.as_ref().is_some_and(|fork| fork.place().0 == uid);
            found.branches.extend(read.filter(is_from).map(|branch| branch.name));
        }
        for name in private.iter().rev() {
            found.runs.extend(self.run_of_branch(name)?);
        }
        found.runs.retain(|run| run.target_branch == name && run.status == RunStatus::Running);
        Ok(found)
    }
}
