//! One row at one state of a graph.

use super::delta::Lens;
use super::diff::{Endpoints, EntityKind, object};
use crate::access::Action;
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::loaded::Loaded;
use crate::table_name::TableName;
use crate::topology::texts;
use omnigraph_store::{RowAddr, Snapshot, Table, Target};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A row.
#[derive(Clone, Debug)]
pub struct Entity {
    /// The graph that was read.
    pub snapshot: Arc<Snapshot>,
    /// `node:Person` or `edge:Knows`
    pub table_key: String,
    /// Node or edge.
    pub kind: EntityKind,
    /// The type.
    pub type_name: String,
    /// The id of the row.
    pub id: String,
    /// Of an edge.
    pub endpoints: Option<Endpoints>,
    /// The values, without nulls.
    pub values: Map<String, Value>,
}

impl Graph {
    /// The row with an id at a target; `None` when there is none. The type is a name, or a key such as `node:Person`.
    pub fn entity_at(&self, target: &Target, of: &str, id: &str) -> Result<Option<Entity>> {
        let snapshot = self.readable(target)?;
        let loaded = self.schema_of(&snapshot)?;
        let key = key_of(&loaded, of)?;
        self.allow_types_at(Action::Read, (target, &snapshot), [TableName::of(&key).type_name()])?;
        let Some(entry) = snapshot.table(&key) else { return Ok(None) };
        let table = self.store().table(entry)?;
        let Some(place) = find(&table, id)? else { return Ok(None) };
        let lens = Lens { loaded: &loaded, key: &key };
        let mut values = object(&lens.reader(table)?.rows(&[place])?, 0)?;
        if lens.body()?.property("id").is_none() {
            values.shift_remove("id");
        }
        let mut text = |name: &str| match values.shift_remove(name) {
            Some(Value::String(text)) => text,
            _ => String::new(),
        };
        let endpoints =
            TableName::of(&key).is_edge().then(|| Endpoints { src: text("src"), dst: text("dst") });
        Ok(Some(Entity {
            snapshot,
            kind: EntityKind::of(&key),
            type_name: TableName::of(&key).type_name().to_owned(),
            table_key: key,
            id: id.to_owned(),
            endpoints,
            values,
        }))
    }
}

/// The table of a type.
fn key_of(loaded: &Loaded, of: &str) -> Result<String> {
    let request = |problem: crate::validate::Problem| Error::Request(problem.message);
    let edge = |name: &str| loaded.rules.edge(name).map(|rules| TableName::Edge(rules.name()).key());
    let node = |name: &str| loaded.rules.node(name).map(|rules| TableName::Node(rules.name()).key());
    match of.split_once(':') {
        Some(("node", name)) => node(name).map_err(request),
        Some(("edge", name)) => edge(name).map_err(request),
        _ => node(of).or_else(|problem| edge(of).map_err(|_| problem)).map_err(request),
    }
}

/// The place of a row; the newest fragments are looked at first.
fn find(table: &Table, id: &str) -> Result<Option<RowAddr>> {
    for (place, fragment) in table.fragments().iter().enumerate().rev() {
        let ids = table.column(place, "id")?;
        let live = table.live(place)?;
        let is_it = |(row, found): &(usize, Option<&str>)| {
            *found == Some(id) && live.as_ref().is_none_or(|live| live.value(*row))
        };
        if let Some((row, _)) = texts(&ids)?.iter().enumerate().find(is_it) {
            return Ok(Some(RowAddr::new(fragment.id(), row as u32)));
        }
    }
    Ok(None)
}
