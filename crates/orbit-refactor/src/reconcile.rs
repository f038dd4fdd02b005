//! What others did to the worktree since the last step: `git checkout .`, `git commit`, `git stash`, another branch, an
//! editor. The steps follow the files; they never stand in the way, and what was committed is never taken back.
//!
//! ```text
//! steps + parked ─which prefix do the files show?─▶ steps | parked
//! HEAD moved     ─does it hold what they left?────▶ log and forget | keep | forget
//! ```

use crate::buffer::{Buffer, State, Step, state_after};
use crate::commit::CommitOptions;
use crate::error::RefactorError;
use crate::session::Refactor;
use crate::worktree::hash;
use orbit_history::HistoryOptions;

impl Refactor {
    /// Brings the steps up to what the files and HEAD say now; what a person should know of it.
    pub(crate) fn reconcile(&self) -> Result<Option<String>, RefactorError> {
        let mut buffer = self.desk.buffer()?;
        let all: Vec<Step> = buffer.steps.drain(..).chain(buffer.parked.drain(..)).collect();
        if all.is_empty() {
            return Ok(None);
        }
        let head = self.worktree.head();
        let before = self.desk.buffer()?;
        let shown = (0..=all.len()).rev().find(|count| self.shows(&state_after(&all, *count)));
        // Somebody edits one of the files: the steps stay, and `undo` says what is in its way.
        let count = shown.unwrap_or(before.steps.len());
        let moved = before.base.is_some() && before.base != head;
        if moved {
            return self.after_commit(&all, count, &before, head.as_deref());
        }
        (buffer.steps, buffer.parked) = (all[..count].to_vec(), all[count..].to_vec());
        buffer.base = head;
        if buffer == before {
            return Ok(None);
        }
        self.desk.save_buffer(&buffer)?;
        let change = buffer.steps.len().abs_diff(before.steps.len());
        Ok(match buffer.steps.len().cmp(&before.steps.len()) {
            std::cmp::Ordering::Less => {
                Some(format!("{change} steps are set aside: their files are as they were before"))
            }
            std::cmp::Ordering::Greater => Some(format!("{change} steps are back with their files")),
            std::cmp::Ordering::Equal => None,
        })
    }

    /// HEAD is another commit than when the first step was made.
    fn after_commit(
        &self,
        all: &[Step],
        count: usize,
        before: &Buffer,
        head: Option<&str>,
    ) -> Result<Option<String>, RefactorError> {
        let (first, last) = (state_after(all, 0), state_after(all, count));
        if count > 0 && self.head_holds(&last) && !self.head_holds(&first) {
            let parent =
                self.worktree.git(&["rev-parse", "--verify", "--quiet", "HEAD^1"]).unwrap_or_default();
            if Some(parent.trim()) == before.base.as_deref() {
                let buffer = Buffer { steps: all[..count].to_vec(), parked: Vec::new(), ..before.clone() };
                self.desk.save_buffer(&buffer)?;
                orbit_history::sync(&self.worktree.root, &HistoryOptions::default())?;
                self.write_log(parent.trim(), &CommitOptions::default())?;
                return Ok(Some(format!("{count} steps were committed with git; their log was written now")));
            }
            self.desk.clear()?;
            return Ok(Some(format!(
                "{count} steps were committed with git, in a commit that has no log of them"
            )));
        }
        if self.head_holds(&first) {
            let (steps, parked) = (all[..count].to_vec(), all[count..].to_vec());
            let buffer = Buffer { steps, parked, base: head.map(str::to_owned), ..before.clone() };
            self.desk.save_buffer(&buffer)?;
            return Ok(None);
        }
        self.desk.clear()?;
        Ok(Some(format!(
            "{} steps are forgotten: another commit is checked out that changed their files; no file was touched",
            all.len()
        )))
    }

    fn shows(&self, state: &State) -> bool {
        state.iter().all(|(path, expected)| {
            let now = self.worktree.read(path).map(|bytes| bytes.map(|bytes| hash(&bytes)));
            now.is_ok_and(|now| now == *expected)
        })
    }

    fn head_holds(&self, state: &State) -> bool {
        state.iter().all(|(path, expected)| {
            let blob = self.worktree.git_here().output(&["cat-file", "blob", &format!("HEAD:{path}")]).ok();
            blob.map(|bytes| hash(&bytes)) == *expected
        })
    }
}
