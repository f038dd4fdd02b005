//! A graph: opened, read, changed.

mod branches;
mod change;
mod describe;
mod examine;
mod export;
mod gate;
mod group;
mod history;
mod load;
mod maintain;
mod plans;
mod publish;
mod schema;
mod tags;

pub use branches::DeletedBranch;
pub use change::ChangeOptions;
pub use describe::{Described, TableInfo};
pub use examine::{Examined, Fragments};
pub(crate) use export::Lines;
pub use export::{ExportOptions, ExportReport};
pub use gate::parse_time;
pub use load::{LoadOptions, LoadProgress};
pub use maintain::{FsckProblem, FsckReport, OptimizeReport};
pub(crate) use publish::Attempt;
pub use schema::{Progress, SchemaOptions, SchemaReport};

use crate::access::{Access, Action};
use crate::error::{Error, Result};
use crate::exec::{self, Changes, Context, Profile, Walks};
use crate::loaded::Loaded;
use crate::params;
use crate::render::{QueryResult, ReadTarget};
use crate::rows::data_type;
use crate::search::Searches;
use crate::stop::Stop;
use crate::validate::RuleBook;
use crate::view::{Derived, View};
use arrow_array::RecordBatch;
use omnigraph_compiler::{Plan, Schema, Source};
use omnigraph_store::{Location, Options, Snapshot, Store, Target};
use plans::Plans;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// How much memory an open graph may use for what it can read again.
#[derive(Clone, Debug)]
pub struct GraphOptions {
    /// Bytes, about. With none, every call finds the graph as a new process does.
    pub cache_bytes: usize,
    /// Whether a commit on a local disk is on the disk before it is acknowledged.
    pub durable: bool,
    /// How many nodes the walks of a query may meet that have no greatest number of hops.
    pub walk_nodes: u64,
}

/// Some seconds of walking.
const WALK_NODES: u64 = 10_000_000;

impl Default for GraphOptions {
    /// A quarter of the machine's memory, within reason; `OMNIGRAPH_CACHE_MB`, `OMNIGRAPH_FSYNC` and
    /// `OMNIGRAPH_WALK_NODES` say otherwise.
    fn default() -> GraphOptions {
        let asked = std::env::var("OMNIGRAPH_CACHE_MB").ok().and_then(|text| text.parse::<usize>().ok());
        let bytes = asked.map_or_else(|| (machine_memory() / 4).clamp(256 << 20, 8 << 30), |mb| mb << 20);
        let durable = std::env::var("OMNIGRAPH_FSYNC").map_or(true, |text| text != "0");
        let walk_nodes = std::env::var("OMNIGRAPH_WALK_NODES").ok().and_then(|text| text.parse::<u64>().ok());
        GraphOptions { cache_bytes: bytes, durable, walk_nodes: walk_nodes.unwrap_or(WALK_NODES) }
    }
}

fn machine_memory() -> usize {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<usize>().ok());
    kib.map_or(2 << 30, |kib| kib << 10)
}

/// An open graph in the name of somebody: every call asks its [`Access`] before it reads or writes, and what it writes
/// bears the name of its actor. Clones share everything. Calls block.
#[derive(Clone, Debug)]
pub struct Graph {
    inner: Arc<Inner>,
    access: Access,
    /// Ends what this handle is asked for.
    stop: Stop,
}

#[derive(Debug)]
struct Inner {
    store: Store,
    /// `None` when nothing is kept from one call to the next.
    derived: Option<Arc<Derived>>,
    schemas: Mutex<HashMap<String, Arc<Loaded>>>,
    views: Mutex<Vec<Arc<View>>>,
    plans: Plans,
    queues: group::Queues,
    walk_nodes: u64,
}

/// Rows of a query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Of the query.
    pub query_name: String,
    /// The graph that was read.
    pub snapshot: Arc<Snapshot>,
    /// The columns of the query.
    pub rows: RecordBatch,
    /// Their types.
    pub columns: Vec<(String, omnigraph_compiler::Type)>,
}

impl Answer {
    /// Something that can be rendered; `target` is what was asked for.
    pub fn result(self, target: &Target) -> QueryResult {
        let target = match target {
            Target::Branch(name) => ReadTarget { branch: Some(name.clone()), snapshot: None },
            _ => ReadTarget { branch: None, snapshot: Some(self.snapshot.id().to_string()) },
        };
        let columns = self.columns.into_iter().map(|(name, ty)| (name, data_type(&ty)));
        QueryResult {
            query_name: self.query_name,
            target,
            columns: columns.collect(),
            batches: vec![self.rows],
        }
    }
}

/// How many views are kept; each is cheap but for what the caches hold anyway.
const VIEWS: usize = 8;

/// What a view may hold that shares nothing with others.
const SCRATCH: usize = 16 << 20;

impl Graph {
    /// Makes a graph without rows.
    pub fn create(location: &str, schema: &str, access: Access, options: &GraphOptions) -> Result<Graph> {
        access.check(Action::Admin, None, None)?;
        let location = Location::parse(location)?;
        let source = Source::new("the schema", schema);
        let parsed = Schema::parse(&source)?;
        RuleBook::new(&parsed.catalog)?;
        let store = Store::create(&location, schema, access.actor(), &store_options(options))?;
        Ok(Graph::of(store, access, options))
    }

    /// Opens a graph. `access` decides what may be done with it.
    pub fn open(location: &str, access: Access, options: &GraphOptions) -> Result<Graph> {
        let store = Store::open(&Location::parse(location)?, &store_options(options))?;
        Ok(Graph::of(store, access, options))
    }

    fn of(store: Store, access: Access, options: &GraphOptions) -> Graph {
        let inner = Inner {
            store,
            derived: (options.cache_bytes > 0).then(|| Arc::new(Derived::new(options.cache_bytes / 2))),
            schemas: Mutex::default(),
            views: Mutex::default(),
            plans: Plans::default(),
            queues: group::Queues::default(),
            walk_nodes: options.walk_nodes,
        };
        Graph { inner: Arc::new(inner), access, stop: Stop::default() }
    }

    /// The same open graph for somebody else: what is in memory is shared, what is allowed is not.
    #[must_use]
    pub fn acting(&self, access: Access) -> Graph {
        Graph { inner: self.inner.clone(), access, stop: self.stop.clone() }
    }

    /// The same open graph with work that can be ended.
    #[must_use]
    pub fn stopped_by(&self, stop: &Stop) -> Graph {
        Graph { inner: self.inner.clone(), access: self.access.clone(), stop: stop.clone() }
    }

    /// Who works with this graph, and what decides what they may.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// The store below, for maintenance and tests. It asks nobody: whoever calls it has decided already.
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// The schema of a commit.
    pub(crate) fn schema_of(&self, snapshot: &Snapshot) -> Result<Arc<Loaded>> {
        let hash = &snapshot.record.schema;
        let mut schemas = self.inner.schemas.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = schemas.get(hash) {
            return Ok(loaded.clone());
        }
        let source = self.inner.store.schema(hash)?;
        let loaded = Arc::new(Loaded::read("the schema of the graph", source)?);
        schemas.insert(hash.clone(), loaded.clone());
        Ok(loaded)
    }

    /// The source of the schema of a target.
    pub fn schema(&self, target: &Target) -> Result<String> {
        let snapshot = self.readable(target)?;
        Ok(self.schema_of(&snapshot)?.source.clone())
    }

    /// What was derived from files so far.
    pub(crate) fn derived(&self) -> Arc<Derived> {
        self.inner.derived.clone().unwrap_or_else(|| Arc::new(Derived::new(SCRATCH)))
    }

    /// A view of a commit; the same one for as long as it is among the last that were asked for.
    pub(crate) fn view(&self, snapshot: &Arc<Snapshot>) -> Result<Arc<View>> {
        if self.inner.derived.is_none() {
            let catalog = self.schema_of(snapshot)?.catalog.clone();
            return Ok(Arc::new(View::new(&self.inner.store, &self.derived(), snapshot.clone(), catalog)));
        }
        let mut views = self.inner.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = views.iter().position(|view| view.snapshot.id() == snapshot.id()) {
            let view = views.remove(at);
            views.push(view.clone());
            return Ok(view);
        }
        drop(views);
        let catalog = self.schema_of(snapshot)?.catalog.clone();
        let view = Arc::new(View::new(&self.inner.store, &self.derived(), snapshot.clone(), catalog));
        let mut views = self.inner.views.lock().unwrap_or_else(PoisonError::into_inner);
        views.push(view.clone());
        if views.len() > VIEWS {
            views.remove(0);
        }
        Ok(view)
    }

    /// Runs a query that reads.
    pub fn read(
        &self,
        target: &Target,
        source: &str,
        name: Option<&str>,
        given: &Map<String, Value>,
    ) -> Result<Answer> {
        self.profiled(target, source, name, given).map(|(answer, _)| answer)
    }

    /// Runs a query that reads, and says what each operator did: the plan, with rows and time behind every line.
    pub fn analyze(
        &self,
        target: &Target,
        source: &str,
        name: Option<&str>,
        given: &Map<String, Value>,
    ) -> Result<(Answer, String)> {
        let (answer, profile) = self.profiled(target, source, name, given)?;
        let plan = self.plan_at(&answer.snapshot, source, name)?;
        Ok((answer, describe::annotated(&plan, &profile)))
    }

    /// The plan of a query.
    pub fn plan(&self, target: &Target, source: &str, name: Option<&str>) -> Result<Arc<Plan>> {
        let snapshot = self.readable(target)?;
        self.plan_at(&snapshot, source, name)
    }

    fn plan_at(&self, snapshot: &Snapshot, source: &str, name: Option<&str>) -> Result<Arc<Plan>> {
        self.inner.plans.get(&*self.schema_of(snapshot)?, &snapshot.record.schema, source, name)
    }

    fn profiled(
        &self,
        target: &Target,
        source: &str,
        name: Option<&str>,
        given: &Map<String, Value>,
    ) -> Result<(Answer, Profile)> {
        let snapshot = self.readable(target)?;
        let plan = self.plan_at(&snapshot, source, name)?;
        let Plan::Read(read) = &*plan else {
            return Err(Error::request(format!(
                "query `{}` changes the graph: run it with `change`",
                plan.name()
            )));
        };
        self.allow_types_at(Action::Read, (target, &snapshot), plan.types())?;
        let view = self.view(&snapshot)?;
        let params = params::bind(&read.params, given)?;
        let reading = Reading { graph: self, target, snapshot: &snapshot };
        let context = Context {
            view: &view,
            params: &params,
            now: now_millis(),
            searches: Searches::default(),
            stop: &self.stop,
            walks: Walks::at_most(self.inner.walk_nodes),
            changes: Changes::told_by(Some(&reading)),
        };
        let mut profile = Profile::default();
        let rows = exec::run(&context, read, &mut profile)?;
        let columns =
            read.columns().iter().map(|column| (column.name.clone(), column.expr.ty.clone())).collect();
        Ok((Answer { query_name: read.name.clone(), snapshot, rows, columns }, profile))
    }
}

/// A state that is being read.
pub(crate) struct Reading<'a> {
    pub(crate) graph: &'a Graph,
    target: &'a Target,
    pub(crate) snapshot: &'a Arc<Snapshot>,
}

impl Reading<'_> {
    /// The branch that is read, or that the state was made on.
    pub(crate) fn branch(&self) -> &str {
        gate::named_branch(self.target).unwrap_or(&self.snapshot.record.branch)
    }
}

fn store_options(options: &GraphOptions) -> Options {
    Options { cache_bytes: options.cache_bytes / 2, durable: options.durable }
}

/// Milliseconds since 1970.
pub(crate) fn now_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
