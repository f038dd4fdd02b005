//! The database: one SQLite file per worktree and branch, made to be thrown away.
//!
//! [`schema`] is the format, [`codec`] the stored facts, [`writer`] the only code that changes rows,
//! [`reader`] what incremental builds read back.

pub(crate) mod codec;
pub(crate) mod reader;
pub(crate) mod schema;
pub(crate) mod writer;

use crate::error::GraphError;
use crate::location::with_suffix;
use rusqlite::{Connection, OpenFlags};
use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// Rows of file `f` have the numbers `f << FILE_SHIFT` and up, so that they lie together and are deleted as
/// one range. 22 bits are more than a 4 MiB file can fill.
pub(crate) const FILE_SHIFT: u32 = 22;

/// The first row number of a file.
pub(crate) fn first_row(file: u32) -> i64 {
    i64::from(file) << FILE_SHIFT
}

/// The file of a row.
pub(crate) fn file_of_row(row: i64) -> u32 {
    (row >> FILE_SHIFT) as u32
}

/// An index open for reading.
pub(crate) struct ReadConnection {
    connection: Connection,
    /// Held while the database is read as a plain file: writers wait until it is dropped.
    _shared: Option<File>,
}

impl std::ops::Deref for ReadConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// Opens an index for reading. Nothing is created or changed: while nobody writes, the database is read as the
/// plain file it is, under a shared lock; while somebody does, through SQLite's log beside it.
pub(crate) fn open_read(path: &Path) -> Result<ReadConnection, GraphError> {
    if !path.exists() {
        return Err(GraphError::Missing(path.to_owned()));
    }
    let name = uri(path);
    if let Some(shared) = lock_shared(path) {
        let connection = open_uri(&format!("{name}?immutable=1"), path)?;
        return Ok(ReadConnection { connection, _shared: Some(shared) });
    }
    let connection = match open_uri(&name, path) {
        // Where SQLite may not put its coordination files beside the database, nobody can write it either.
        Err(GraphError::Database(error)) if is_unwritable(&error) => {
            open_uri(&format!("{name}?immutable=1"), path)
        }
        other => other,
    }?;
    Ok(ReadConnection { connection, _shared: None })
}

/// A shared lock on the file that writers lock, when no writer is at work and none has left a log behind.
fn lock_shared(path: &Path) -> Option<File> {
    let file = File::open(with_suffix(path, ".lock")).ok()?;
    file.try_lock_shared().ok()?;
    (!with_suffix(path, "-wal").exists()).then_some(file)
}

fn open_uri(name: &str, path: &Path) -> Result<Connection, GraphError> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(name, flags)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(64);
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

/// Opens an existing index for writing.
pub(crate) fn open_write(path: &Path) -> Result<Connection, GraphError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(30))?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000;")?;
    check_version(&connection, path)?;
    Ok(connection)
}

/// Creates an empty index that nobody else sees yet, tuned for filling it at once.
pub(crate) fn create(path: &Path) -> Result<Connection, GraphError> {
    let connection = Connection::open(path)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.execute_batch(
        "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
         PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -24000; PRAGMA temp_store = FILE;",
    )?;
    connection.execute_batch(&schema::tables())?;
    Ok(connection)
}

fn check_version(connection: &Connection, path: &Path) -> Result<(), GraphError> {
    let found: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match found {
        found if found > schema::VERSION => {
            Err(GraphError::Newer { path: path.to_owned(), found, known: schema::VERSION })
        }
        schema::VERSION => Ok(()),
        found => Err(GraphError::Damaged(format!("schema version {found}, expected {}", schema::VERSION))),
    }
}
