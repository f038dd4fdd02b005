//! From one schema to another: the tables that the desired schema needs, made of those that are there.
//!
//! ```text
//! Catalog, Catalog ─diff─▶ MigrationPlan
//! base Snapshot ─columns (which stay, which are new)─▶ Evolution per table ─ids (where keys or names of edges changed)─▶
//!      Draft ─Audit of what became stricter─▶ publish
//! ```
//!
//! What stays is not written again. What was computed for a fragment serves again when another writer was first.

mod columns;
mod ids;
mod losses;
mod values;

use crate::audit::Audit;
use crate::error::{Error, Result};
use crate::loaded::Loaded;
use crate::table_name::TableName;
use crate::validate::{TypeRules, Violation};
use crate::view::{Derived, View};
use columns::planned;
use omnigraph_compiler::migrate::{Change, Constraint, MigrationPlan, Safety, Step, TypeKind};
use omnigraph_compiler::schema::catalog::{Body, Catalog, Metadata};
use omnigraph_store::{Draft, Evolution, Rewrite, Snapshot, Store, TableEntry};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use values::Values;

/// Violations that are reported at most.
const MOST: usize = 20;

/// A type that is there before and after.
pub(crate) struct Pair<'a> {
    kind: TypeKind,
    old_name: &'a str,
    name: &'a str,
    before: &'a Body,
    now: &'a Body,
    rules: Arc<TypeRules>,
}

impl Pair<'_> {
    fn old_key(&self) -> String {
        format!("{}:{}", self.kind.as_str(), self.old_name)
    }

    fn key(&self) -> String {
        format!("{}:{}", self.kind.as_str(), self.name)
    }
}

/// What becomes of types with rows and properties with values that the desired schema does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Drops {
    /// They are a reason not to apply it.
    #[default]
    Refused,
    /// The newest commit does not show them; its files, and older commits, still hold them.
    Hidden,
    /// The files of the newest commit do not hold them either.
    Purged,
}

/// A migration under way. It outlives attempts that other writers forestalled.
pub(crate) struct Migration<'a> {
    pub(crate) store: &'a Store,
    pub(crate) accepted: &'a Loaded,
    pub(crate) desired: &'a Loaded,
    pub(crate) plan: &'a MigrationPlan,
    pub(crate) drops: Drops,
    evolutions: BTreeMap<String, Evolution>,
}

impl<'a> Migration<'a> {
    pub(crate) fn new(
        store: &'a Store,
        (accepted, desired): (&'a Loaded, &'a Loaded),
        plan: &'a MigrationPlan,
        drops: Drops,
    ) -> Migration<'a> {
        Migration { store, accepted, desired, plan, drops, evolutions: BTreeMap::new() }
    }

    /// Writes the tables of the desired schema for a base and checks what the schema newly demands of them. `progress` is
    /// told which table is being written, and which part of all it is.
    pub(crate) fn stage(
        &mut self,
        base: &Arc<Snapshot>,
        derived: &Arc<Derived>,
        progress: &mut dyn FnMut(&str, usize, usize),
    ) -> Result<Draft> {
        let pairs = self.pairs()?;
        if self.drops == Drops::Refused {
            self.refuse_losses(base, &pairs)?;
        }
        let mut draft = Draft { operation: "schema_apply".to_owned(), ..Draft::default() };
        let mut tables: BTreeMap<String, TableEntry> = BTreeMap::new();
        for (at, pair) in pairs.iter().enumerate() {
            let Some(entry) = base.table(&pair.old_key()) else { continue };
            progress(&pair.key(), at, pairs.len());
            tables.insert(pair.key(), self.evolve(pair, entry)?);
        }
        self.new_ids(&pairs, &mut tables)?;
        if self.drops == Drops::Purged {
            for entry in tables.values_mut() {
                let compaction = self.store.compact(entry, Rewrite::Dropped, &mut |_| {})?;
                if let Some((purged, _)) = self.store.put_compacted(entry, &compaction)? {
                    *entry = purged;
                }
            }
        }
        for key in base.record.tables.keys().filter(|key| !tables.contains_key(*key)) {
            draft.tables.insert(key.clone(), None);
        }
        for (key, entry) in tables {
            if base.table(&key) != Some(&entry) {
                draft.tables.insert(key, Some(entry));
            }
        }
        draft.schema = Some(self.store.add_schema(&self.desired.source)?);
        self.check(base, derived, &mut draft)?;
        Ok(draft)
    }

    /// The types that are there before and after, nodes first.
    fn pairs(&self) -> Result<Vec<Pair<'a>>> {
        let (old, new) = (&self.accepted.catalog, &self.desired.catalog);
        let damaged = |problem: crate::validate::Problem| Error::damaged(problem.message);
        let mut pairs = Vec::new();
        for (name, node) in &new.nodes {
            let before = old_name(name, &node.metadata, |name| old.nodes.contains_key(name), new);
            if let Some((old_name, before)) = before.and_then(|name| old.nodes.get_key_value(name)) {
                let rules = self.desired.rules.node(name).map_err(damaged)?.clone();
                let (before, now) = (&before.body, &node.body);
                pairs.push(Pair { kind: TypeKind::Node, old_name, name, before, now, rules });
            }
        }
        for (name, edge) in &new.edges {
            let before = old_name(name, &edge.metadata, |name| old.edges.contains_key(name), new);
            if let Some((old_name, before)) = before.and_then(|name| old.edges.get_key_value(name)) {
                let rules = self.desired.rules.edge(name).map_err(damaged)?.clone();
                let (before, now) = (&before.body, &edge.body);
                pairs.push(Pair { kind: TypeKind::Edge, old_name, name, before, now, rules });
            }
        }
        Ok(pairs)
    }

    /// A table with the columns of its type.
    fn evolve(&mut self, pair: &Pair<'_>, entry: &TableEntry) -> Result<TableEntry> {
        let table = self.store.table(entry)?;
        if table.schema().fields() == pair.rules.schema().fields() {
            return Ok(entry.clone());
        }
        let values = Values { pair };
        let columns = planned(&values, &table)?;
        let evolution = self.evolutions.entry(pair.key()).or_insert_with(|| Evolution::new(Vec::new()));
        if evolution.columns() != columns {
            *evolution = Evolution::new(columns);
        }
        let computed = evolution.computed();
        evolution.apply(self.store, entry, &mut |table, place| {
            computed.iter().map(|name| values.column(table, place, name)).collect::<Result<Vec<_>>>()
        })
    }

    /// Checks the types that the plan says something stricter of, on the graph as it would be.
    fn check(&self, base: &Arc<Snapshot>, derived: &Arc<Derived>, draft: &mut Draft) -> Result<()> {
        let stricter = stricter(self.plan, &self.desired.catalog);
        if stricter.is_empty() {
            return Ok(());
        }
        let preview = Arc::new(base.with(draft));
        let view = View::new(self.store, derived, preview, self.desired.catalog.clone());
        let mut audit = Audit::new(&view, &self.desired.rules, MOST);
        for (kind, name) in stricter {
            match kind {
                TypeKind::Node => audit.nodes(view.node_place(&name)?)?,
                TypeKind::Edge => audit.edges(view.edge_place(&name)?)?,
                TypeKind::Interface => {}
            }
            draft.reads.insert(format!("{}:{name}", kind.as_str()));
            if let Some(edge) = self.desired.catalog.edges.get(&name).filter(|_| kind == TypeKind::Edge) {
                draft.reads.extend([&edge.from, &edge.to].map(|node| TableName::Node(node).key()));
            }
        }
        invalid(audit.found)
    }
}

/// What the type was called before; `None` when it is new.
fn old_name<'n>(
    name: &'n str,
    metadata: &'n Metadata,
    was_there: impl Fn(&str) -> bool,
    new: &Catalog,
) -> Option<&'n str> {
    let renamed = metadata
        .renamed_from
        .as_deref()
        .filter(|from| was_there(from) && !new.nodes.contains_key(*from) && !new.edges.contains_key(*from));
    if was_there(name) { Some(name) } else { renamed }
}

/// The types whose rows must be checked.
fn stricter(plan: &MigrationPlan, catalog: &Catalog) -> BTreeSet<(TypeKind, String)> {
    let mut types = BTreeSet::new();
    for step in plan.steps.iter().filter(|step| step.safety == Safety::ChecksData) {
        let Some(of) = step.change.type_ref() else { continue };
        types.insert((of.kind, of.name.clone()));
        if is_key(step) && of.kind == TypeKind::Node {
            let touches = catalog.edges.values().filter(|edge| edge.from == of.name || edge.to == of.name);
            types.extend(touches.map(|edge| (TypeKind::Edge, edge.name.clone())));
        }
    }
    types
}

fn is_key(step: &Step) -> bool {
    matches!(&step.change, Change::AddConstraint { constraint: Constraint::Key(_), .. })
}

fn invalid(mut found: Vec<Violation>) -> Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let truncated = found.len() >= MOST;
    found.truncate(MOST);
    Err(Error::Invalid { violations: found, truncated })
}
