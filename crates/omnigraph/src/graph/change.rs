//! Running statements until they are committed, or refused.

use super::group::Waiting;
use super::publish::Attempt;
use super::{Graph, now_millis};
use crate::access::Action;
use crate::error::{Error, Result};
use crate::exec::{Changes, Context, Walks};
use crate::params;
use crate::search::Searches;
use crate::stop::Stop;
use crate::write::{Affected, Receipt, Transaction, WriteOptions};
use omnigraph_compiler::Plan;
use omnigraph_compiler::query::plan::MutationPlan;
use omnigraph_store::{CommitId, Draft, Published, Snapshot};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where a change is made, on what condition.
#[derive(Clone, Debug, Default)]
pub struct ChangeOptions {
    /// `main` if none is given.
    pub branch: Option<String>,
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
        let branch = options.branch.clone().unwrap_or_else(|| "main".to_owned());
        self.allow(Action::Change, Some(&branch), None)?;
        let options = WriteOptions {
            branch,
            actor: self.actor(),
            if_commit: options.if_commit.clone(),
            operation: "change",
            operation_hash: None,
        };
        let alone = Waiting::new(source, name, given, &self.stop);
        if options.if_commit.is_some() {
            let base = self.store().head(&options.branch)?;
            return self.commit_alone(&options, base, &alone);
        }
        let key = (options.branch.clone(), options.actor.clone());
        self.inner.queues.run(key, alone, |group| self.commit_group(&options, group))
    }

    /// Answers every change of a group.
    fn commit_group(&self, options: &WriteOptions, group: &[Arc<Waiting>]) {
        let base = match self.store().head(&options.branch) {
            Ok(base) => base,
            Err(error) => return group.iter().for_each(|change| change.answer(Err(again(&error)))),
        };
        if let [only] = group {
            return only.answer(self.commit_alone(options, base, only));
        }
        let together = self.commit_together(options, &base, group);
        let left = group.iter().filter(|change| !change.is_answered());
        match together {
            // Somebody else was first, or the group as such failed: each for itself.
            Ok(None) | Err(_) => left.for_each(|change| {
                change.answer(self.commit_alone(options, base.clone(), change));
            }),
            Ok(Some(())) => {}
        }
    }

    /// One commit for all that hold; `None` when another commit was first.
    fn commit_together(
        &self,
        options: &WriteOptions,
        base: &Arc<Snapshot>,
        group: &[Arc<Waiting>],
    ) -> Result<Option<()>> {
        let loaded = self.schema_of(base)?;
        let mut transaction = Transaction::new(self.view(base)?, loaded.rules.clone());
        let mut done: Vec<(&Arc<Waiting>, Affected)> = Vec::new();
        for change in group {
            let before = transaction.save();
            let ran = self.mutation(&options.branch, base, change).and_then(|plan| match &*plan {
                Plan::Mutation(plan) => {
                    Graph::run_statements(&mut transaction, plan, &change.given, &change.stop)
                }
                Plan::Read(_) => Err(Error::damaged("a plan that reads")),
            });
            match ran {
                Ok(affected) => done.push((change, affected)),
                Err(error) => {
                    transaction.restore(before);
                    change.answer(Err(error));
                }
            }
        }
        if transaction.is_empty() {
            for (change, affected) in &done {
                change.answer(Ok(Receipt::nothing(base.clone(), *affected)));
            }
            return Ok(Some(()));
        }
        let draft = transaction.stage(self.store(), options)?;
        // Edges that go with a node are known only now. One change that may not is told apart when each is alone.
        self.allow_changes(&options.branch, &draft.changes)?;
        match self.store().publish(&options.branch, base, &draft)? {
            Published::Done(snapshot) => {
                for (change, affected) in &done {
                    change.answer(Ok(Receipt::of(snapshot.clone(), *affected)));
                }
                Ok(Some(()))
            }
            Published::Lost(_) => Ok(None),
        }
    }

    fn commit_alone(&self, options: &WriteOptions, base: Arc<Snapshot>, change: &Waiting) -> Result<Receipt> {
        self.commit_with(options, base, |base| {
            let plan = self.mutation(&options.branch, base, change)?;
            let Plan::Mutation(plan) = &*plan else { return Err(Error::damaged("a plan that reads")) };
            let mut transaction = Transaction::new(self.view(base)?, self.schema_of(base)?.rules.clone());
            let affected = Graph::run_statements(&mut transaction, plan, &change.given, &change.stop)?;
            change.stop.check()?;
            Ok((transaction, affected))
        })
    }

    fn mutation(&self, branch: &str, base: &Snapshot, change: &Waiting) -> Result<Arc<Plan>> {
        let loaded = self.schema_of(base)?;
        let plan =
            self.inner.plans.get(&loaded, &base.record.schema, &change.source, change.name.as_deref())?;
        match &*plan {
            Plan::Mutation(_) => {
                self.allow_types(Action::Change, branch, plan.types())?;
                Ok(plan)
            }
            Plan::Read(plan) => {
                Err(Error::request(format!("query `{}` changes nothing: run it with `read`", plan.name)))
            }
        }
    }

    fn run_statements(
        transaction: &mut Transaction,
        plan: &MutationPlan,
        given: &Map<String, Value>,
        stop: &Stop,
    ) -> Result<Affected> {
        let view = transaction.view.clone();
        let params = params::bind(&plan.params, given)?;
        let context = Context {
            view: &view,
            params: &params,
            now: now_millis(),
            searches: Searches::default(),
            stop,
            walks: Walks::at_most(0),
            changes: Changes::told_by(None),
        };
        let mut affected = Affected::default();
        for statement in &plan.statements {
            stop.check()?;
            affected.add(transaction.statement(&context, statement)?);
        }
        transaction.check()?;
        Ok(affected)
    }

    /// Edits, stages and publishes; when others were first, does it again on what they left, unless they changed the same
    /// rows.
    fn commit_with(
        &self,
        options: &WriteOptions,
        base: Arc<Snapshot>,
        edit: impl Fn(&Arc<Snapshot>) -> Result<(Transaction, Affected)>,
    ) -> Result<Receipt> {
        let publication = self.publication(&options.branch, options.if_commit.as_ref());
        let prepare = |base: &Arc<Snapshot>| {
            let (transaction, affected) = edit(base)?;
            if transaction.is_empty() {
                return Ok(Attempt::Nothing(affected));
            }
            let draft = transaction.stage(self.store(), options)?;
            self.allow_changes(&options.branch, &draft.changes)?;
            Ok(Attempt::Commit(Box::new(draft), affected))
        };
        let done =
            publication.run_on(base, prepare, |base, head, draft| self.same_rows(base, head, draft))?;
        Ok(if done.committed {
            Receipt::of(done.snapshot, done.answer)
        } else {
            Receipt::nothing(done.snapshot, done.answer)
        })
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

/// The same failure for another waiter: errors of the store cannot be copied.
fn again(error: &omnigraph_store::Error) -> Error {
    match error {
        omnigraph_store::Error::NoBranch { name, similar } => {
            Error::Store(omnigraph_store::Error::NoBranch { name: name.clone(), similar: similar.clone() })
        }
        other => Error::Request(other.to_string()),
    }
}
