//! Small objects of a graph: read whole, written once.

use crate::error::Error;
use crate::location::Location;
use bytes::Bytes;
use futures::TryStreamExt;
use lance_io::object_store::{ObjectStore as LanceStore, ObjectStoreParams, ObjectStoreRegistry};
use object_store::buffered::BufWriter;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload};
use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::AsyncWriteExt;

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
    known: Mutex<HashSet<PathBuf>>,
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
        Ok(Objects {
            location: location.clone(),
            store,
            _shared: shared,
            root,
            durable,
            known: Mutex::default(),
        })
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

    /// Fails when the bucket does not exist. An object that is not there does not tell: that is asked by a list.
    pub(crate) async fn check_bucket(&self) -> Result<(), Error> {
        let Some(bucket) = self.location.bucket() else { return Ok(()) };
        match self.store.list(Some(&self.root)).try_next().await {
            // The word of S3, which everything that speaks it has in its answer.
            Err(error) if error.to_string().contains("NoSuchBucket") => {
                Err(Error::NoBucket { bucket: bucket.to_owned() })
            }
            // Who may not list may read all the same.
            _ => Ok(()),
        }
    }

    /// Writes an object unless there is one.
    pub(crate) async fn create(&self, name: &str, bytes: Bytes) -> Result<Created, Error> {
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        match self.store.put_opts(&self.path(name), PutPayload::from(bytes), options).await {
            Ok(_) => self.sync_object(name).await.map(|()| Created::Now),
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

    /// Copies an object of any size to the same name elsewhere and gives its bytes; `None` when there is none.
    pub(crate) async fn copy_to(&self, name: &str, there: &Objects) -> Result<Option<u64>, Error> {
        let reading = |error| Error::io(format!("reading {name} of {}", self.location), error);
        let found = match self.store.get(&self.path(name)).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(reading(error)),
        };
        let writing = |error| Error::io(format!("writing {name} of {}", there.location), error);
        let mut pieces = found.into_stream();
        let mut writer = BufWriter::new(there.store.clone(), there.path(name));
        let mut copied = 0;
        while let Some(piece) = pieces.try_next().await.map_err(reading)? {
            copied += piece.len() as u64;
            writer.put(piece).await.map_err(writing)?;
        }
        writer
            .shutdown()
            .await
            .map_err(|error| Error::io(format!("writing {name} of {}", there.location), error))?;
        Ok(Some(copied))
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
    /// in an object store. All of them at once: a disk writes them together, and one after the other each would wait
    /// for it alone.
    pub(crate) async fn sync_files(&self, names: &[String]) -> Result<(), Error> {
        let Some(root) = self.location.directory().filter(|_| self.durable) else { return Ok(()) };
        let mut paths: BTreeSet<PathBuf> = BTreeSet::new();
        let mut parents: BTreeSet<PathBuf> = BTreeSet::new();
        for name in names {
            let path = root.join(name);
            parents.extend(path.parent().map(std::path::Path::to_path_buf));
            paths.insert(path);
        }
        for parent in &parents {
            paths.insert(parent.clone());
            if !self.known().contains(parent) {
                // It may be new, too, and then its own parent must name it.
                let above = parent.ancestors().skip(1).take_while(|above| above.starts_with(root));
                paths.extend(above.map(std::path::Path::to_path_buf));
            }
        }
        sync_all(paths).await?;
        self.known().extend(parents);
        Ok(())
    }

    /// Directories that the disk has.
    fn known(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn sync_object(&self, name: &str) -> Result<(), Error> {
        self.sync_files(&[name.to_owned()]).await
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').filter(|part| !part.is_empty()).fold(self.root.clone(), Path::join)
    }
}

/// Beside each other; the first error counts.
async fn sync_all(paths: BTreeSet<PathBuf>) -> Result<(), Error> {
    let tasks: Vec<_> =
        paths.into_iter().map(|path| tokio::task::spawn_blocking(move || sync(&path))).collect();
    let mut done = Ok(());
    for task in tasks {
        let one = task.await.unwrap_or_else(|error| Err(Error::io("syncing", error)));
        done = done.and(one);
    }
    done
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
