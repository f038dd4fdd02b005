//! Small objects of a graph: read whole, written once.

use crate::error::Error;
use crate::location::Location;
use bytes::Bytes;
use futures::TryStreamExt;
use lance_io::object_store::{ObjectStore as LanceStore, ObjectStoreParams, ObjectStoreRegistry};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload};
use std::fs::File;
use std::io;
use std::sync::Arc;

/// Whether a put-if-absent put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Created {
    /// It is ours.
    Now,
    /// There was one.
    Before,
}

/// An object of a list.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    /// Below the root of the graph.
    pub(crate) name: String,
    /// In bytes.
    pub(crate) size: u64,
    /// Microseconds since 1970.
    pub(crate) modified: i64,
}

/// The objects below the root of a graph.
#[derive(Debug)]
pub(crate) struct Objects {
    location: Location,
    store: Arc<dyn ObjectStore>,
    /// While it lives, tables are found in the same store; one in memory would be another one each time.
    _shared: Arc<LanceStore>,
    root: Path,
    durable: bool,
}

impl Objects {
    pub(crate) async fn open(
        location: &Location,
        registry: Arc<ObjectStoreRegistry>,
        params: &ObjectStoreParams,
        durable: bool,
    ) -> Result<Objects, Error> {
        let opened = LanceStore::from_uri_and_params(registry, &location.uri(""), params).await;
        let (shared, root) = opened.map_err(|error| Error::io(format!("opening {location}"), error))?;
        let store = shared.inner.clone();
        Ok(Objects { location: location.clone(), store, _shared: shared, root, durable })
    }

    /// The bytes of an object; `None` when there is none.
    pub(crate) async fn get(&self, name: &str) -> Result<Option<Bytes>, Error> {
        let failed = |error| Error::io(format!("reading {name} of {}", self.location), error);
        match self.store.get(&self.path(name)).await {
            Ok(found) => found.bytes().await.map(Some).map_err(failed),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) if is_not_a_directory(&error) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// Writes an object unless there is one.
    pub(crate) async fn create(&self, name: &str, bytes: Bytes) -> Result<Created, Error> {
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        match self.store.put_opts(&self.path(name), PutPayload::from(bytes), options).await {
            Ok(_) => self.sync_object(name).map(|()| Created::Now),
            Err(object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. }) => {
                Ok(Created::Before)
            }
            Err(error) => Err(Error::io(format!("writing {name} of {}", self.location), error)),
        }
    }

    /// Writes an object, whatever was there.
    pub(crate) async fn put(&self, name: &str, bytes: Bytes) -> Result<(), Error> {
        let put = self.store.put(&self.path(name), PutPayload::from(bytes)).await;
        put.map(|_| ()).map_err(|error| Error::io(format!("writing {name} of {}", self.location), error))
    }

    /// Deletes an object; it is fine when there is none.
    pub(crate) async fn delete(&self, name: &str) -> Result<(), Error> {
        match self.store.delete(&self.path(name)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(Error::io(format!("deleting {name} of {}", self.location), error)),
        }
    }

    /// The names of the objects in a directory, without it, sorted.
    pub(crate) async fn list(&self, directory: &str) -> Result<Vec<String>, Error> {
        let prefix = self.path(directory);
        let found: Result<Vec<_>, _> = self.store.list(Some(&prefix)).try_collect().await;
        let found =
            found.map_err(|error| Error::io(format!("listing {directory} of {}", self.location), error))?;
        let names = found.iter().filter_map(|object| object.location.filename()).map(str::to_owned);
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        Ok(names)
    }

    /// All objects below a directory.
    pub(crate) async fn list_all(&self, directory: &str) -> Result<Vec<Listed>, Error> {
        let found: Result<Vec<_>, _> = self.store.list(Some(&self.path(directory))).try_collect().await;
        let found =
            found.map_err(|error| Error::io(format!("listing {directory} of {}", self.location), error))?;
        let root: Vec<_> = self.root.parts().collect();
        let listed = found.into_iter().map(|object| {
            let parts: Vec<_> = object.location.parts().skip(root.len()).collect();
            let name = parts.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join("/");
            Listed { name, size: object.size, modified: object.last_modified.timestamp_micros() }
        });
        Ok(listed.collect())
    }

    /// Removes directories without files. Only a local disk has any.
    pub(crate) fn remove_empty_directories(&self, below: &str) {
        fn prune(path: &std::path::Path) {
            for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    prune(&entry.path());
                    // It stays when there is something in it.
                    let _ = std::fs::remove_dir(entry.path());
                }
            }
        }
        if let Some(root) = self.location.directory() {
            prune(&root.join(below));
        }
    }

    /// Makes files that other code wrote survive a loss of power, with the directories that name them. Nothing to do
    /// in an object store.
    pub(crate) fn sync_files(&self, names: &[String]) -> Result<(), Error> {
        let Some(root) = self.location.directory().filter(|_| self.durable) else { return Ok(()) };
        let mut directories: Vec<_> = Vec::new();
        for name in names {
            let path = root.join(name);
            sync(&path)?;
            // A directory may be new, too, and then its parent must name it.
            let parents = path.ancestors().skip(1).take_while(|parent| parent.starts_with(root));
            directories.extend(parents.map(std::path::Path::to_path_buf));
        }
        directories.sort_unstable();
        directories.dedup();
        directories.iter().try_for_each(|directory| sync(directory))
    }

    fn sync_object(&self, name: &str) -> Result<(), Error> {
        self.sync_files(&[name.to_owned()])
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').filter(|part| !part.is_empty()).fold(self.root.clone(), Path::join)
    }
}

fn sync(path: &std::path::Path) -> Result<(), Error> {
    let synced = File::open(path).and_then(|file| file.sync_data());
    synced.map_err(|error| Error::io(format!("syncing {}", path.display()), error))
}

/// A local path that leads through a file holds no objects.
fn is_not_a_directory(error: &object_store::Error) -> bool {
    let object_store::Error::Generic { source, .. } = error else { return false };
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(source.as_ref());
    while let Some(error) = cause {
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::NotADirectory)
        {
            return true;
        }
        cause = error.source();
    }
    false
}
