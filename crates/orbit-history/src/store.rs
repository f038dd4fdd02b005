//! The database: kept for good, so its schema only ever moves forward by migrations.
//!
//! [`schema`] is the format, [`writer`] the only code that adds facts, [`forget`] takes commits back to be walked
//! again, [`reach`] says what a commit can see.

pub(crate) mod forget;
pub(crate) mod reach;
pub(crate) mod schema;
pub(crate) mod writer;

use crate::error::HistoryError;
use crate::git::Oid;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use std::path::Path;
use std::time::Duration;

/// The row of a commit. Parents have smaller numbers than their children.
pub(crate) type CommitId = u32;
/// The row of a symbol, which is one stable id.
pub(crate) type SymbolId = u32;
/// The row of a path.
pub(crate) type PathId = u32;

/// The setting that says whether the last walk got to its head: `open` or `done`.
pub(crate) const WALK: &str = "walk";

/// Opens the history for reading. Creates nothing.
pub(crate) fn open_read(path: &Path) -> Result<Connection, HistoryError> {
    if !path.exists() {
        return Err(HistoryError::Missing(path.to_owned()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    keep_plans(&connection)?;
    match schema::version(&connection)? {
        schema::VERSION => Ok(connection),
        0 => Err(HistoryError::Missing(path.to_owned())),
        found if found > schema::VERSION => {
            Err(HistoryError::Newer { path: path.to_owned(), found, known: schema::VERSION })
        }
        // An older schema is brought forward by the next sync.
        _ => Err(HistoryError::Missing(path.to_owned())),
    }
}

/// Keeps statements with their plans, whatever their parameters are bound to: planning anew takes longer than most
/// of them do.
fn keep_plans(connection: &Connection) -> Result<(), HistoryError> {
    connection.set_prepared_statement_cache_capacity(64);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// Opens the history for writing, made or brought forward when needed.
pub(crate) fn open_write(path: &Path) -> Result<Connection, HistoryError> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_mins(1))?;
    keep_plans(&connection)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY;",
    )?;
    let found = schema::version(&connection)?;
    if found > schema::VERSION {
        return Err(HistoryError::Newer { path: path.to_owned(), found, known: schema::VERSION });
    }
    schema::migrate(&mut connection)?;
    Ok(connection)
}

/// The row of a commit, when its facts are stored.
pub(crate) fn commit_id(connection: &Connection, sha: Oid) -> Result<Option<CommitId>, HistoryError> {
    let mut statement = connection.prepare_cached("SELECT id FROM commits WHERE sha = ?1")?;
    Ok(statement.query_row([sha.as_bytes()], |row| row.get(0)).optional()?)
}

/// Stored commits that lead to all others, for the next walk to start behind: the heads that were walked to, or, when the
/// last walk did not get to its head, whatever has no stored children.
pub(crate) fn tips(connection: &Connection) -> Result<Vec<Oid>, HistoryError> {
    let sql = if meta(connection, WALK)?.as_deref() == Some("done") {
        "SELECT c.sha FROM heads h JOIN commits c ON c.id = h.commit_id ORDER BY h.kept DESC"
    } else {
        "SELECT sha FROM commits c
         WHERE NOT EXISTS (SELECT 1 FROM commits k WHERE k.first_parent = c.id)
           AND NOT EXISTS (SELECT 1 FROM merge_parents m WHERE m.parent = c.id)
         ORDER BY id DESC LIMIT 1000"
    };
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| row.get::<_, Vec<u8>>(0))?;
    let mut tips = Vec::new();
    for sha in rows {
        tips.extend(Oid::from_bytes(&sha?));
    }
    Ok(tips)
}

/// A setting of the history.
pub(crate) fn meta(connection: &Connection, key: &str) -> Result<Option<String>, HistoryError> {
    let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
    Ok(statement.query_row([key], |row| row.get(0)).optional()?)
}

pub(crate) fn set_meta(connection: &Connection, key: &str, value: &str) -> Result<(), HistoryError> {
    connection
        .prepare_cached("INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2")?
        .execute(params![key, value])?;
    Ok(())
}
