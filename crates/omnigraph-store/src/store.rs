//! An open graph store: heads of branches, snapshots, table handles.

use crate::Result;
use crate::background::Background;
use crate::branch::Branch;
use crate::cache::ByteCache;
use crate::commit_id::CommitId;
use crate::counted::{Counter, Requests};
use crate::error::Error;
use crate::history::RECORD_CACHE;
use crate::location::Location;
use crate::log;
use crate::objects::{Created, Objects};
use crate::record::{CommitRecord, TableEntry};
use crate::released::kept;
use crate::snapshot::{Snapshot, Target};
use crate::table::{ColumnKey, Table};
use arrow_array::ArrayRef;
use lance::session::Session;
use lance_io::object_store::{ObjectStoreParams, ObjectStoreRegistry};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;

/// The format of the objects that this version reads and writes.
pub const FORMAT: u32 = 1;

/// The object that says what a directory is.
pub(crate) const MARKER: &str = "omnigraph.json";

/// Of Lance: decoded index pages, and metadata of files.
const LANCE_CACHE: usize = 128 << 20;

/// Table handles hold manifests; this is generous.
const HANDLE_CACHE: usize = 64 << 20;

/// How a store is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bytes of decoded columns to keep.
    pub cache_bytes: usize,
    /// Whether a commit on a local disk is on the disk before it is acknowledged.
    pub durable: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { cache_bytes: 1 << 30, durable: true }
    }
}

/// A graph that is open. Clones share everything.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) location: Location,
    pub(crate) objects: Objects,
    requests: Arc<Requests>,
    pub(crate) session: Arc<Session>,
    pub(crate) params: ObjectStoreParams,
    pub(crate) columns: Arc<ByteCache<ColumnKey, ArrayRef>>,
    tables: ByteCache<(String, u64), Arc<Table>>,
    pub(crate) records: ByteCache<CommitId, Arc<Snapshot>>,
    heads: Mutex<HashMap<String, Head>>,
    pub(crate) background: Background,
    runtime: Option<Runtime>,
}

/// The newest commit of a branch that this process has seen.
#[derive(Clone, Debug)]
struct Head {
    branch: Branch,
    snapshot: Arc<Snapshot>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Marker {
    pub(crate) format: u32,
}

impl Store {
    /// Makes a graph without rows, with a branch `main` of one commit.
    pub fn create(
        location: &Location,
        schema: &str,
        actor: Option<&str>,
        options: &Options,
    ) -> Result<Store> {
        let store = Store::connect(location, options)?;
        let made = store.wait(async {
            let objects = &store.inner.objects;
            if let Some(directory) = location.directory() {
                let made = std::fs::create_dir_all(directory);
                made.map_err(|error| Error::io(format!("making {location}"), error))?;
            }
            objects.check_bucket().await?;
            store.mark().await?;
            let now = now_micros();
            let branch = Branch::new(Branch::MAIN, None, now)?;
            let record = store.first_record(&branch, schema, actor, now).await?;
            log::append(objects, &branch.uid, 1, &record).await?;
            branch.create(objects).await
        })?;
        match made {
            Created::Now => Ok(store),
            Created::Before => Err(Error::GraphExists { location: location.to_string() }),
        }
    }

    /// Opens a graph.
    pub fn open(location: &Location, options: &Options) -> Result<Store> {
        let none = || Error::NoGraph { location: location.to_string() };
        if location.directory().is_some_and(|directory| !directory.is_dir()) {
            return Err(none());
        }
        let store = Store::connect(location, options)?;
        store.wait(async {
            let Some(bytes) = store.inner.objects.get(MARKER).await? else {
                store.inner.objects.check_bucket().await?;
                return Err(none());
            };
            let marker: Marker =
                serde_json::from_slice(&bytes).map_err(|error| Error::damaged(MARKER, error))?;
            if marker.format != FORMAT {
                let location = location.to_string();
                return Err(Error::Format { location, found: marker.format, known: FORMAT });
            }
            Ok(())
        })?;
        match store.head(Branch::MAIN) {
            Err(Error::NoBranch { .. }) => Err(none()),
            Err(error) => Err(error),
            Ok(_) => Ok(store),
        }
    }

    pub(crate) fn connect(location: &Location, options: &Options) -> Result<Store> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Error::io("starting threads", error))?;
        let registry = Arc::new(ObjectStoreRegistry::default());
        let session = Arc::new(Session::new(LANCE_CACHE, LANCE_CACHE, registry.clone()));
        let requests = Arc::<Requests>::default();
        let counter = Arc::new(Counter(requests.clone()));
        let params =
            ObjectStoreParams { object_store_wrapper: Some(counter), ..ObjectStoreParams::default() };
        let objects = runtime.block_on(Objects::open(location, registry, &params, options.durable))?;
        let inner = Inner {
            location: location.clone(),
            objects,
            requests,
            session,
            params,
            columns: Arc::new(ByteCache::new(options.cache_bytes)),
            tables: ByteCache::new(HANDLE_CACHE),
            records: ByteCache::new(RECORD_CACHE),
            heads: Mutex::default(),
            background: Background::default(),
            runtime: Some(runtime),
        };
        Ok(Store { inner: Arc::new(inner) })
    }

    pub(crate) async fn put_schema(&self, source: &str) -> Result<String> {
        let hash = blake3::hash(source.as_bytes()).to_hex()[..32].to_owned();
        self.inner.objects.create(&format!("schema/{hash}.pg"), source.as_bytes().to_vec().into()).await?;
        Ok(hash)
    }

    /// Stores the source of a schema and gives the name that records have for it.
    pub fn add_schema(&self, source: &str) -> Result<String> {
        self.wait(self.put_schema(source))
    }

    /// The source of a schema.
    pub fn schema(&self, hash: &str) -> Result<String> {
        let object = format!("schema/{hash}.pg");
        let bytes = self.wait(self.inner.objects.get(&object))?;
        let bytes = bytes.ok_or_else(|| Error::damaged(&object, "it is missing"))?;
        String::from_utf8(bytes.to_vec()).map_err(|error| Error::damaged(object, error))
    }

    /// Where it is.
    pub fn location(&self) -> &Location {
        &self.inner.location
    }

    /// What the object store was asked so far.
    pub fn requests(&self) -> &Requests {
        &self.inner.requests
    }

    /// The newest commit of a branch, asked of the store.
    pub fn head(&self, branch: &str) -> Result<Arc<Snapshot>> {
        self.wait(self.head_of(branch)).map(|head| head.1)
    }

    pub(crate) async fn head_of(&self, name: &str) -> Result<(Branch, Arc<Snapshot>)> {
        let known = self.heads().get(name).cloned();
        // `main` cannot be deleted; another branch may have been, and made again.
        let branch = match &known {
            Some(head) if name == Branch::MAIN => head.branch.clone(),
            _ => self.branch(name).await?,
        };
        let known = known.filter(|head| head.branch.uid == branch.uid);
        let snapshot = self.newest(&branch, known.map(|head| head.snapshot)).await?;
        self.remember(&branch, &snapshot);
        Ok((branch, snapshot))
    }

    async fn newest(&self, branch: &Branch, known: Option<Arc<Snapshot>>) -> Result<Arc<Snapshot>> {
        let objects = &self.inner.objects;
        let uid = branch.uid.clone();
        let found = match &known {
            Some(snapshot) if snapshot.uid == uid => log::newest(objects, &uid, snapshot.seq).await?,
            Some(_) => log::newest(objects, &uid, 0).await?,
            None => log::newest_cold(objects, &uid).await?,
        };
        match (found, known, &branch.fork) {
            (Some((seq, record)), _, _) => Ok(Arc::new(Snapshot { record, uid, seq })),
            (None, Some(known), _) => Ok(known),
            (None, None, Some(fork)) => self.fresh(fork).await.and_then(kept),
            (None, None, None) => Err(Error::damaged(format!("branch {}", branch.name), "its log is empty")),
        }
    }

    /// Remembers a newer head, so that the next question begins there.
    pub(crate) fn remember(&self, branch: &Branch, snapshot: &Arc<Snapshot>) {
        let head = Head { branch: branch.clone(), snapshot: snapshot.clone() };
        self.heads().insert(branch.name.clone(), head);
    }

    pub(crate) fn forget(&self, branch: &str) {
        self.heads().remove(branch);
    }

    fn heads(&self) -> std::sync::MutexGuard<'_, HashMap<String, Head>> {
        self.inner.heads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The graph at a target.
    pub fn resolve(&self, target: &Target) -> Result<Arc<Snapshot>> {
        match target {
            Target::Branch(name) => self.head(name),
            Target::Commit(id) => self.look_up(id).and_then(kept),
            Target::Tag(name) => self.tagged(name),
            Target::Version(name, version) => {
                let head = self.head(name)?;
                self.wait(self.back_to(head, target, |record| record.version.cmp(version).is_le()))
                    .and_then(kept)
            }
            Target::At(name, micros) => {
                let head = self.head(name)?;
                self.wait(self.back_to(head, target, |record| record.created_at <= *micros)).and_then(kept)
            }
        }
    }

    /// The newest commit up to `head` that is old enough, in logarithmic steps per log.
    async fn back_to(
        &self,
        head: Arc<Snapshot>,
        target: &Target,
        old_enough: impl Fn(&CommitRecord) -> bool,
    ) -> Result<Arc<Snapshot>> {
        let none = || Error::NoCommit { wanted: format!("at {target}") };
        if let Target::Version(_, version) = target
            && (head.record.version < *version || *version == 0)
        {
            return Err(none());
        }
        let mut upper = head;
        loop {
            if old_enough(&upper.record) {
                return Ok(upper);
            }
            let first = self.record(&upper.uid, 1).await?;
            if !old_enough(&first) {
                let fork = first.parent.as_ref().ok_or_else(none)?;
                upper = self.commit(fork).await?;
                continue;
            }
            let (mut low, mut high, mut best) = (1, upper.seq, first);
            while low + 1 < high {
                let middle = low + (high - low) / 2;
                let record = self.record(&upper.uid, middle).await?;
                if old_enough(&record) {
                    (low, best) = (middle, record);
                } else {
                    high = middle;
                }
            }
            return Ok(Arc::new(Snapshot { record: best, uid: upper.uid.clone(), seq: low }));
        }
    }

    pub(crate) async fn record(&self, uid: &str, seq: u64) -> Result<CommitRecord> {
        let found = log::read(&self.inner.objects, uid, seq).await?;
        found.ok_or_else(|| Error::damaged(format!("log {uid}"), format!("record {seq} is missing")))
    }

    /// The commit before one, on the way that it was made; `None` for the first.
    pub fn parent(&self, snapshot: &Snapshot) -> Result<Option<Arc<Snapshot>>> {
        let Some(parent) = &snapshot.record.parent else { return Ok(None) };
        self.wait(self.commit(parent)).map(Some)
    }

    /// What is known of a branch.
    pub(crate) async fn branch(&self, name: &str) -> Result<Branch> {
        if let Some(branch) = Branch::read(&self.inner.objects, name).await? {
            return Ok(branch);
        }
        self.forget(name);
        Err(Error::NoBranch { name: name.to_owned(), similar: None })
    }

    /// An open table. Opening one twice costs nothing.
    pub fn table(&self, entry: &TableEntry) -> Result<Arc<Table>> {
        let key = (entry.dir.clone(), entry.version);
        self.inner.tables.get_or(key, || self.wait(Table::open(self, entry)).map(Arc::new))
    }

    pub(crate) fn keep_table(&self, entry: &TableEntry, table: &Arc<Table>) {
        self.inner.tables.put((entry.dir.clone(), entry.version), table.clone());
    }

    /// A table that is open.
    pub(crate) fn known_table(&self, entry: &TableEntry) -> Option<Arc<Table>> {
        self.inner.tables.get(&(entry.dir.clone(), entry.version))
    }

    pub(crate) fn wait<F: Future>(&self, future: F) -> F::Output {
        self.runtime().block_on(future)
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        self.inner.runtime.as_ref().expect("it is only taken when the store is dropped")
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Waiting here would panic inside of another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Microseconds since 1970.
pub(crate) fn now_micros() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
