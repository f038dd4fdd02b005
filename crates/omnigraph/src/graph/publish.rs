//! Optimistic commits: prepared on the newest commit of a branch, published if that is still the newest, and prepared
//! again if it is not.

use super::Graph;
use crate::error::{Error, Result};
use crate::write::expect_commit;
use omnigraph_store::{CommitId, Draft, Published, Snapshot};
use std::sync::Arc;
use std::time::Duration;

/// How often a commit is prepared when other writers are faster. With the pauses between, eight writers on one branch
/// stay far below it.
const ATTEMPTS: u32 = 64;

/// What an attempt comes to.
pub(crate) enum Attempt<A> {
    /// There is nothing to commit.
    Nothing(A),
    /// This is to be the next commit.
    Commit(Box<Draft>, A),
}

/// A commit, or the reason why there is none.
pub(crate) struct Outcome<A> {
    /// The graph behind it. When there was nothing to commit, the one it was prepared on.
    pub(crate) snapshot: Arc<Snapshot>,
    /// Whether there is a new commit.
    pub(crate) committed: bool,
    /// What the last attempt said.
    pub(crate) answer: A,
}

/// Where a commit goes, and on what condition.
pub(crate) struct Publication<'a> {
    graph: &'a Graph,
    branch: &'a str,
    /// Nothing is published unless this is the newest commit of the branch.
    if_commit: Option<&'a CommitId>,
}

impl Graph {
    /// A commit to a branch.
    pub(crate) fn publication<'a>(
        &'a self,
        branch: &'a str,
        if_commit: Option<&'a CommitId>,
    ) -> Publication<'a> {
        Publication { graph: self, branch, if_commit }
    }
}

impl Publication<'_> {
    /// Prepares and publishes a commit on top of the newest one.
    pub(crate) fn run<A>(
        &self,
        prepare: impl FnMut(&Arc<Snapshot>) -> Result<Attempt<A>>,
    ) -> Result<Outcome<A>> {
        self.run_on(self.graph.store().head(self.branch)?, prepare, |_, _, _| Ok(()))
    }

    /// Prepares and publishes a commit on top of `base`, which was the newest one. When a commit `head` came first,
    /// `overtaken(base, head, draft)` may refuse to prepare it again.
    pub(crate) fn run_on<A>(
        &self,
        mut base: Arc<Snapshot>,
        mut prepare: impl FnMut(&Arc<Snapshot>) -> Result<Attempt<A>>,
        mut overtaken: impl FnMut(&Snapshot, &Arc<Snapshot>, &Draft) -> Result<()>,
    ) -> Result<Outcome<A>> {
        expect_commit(self.branch, &base, self.if_commit)?;
        for attempt in 0..ATTEMPTS {
            let (draft, answer) = match prepare(&base)? {
                Attempt::Nothing(answer) => {
                    return Ok(Outcome { snapshot: base, committed: false, answer });
                }
                Attempt::Commit(draft, answer) => (draft, answer),
            };
            match self.graph.store().publish(self.branch, &base, &draft)? {
                Published::Done(snapshot) => return Ok(Outcome { snapshot, committed: true, answer }),
                Published::Lost(head) => {
                    expect_commit(self.branch, &head, self.if_commit)?;
                    overtaken(&base, &head, &draft)?;
                    base = head;
                    std::thread::sleep(pause(attempt));
                }
            }
        }
        let message =
            format!("{ATTEMPTS} times another writer was first on branch `{}`; try again", self.branch);
        Err(Error::Conflict { message, rows: Vec::new() })
    }
}

/// Longer with every attempt, and not the same for two writers.
fn pause(attempt: u32) -> Duration {
    let mut byte = [0];
    let _ = getrandom::fill(&mut byte);
    let most = 1u64 << attempt.min(7);
    Duration::from_micros(u64::from(byte[0]) * most * 4)
}
