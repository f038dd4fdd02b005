//! The public handle: plan, check, apply, and what was done so far.

use crate::body;
use crate::buffer::{Buffer, Desk, Step, Touched, state_after};
use crate::check;
use crate::create;
use crate::diff;
use crate::error::{RefactorError, Refusal};
use crate::expectations::Expectations;
use crate::journal::{self, Journal};
use crate::moves;
use crate::plan::Plan;
use crate::regroup::{self, Part};
use crate::rename::{self, RenameOptions};
use crate::worktree::Worktree;
use orbit_graph::{Graph, Location, Selector, SyncOptions, SyncPolicy};
use std::collections::BTreeMap;
use std::path::Path;

/// Refactoring of one worktree. Nobody else refactors there as long as this lives.
pub struct Refactor {
    pub(crate) worktree: Worktree,
    pub(crate) graph: Graph,
    pub(crate) desk: Desk,
    /// Something that a process left half done was taken back.
    pub recovered: bool,
    /// What became of earlier steps because others changed the worktree.
    pub notice: Option<String>,
}

/// What `abort` did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aborted {
    /// How many steps were taken back.
    pub steps: usize,
    /// Files that others changed since, which stay as they are.
    pub left: Vec<String>,
}

impl Refactor {
    /// The worktree.
    pub fn root(&self) -> &Path {
        &self.worktree.root
    }

    /// Opens the worktree that `dir` belongs to: takes back what was left half done, and brings the index up to date.
    pub fn open(dir: &Path) -> Result<Refactor, RefactorError> {
        let worktree = Worktree { root: Location::of(dir)?.root };
        let desk = Desk::open(&worktree)?;
        let damaged = journal::set_aside_damaged(&desk)?;
        let recovered = journal::recover(&worktree, &desk)?;
        let graph = Graph::open(&worktree.root, SyncPolicy::Manual)?;
        graph.sync(&SyncOptions::default())?;
        let mut refactor = Refactor { worktree, graph, desk, recovered, notice: None };
        refactor.finish_commit()?;
        let followed = refactor.reconcile()?;
        let told: Vec<String> = damaged.into_iter().chain(followed).collect();
        refactor.notice = (!told.is_empty()).then(|| told.join("; "));
        Ok(refactor)
    }

    /// Plans another name for a symbol.
    pub fn rename(
        &self,
        selector: &Selector,
        new_name: &str,
        options: RenameOptions,
    ) -> Result<Plan, RefactorError> {
        self.graph.facts(|facts| rename::plan(facts, &self.worktree, selector, new_name, options))
    }

    /// Plans to have a definition in another file.
    pub fn relocate(&self, selector: &Selector, file: &str) -> Result<Plan, RefactorError> {
        self.graph.facts(|facts| moves::plan(facts, &self.worktree, selector, file))
    }

    /// Plans another body for a symbol: the inside of its block, or the whole block.
    pub fn change_body(&self, selector: &Selector, text: &str) -> Result<Plan, RefactorError> {
        self.graph.facts(|facts| body::change_body(facts, &self.worktree, selector, text))
    }

    /// Plans another signature for a symbol. Calls that no longer fit are in the plan's review.
    pub fn change_signature(&self, selector: &Selector, signature: &str) -> Result<Plan, RefactorError> {
        self.graph.facts(|facts| body::change_signature(facts, &self.worktree, selector, signature))
    }

    /// Plans a new definition at the end of a file.
    pub fn create(
        &self,
        path: &str,
        name: &str,
        kind: Option<&str>,
        text: &str,
    ) -> Result<Plan, RefactorError> {
        create::create(&self.worktree, path, name, kind, text)
    }

    /// Plans to be without a definition; refuses while it is used, unless forced.
    pub fn delete(&self, selector: &Selector, force: bool) -> Result<Plan, RefactorError> {
        self.graph.facts(|facts| create::delete(facts, &self.worktree, selector, force))
    }

    /// Plans several definitions in the place of one.
    pub fn split(&self, selector: &Selector, parts: &[Part], force: bool) -> Result<Plan, RefactorError> {
        self.graph.facts(|facts| regroup::split(facts, &self.worktree, selector, parts, force))
    }

    /// Plans one definition in the place of several.
    pub fn merge(&self, selectors: &[Selector], part: &Part, force: bool) -> Result<Plan, RefactorError> {
        self.graph.facts(|facts| regroup::merge(facts, &self.worktree, selectors, part, force))
    }

    /// A plan as a unified diff.
    pub fn preview(&self, plan: &Plan) -> Result<String, RefactorError> {
        check::syntax(plan)?;
        Ok(diff::unified(&plan.files))
    }

    /// Applies a plan: all of it, or nothing.
    pub fn apply(&self, plan: &Plan, allow_dirty: bool) -> Result<Step, RefactorError> {
        let mut buffer = self.desk.buffer()?;
        check::files(&self.worktree, &buffer, plan, allow_dirty)?;
        check::syntax(plan)?;
        let expectations = self.graph.facts(|facts| Expectations::of(facts, plan))?;
        let mut files = Vec::new();
        for file in &plan.files {
            let before = file.before.as_deref().map(|bytes| self.desk.keep(bytes)).transpose()?;
            let after = file.after.as_deref().map(|bytes| self.desk.keep(bytes)).transpose()?;
            files.push(Touched { path: file.path.clone(), before, after });
        }
        let step =
            Step { id: buffer.next_id, title: plan.title.clone(), entries: plan.entries.clone(), files };
        let journal = Journal { step: step.id, is_undo: false, files: step.files.clone() };
        journal::write(&self.worktree, &self.desk, &journal)?;
        let checked = self.resync().and_then(|()| self.graph.facts(|facts| expectations.check(facts)));
        if let Err(error) = checked {
            journal::roll_back(&self.worktree, &self.desk, &journal)?;
            self.resync()?;
            return Err(error);
        }
        buffer.next_id += 1;
        if buffer.steps.is_empty() {
            buffer.base = self.worktree.head();
        }
        buffer.parked.clear();
        buffer.steps.push(step.clone());
        self.desk.save_buffer(&buffer)?;
        self.desk.end_journal()?;
        Ok(step)
    }

    fn resync(&self) -> Result<(), RefactorError> {
        self.graph.sync(&SyncOptions::default())?;
        Ok(())
    }

    /// What was done since the last commit, oldest first.
    pub fn status(&self) -> Result<Vec<Step>, RefactorError> {
        Ok(self.desk.buffer()?.steps)
    }

    /// Everything that was done since the last commit, as one unified diff.
    pub fn diff(&self) -> Result<String, RefactorError> {
        let mut first: BTreeMap<String, Option<String>> = BTreeMap::new();
        for file in self.desk.buffer()?.steps.into_iter().flat_map(|step| step.files) {
            first.entry(file.path).or_insert(file.before);
        }
        let mut text = String::new();
        for (path, before) in first {
            let before = before.map(|hash| self.desk.kept(&hash)).transpose()?;
            let now = self.worktree.read(&path)?;
            diff::one(&mut text, &path, before.as_deref(), now.as_deref());
        }
        Ok(text)
    }

    /// Takes the last step back, byte for byte.
    pub fn undo(&self) -> Result<Step, RefactorError> {
        let mut buffer = self.desk.buffer()?;
        let Some(step) = buffer.steps.pop() else {
            return Err(Refusal::new("nothing_buffered", "there is nothing to take back").into());
        };
        let mut changed = Vec::new();
        for file in &step.files {
            let now = self.worktree.read(&file.path)?.map(|bytes| crate::worktree::hash(&bytes));
            if now != file.after {
                changed.push(file.path.clone());
            }
        }
        if !changed.is_empty() {
            let message = "files changed since the refactoring; taking it back would lose that";
            return Err(Refusal::new("changed", message)
                .places(changed)
                .hint("undo those changes first")
                .into());
        }
        let turn = |file: &Touched| Touched {
            path: file.path.clone(),
            before: file.after.clone(),
            after: file.before.clone(),
        };
        let files = step.files.iter().map(turn).collect();
        journal::write(&self.worktree, &self.desk, &Journal { step: step.id, is_undo: true, files })?;
        self.desk.save_buffer(&buffer)?;
        self.desk.end_journal()?;
        self.resync()?;
        Ok(step)
    }

    /// Takes everything back that was done since the last commit. Files that others changed since stay as they are.
    pub fn abort(&self) -> Result<Aborted, RefactorError> {
        let buffer = self.desk.buffer()?;
        let Some(first) = buffer.steps.first() else { return Ok(Aborted::default()) };
        let (start, end) = (state_after(&buffer.steps, 0), state_after(&buffer.steps, buffer.steps.len()));
        let mut aborted = Aborted { steps: buffer.steps.len(), left: Vec::new() };
        let mut files = Vec::new();
        for (path, after) in end {
            // What is a link now, or cannot be read, is somebody else's.
            let Ok(now) = self.worktree.read(&path) else {
                aborted.left.push(path);
                continue;
            };
            let now = now.map(|bytes| crate::worktree::hash(&bytes));
            let before = start.get(&path).cloned().flatten();
            if now == after && after != before {
                files.push(Touched { path, before: after, after: before });
            } else if now != before {
                aborted.left.push(path);
            }
        }
        journal::write(&self.worktree, &self.desk, &Journal { step: first.id, is_undo: true, files })?;
        let empty = Buffer { next_id: buffer.next_id, ..Buffer::default() };
        self.desk.save_buffer(&empty)?;
        self.desk.end_journal()?;
        self.desk.clear()?;
        self.resync()?;
        Ok(aborted)
    }
}
