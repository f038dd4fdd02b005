//! What differs between two states of a graph.

use super::delta::{Delta, Lens, RowChange, tables};
use super::rows::{AT_ONCE, Reader};
use crate::access::Action;
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::loaded::Loaded;
use crate::rows::{DST, SRC, cell_to_json};
use crate::table_name::TableName;
use arrow_array::{Array, RecordBatch};
use omnigraph_compiler::did_you_mean;
use omnigraph_store::{RowAddr, Snapshot, TableChange, Target};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What happened to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeOp {
    /// It is new.
    Insert,
    /// It is different.
    Update,
    /// It is gone.
    Delete,
}

impl ChangeOp {
    /// The word that is printed and stored.
    pub fn as_str(self) -> &'static str {
        match self {
            ChangeOp::Insert => "insert",
            ChangeOp::Update => "update",
            ChangeOp::Delete => "delete",
        }
    }
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityKind {
    /// A node.
    Node,
    /// An edge.
    Edge,
}

impl EntityKind {
    /// The word that is printed and stored.
    pub fn as_str(self) -> &'static str {
        match self {
            EntityKind::Node => "node",
            EntityKind::Edge => "edge",
        }
    }

    pub(super) fn of(key: &str) -> EntityKind {
        if TableName::of(key).is_edge() { EntityKind::Edge } else { EntityKind::Node }
    }
}

/// The nodes that an edge joins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoints {
    /// Where it leaves.
    pub src: String,
    /// Where it arrives.
    pub dst: String,
}

/// One row that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityChange {
    /// `node:Person` or `edge:Knows`
    pub table_key: String,
    /// Node or edge.
    pub kind: EntityKind,
    /// The type.
    pub type_name: String,
    /// The id of the row.
    pub id: String,
    /// What happened to it.
    pub op: ChangeOp,
    /// The version of the commit that shows it.
    pub manifest_version: u64,
    /// Of an edge.
    pub endpoints: Option<Endpoints>,
    /// The values before, without nulls; only when rows were asked for.
    pub before: Option<Map<String, Value>>,
    /// The values behind, without nulls; only when rows were asked for.
    pub after: Option<Map<String, Value>>,
}

/// Which changes are wanted. An empty list wants all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeFilter {
    /// Nodes or edges.
    pub kinds: Vec<EntityKind>,
    /// Names of types.
    pub type_names: Vec<String>,
    /// What happened.
    pub ops: Vec<ChangeOp>,
}

/// How a diff is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiffOptions {
    /// Which changes.
    pub filter: ChangeFilter,
    /// Whether the values of rows are wanted.
    pub with_rows: bool,
}

/// Numbers of changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeStats {
    /// By table; tables without a change are not here.
    pub tables: BTreeMap<String, TableChange>,
}

impl ChangeStats {
    /// Inserted, updated, deleted.
    pub fn totals(&self) -> [u64; 3] {
        self.tables.values().fold([0; 3], |[inserted, updated, deleted], table| {
            [inserted + table.inserted, updated + table.updated, deleted + table.deleted]
        })
    }

    pub(super) fn count(&mut self, key: &str, op: ChangeOp) {
        if !self.tables.contains_key(key) {
            self.tables.insert(key.to_owned(), TableChange::default());
        }
        if let Some(table) = self.tables.get_mut(key) {
            match op {
                ChangeOp::Insert => table.inserted += 1,
                ChangeOp::Update => table.updated += 1,
                ChangeOp::Delete => table.deleted += 1,
            }
        }
    }
}

/// What differs between two states.
#[derive(Clone, Debug)]
pub struct ChangeSet {
    /// The state before.
    pub from: Arc<Snapshot>,
    /// The state behind.
    pub to: Arc<Snapshot>,
    /// The branch, when both are the same one's.
    pub branch: Option<String>,
    /// Nodes before edges, by type and id.
    pub changes: Vec<EntityChange>,
    /// How many rows were inserted, updated and deleted.
    pub stats: ChangeStats,
}

impl RowChange {
    pub(super) fn op(&self) -> ChangeOp {
        match (self.old, self.new) {
            (None, _) => ChangeOp::Insert,
            (Some(_), Some(_)) => ChangeOp::Update,
            (Some(_), None) => ChangeOp::Delete,
        }
    }
}

impl ChangeFilter {
    pub(super) fn has_table(&self, key: &str) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&EntityKind::of(key)))
            && (self.type_names.is_empty()
                || self
                    .type_names
                    .iter()
                    .any(|name| name.eq_ignore_ascii_case(TableName::of(key).type_name())))
    }

    /// The types of a schema that it lets through.
    pub(super) fn types_of<'l>(&self, loaded: &'l Loaded) -> impl Iterator<Item = &'l str> {
        let nodes = loaded.catalog.nodes.keys().map(|name| TableName::Node(name));
        let edges = loaded.catalog.edges.keys().map(|name| TableName::Edge(name));
        nodes.chain(edges).filter(|table| self.has_table(&table.key())).map(TableName::type_name)
    }

    pub(super) fn has_op(&self, op: ChangeOp) -> bool {
        self.ops.is_empty() || self.ops.contains(&op)
    }

    /// A type that no side has is a mistake.
    pub(super) fn check(&self, sides: &[&Loaded]) -> Result<()> {
        for name in &self.type_names {
            let known =
                sides.iter().flat_map(|side| side.catalog.nodes.keys().chain(side.catalog.edges.keys()));
            let known: Vec<&str> = known.map(String::as_str).collect();
            if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                let hint = did_you_mean(name, known).map_or(String::new(), |hint| format!("; {hint}"));
                return Err(Error::request(format!("the graph has no type `{name}`{hint}")));
            }
        }
        Ok(())
    }
}

impl Graph {
    /// What differs between two targets.
    pub fn diff(&self, from: &Target, to: &Target, options: &DiffOptions) -> Result<ChangeSet> {
        let (from, to) = self.comparable(from, to, &options.filter)?;
        let mut set = ChangeSet {
            branch: (from.record.branch == to.record.branch).then(|| to.record.branch.clone()),
            changes: Vec::new(),
            stats: ChangeStats::default(),
            from,
            to,
        };
        for (key, delta) in self.deltas(&set.from, &set.to, &options.filter)? {
            let rows: Vec<&RowChange> =
                delta.rows.iter().filter(|row| options.filter.has_op(row.op())).collect();
            for row in &rows {
                set.stats.count(&key, row.op());
            }
            set.changes.extend(entities(&key, &delta, &rows, set.to.record.version, options.with_rows)?);
        }
        Ok(set)
    }

    /// Two states between which all that a filter lets through may be read, whether it differs or not.
    pub(super) fn comparable(
        &self,
        from: &Target,
        to: &Target,
        filter: &ChangeFilter,
    ) -> Result<(Arc<Snapshot>, Arc<Snapshot>)> {
        let snapshots = (self.readable(from)?, self.readable(to)?);
        for (target, snapshot) in [(from, &snapshots.0), (to, &snapshots.1)] {
            let loaded = self.schema_of(snapshot)?;
            self.allow_types_at(Action::Read, (target, snapshot), filter.types_of(&loaded))?;
        }
        Ok(snapshots)
    }

    /// The tables that differ, nodes before edges.
    pub(super) fn deltas(
        &self,
        from: &Arc<Snapshot>,
        to: &Arc<Snapshot>,
        filter: &ChangeFilter,
    ) -> Result<Vec<(String, Delta)>> {
        let (before, behind) = (self.schema_of(from)?, self.schema_of(to)?);
        filter.check(&[&before, &behind])?;
        let mut found = Vec::new();
        for (key, [old, new]) in tables(&behind, [from, to]) {
            if old == new || !filter.has_table(&key) {
                continue;
            }
            let is_known = behind.catalog.body(TableName::of(&key).type_name()).is_some();
            let lens = Lens { loaded: if is_known { &behind } else { &before }, key: &key };
            let known = || self.known_ids(&key, from, to);
            let delta = self.delta(&lens, old, new, &known)?;
            found.push((key, delta));
        }
        found.sort_by_key(|(key, _)| TableName::of(key).is_edge());
        Ok(found)
    }
}

/// Changed rows as people and programs see them.
pub(super) fn entities(
    key: &str,
    delta: &Delta,
    rows: &[&RowChange],
    version: u64,
    with_rows: bool,
) -> Result<Vec<EntityChange>> {
    let mut found = Vec::with_capacity(rows.len());
    for some in rows.chunks(AT_ONCE) {
        let ends = if TableName::of(key).is_edge() { ends(delta, some)? } else { vec![None; some.len()] };
        let (before, after) = if with_rows {
            let old = values(delta.old.as_ref(), some.iter().map(|row| row.old))?;
            (old, values(delta.new.as_ref(), some.iter().map(|row| row.new))?)
        } else {
            (vec![None; some.len()], vec![None; some.len()])
        };
        let details = ends.into_iter().zip(before).zip(after);
        found.extend(some.iter().zip(details).map(|(row, ((endpoints, before), after))| EntityChange {
            table_key: key.to_owned(),
            kind: EntityKind::of(key),
            type_name: TableName::of(key).type_name().to_owned(),
            id: row.id.clone(),
            op: row.op(),
            manifest_version: version,
            endpoints,
            before,
            after,
        }));
    }
    Ok(found)
}

/// Where one side has a row.
type Place = fn(&RowChange) -> Option<RowAddr>;

/// The ends of edges, from the side that has them.
pub(super) fn ends(delta: &Delta, rows: &[&RowChange]) -> Result<Vec<Option<Endpoints>>> {
    let mut found: Vec<Option<Endpoints>> = vec![None; rows.len()];
    let sides: [(&Option<Reader>, Place); 2] =
        [(&delta.new, |row| row.new), (&delta.old, |row| if row.new.is_none() { row.old } else { None })];
    for (reader, place) in sides {
        let places = rows.iter().enumerate().filter_map(|(at, row)| Some((at, place(row)?)));
        let (at, places): (Vec<usize>, Vec<RowAddr>) = places.unzip();
        let Some(reader) = reader.as_ref().filter(|_| !places.is_empty()) else { continue };
        let (src, dst) = (reader.texts(SRC, &places)?, reader.texts(DST, &places)?);
        for (row, at) in at.into_iter().enumerate() {
            let ends = Endpoints { src: src.value(row).to_owned(), dst: dst.value(row).to_owned() };
            found[at] = Some(ends);
        }
    }
    Ok(found)
}

type Values = Option<Map<String, Value>>;

/// The values of rows that are there.
fn values(reader: Option<&Reader>, rows: impl Iterator<Item = Option<RowAddr>>) -> Result<Vec<Values>> {
    let rows: Vec<Option<RowAddr>> = rows.collect();
    let places: Vec<RowAddr> = rows.iter().flatten().copied().collect();
    let Some(reader) = reader.filter(|_| !places.is_empty()) else { return Ok(vec![None; rows.len()]) };
    let batch = reader.rows(&places)?;
    let mut next = 0..batch.num_rows();
    rows.iter().map(|row| row.and_then(|_| next.next()).map(|at| object(&batch, at)).transpose()).collect()
}

/// A row as an object, without nulls.
pub(super) fn object(batch: &RecordBatch, row: usize) -> Result<Map<String, Value>> {
    let mut object = Map::new();
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        if column.is_valid(row) {
            let value = serde_json::from_str(&cell_to_json(column, row));
            object.insert(field.name().clone(), value.map_err(|error| Error::damaged(error.to_string()))?);
        }
    }
    Ok(object)
}
