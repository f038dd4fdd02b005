//! A graph at one commit, with what is needed to read it: tables, topology, names.

mod indexes;

use crate::error::{Error, Result};
use crate::table_name::TableName;
use crate::topology::{Adjacency, Ends, Ids, NodeIndex, Numbers};
use indexes::SearchCaches;
use omnigraph_compiler::schema::catalog::Catalog;
use omnigraph_store::{ByteCache, Fragment, Snapshot, Store, Table};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// What the views of one graph share: everything that is derived from immutable files.
#[derive(Debug)]
pub(crate) struct Derived {
    ids: Mutex<HashMap<String, Arc<Ids>>>,
    numbers: ByteCache<(Arc<str>, usize), Arc<Numbers>>,
    ends: ByteCache<(Arc<str>, [usize; 2]), Arc<Ends>>,
    nodes: Latest<NodeIndex>,
    edges: Latest<Adjacency>,
    pub(crate) searches: SearchCaches,
}

/// Values by table version, and the one made last for each type: the next version is mostly the same.
#[derive(Debug)]
struct Latest<V> {
    by_version: ByteCache<(String, u64), Arc<V>>,
    last: Mutex<HashMap<String, Arc<V>>>,
    /// Held by whoever makes a value of a type: others wait for it instead of making the same.
    making: Mutex<HashMap<String, Arc<Mutex<()>>>>,
}

impl<V: omnigraph_store::Weight> Latest<V> {
    fn new(bytes: usize) -> Latest<V> {
        Latest { by_version: ByteCache::new(bytes), last: Mutex::default(), making: Mutex::default() }
    }

    fn get(
        &self,
        type_name: &str,
        version: (String, u64),
        make: impl FnOnce(Option<&V>) -> Result<V>,
    ) -> Result<Arc<V>> {
        if let Some(value) = self.by_version.get(&version) {
            return Ok(value);
        }
        let turn = locked(&self.making).entry(type_name.to_owned()).or_default().clone();
        let _turn = locked(&turn);
        self.by_version.get_or(version, || {
            let last = locked(&self.last).get(type_name).cloned();
            let value = Arc::new(make(last.as_deref())?);
            locked(&self.last).insert(type_name.to_owned(), value.clone());
            Ok(value)
        })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Derived {
    /// With caches of about so many bytes.
    pub(crate) fn new(bytes: usize) -> Derived {
        Derived {
            ids: Mutex::default(),
            numbers: ByteCache::new(bytes / 8),
            ends: ByteCache::new(bytes / 8),
            nodes: Latest::new(bytes / 8),
            edges: Latest::new(bytes / 4),
            searches: SearchCaches::new(bytes / 4),
        }
    }

    /// The numbers of a node type's ids.
    pub(crate) fn ids(&self, type_name: &str) -> Arc<Ids> {
        let mut ids = locked(&self.ids);
        ids.entry(type_name.to_owned()).or_default().clone()
    }
}

/// A graph at one commit. Tables and topology are read when they are first asked for.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) store: Store,
    pub(crate) derived: Arc<Derived>,
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) catalog: Arc<Catalog>,
    nodes: Vec<NodeTable>,
    edges: Vec<EdgeTable>,
}

/// The nodes of one type.
#[derive(Debug)]
pub(crate) struct NodeTable {
    pub(crate) name: String,
    pub(crate) ids: Arc<Ids>,
    table: OnceLock<Option<Arc<Table>>>,
    index: OnceLock<Arc<NodeIndex>>,
}

/// The edges of one type.
#[derive(Debug)]
pub(crate) struct EdgeTable {
    pub(crate) name: String,
    /// Places in the list of node types.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Whether two nodes can have several.
    pub(crate) keyed: bool,
    table: OnceLock<Option<Arc<Table>>>,
    adjacency: OnceLock<Arc<Adjacency>>,
}

impl View {
    pub(crate) fn new(
        store: &Store,
        derived: &Arc<Derived>,
        snapshot: Arc<Snapshot>,
        catalog: Arc<Catalog>,
    ) -> View {
        let nodes: Vec<NodeTable> = catalog
            .nodes
            .keys()
            .map(|name| NodeTable {
                name: name.clone(),
                ids: derived.ids(name),
                table: OnceLock::new(),
                index: OnceLock::new(),
            })
            .collect();
        let place =
            |name: &str| nodes.binary_search_by(|node| node.name.as_str().cmp(name)).unwrap_or(usize::MAX);
        let edges = catalog
            .edges
            .values()
            .map(|edge| EdgeTable {
                name: edge.name.clone(),
                from: place(&edge.from),
                to: place(&edge.to),
                keyed: !edge.body.key.is_empty(),
                table: OnceLock::new(),
                adjacency: OnceLock::new(),
            })
            .collect();
        View { store: store.clone(), derived: derived.clone(), snapshot, catalog, nodes, edges }
    }

    /// The place of a node type among all, by name.
    pub(crate) fn node_place(&self, name: &str) -> Result<u16> {
        let found = self.nodes.binary_search_by(|node| node.name.as_str().cmp(name));
        found.map(|at| at as u16).map_err(|_| Error::damaged(format!("no node type {name}")))
    }

    /// The place of an edge type among all, by name.
    pub(crate) fn edge_place(&self, name: &str) -> Result<u16> {
        let found = self.edges.iter().position(|edge| edge.name == name);
        found.map(|at| at as u16).ok_or_else(|| Error::damaged(format!("no edge type {name}")))
    }

    pub(crate) fn node(&self, place: u16) -> &NodeTable {
        &self.nodes[place as usize]
    }

    pub(crate) fn edge(&self, place: u16) -> &EdgeTable {
        &self.edges[place as usize]
    }

    pub(crate) fn edge_count(&self) -> u16 {
        self.edges.len() as u16
    }

    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The rows of a node type; `None` without any.
    pub(crate) fn node_table(&self, place: u16) -> Result<Option<&Arc<Table>>> {
        let node = self.node(place);
        self.opened(&node.table, &TableName::Node(&node.name).key())
    }

    /// The rows of an edge type; `None` without any.
    pub(crate) fn edge_table(&self, place: u16) -> Result<Option<&Arc<Table>>> {
        let edge = self.edge(place);
        self.opened(&edge.table, &TableName::Edge(&edge.name).key())
    }

    fn opened<'a>(
        &self,
        cell: &'a OnceLock<Option<Arc<Table>>>,
        key: &str,
    ) -> Result<Option<&'a Arc<Table>>> {
        if let Some(table) = cell.get() {
            return Ok(table.as_ref());
        }
        let table = self.snapshot.table(key).map(|entry| self.store.table(entry)).transpose()?;
        Ok(cell.get_or_init(|| table).as_ref())
    }

    /// Where the rows of the nodes of a type are.
    pub(crate) fn index(&self, place: u16) -> Result<&Arc<NodeIndex>> {
        let node = self.node(place);
        if let Some(index) = node.index.get() {
            return Ok(index);
        }
        let index = match self.node_table(place)? {
            None => Arc::default(),
            Some(table) => {
                let version = self.version(&TableName::Node(&node.name).key(), &node.name);
                self.derived.nodes.get(&node.name, version, |old| {
                    if old.is_none() {
                        table.prefetch(&["id"])?;
                    }
                    NodeIndex::build(table, old, |at| self.numbers(table, at, &node.ids))
                })?
            }
        };
        Ok(node.index.get_or_init(|| index))
    }

    /// The numbers of the nodes of a fragment.
    pub(crate) fn numbers(&self, table: &Table, place: usize, ids: &Arc<Ids>) -> Result<Arc<Numbers>> {
        let key = (table.fragments()[place].files().clone(), identity(ids));
        self.derived.numbers.get_or(key, || Numbers::read(table, place, ids))
    }

    /// Which nodes the edges of a type join.
    pub(crate) fn adjacency(&self, place: u16) -> Result<&Arc<Adjacency>> {
        let edge = self.edge(place);
        if let Some(adjacency) = edge.adjacency.get() {
            return Ok(adjacency);
        }
        let (source, target) = (&self.nodes[edge.from], &self.nodes[edge.to]);
        let (from, to) = (&source.ids, &target.ids);
        // A node type under another name has other numbers, while the table of its edges is the same.
        let joined = format!("{} {} {}", edge.name, source.name, target.name);
        let adjacency = match self.edge_table(place)? {
            None => Arc::default(),
            Some(table) => {
                let version = self.version(&TableName::Edge(&edge.name).key(), &joined);
                self.derived.edges.get(&joined, version, |old| {
                    if old.is_none() {
                        table.prefetch(&["src", "dst"])?;
                    }
                    Adjacency::build(table, old, |at| {
                        let ids = [identity(from), identity(to)];
                        let key = (table.fragments()[at].files().clone(), ids);
                        self.derived.ends.get_or(key, || Ends::read(table, at, from, to))
                    })
                })?
            }
        };
        Ok(edge.adjacency.get_or_init(|| adjacency))
    }

    /// A version of a table, as seen under these names.
    fn version(&self, key: &str, names: &str) -> (String, u64) {
        let entry = self.snapshot.table(key);
        entry.map(|entry| (format!("{names} {}", entry.dir), entry.version)).unwrap_or_default()
    }
}

/// Tells the ids of one node type from those of another. They are never forgotten, so their place is their name.
fn identity(ids: &Arc<Ids>) -> usize {
    Arc::as_ptr(ids) as usize
}

/// Live rows of a fragment, in order.
pub(crate) fn live_rows(table: &Table, place: usize) -> Result<Vec<u32>> {
    let fragment: &Fragment = &table.fragments()[place];
    Ok(match table.live(place)? {
        None => (0..fragment.rows()).collect(),
        Some(live) => live.set_indices().map(|row| row as u32).collect(),
    })
}
