//! The tables, by ordered migrations. A database is brought forward one step at a time and never thrown away.

use crate::error::HistoryError;
use rusqlite::{Connection, TransactionBehavior};

/// The newest schema.
pub(crate) const VERSION: u32 = MIGRATIONS.len() as u32;

/// Step *n* brings schema *n* to *n + 1*.
const MIGRATIONS: [&str; 2] = [FIRST, IDS_FROM_FIRST_SIGHT];

/// - `commits`: parents have smaller numbers, so numbers are a topological order. `first_parent` is `NULL` for a
///   root. `flags`: 1 the parents are cut off by a shallow clone, 2 an operation log was followed, 4 one was not.
/// - `addresses`: where a symbol can be: path, name inside the file, kind.
/// - `assigns`: from this commit on, along first parents, this address is this symbol.
/// - `touches`, `file_touches`: who changed what, and how.
/// - `hops`: how a symbol went from one address to another, and how that is known; `other` is the symbol it was
///   split from or merged with.
/// - `heads`: sets of commits by number: all that a head can see, and its line of first parents.
/// - `kept_ids`: stable ids of commits that are walked again, to be given out as before.
const FIRST: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, UNIQUE (name, email)) STRICT;
CREATE TABLE commits (
    id INTEGER PRIMARY KEY, sha BLOB NOT NULL UNIQUE, first_parent INTEGER, date INTEGER NOT NULL,
    author INTEGER NOT NULL, flags INTEGER NOT NULL, log_hash BLOB
) STRICT;
CREATE INDEX commits_by_parent ON commits (first_parent);
CREATE TABLE merge_parents (child INTEGER NOT NULL, parent INTEGER NOT NULL, PRIMARY KEY (child, parent)) STRICT, WITHOUT ROWID;
CREATE INDEX merge_parents_by_parent ON merge_parents (parent);
CREATE TABLE messages (commit_id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE warnings (commit_id INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX warnings_by_commit ON warnings (commit_id);
CREATE TABLE paths (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE symbols (id INTEGER PRIMARY KEY, stable_id TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE addresses (
    id INTEGER PRIMARY KEY, path INTEGER NOT NULL, name TEXT NOT NULL, kind INTEGER NOT NULL,
    UNIQUE (path, name, kind)
) STRICT;
CREATE TABLE assigns (
    address INTEGER NOT NULL, commit_id INTEGER NOT NULL, symbol INTEGER NOT NULL, PRIMARY KEY (address, commit_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX assigns_by_symbol ON assigns (symbol, commit_id, address);
CREATE TABLE touches (
    symbol INTEGER NOT NULL, commit_id INTEGER NOT NULL, change INTEGER NOT NULL, PRIMARY KEY (symbol, commit_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX touches_by_commit ON touches (commit_id, symbol);
CREATE TABLE file_touches (
    path INTEGER NOT NULL, commit_id INTEGER NOT NULL, change INTEGER NOT NULL, PRIMARY KEY (path, commit_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_touches_by_commit ON file_touches (commit_id, path);
CREATE TABLE file_renames (
    path INTEGER NOT NULL, commit_id INTEGER NOT NULL, old_path INTEGER NOT NULL, PRIMARY KEY (path, commit_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_renames_by_old_path ON file_renames (old_path, commit_id, path);
CREATE TABLE hops (
    symbol INTEGER NOT NULL, commit_id INTEGER NOT NULL, change INTEGER NOT NULL, known_by INTEGER NOT NULL,
    from_address INTEGER, to_address INTEGER, other INTEGER
) STRICT;
CREATE INDEX hops_by_symbol ON hops (symbol, commit_id);
CREATE INDEX hops_by_commit ON hops (commit_id);
CREATE TABLE tasks (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE task_commits (
    task INTEGER NOT NULL, commit_id INTEGER NOT NULL, PRIMARY KEY (task, commit_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_commits_by_commit ON task_commits (commit_id, task);
CREATE TABLE heads (commit_id INTEGER PRIMARY KEY, seen BLOB NOT NULL, line BLOB NOT NULL, kept INTEGER NOT NULL) STRICT;
CREATE TABLE kept_ids (
    sha BLOB NOT NULL, address INTEGER NOT NULL, symbol INTEGER NOT NULL, PRIMARY KEY (sha, address)
) STRICT, WITHOUT ROWID;
";

/// Ids are made from where a symbol was first seen. What was given out at random before is of no use to another clone,
/// so every commit is read again. `operations`: what followed logs say was done to a symbol, in their order.
const IDS_FROM_FIRST_SIGHT: &str = "
DELETE FROM commits; DELETE FROM merge_parents; DELETE FROM messages; DELETE FROM warnings; DELETE FROM symbols;
DELETE FROM addresses; DELETE FROM assigns; DELETE FROM touches; DELETE FROM file_touches; DELETE FROM file_renames;
DELETE FROM hops; DELETE FROM tasks; DELETE FROM task_commits; DELETE FROM heads; DELETE FROM kept_ids;
DELETE FROM meta WHERE key IN ('walk', 'operation_logs');
CREATE TABLE operations (
    symbol INTEGER NOT NULL, commit_id INTEGER NOT NULL, place INTEGER NOT NULL, op TEXT NOT NULL,
    PRIMARY KEY (symbol, commit_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX operations_by_commit ON operations (commit_id);
";

/// The schema that a database has; 0 when it is empty.
pub(crate) fn version(connection: &Connection) -> Result<u32, HistoryError> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Brings a database forward. Another process may be doing the same.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), HistoryError> {
    if version(connection)? == VERSION {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&transaction)?;
    for step in MIGRATIONS.iter().skip(found as usize) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    Ok(transaction.commit()?)
}
