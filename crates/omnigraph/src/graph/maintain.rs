//! Keeping a graph fast, small and whole.

use super::publish::Attempt;
use super::{Graph, Progress};
use crate::access::Action;
use crate::audit::Audit;
use crate::error::Result;
use crate::table_name::TableName;
use crate::validate::Violation;
use omnigraph_store::{
    Checked, CleanupOptions, CleanupReport, Compacted, Compaction, CopyReport, Draft, Location,
    Options as StoreOptions, Rewrite, Snapshot, Target,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Findings about rows that are reported at most, per state of a branch.
const MOST: usize = 100;

/// What an optimisation did.
#[derive(Clone, Debug)]
pub struct OptimizeReport {
    /// The graph behind it. When nothing was worth it, the one before it.
    pub snapshot: Arc<Snapshot>,
    /// Whether there is a new commit.
    pub committed: bool,
    /// All tables of the branch.
    pub tables: BTreeMap<String, Compacted>,
}

/// What is wrong with a graph.
#[derive(Clone, Debug, Default)]
pub struct FsckReport {
    /// What the store says.
    pub checked: Checked,
    /// Rows that were looked at.
    pub rows: u64,
    /// Everything that is wrong.
    pub problems: Vec<FsckProblem>,
}

/// Something that is wrong.
#[derive(Clone, Debug)]
pub struct FsckProblem {
    /// Where: a branch, a commit, an object.
    pub object: String,
    /// What happened, as a sentence.
    pub message: String,
    /// The row and the rule that it breaks, when it is about a row.
    pub violation: Option<Violation>,
}

impl Graph {
    /// Copies the graph to another place, with all branches and their history, or what is new of it to a copy that was made
    /// before.
    pub fn copy_to(&self, place: &str, progress: &mut dyn FnMut(Progress<'_>)) -> Result<CopyReport> {
        self.allow(Action::Admin, None, None)?;
        let place = Location::parse(place)?;
        let copied = self.store().copy_to(&place, &StoreOptions::default(), &mut |done, total| {
            progress(Progress { what: "copying", done, total });
        })?;
        Ok(copied)
    }

    /// Rewrites small fragments, deleted rows and dropped columns of a branch, as one commit that changes no row.
    pub fn optimize(
        &self,
        branch: Option<&str>,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<OptimizeReport> {
        let branch = branch.unwrap_or("main");
        self.allow(Action::Admin, Some(branch), None)?;
        let base = self.store().head(branch)?;
        let compactions = self.compact(&base, progress)?;
        let prepare = |base: &Arc<Snapshot>| {
            let mut tables: BTreeMap<String, Compacted> =
                base.record.tables.keys().map(|key| (key.clone(), Compacted::default())).collect();
            let mut draft =
                Draft { operation: "optimize".to_owned(), actor: self.actor(), ..Draft::default() };
            for (key, compaction) in &compactions {
                let Some(entry) = base.table(key) else { continue };
                if let Some((entry, done)) = self.store().put_compacted(entry, compaction)? {
                    draft.tables.insert(key.clone(), Some(entry));
                    tables.insert(key.clone(), done);
                }
            }
            Ok(if draft.tables.is_empty() {
                Attempt::Nothing(tables)
            } else {
                Attempt::Commit(Box::new(draft), tables)
            })
        };
        let done = self.publication(branch, None).run_on(base, prepare, |_, _, _| Ok(()))?;
        Ok(OptimizeReport { snapshot: done.snapshot, committed: done.committed, tables: done.answer })
    }

    fn compact(
        &self,
        base: &Snapshot,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<BTreeMap<String, Compaction>> {
        let mut total = 0;
        for entry in base.record.tables.values() {
            total += self.store().compactable_rows(entry, Rewrite::All)?;
        }
        let mut done = 0;
        let mut compactions = BTreeMap::new();
        for (key, entry) in &base.record.tables {
            let compaction = self.store().compact(entry, Rewrite::All, &mut |rows| {
                done += rows;
                progress(Progress { what: key, done, total });
            })?;
            compactions.insert(key.clone(), compaction);
        }
        Ok(compactions)
    }

    /// Removes what no branch, tag, run or retained commit needs.
    pub fn cleanup(
        &self,
        options: &CleanupOptions,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<CleanupReport> {
        self.allow(Action::Admin, None, None)?;
        let report = self.store().cleanup(options, &mut |what, done, total| {
            progress(Progress { what, done, total });
        });
        Ok(report?)
    }

    /// Looks at everything that is stored and says what is wrong. Rows are looked at in the newest commit of every branch.
    pub fn fsck(&self, progress: &mut dyn FnMut(Progress<'_>)) -> Result<FsckReport> {
        self.allow(Action::Admin, None, None)?;
        let checked = self.store().check(&mut |what, done, total| {
            progress(Progress { what, done, total });
        })?;
        let mut report = FsckReport::default();
        for finding in &checked.findings {
            let (object, message) = (finding.object.clone(), finding.message.clone());
            report.problems.push(FsckProblem { object, message, violation: None });
        }
        report.checked = checked;
        let mut seen = BTreeSet::new();
        for branch in self.store().branches()? {
            // A branch without commits of its own is looked at where it starts.
            let head = match self.store().resolve(&Target::Branch(branch.clone())) {
                Ok(head) if !seen.insert(head.id().clone()) => continue,
                Ok(head) => head,
                Err(error) => {
                    report.note(&branch, &error);
                    continue;
                }
            };
            if let Err(error) = self.check_rows(&branch, &head, &mut report, progress) {
                report.note(&branch, &error);
            }
        }
        Ok(report)
    }

    fn check_rows(
        &self,
        branch: &str,
        head: &Arc<Snapshot>,
        report: &mut FsckReport,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<()> {
        let loaded = self.schema_of(head)?;
        let view = self.view(head)?;
        let mut audit = Audit::new(&view, &loaded.rules, MOST);
        let total = head.record.tables.values().map(|entry| entry.rows).sum();
        let known = |key: &String| match TableName::of(key) {
            TableName::Node(name) => loaded.catalog.nodes.contains_key(name),
            TableName::Edge(name) => loaded.catalog.edges.contains_key(name),
        };
        for key in head.record.tables.keys().filter(|key| !known(key)) {
            report.note(branch, &format!("the schema has no type for table {key}"));
        }
        let nodes = (0..view.node_count() as u16).map(|place| (place, true));
        let edges = (0..view.edge_count()).map(|place| (place, false));
        for (place, is_node) in nodes.chain(edges) {
            let name = if is_node { &view.node(place).name } else { &view.edge(place).name };
            progress(Progress { what: name, done: audit.rows, total });
            let looked = if is_node { audit.nodes(place) } else { audit.edges(place) };
            if let Err(error) = looked {
                report.note(branch, &format!("{name}: {error}"));
            }
        }
        report.rows += audit.rows;
        for violation in audit.found.into_iter().take(MOST) {
            let (object, message) = (format!("branch {branch}"), violation.message.clone());
            report.problems.push(FsckProblem { object, message, violation: Some(violation) });
        }
        Ok(())
    }
}

impl FsckReport {
    fn note(&mut self, branch: &str, message: &dyn std::fmt::Display) {
        let object = format!("branch {branch}");
        self.problems.push(FsckProblem { object, message: message.to_string(), violation: None });
    }
}
