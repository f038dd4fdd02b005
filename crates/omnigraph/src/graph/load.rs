//! Loading files.

use super::Graph;
use super::publish::{Attempt, Outcome};
use crate::access::Action;
use crate::error::Result;
use crate::load::{Blocks, Target};
use crate::validate::RuleBook;
use crate::write::{Bulk, LoadMode, LoadReport};
use omnigraph_store::CommitId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How to load.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// `main` if none is given.
    pub branch: Option<String>,
    /// What becomes of rows that are there.
    pub mode: LoadMode,
    /// The load is refused unless this is the newest commit of the branch.
    pub if_commit: Option<CommitId>,
    /// Violations after which reading stops.
    pub max_errors: usize,
}

impl LoadOptions {
    /// Into `main`, on no condition.
    pub fn new(mode: LoadMode) -> LoadOptions {
        LoadOptions { branch: None, mode, if_commit: None, max_errors: 20 }
    }
}

/// How far a load is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadProgress {
    /// Of the input.
    pub bytes: u64,
    /// That were read.
    pub rows: u64,
}

impl Graph {
    /// Loads rows: all of them or, when any does not fit, none. `open` is called again when another writer was first.
    pub fn load(
        &self,
        options: &LoadOptions,
        open: &mut dyn FnMut(&Arc<RuleBook>) -> Result<Blocks>,
        progress: &mut dyn FnMut(LoadProgress),
    ) -> Result<LoadReport> {
        self.allow(Action::Change, Some(options.branch.as_deref().unwrap_or("main")), None)?;
        self.put_rows(options, open, progress)
    }

    /// A load that is allowed.
    pub(crate) fn put_rows(
        &self,
        options: &LoadOptions,
        open: &mut dyn FnMut(&Arc<RuleBook>) -> Result<Blocks>,
        progress: &mut dyn FnMut(LoadProgress),
    ) -> Result<LoadReport> {
        let branch = options.branch.as_deref().unwrap_or("main");
        let done = self.publication(branch, options.if_commit.as_ref()).run(|base| {
            let rules = self.schema_of(base)?.rules.clone();
            let mut bulk =
                Bulk::new(self.view(base)?, self.store(), rules.clone(), options.mode, options.max_errors);
            let mut blocks = open(&rules)?;
            let mut rows = 0;
            let mut known = BTreeSet::new();
            while let Some(block) = blocks.next() {
                self.stop.check()?;
                let block = block?;
                // Before the rows are checked: what is wrong with them tells about rows that are there.
                let (Target::Node(name) | Target::Edge(name)) = &block.target;
                if known.insert(name.clone()) {
                    self.allow_types(Action::Change, branch, [name.as_str()])?;
                }
                rows += block.batch.num_rows() as u64;
                bulk.push(block)?;
                progress(LoadProgress { bytes: blocks.bytes_read(), rows });
            }
            let (draft, rows) = bulk.finish()?;
            let Some(mut draft) = draft else { return Ok(Attempt::Nothing(rows)) };
            self.allow_changes(branch, &draft.changes)?;
            draft.actor = self.actor();
            Ok(Attempt::Commit(Box::new(draft), rows))
        })?;
        let Outcome { snapshot, committed, answer: rows } = done;
        let changes = if committed { snapshot.record.changes.clone() } else { BTreeMap::new() };
        Ok(LoadReport { snapshot, committed, rows, changes })
    }
}
