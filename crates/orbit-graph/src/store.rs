//! The database: one SQLite file per worktree and branch, made to be thrown away.
//!
//! [`schema`] is the format. [`writer`] changes the rows of files and [`words`] how often each word is written, [`unread`] those of files that cannot be read, [`state`] what the index remembers besides, [`bulk`]
//! fills a whole index at once. [`reader`] is what incremental builds read back, [`readers`] the connections that
//! queries use, [`symbols`] and [`rows`] what they read by number, name or path, [`routers`] how routes are put together, [`export`] all rows in words.

pub(crate) mod schema;
pub(crate) mod writer;
pub(crate) mod words;
pub(crate) mod unread;
pub(crate) mod state;
pub(crate) mod bulk;
pub(crate) mod lists;
pub(crate) mod reader;
pub(crate) mod readers;
pub(crate) mod stored;
pub(crate) mod symbols;
pub(crate) mod rows;
pub(crate) mod routers;
pub(crate) mod export;

use crate::error::GraphError;
use crate::location::with_suffix;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
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

/// Opens an existing index for writing.
pub(crate) fn open_write(path: &Path) -> Result<Connection, GraphError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(30))?;
    keep_plans(&connection)?;
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000;")?;
    check_version(&connection, path)?;
    Ok(connection)
}

/// Runs `write` in one transaction, which an error takes back.
pub(crate) fn in_transaction<T>(
    connection: &Connection,
    write: impl FnOnce() -> Result<T, GraphError>,
) -> Result<T, GraphError> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    match write() {
        Ok(written) => {
            connection.execute_batch("COMMIT")?;
            Ok(written)
        }
        Err(error) => {
            let _ = connection.execute_batch("ROLLBACK"); // the first error is the one to tell
            Err(error)
        }
    }
}

/// Brings what a log still holds into the database and empties the log, so that readers need not look at it. One
/// that reads at this moment may prevent it; then the next sync does it.
pub(crate) fn settle(path: &Path) {
    let log = with_suffix(path, "-wal");
    if std::fs::metadata(log).map_or(true, |log| log.len() == 0) {
        return;
    }
    if let Ok(connection) = open_write(path) {
        let _ = connection.busy_timeout(Duration::from_millis(100));
        let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    }
}

/// Creates an empty index that nobody else sees yet, tuned for filling it at once.
pub(crate) fn create(path: &Path) -> Result<Connection, GraphError> {
    let connection = Connection::open(path)?;
    keep_plans(&connection)?;
    connection.execute_batch(
        "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
         PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -24000; PRAGMA temp_store = FILE;",
    )?;
    connection.execute_batch(&schema::tables())?;
    Ok(connection)
}

/// Keeps statements with their plans. Without the guarantee, SQLite plans a statement anew whenever a parameter is
/// bound to another value, which takes longer than most of our statements do.
fn keep_plans(connection: &Connection) -> Result<(), GraphError> {
    connection.set_prepared_statement_cache_capacity(64);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

fn check_version(connection: &Connection, path: &Path) -> Result<(), GraphError> {
    let found: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match found {
        found if found > schema::VERSION => {
            Err(GraphError::Newer { path: path.to_owned(), found, known: schema::VERSION })
        }
        schema::VERSION => Ok(()),
        found if found > 0 => Err(GraphError::Outdated(path.to_owned())),
        found => Err(GraphError::Damaged(format!("schema version {found}, expected {}", schema::VERSION))),
    }
}
