//! Cleaning up: what no branch, tag, run or retained commit needs, and no writer can be about to need, is removed.
//!
//! ```text
//! roots ─walk parents─▶ reachable commits ─policy─▶ retained | released ─versions─▶ files that are needed
//! list of files less those that are needed, older than the grace ─▶ removed
//! ```
//!
//! - Records of a log that lives are never removed, so that numbers have no gaps and no late writer can take one again. A
//!   commit that is *released* keeps its record, with a mark: who, when and which rows changed stays known, its rows do not.
//! - A released commit is not read any more, but its files stay for the grace after it stopped being the newest: whoever
//!   began to read it then can end.
//! - Files that nothing names stay for the grace after they were written: their writer may be about to publish them.
//! - Marks are put before roots are listed again, and a branch is put before its commit is looked at again, so a branch made
//!   meanwhile is seen here, or sees the mark and is given up.

mod history;
mod needed;
mod sweep;

use crate::Result;
use crate::commit_id::CommitId;
use crate::store::{Store, now_micros};
use history::History;
use needed::Needed;
pub(crate) use needed::files_of_version;
use std::collections::BTreeMap;
use std::time::Duration;
use sweep::Sweep;

/// How long files stay that nothing needs, unless told otherwise. No load may take half as long.
pub const GRACE: Duration = Duration::from_hours(24);

/// What to keep. A commit stays when it is among the newest of a branch or young enough.
#[derive(Clone, Debug)]
pub struct CleanupOptions {
    /// The newest commits of every branch; the very newest stays anyway.
    pub keep: Option<usize>,
    /// Commits that are younger than this.
    pub older_than: Option<Duration>,
    /// Files that are younger, or that stopped being needed later than this ago.
    pub grace: Duration,
    /// Whether anything is removed; otherwise only what would be is counted.
    pub confirm: bool,
}

/// What was removed, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CleanupReport {
    /// Commits that can be read.
    pub commits_kept: u64,
    /// Commits that can no longer be read since now.
    pub commits_removed: u64,
    /// By directory of the table.
    pub tables: BTreeMap<String, Removed>,
    /// Not needed, but too young.
    pub waiting: Removed,
}

/// Files of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// `node:Person`, when a commit that is kept has the table.
    pub key: Option<String>,
    /// Of these, manifests.
    pub versions: u64,
    /// How many files there were.
    pub files: u64,
    /// Of all.
    pub bytes: u64,
}

impl CleanupReport {
    /// Of all tables.
    pub fn removed(&self) -> Removed {
        let mut all = Removed::default();
        for table in self.tables.values() {
            all.versions += table.versions;
            all.files += table.files;
            all.bytes += table.bytes;
        }
        all
    }
}

impl Store {
    /// Removes what the options leave nothing to need. `progress` is told what is done, and which part of it.
    pub fn cleanup(
        &self,
        options: &CleanupOptions,
        progress: &mut dyn FnMut(&str, u64, u64),
    ) -> Result<CleanupReport> {
        if options.confirm && options.grace < GRACE {
            self.wait_for_folds();
            self.forget_folds();
        }
        let now = now_micros();
        progress("reading the history", 0, 1);
        // Roots before records: a commit that is made meanwhile then belongs to a root that is known.
        let roots = self.wait(self.roots())?;
        let history = self.wait(History::read(self))?;
        let mut marks = history.marks(&roots, options, now)?;
        let mut report = CleanupReport {
            commits_kept: marks.retained.len() as u64,
            commits_removed: marks.released.len() as u64,
            ..CleanupReport::default()
        };
        if options.confirm {
            progress("marking commits", 0, marks.released.len() as u64);
            self.wait(self.put_marks(&marks.released))?;
            // A branch that was made since keeps its commit.
            let roots = self.wait(self.roots())?;
            let again = |id: &&CommitId| roots.iter().any(|root| root.commit.as_ref() == Some(*id));
            let saved: BTreeMap<CommitId, Option<i64>> =
                marks.released.keys().filter(again).map(|id| (id.clone(), None)).collect();
            self.wait(self.put_marks(&saved))?;
            for id in saved.keys() {
                marks.released.remove(id);
                marks.retained.insert(id.clone());
            }
        }
        let needed = Needed::of(self, &history.entries(&marks, options, now), progress)?;
        let sweep = Sweep { store: self, needed: &needed, before: before(now, options.grace) };
        sweep.run(options.confirm, &mut report, progress)?;
        if options.confirm {
            self.wait(self.forget_records(&marks.forgotten))?;
        }
        Ok(report)
    }
}

/// What is older than this is old enough.
fn before(now: i64, grace: Duration) -> i64 {
    now.saturating_sub(i64::try_from(grace.as_micros()).unwrap_or(i64::MAX))
}
