//! Running statements until they are committed, or refused.

use super::{Graph, now_millis};
use crate::error::{Error, Result};
use crate::exec::Context;
use crate::params;
use crate::search::Searches;
use crate::write::{Affected, Receipt, Transaction, WriteOptions};
use omnigraph_compiler::Plan;
use omnigraph_compiler::query::plan::MutationPlan;
use omnigraph_store::{CommitId, Draft, Published, Snapshot};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// How often a write is tried when others are faster.
const ATTEMPTS: u32 = 64;

/// Who changes what, on what condition.
#[derive(Clone, Debug, Default)]
pub struct ChangeOptions {
    /// `main` if none is given.
    pub branch: Option<String>,
    /// Who.
    pub actor: Option<String>,
    /// The change is refused unless this is the newest commit of the branch.
    pub if_commit: Option<CommitId>,
}

impl Graph {
    /// Runs a query that changes the graph: all of its statements or none.
    pub fn change(
        &self,
        source: &str,
        name: Option<&str>,
        given: &Map<String, Value>,
        options: &ChangeOptions,
    ) -> Result<Receipt> {
        let options = WriteOptions {
            branch: options.branch.clone().unwrap_or_else(|| "main".to_owned()),
            actor: options.actor.clone(),
            if_commit: options.if_commit.clone(),
            operation: "change",
            operation_hash: None,
        };
        self.commit_with(&options, |base| {
            let loaded = self.schema_of(base)?;
            let plan = self.inner.plans.get(&loaded, &base.record.schema, source, name)?;
            let Plan::Mutation(plan) = &*plan else {
                return Err(Error::request(format!(
                    "query `{}` changes nothing: run it with `read`",
                    plan.name()
                )));
            };
            self.edited(base, plan, given)
        })
    }

    fn edited(
        &self,
        base: &Arc<Snapshot>,
        plan: &MutationPlan,
        given: &Map<String, Value>,
    ) -> Result<(Transaction, Affected)> {
        let view = self.view(base)?;
        let params = params::bind(&plan.params, given)?;
        let mut transaction = Transaction::new(view.clone(), self.schema_of(base)?.rules.clone());
        let context =
            Context { view: &view, params: &params, now: now_millis(), searches: Searches::default() };
        let mut affected = Affected::default();
        for statement in &plan.statements {
            affected.add(transaction.statement(&context, statement)?);
        }
        transaction.check()?;
        Ok((transaction, affected))
    }

    /// Edits, stages and publishes; when others were first, does it again on what they left, unless they changed the same
    /// rows.
    fn commit_with(
        &self,
        options: &WriteOptions,
        edit: impl Fn(&Arc<Snapshot>) -> Result<(Transaction, Affected)>,
    ) -> Result<Receipt> {
        let mut base = self.store().head(&options.branch)?;
        expect_commit(options, &base)?;
        for attempt in 0..ATTEMPTS {
            let (transaction, affected) = edit(&base)?;
            if transaction.is_empty() {
                return Ok(Receipt::nothing(base, affected));
            }
            let draft = transaction.stage(self.store(), options)?;
            match self.store().publish(&options.branch, &base, &draft)? {
                Published::Done(snapshot) => return Ok(Receipt::of(snapshot, affected)),
                Published::Lost(head) => {
                    expect_commit(options, &head)?;
                    self.same_rows(&base, &head, &draft)?;
                    base = head;
                    std::thread::sleep(pause(attempt));
                }
            }
        }
        let message =
            format!("{ATTEMPTS} times another writer was first on branch `{}`; try again", options.branch);
        Err(Error::Conflict { message, rows: Vec::new() })
    }

    /// Fails when commits behind the base changed rows that the draft changes too.
    fn same_rows(&self, base: &Snapshot, head: &Arc<Snapshot>, draft: &Draft) -> Result<()> {
        let mut at = head.clone();
        let mut rows = BTreeSet::new();
        while at.id() != base.id() {
            for (table, theirs) in &at.record.changes {
                let Some(ours) = draft.changes.get(table) else { continue };
                match (&ours.ids, &theirs.ids) {
                    (Some(ours), Some(theirs)) => {
                        let theirs: BTreeSet<&str> = theirs.all().collect();
                        rows.extend(
                            ours.all().filter(|id| theirs.contains(id)).map(|id| format!("{table}:{id}")),
                        );
                    }
                    _ => return Err(conflict(&at, vec![format!("{table}:*")])),
                }
            }
            match self.store().parent(&at)? {
                Some(parent) => at = parent,
                None => break,
            }
        }
        if rows.is_empty() { Ok(()) } else { Err(conflict(head, rows.into_iter().collect())) }
    }
}

fn conflict(head: &Snapshot, rows: Vec<String>) -> Error {
    let shown = rows.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    let more = rows.len().saturating_sub(3);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let message =
        format!("commit {} changed the same rows meanwhile: {shown}{more}; read again and decide", head.id());
    Error::Conflict { message, rows }
}

fn expect_commit(options: &WriteOptions, head: &Snapshot) -> Result<()> {
    match &options.if_commit {
        Some(wanted) if wanted != head.id() => {
            let message = format!("branch `{}` is at commit {}, not at {wanted}", options.branch, head.id());
            Err(Error::Conflict { message, rows: Vec::new() })
        }
        _ => Ok(()),
    }
}

/// Longer with every attempt, and not the same for two writers.
fn pause(attempt: u32) -> Duration {
    let mut byte = [0];
    let _ = getrandom::fill(&mut byte);
    let most = 1u64 << attempt.min(7);
    Duration::from_micros(u64::from(byte[0]) * most * 4)
}
