//! Whether what an answer says about a file still holds: the file's size and time against the index.

use crate::error::GraphError;
use crate::walk::mtime_ns;
use rusqlite::{Connection, OptionalExtension};
use std::collections::BTreeSet;
use std::path::Path;

/// Whether a file changed or vanished since it was indexed.
pub(crate) fn is_stale(connection: &Connection, root: &Path, path: &str) -> Result<bool, GraphError> {
    let Some(known) = Known::read(connection, path)? else { return Ok(true) };
    let Ok(metadata) = std::fs::metadata(root.join(path)) else { return Ok(true) };
    if known.has_stat(&metadata) {
        return Ok(false);
    }
    Ok(!known.has_bytes(&std::fs::read(root.join(path)).unwrap_or_default()))
}

/// The bytes of a file, if it is there, and whether they are others than those that were indexed.
pub(crate) fn read(
    connection: &Connection,
    root: &Path,
    path: &str,
) -> Result<(Option<Vec<u8>>, bool), GraphError> {
    let known = Known::read(connection, path)?;
    // The size and time from before the bytes were read: what is written meanwhile is not taken for what was indexed.
    let metadata = std::fs::metadata(root.join(path)).ok();
    let bytes = std::fs::read(root.join(path)).ok();
    let is_same = match (&known, &metadata, &bytes) {
        (Some(known), Some(metadata), Some(bytes)) => {
            known.has_stat(metadata) && known.byte_len == bytes.len() as i64 || known.has_bytes(bytes)
        }
        _ => false,
    };
    Ok((bytes, !is_same))
}

/// A file as it was indexed.
struct Known {
    mtime_ns: i64,
    byte_len: i64,
    content_hash: Vec<u8>,
}

impl Known {
    fn read(connection: &Connection, path: &str) -> Result<Option<Known>, GraphError> {
        let mut statement = connection
            .prepare_cached("SELECT mtime_ns, byte_len, content_hash FROM file_rows WHERE path = ?1")?;
        let known = statement.query_row([path], |row| {
            Ok(Known { mtime_ns: row.get(0)?, byte_len: row.get(1)?, content_hash: row.get(2)? })
        });
        Ok(known.optional()?)
    }

    fn has_stat(&self, metadata: &std::fs::Metadata) -> bool {
        metadata.len() as i64 == self.byte_len && mtime_ns(metadata) == self.mtime_ns
    }

    /// A new time alone means nothing: checkouts touch files without changing them.
    fn has_bytes(&self, bytes: &[u8]) -> bool {
        blake3::hash(bytes).as_bytes()[..] == self.content_hash[..]
    }
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
