//! What the index remembers besides the facts of files: what it was built from, the files it left out, the manifests.

use super::reader::Remembered;
use super::schema;
use crate::error::GraphError;
use crate::layout::Manifest;
use crate::location::Location;
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{BTreeMap, BTreeSet};

/// Which kind of sync wrote the index last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Whole,
    InPart,
}

/// Remembers a file that was left out, with the stat it had.
pub(crate) fn write_skip(
    connection: &Connection,
    path: &str,
    mtime_ns: i64,
    byte_len: u64,
    reason: &str,
) -> Result<(), GraphError> {
    let mut insert =
        connection.prepare_cached("INSERT OR REPLACE INTO skipped_rows VALUES (?1, ?2, ?3, ?4)")?;
    insert.execute(params![path, mtime_ns, byte_len as i64, reason])?;
    Ok(())
}

/// Forgets the files that are not left out any more.
pub(crate) fn keep_skips(connection: &Connection, still: &BTreeSet<&str>) -> Result<(), GraphError> {
    let mut statement = connection.prepare_cached("SELECT path FROM skipped_rows")?;
    let known: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for path in known.iter().filter(|path| !still.contains(path.as_str())) {
        connection.execute("DELETE FROM skipped_rows WHERE path = ?1", [path])?;
    }
    Ok(())
}

/// Replaces all manifests.
pub(crate) fn write_manifests(
    connection: &Connection,
    manifests: &BTreeMap<String, Remembered<Option<Manifest>>>,
) -> Result<(), GraphError> {
    connection.execute("DELETE FROM manifest_rows", [])?;
    let mut insert = connection.prepare_cached("INSERT INTO manifest_rows VALUES (?1, ?2, ?3, ?4)")?;
    for (path, row) in manifests {
        let facts = row.value.as_ref().and_then(|facts| serde_json::to_string(facts).ok());
        insert.execute(params![path, row.mtime_ns, row.byte_len as i64, facts])?;
    }
    Ok(())
}

/// Says what the index was built from, and when (in nanoseconds since 1970).
pub(crate) fn write_meta(
    connection: &Connection,
    location: &Location,
    written: Written,
    now_ns: i64,
) -> Result<(), GraphError> {
    let mut insert = connection.prepare_cached("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")?;
    let commit = location.head.commit.as_deref().unwrap_or("");
    insert.execute(["extractor_version", &orbit_extract::EXTRACTOR_VERSION.to_string()])?;
    insert.execute(["schema_version", &schema::VERSION.to_string()])?;
    insert.execute(["branch", location.branch()])?;
    insert.execute(["commit_sha", commit])?;
    let time = match written {
        Written::Whole => "last_full_build_at",
        Written::InPart => "last_incremental_at",
    };
    insert.execute([time, &now_ns.to_string()])?;
    Ok(())
}

/// Whether the index names the branch and commit that HEAD is at.
pub(crate) fn meta_is_current(connection: &Connection, location: &Location) -> Result<bool, GraphError> {
    let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
    let mut is = |key: &str, now: &str| -> Result<bool, GraphError> {
        let stored: Option<String> = statement.query_row([key], |row| row.get(0)).optional()?;
        Ok(stored.as_deref() == Some(now))
    };
    Ok(is("branch", location.branch())? && is("commit_sha", location.head.commit.as_deref().unwrap_or(""))?)
}
