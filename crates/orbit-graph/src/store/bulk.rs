//! Filling a whole index at once: in a file that nobody sees yet, or in the place of the rows that are there.

use super::schema;
use crate::error::GraphError;
use rusqlite::Connection;
use std::fmt::Write as _;

const FTS: [&str; 4] = ["symbols_fts", "files_fts", "strings_fts", "configs_fts"];

/// Fills a new database, and leaves it closed and whole.
pub(crate) fn fill_new<T>(
    connection: Connection,
    fill: impl FnOnce(&Connection) -> Result<T, GraphError>,
) -> Result<T, GraphError> {
    connection.execute_batch("BEGIN")?;
    let filled = all_at_once(&connection, fill)?;
    connection.execute_batch("COMMIT; PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL;")?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(filled)
}

/// Fills an existing database anew: readers see the old rows until it is done.
pub(crate) fn fill_again<T>(
    connection: &Connection,
    fill: impl FnOnce(&Connection) -> Result<T, GraphError>,
) -> Result<T, GraphError> {
    let filled = super::in_transaction(connection, || {
        empty(connection)?;
        all_at_once(connection, fill)
    })?;
    connection.execute_batch("PRAGMA wal_checkpoint(PASSIVE);")?;
    Ok(filled)
}

/// Indexes are made when all rows are there, and FTS gathers much before it writes a segment.
fn all_at_once<T>(
    connection: &Connection,
    fill: impl FnOnce(&Connection) -> Result<T, GraphError>,
) -> Result<T, GraphError> {
    write_hash_size(connection, 8 << 20)?;
    let filled = fill(connection)?;
    write_hash_size(connection, 1 << 20)?;
    connection.execute_batch(schema::INDEXES)?;
    Ok(filled)
}

/// How much FTS gathers before it writes a segment.
fn write_hash_size(connection: &Connection, bytes: u32) -> Result<(), GraphError> {
    for fts in FTS {
        connection.execute(&format!("INSERT INTO {fts} ({fts}, rank) VALUES ('hashsize', {bytes})"), [])?;
    }
    Ok(())
}

/// Removes all rows, and the indexes that are made again at the end.
fn empty(connection: &Connection) -> Result<(), GraphError> {
    let mut sql = String::new();
    for statement in schema::INDEXES.split(';') {
        if let Some(name) = statement.split_whitespace().nth(2) {
            let _ = write!(sql, "DROP INDEX IF EXISTS {name};");
        }
    }
    let others = [
        "file_rows",
        "skipped_rows",
        "manifest_rows",
        "fact_rows",
        "lookup_rows",
        "module_rows",
        "meta",
        "text_rows",
        "tally_rows",
        "outcome_rows",
        "word_rows",
        "open_rows",
        "unread_rows",
    ];
    for table in schema::FILE_BOUND.into_iter().chain(others) {
        let _ = write!(sql, "DELETE FROM {table};");
    }
    for fts in FTS {
        let _ = write!(sql, "INSERT INTO {fts} ({fts}) VALUES ('delete-all');");
    }
    Ok(connection.execute_batch(&sql)?)
}
