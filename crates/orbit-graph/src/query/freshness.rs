//! Whether what an answer says about a file still holds: the file's size and time against the index.

use crate::error::GraphError;
use crate::walk::mtime_ns;
use rusqlite::{Connection, OptionalExtension};
use std::collections::BTreeSet;
use std::path::Path;

/// Whether a file changed or vanished since it was indexed.
pub(crate) fn is_stale(connection: &Connection, root: &Path, path: &str) -> Result<bool, GraphError> {
    let mut statement = connection
        .prepare_cached("SELECT mtime_ns, byte_len, content_hash FROM file_rows WHERE path = ?1")?;
    let known: Option<(i64, i64, Vec<u8>)> =
        statement.query_row([path], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
    let Some((mtime, byte_len, hash)) = known else { return Ok(true) };
    let Ok(metadata) = std::fs::metadata(root.join(path)) else { return Ok(true) };
    if metadata.len() as i64 == byte_len && mtime_ns(&metadata) == mtime {
        return Ok(false);
    }
    // A new time alone means nothing: checkouts touch files without changing them.
    let bytes = std::fs::read(root.join(path)).unwrap_or_default();
    Ok(blake3::hash(&bytes).as_bytes()[..] != hash[..])
}

/// Those of the files an answer speaks of that changed since they were indexed.
pub(crate) fn stale_among<'p>(
    connection: &Connection,
    root: &Path,
    paths: impl Iterator<Item = &'p str>,
) -> Result<Vec<String>, GraphError> {
    let mut stale = Vec::new();
    for path in paths.collect::<BTreeSet<&str>>() {
        if is_stale(connection, root, path)? {
            stale.push(path.to_owned());
        }
    }
    Ok(stale)
}
