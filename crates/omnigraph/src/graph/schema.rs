//! Changing the schema of a branch.

use super::Graph;
use super::publish::Attempt;
use crate::access::Action;
use crate::error::{Error, Result};
use crate::loaded::Loaded;
use crate::migrate::{Drops, Migration};
use omnigraph_compiler::migrate::{MigrationPlan, diff};
use omnigraph_store::Snapshot;
use std::sync::Arc;

/// Where the schema is changed, and how far it may go.
#[derive(Clone, Debug, Default)]
pub struct SchemaOptions {
    /// `main` if none is given.
    pub branch: Option<String>,
    /// Whether types with rows and properties with values may be dropped. Older commits still have them.
    pub allow_drop: bool,
    /// Whether they also leave the files of the newest commit, which `allow_drop` alone only hides them from.
    pub allow_data_loss: bool,
}

/// What leads to a schema, and what became of it.
#[derive(Clone, Debug)]
pub struct SchemaReport {
    /// The steps.
    pub plan: MigrationPlan,
    /// Whether the branch has the schema now and did not have it before.
    pub applied: bool,
    /// The graph behind it; when nothing was applied, the one before it.
    pub snapshot: Arc<Snapshot>,
}

/// How far long work is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What is being done: a table, or a part of the work.
    pub what: &'a str,
    /// Of `total`.
    pub done: u64,
    /// In the unit of the work: rows, tables or files.
    pub total: u64,
}

impl Graph {
    /// What would lead to a schema. Rows are not looked at.
    pub fn plan_schema(&self, source: &str, branch: Option<&str>) -> Result<SchemaReport> {
        let branch = branch.unwrap_or("main");
        self.allow(Action::Read, Some(branch), None)?;
        let snapshot = self.store().head(branch)?;
        let accepted = self.schema_of(&snapshot)?;
        let desired = Loaded::read("the schema", source.to_owned())?;
        let plan = diff(&accepted.catalog, &desired.catalog);
        Ok(SchemaReport { plan, applied: false, snapshot })
    }

    /// Gives a branch another schema, as one commit. Nothing is applied when a step is not supported, when rows do not
    /// keep what the schema demands of them, or when something with rows or values is dropped unasked.
    pub fn apply_schema(
        &self,
        source: &str,
        options: &SchemaOptions,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<SchemaReport> {
        let branch = options.branch.as_deref().unwrap_or("main");
        self.allow(Action::SchemaApply, None, Some(branch))?;
        let base = self.store().head(branch)?;
        let accepted = self.schema_of(&base)?;
        let desired = Loaded::read("the schema", source.to_owned())?;
        if desired.catalog.nodes.is_empty() && !accepted.catalog.nodes.is_empty() {
            // Whoever means it can begin a new graph.
            return Err(Error::request(
                "the schema has no node type: it would drop everything that the graph has",
            ));
        }
        let plan = diff(&accepted.catalog, &desired.catalog);
        if !plan.is_supported() || accepted.source == source {
            return Ok(SchemaReport { plan, applied: false, snapshot: base });
        }
        let drops = match (options.allow_drop, options.allow_data_loss) {
            (_, true) => Drops::Purged,
            (true, false) => Drops::Hidden,
            (false, false) => Drops::Refused,
        };
        let mut migration = Migration::new(self.store(), (&accepted, &desired), &plan, drops);
        let prepare = |base: &Arc<Snapshot>| {
            let mut draft = migration.stage(base, &self.derived(), &mut |what, done, total| {
                progress(Progress { what, done: done as u64, total: total as u64 });
            })?;
            draft.actor = self.actor();
            Ok(Attempt::Commit(Box::new(draft), ()))
        };
        let done = self.publication(branch, None).run_on(base, prepare, |base, head, _| {
            if head.record.schema == base.record.schema {
                return Ok(());
            }
            let message =
                format!("commit {} changed the schema of branch `{branch}` meanwhile; plan again", head.id());
            Err(Error::Conflict { message, rows: Vec::new() })
        })?;
        Ok(SchemaReport { plan: plan.clone(), applied: done.committed, snapshot: done.snapshot })
    }
}
