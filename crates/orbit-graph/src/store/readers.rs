//! Connections that queries use: opened without changing anything, and kept for the next query while the
//! database stays what it was.

use super::lists::Lists;
use super::{check_version, keep_plans};
use crate::error::GraphError;
use crate::location::with_suffix;
use rusqlite::{Connection, OpenFlags};
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// A file changed less than this ago may change again without its time telling.
const SETTLED: Duration = Duration::from_millis(50);

/// At most one idle connection; queries that run at the same time open their own.
#[derive(Debug, Default)]
pub(crate) struct Readers {
    idle: Mutex<Option<Idle>>,
}

#[derive(Debug)]
struct Idle {
    connection: Connection,
    lists: Lists,
    stamp: Stamp,
}

/// Which database, and which state of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    path: PathBuf,
    bytes: u64,
    modified: SystemTime,
}

impl Stamp {
    /// `None` when the file is missing or too young to tell its next change by its time.
    fn of(path: &Path) -> Option<Stamp> {
        let metadata = std::fs::metadata(path).ok()?;
        let modified = metadata.modified().ok()?;
        let is_settled = modified.elapsed().is_ok_and(|age| age > SETTLED);
        is_settled.then(|| Stamp { path: path.to_owned(), bytes: metadata.len(), modified })
    }
}

/// An index open for reading.
pub(crate) struct ReadConnection {
    connection: Connection,
    /// Held while the database is read as a plain file: writers wait until it is dropped.
    shared: Option<File>,
    stamp: Option<Stamp>,
    /// What was read of this state before.
    lists: Lists,
}

impl ReadConnection {
    pub(crate) fn lists(&self) -> &Lists {
        &self.lists
    }
}

impl std::ops::Deref for ReadConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl Readers {
    /// Opens an index for reading, or takes the idle connection to it. Nothing is created or changed: while
    /// nobody writes, the database is read as the plain file it is, under a shared lock; while somebody does,
    /// through SQLite's log beside it.
    pub(crate) fn open(&self, path: &Path) -> Result<ReadConnection, GraphError> {
        let Some(shared) = lock_shared(path) else { return open_beside_writer(path) };
        let stamp = Stamp::of(path);
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (connection, lists) = match idle {
            Some(idle) if stamp.as_ref() == Some(&idle.stamp) => (idle.connection, idle.lists),
            _ => (open_uri(&format!("{}?immutable=1", uri(path)), path)?, Lists::default()),
        };
        Ok(ReadConnection { connection, shared: Some(shared), stamp, lists })
    }

    /// Keeps a connection for the next query.
    pub(crate) fn keep(&self, read: ReadConnection) {
        let ReadConnection { connection, shared, stamp, lists } = read;
        if let Some(stamp) = stamp {
            *self.idle.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(Idle { connection, lists, stamp });
        }
        drop(shared); // only now: the connection reads nothing before the next lock
    }
}

/// Opens an index for reading, once.
pub(crate) fn open_read(path: &Path) -> Result<ReadConnection, GraphError> {
    Readers::default().open(path)
}

fn open_beside_writer(path: &Path) -> Result<ReadConnection, GraphError> {
    if !path.exists() {
        return Err(GraphError::Missing(path.to_owned()));
    }
    let name = uri(path);
    let connection = match open_uri(&name, path) {
        // Where SQLite may not put its coordination files beside the database, nobody can write it either.
        Err(GraphError::Database(error)) if is_unwritable(&error) => {
            open_uri(&format!("{name}?immutable=1"), path)
        }
        other => other,
    }?;
    Ok(ReadConnection { connection, shared: None, stamp: None, lists: Lists::default() })
}

/// A shared lock on the file that writers lock, when no writer is at work or waits, and none has left anything in
/// a log. Readers leave an empty log behind; it says nothing.
fn lock_shared(path: &Path) -> Option<File> {
    let lock = File::open(with_suffix(path, ".lock")).ok()?;
    if File::open(with_suffix(path, ".gate")).is_ok_and(|gate| gate.try_lock_shared().is_err()) {
        return None;
    }
    lock.try_lock_shared().ok()?;
    let log_is_empty = std::fs::metadata(with_suffix(path, "-wal")).map_or(true, |log| log.len() == 0);
    (log_is_empty && path.exists()).then_some(lock)
}

fn open_uri(name: &str, path: &Path) -> Result<Connection, GraphError> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(name, flags)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    keep_plans(&connection)?;
    connection.execute_batch("PRAGMA cache_size = -16000;")?;
    check_version(&connection, path)?;
    Ok(connection)
}

fn is_unwritable(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, ReadOnly};
    error.sqlite_error_code().is_some_and(|code| matches!(code, CannotOpen | ReadOnly))
}

/// A path as SQLite's URI.
fn uri(path: &Path) -> String {
    let mut name = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                name.push(char::from(*byte));
            }
            other => {
                let _ = write!(name, "%{other:02x}");
            }
        }
    }
    name
}
